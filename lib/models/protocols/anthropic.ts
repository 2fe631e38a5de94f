import { renderMessages } from "../chat_templates.ts";
import { fieldsOf, listOf } from "../json.ts";
import { defined, type Fields } from "@/lib/base/mod.ts";
import { decideReply, readUsage } from "./normal_form.ts";
import type { Outcome, Protocol, StreamedReply } from "./protocol.ts";
import { collectTexts, joinTexts, judgeHiddenError, judgeMissing } from "./protocol.ts";
import type { Reading } from "./thinking.ts";

/** Efforts of the API; `none` disables thinking. */
const EFFORTS: readonly string[] = ["low", "medium", "high", "xhigh", "max"];

const MIN_THINKING_TOKENS = 1024;

/** HTTP statuses of errors that come with a status of success, by type. */
const ERROR_STATUSES: Readonly<Record<string, number>> = {
  "invalid_request_error": 400,
  "authentication_error": 401,
  "billing_error": 402,
  "permission_error": 403,
  "not_found_error": 404,
  "request_too_large": 413,
  "rate_limit_error": 429,
  "api_error": 500,
  "timeout_error": 504,
  "overloaded_error": 529,
};

/**
 * Anthropic's Messages API, which vLLM and others offer too.
 *
 * https://docs.claude.com/en/api/messages
 */
export const ANTHROPIC: Protocol = {
  path: "/messages",
  environment: {
    key: "ANTHROPIC_API_KEY",
    keyHeader: "x-api-key",
    // The address in ANTHROPIC_BASE_URL lacks the version, so it is not read.
    baseUrl: "",
    customHeaders: "",
    vendorUrl: "https://api.anthropic.com/v1",
  },
  hasChatTemplate: true,
  takesAnswerPrefix: true,
  budgetFields: ["max_tokens"],
  fieldNames: { seed: null, stop: "stop_sequences" },
  streamFields: { stream: true },
  countPath: "/messages/count_tokens",
  reasoningValues: `none, ${EFFORTS.join(", ")}, or a budget of at least ${MIN_THINKING_TOKENS} tokens`,
  headers: (apiKey) => ({ "anthropic-version": "2023-06-01", ...defined({ "x-api-key": apiKey }) }),
  prompt(prompt, options): Fields {
    const messages = renderMessages(prompt, options);
    const system = messages.filter(({ role }) => role === "system").map(({ content }) => content).join("\n\n");
    return { ...(system === "" ? {} : { system }), messages: messages.filter(({ role }) => role !== "system") };
  },
  reasoning(value): Fields | undefined {
    if (value === "none") return { thinking: { type: "disabled" } };
    if (typeof value === "string") {
      return EFFORTS.includes(value) ? { thinking: { type: "adaptive" }, output_config: { effort: value } } : undefined;
    }
    return value < MIN_THINKING_TOKENS ? undefined : { thinking: { type: "enabled", budget_tokens: value } };
  },
  read: readMessage,
  startReply,
};

function readMessage(reply: Fields, reading?: Reading): Outcome {
  const { type, error, content, usage } = reply;
  if (type === "error" || error) return judgeHiddenError(error ?? reply, ERROR_STATUSES);
  if (!Array.isArray(content)) return judgeMissing("content", reply);
  const blocks = listOf(content);
  return decideReply({
    text: joinTexts(blocks, "text"),
    thinking: joinTexts(blocks, "thinking"),
    reason: reply["stop_reason"],
    isToolCall: blocks.some(({ type }) => type === "tool_use"),
    names: { servedModel: reply["model"] },
    counts: readUsage(usage, true),
  }, reading);
}

/** Assembles a message: its head, the texts of its content blocks, and its end. */
function startReply(take: (bytes: number) => void): StreamedReply {
  const texts = collectTexts(["text", "thinking"], take);
  let [message, usage, stopReason, error]: [Fields, Fields, unknown, unknown] = [{}, {}, undefined, undefined];
  return {
    add(event): boolean {
      const { type, content_block: block, delta } = event;
      if (type === "error") error = event["error"] ?? event;
      if (type === "message_start") {
        message = fieldsOf(event["message"]);
        usage = fieldsOf(message["usage"]);
      }
      if (type === "message_delta") {
        stopReason = fieldsOf(delta)["stop_reason"];
        const known = Object.entries(fieldsOf(event["usage"])).filter(([, count]) => count !== null);
        usage = { ...usage, ...Object.fromEntries(known) };
      }
      return /^content_block_(?:start|delta)$/.test(String(type)) && texts.add(fieldsOf(block ?? delta));
    },
    isOver: () => error !== undefined || typeof stopReason === "string",
    whole(): Fields | undefined {
      if (error !== undefined) return { error };
      if (typeof stopReason !== "string") return undefined;
      return { ...message, content: [texts.join()], usage, stop_reason: stopReason };
    },
  };
}
