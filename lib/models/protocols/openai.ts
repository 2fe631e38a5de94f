import { defined, type Fields, isFields } from "@/lib/base/mod.ts";
import { renderMessages, renderText } from "../chat_templates.ts";
import { fieldsOf, listOf } from "../json.ts";
import { decideReply, readEnding, readUsage, type ReplyParts } from "./normal_form.ts";
import type { Outcome, Protocol, StreamedReply } from "./protocol.ts";
import { collectTexts, joinTexts, judgeHiddenError, judgeMissing } from "./protocol.ts";
import type { Reading } from "./thinking.ts";

/** What OpenAI's APIs share. */
const OPENAI = {
  environment: {
    key: "OPENAI_API_KEY",
    keyHeader: "authorization",
    baseUrl: "OPENAI_BASE_URL",
    customHeaders: "OPENAI_CUSTOM_HEADERS",
    vendorUrl: "https://api.openai.com/v1",
  },
  hasChatTemplate: true,
  reasoningValues: "an effort such as low",
  headers: (apiKey) => defined({ authorization: apiKey && `Bearer ${apiKey}` }),
} as const satisfies Partial<Protocol>;

/** The completions API: one text in, its continuation out. */
export const COMPLETIONS: Protocol = {
  ...OPENAI,
  path: "/completions",
  hasChatTemplate: false,
  canWeigh: true,
  budgetFields: ["max_tokens"],
  fieldNames: {},
  streamFields: { stream: true, stream_options: { include_usage: true } },
  batchEndpoint: "/v1/completions",
  reasoningValues: "left out",
  prompt: (prompt, { template }) => ({ prompt: renderText(prompt, template) }),
  reasoning: () => undefined,
  read: (reply, reading) => readChoice(reply, ({ text }) => typeof text === "string" ? { text } : undefined, reading),
  startReply: startChoice,
};

/** OpenAI's chat completions API, which most servers offer. */
export const CHAT: Protocol = {
  ...COMPLETIONS,
  ...OPENAI,
  path: "/chat/completions",
  takesAnswerPrefix: true,
  budgetFields: ["max_tokens", "max_completion_tokens"],
  continueFields: { continue_final_message: true, add_generation_prompt: false },
  batchEndpoint: "/v1/chat/completions",
  prompt: (prompt, options) => ({ messages: renderMessages(prompt, options) }),
  reasoning: (value) => typeof value === "string" ? { reasoning_effort: value } : undefined,
  read: (reply, reading) => readChoice(reply, ({ message }) => readMessage(message), reading),
};

/** The fields of thinking, each as good as another: DeepSeek and vLLM; vLLM, Ollama and OpenRouter; OpenRouter and MiniMax; proxies. */
const REASONING = ["reasoning_content", "reasoning", "reasoning_details", "reasoning_text", "thinking"] as const;

/** Reads the first choice of a reply; `readParts` reads what it has of a text. */
function readChoice(reply: Fields, readParts: (choice: Fields) => ReplyParts | undefined, reading?: Reading): Outcome {
  const [choice] = listOf(reply["choices"]);
  if (choice === undefined) return judgeMissing("choices", reply);
  if (choice["error"]) return judgeHiddenError(choice["error"]);
  const parts = readParts(choice);
  if (!parts) return judgeMissing("text", choice);
  return decideReply({
    ...parts,
    reason: choice["finish_reason"],
    native: nativeReason(choice),
    names: { servedModel: reply["model"], fingerprint: reply["system_fingerprint"] },
    counts: readUsage(reply["usage"]),
  }, reading);
}

/** Returns the reason of the provider behind OpenRouter or LiteLLM. */
function nativeReason(choice: Fields): unknown {
  return choice["native_finish_reason"] ?? fieldsOf(choice["provider_specific_fields"])["native_finish_reason"];
}

