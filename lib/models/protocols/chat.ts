import { renderMessages } from "../render.ts";
import { type FinishReason, isFields } from "../reply.ts";
import { assembleChoice, bearerHeaders, COMPLETIONS, firstChoice, readChoice } from "./completions.ts";
import { fieldsOf, joinTexts, listOf, type Protocol, splitThinking, type WrittenText } from "./protocol.ts";

/** OpenAI's chat completions API, which most servers offer. */
export const CHAT: Protocol = {
  ...COMPLETIONS,
  path: "/chat/completions",
  hasChatTemplate: true,
  takesAnswerPrefix: true,
  budgetFields: ["max_tokens", "max_completion_tokens"],
  continueFields: { continue_final_message: true, add_generation_prompt: false },
  batchEndpoint: "/v1/chat/completions",
  reasoningValues: "an effort such as low",
  headers: bearerHeaders,
  prompt: (prompt, options) => ({ messages: renderMessages(prompt, options) }),
  reasoning: (value) => typeof value === "string" ? { reasoning_effort: value } : undefined,
  recognises: (reply) => "message" in firstChoice(reply),
  read: (reply) => readChoice(reply, ({ message }, finishReason) => readMessage(message, finishReason)),
  startReply: (take) =>
    assembleChoice({
      take,
      names: ["content", "reasoning_content", "reasoning", "refusal"],
      partsOf: ({ delta }) => fieldsOf(delta),
      // Nothing is sent for an empty text.
      wrap: (texts) => ({ message: Object.keys(texts).length === 0 ? { content: "" } : texts }),
    }),
};

function readMessage(message: unknown, finishReason: FinishReason): WrittenText | undefined {
  if (!isFields(message)) return undefined;
  const { content, refusal, reasoning_content: reasoningContent, reasoning } = message;
  const apart = [reasoningContent, reasoning].find((text) => typeof text === "string" && text !== "");
  const parts = readContent(content) ?? readContent(refusal);
  // Thinking can use up the budget, and a filter can remove everything: the answer is then empty.
  if (!parts) {
    if (!apart && finishReason !== "content_filter") return undefined;
    return { text: "", ...(apart ? { thinking: apart as string } : {}) };
  }
  const thinking = [apart, parts.thinking].filter(Boolean).join("\n");
  return { text: parts.text, ...(thinking ? { thinking } : {}) };
}

/** Reads content that is a text, or a list of parts: text and thinking. */
function readContent(content: unknown): WrittenText | undefined {
  if (typeof content === "string") return splitThinking(content);
  if (!Array.isArray(content)) return undefined;
  return { text: joinTexts(listOf(content), "text"), thinking: joinTexts(listOf(content), "thinking") };
}
