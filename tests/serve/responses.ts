import type { CutReply } from "./cut_reply.ts";
import { type Fields, isFields } from "@/lib/models/mod.ts";

/** Writes a request to OpenAI's Responses API as one for a chat: instructions are a system message, items are messages. */
export function asChat(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { input, instructions, max_output_tokens: limit, ...rest } = body;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const system = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const messages = Array.isArray(items) ? [...system, ...items.filter(isMessage).map(asMessage)] : items;
  return { ...rest, messages, "max_completion_tokens": limit };
}

/** Whether an item is a message, and not thinking or a call of a tool of an earlier turn. */
function isMessage(item: unknown): boolean {
  return !isFields(item) || item["type"] === undefined || item["type"] === "message";
}

function asMessage(item: unknown): unknown {
  if (!isFields(item) || !Array.isArray(item["content"])) return item;
  const isText = (part: unknown): part is Fields =>
    isFields(part) && ["input_text", "output_text"].includes(String(part["type"]));
  return { ...item, content: item["content"].map((part) => isText(part) ? { ...part, type: "text" } : part) };
}

/** The facts of a response besides its text. */
interface ResponseHead {
  readonly model: string;
  readonly promptTokens: number;
}

/** Returns a response of OpenAI's Responses API. */
export function responseOf({ text, tokens, finishReason }: CutReply, { model, promptTokens }: ResponseHead): Fields {
  const isCut = finishReason === "length";
  const status = isCut ? "incomplete" : "completed";
  const id = crypto.randomUUID().replaceAll("-", "");
  return {
    ...{ id: `resp_${id}`, object: "response", "created_at": Math.floor(Date.now() / 1000), model, status },
    ...{ error: null, "incomplete_details": isCut ? { reason: "max_output_tokens" } : null, instructions: null },
    output: [{
      ...{ type: "message", id: `msg_${id}`, status, role: "assistant" },
      content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
    }],
    ...{
      "parallel_tool_calls": false,
      "tool_choice": "none",
      tools: [],
      temperature: null,
      "top_p": null,
      metadata: {},
    },
    usage: {
      ...{ "input_tokens": promptTokens, "input_tokens_details": { "cached_tokens": 0 } },
      ...{ "output_tokens": tokens, "output_tokens_details": { "reasoning_tokens": 0 } },
      "total_tokens": promptTokens + tokens,
    },
  };
}

/** The events of a streamed response, word by word; the last one holds all of it. */
export function* responseEvents(reply: CutReply, about: ResponseHead): Generator<string> {
  const whole = responseOf(reply, about);
  let number = 0;
  const write = (type: string, fields: Fields): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, "sequence_number": number++, ...fields })}\n\n`;
  const [item] = whole["output"] as readonly [Fields];
  const begun = { ...whole, status: "in_progress", output: [], usage: null, "incomplete_details": null };
  const place = { "item_id": item["id"], "output_index": 0, "content_index": 0 };
  const [part] = item["content"] as readonly [Fields];
  yield write("response.created", { response: begun });
  yield write("response.output_item.added", {
    "output_index": 0,
    item: { ...item, status: "in_progress", content: [] },
  });
  yield write("response.content_part.added", { ...place, part: { ...part, text: "" } });
  for (const [delta] of reply.text.matchAll(/\s+\S*|\S+/g)) {
    yield write("response.output_text.delta", { ...place, delta, logprobs: [] });
  }
  yield write("response.output_text.done", { ...place, text: reply.text, logprobs: [] });
  yield write("response.content_part.done", { ...place, part });
  yield write("response.output_item.done", { "output_index": 0, item });
  yield write(`response.${whole["status"]}`, { response: whole });
}