/** Assembles the first choice of either API from its events. */
function startChoice(take: (bytes: number) => void): StreamedReply {
  const texts = collectTexts(["text", "content", ...REASONING, "refusal", "tool_calls"], take);
  // Some servers send these once, others in every event.
  const facts: Record<string, unknown> = {};
  let [finish, native, error]: [string | undefined, unknown, unknown] = [undefined, undefined, undefined];
  // Some servers name a reason in every event, so that only the end of the stream is one.
  let isEarly = false;
  return {
    add(event): boolean {
      for (const name of ["model", "system_fingerprint", "usage"]) facts[name] = event[name] ?? facts[name];
      const choice = listOf(event["choices"])[0] ?? {};
      // vLLM's errors have no object of their own.
      const isError = event["choices"] === undefined && typeof event["message"] === "string";
      error ??= event["error"] ?? choice["error"] ?? (isError ? event : undefined);
      native = nativeReason(choice) ?? native;
      const hasText = texts.add(fieldsOf(choice["delta"] ?? choice));
      const reason = choice["finish_reason"];
      isEarly ||= hasText && finish !== undefined;
      if (typeof reason === "string" && readEnding(reason) !== "unknown") finish = reason;
      else if (hasText) finish = undefined;
      return hasText;
    },
    isOver: () => error !== undefined || (finish !== undefined && !isEarly),
    whole(): Fields | undefined {
      if (error !== undefined) return { error };
      if (finish === undefined) return undefined;
      const message = texts.join();
      const { text = "" } = message;
      return { ...facts, choices: [{ finish_reason: finish, native_finish_reason: native, text, message }] };
    },
  };
}

function readMessage(message: unknown): ReplyParts | undefined {
  if (!isFields(message)) return undefined;
  const { content, refusal, tool_calls: toolCalls, function_call: functionCall } = message;
  const written = content || refusal || "";
  if (typeof written !== "string" && !Array.isArray(written)) return undefined;
  const parts = listOf(written);
  const apart = REASONING.map((name) => reasoningText(message[name])).find((text) => text !== "");
  return {
    text: typeof written === "string" ? written : joinTexts(parts, "text"),
    thinking: [apart, joinTexts(parts, "thinking")].filter(Boolean).join("\n"),
    isToolCall: listOf(toolCalls).length > 0 || isFields(functionCall),
  };
}

function reasoningText(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = listOf(value);
  return joinTexts(parts, "text") || joinTexts(parts, "summary");
}

/**
 * OpenAI's Responses API. Requests are not stored at the server (`store: false`).
 *
 * https://platform.openai.com/docs/api-reference/responses
 */
export const RESPONSES: Protocol = {
  ...OPENAI,
  path: "/responses",
  budgetFields: ["max_output_tokens"],
  minBudget: 16,
  fieldNames: { seed: null, stop: null },
  streamFields: { stream: true },
  batchEndpoint: "/v1/responses",
  countPath: "/responses/input_tokens",
  prompt: (prompt, options) => ({ input: renderMessages(prompt, options), store: false }),
  reasoning: (value) => typeof value === "string" ? { reasoning: { effort: value } } : undefined,
  read: readResponse,
  startReply: startResponse,
};

function readResponse(reply: Fields, reading?: Reading): Outcome {
  const { status, error, usage, output } = reply;
  if (error) return judgeHiddenError(error, { rate_limit_exceeded: 429, server_error: 500, invalid_prompt: 400 });
  if (!Array.isArray(output)) return judgeMissing("output", reply);
  const { reason = status } = fieldsOf(reply["incomplete_details"]);
  const items = listOf(output);
  const contents = items.filter(({ type }) => type === "message").flatMap(({ content }) => listOf(content));
  const thoughts = items.filter(({ type }) => type === "reasoning");
  return decideReply({
    text: joinTexts(contents, "text") || joinTexts(contents, "refusal"),
    thinking: joinTexts(thoughts, "content") || joinTexts(thoughts, "summary"),
    reason,
    isToolCall: items.some(({ type }) => String(type).endsWith("_call")),
    names: { servedModel: reply["model"] },
    counts: readUsage(usage),
  }, reading);
}

const TEXT_DELTA = /^response\.(?:output_text|refusal|reasoning_text|reasoning_summary_text)\.delta$/;
const LAST_EVENTS: readonly unknown[] = ["response.completed", "response.incomplete", "response.failed"];

/** Waits for the last event of a stream, which carries the whole response. */
function startResponse(take: (bytes: number) => void): StreamedReply {
  let whole: Fields | undefined;
  return {
    add(event): boolean {
      const { type, delta, response } = event;
      if (type === "error") whole = { error: event };
      else if (LAST_EVENTS.includes(type)) whole = fieldsOf(response);
      if (!TEXT_DELTA.test(String(type)) || typeof delta !== "string" || delta === "") return false;
      take(delta.length);
      return true;
    },
    whole: () => whole,
    isOver: () => whole !== undefined,
  };
}
