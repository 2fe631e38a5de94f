import type { Fields } from "@/lib/base/mod.ts";
import { renderMessages } from "../chat_templates.ts";
import { fieldsOf, listOf } from "../json.ts";
import { decideReply, readUsage } from "./normal_form.ts";
import type { Outcome, Protocol, StreamedReply } from "./protocol.ts";
import { joinTexts, judgeHiddenError, judgeMissing } from "./protocol.ts";
import type { Reading } from "./thinking.ts";
import { bearerHeaders, OPENAI_ENVIRONMENT } from "./completions.ts";

/**
 * OpenAI's Responses API. Requests are not stored at the server (`store: false`).
 *
 * https://platform.openai.com/docs/api-reference/responses
 */
export const RESPONSES: Protocol = {
  path: "/responses",
  environment: OPENAI_ENVIRONMENT,
  hasChatTemplate: true,
  takesAnswerPrefix: false,
  budgetFields: ["max_output_tokens"],
  minBudget: 16,
  fieldNames: { seed: null, stop: null },
  streamFields: { stream: true },
  batchEndpoint: "/v1/responses",
  countPath: "/responses/input_tokens",
  reasoningValues: "an effort such as low",
  headers: bearerHeaders,
  prompt: (prompt, options) => ({ input: renderMessages(prompt, options), store: false }),
  reasoning: (value) => typeof value === "string" ? { reasoning: { effort: value } } : undefined,
  read: readResponse,
  startReply,
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
function startReply(take: (bytes: number) => void): StreamedReply {
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
