import { renderMessages, renderText } from "../chat_templates.ts";
import { type Fields, fieldsOf, type FinishReason, isFields, listOf } from "../reply.ts";
import {
  badReply,
  describeError,
  joinTexts,
  judgeHiddenError,
  makeAnswer,
  type Outcome,
  type Protocol,
  splitThinking,
  type StreamedReply,
  type WrittenText,
} from "./protocol.ts";

/** OpenAI's environment variables and address. */
export const OPENAI_ENVIRONMENT = {
  key: "OPENAI_API_KEY",
  keyHeader: "authorization",
  baseUrl: "OPENAI_BASE_URL",
  customHeaders: "OPENAI_CUSTOM_HEADERS",
  vendorUrl: "https://api.openai.com/v1",
} as const;

/** The completions API: one text in, its continuation out. */
export const COMPLETIONS: Protocol = {
  path: "/completions",
  environment: OPENAI_ENVIRONMENT,
  hasChatTemplate: false,
  takesAnswerPrefix: false,
  budgetFields: ["max_tokens"],
  minBudget: 1,
  fieldNames: {},
  streamFields: { stream: true, stream_options: { include_usage: true } },
  batchEndpoint: "/v1/completions",
  reasoningValues: "left out",
  headers: bearerHeaders,
  prompt: (prompt, { template }) => ({ prompt: renderText(prompt, template) }),
  reasoning: () => undefined,
  recognises: (reply) => "text" in firstChoice(reply),
  read: (reply) => readChoice(reply, ({ text }) => typeof text === "string" ? splitThinking(text) : undefined),
  startReply: (take) =>
    assembleChoice({ take, names: ["text"], partsOf: (choice) => choice, wrap: ({ text = "" }) => ({ text }) }),
};

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

/** Returns the header of a bearer token. */
export function bearerHeaders(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** Reasons of finishing as servers name them. */
const FINISHES: readonly (readonly [FinishReason, names: readonly string[]])[] = [
  ["stop", ["stop", "eos", "eos_token", "end_turn", "stop_sequence"]],
  ["length", ["length", "max_tokens"]],
  ["content_filter", ["content_filter", "safety"]],
];

/** Reads the first choice of a reply; `readText` reads its text. */
function readChoice(
  reply: Fields,
  readText: (choice: Fields, finishReason: FinishReason) => WrittenText | undefined,
): Outcome {
  const choice: unknown = Array.isArray(reply["choices"]) ? reply["choices"][0] : undefined;
  if (!isFields(choice)) {
    const { error } = reply;
    if (error || reply["object"] === "error") return judgeHiddenError(error || reply, {});
    return badReply(`The reply has no choices: ${describeError(JSON.stringify(reply))}`);
  }
  if (choice["error"]) return judgeHiddenError(choice["error"], {});
  const finish = String(choice["finish_reason"] ?? "").toLowerCase();
  if (finish === "error" || finish === "abort") {
    const message = `The reply was broken off: finish reason "${finish}"`;
    return { kind: "failure", failure: "server", message, canRetry: true };
  }
  const [finishReason] = FINISHES.find(([, names]) => names.includes(finish)) ?? ["unknown" as const];
  const written = readText(choice, finishReason);
  if (!written) return badReply(`The reply has no text: ${describeError(JSON.stringify(choice))}`);
  const usage = fieldsOf(reply["usage"]);
  // LMDeploy up to 0.9 answers so if a prompt is longer than its window.
  if (written.text === "" && finishReason === "length" && usage["completion_tokens"] === 0) {
    const message = "The reply ended before its first token, as the prompt leaves no room in the window";
    return { kind: "failure", failure: "context_length", message, canRetry: false };
  }
  return makeAnswer({
    written,
    finishReason,
    names: { servedModel: reply["model"], fingerprint: reply["system_fingerprint"] },
    counts: {
      promptTokens: usage["prompt_tokens"],
      cachedTokens: fieldsOf(usage["prompt_tokens_details"])["cached_tokens"],
      completionTokens: usage["completion_tokens"],
      reasoningTokens: fieldsOf(usage["completion_tokens_details"])["reasoning_tokens"],
    },
  });
}

/** Returns the first choice of a reply or event; empty if it has none. */
function firstChoice({ choices }: Fields): Fields {
  return Array.isArray(choices) ? fieldsOf(choices[0]) : {};
}

/** A part of a text; Mistral sends thinking as parts of a list. */
type Part = string | Fields;

/** Assembles the first choice of a streamed reply. */
function assembleChoice({ take, names, partsOf, wrap }: {
  readonly take: (bytes: number) => void;
  /** The fields that carry text. */
  readonly names: readonly string[];
  /** Returns the object of a choice that has those fields. */
  readonly partsOf: (choice: Fields) => Fields;
  /** Makes the field of the whole choice from the joined texts. */
  readonly wrap: (texts: Fields) => Fields;
}): StreamedReply {
  const texts = new Map<string, Part[]>();
  // Some servers send these once, others in every event.
  const facts: Record<string, unknown> = {};
  let [finish, error]: [string | undefined, unknown] = [undefined, undefined];
  const addText = (name: string, value: unknown): boolean => {
    const parts: readonly Part[] = typeof value === "string" && value !== "" ? [value] : listOf(value);
    for (const part of parts) take(typeof part === "string" ? part.length : JSON.stringify(part).length);
    texts.getOrInsertComputed(name, () => []).push(...parts);
    return parts.length > 0;
  };
  return {
    add(event): boolean {
      for (const name of ["model", "system_fingerprint", "usage"]) facts[name] = event[name] ?? facts[name];
      const choice = firstChoice(event);
      error ??= event["error"] ?? choice["error"] ?? undefined;
      if (typeof choice["finish_reason"] === "string") finish = choice["finish_reason"];
      const parts = partsOf(choice);
      return names.map((name) => addText(name, parts[name])).includes(true);
    },
    whole(): Fields | undefined {
      if (error !== undefined) return { error };
      if (finish === undefined) return undefined;
      const joined = [...texts].filter(([, parts]) => parts.length > 0).map(([name, parts]) => [name, join(parts)]);
      return { ...facts, choices: [{ finish_reason: finish, ...wrap(Object.fromEntries(joined)) }] };
    },
  };
}

function join(parts: readonly Part[]): unknown {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return parts.map((part) => typeof part === "string" ? { type: "text", text: part } : part);
}

function readMessage(message: unknown, finishReason: FinishReason): WrittenText | undefined {
  if (!isFields(message)) return undefined;
  const { content, refusal, reasoning_content: reasoningContent, reasoning } = message;
  const apart = [reasoningContent, reasoning].find((text) => typeof text === "string" && text !== "");
  const parts = readContent(content) ?? readContent(refusal);
  // Thinking can use up the budget, and a filter can remove everything: the answer is then empty.
  if (!parts && !apart && finishReason !== "content_filter") return undefined;
  return { text: parts?.text ?? "", thinking: [apart, parts?.thinking].filter(Boolean).join("\n") };
}

/** Reads content that is a text, or a list of parts: text and thinking. */
function readContent(content: unknown): WrittenText | undefined {
  if (typeof content === "string") return splitThinking(content);
  if (!Array.isArray(content)) return undefined;
  return { text: joinTexts(listOf(content), "text"), thinking: joinTexts(listOf(content), "thinking") };
}
