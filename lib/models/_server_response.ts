import type { CutReply } from "./_cut_reply.ts";
import { SIMULATED_FINGERPRINT } from "./reply_origin.ts";
import { SIMULATION_VERSION } from "./simulated_model.ts";

/** Says what answers, in every reply, and how it is made. */
const FINGERPRINT = `${SIMULATED_FINGERPRINT}-${SIMULATION_VERSION}`;

/** What a reply tells besides its text. */
export interface ReplyFrame {
  readonly api: "chat" | "completions";
  readonly model: string;
  readonly promptTokens: number;
}

/** Makes the response that tells replies at once. */
export function wholeResponse(replies: readonly CutReply[], frame: ReplyFrame): Response {
  const isChat = frame.api === "chat";
  return Response.json({
    ...head(frame, isChat ? "chat.completion" : "text_completion"),
    choices: replies.map(({ text, finishReason }, index) => ({
      index,
      ...(isChat ? { message: { role: "assistant", content: text, refusal: null } } : { text }),
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage: usage(replies, frame),
  });
}

/** Makes the response that tells replies word by word, as server-sent events. */
export function streamResponse(
  replies: readonly CutReply[],
  frame: ReplyFrame & { readonly includeUsage: boolean },
): Response {
  const isChat = frame.api === "chat";
  const opening = head(frame, isChat ? "chat.completion.chunk" : "text_completion");
  const chunk = (index: number, delta: Record<string, string>, finishReason: string | null): unknown => ({
    ...opening,
    choices: [{
      index,
      ...(isChat ? { delta } : { text: delta["content"] ?? "" }),
      logprobs: null,
      finish_reason: finishReason,
    }],
  });
  const chunks = replies.flatMap(({ text, finishReason }, index) => [
    ...(isChat ? [chunk(index, { role: "assistant", content: "" }, null)] : []),
    ...(text.match(/\s*\S+|\s+$/g) ?? []).map((content) => chunk(index, { content }, null)),
    chunk(index, {}, finishReason),
  ]);
  const last = frame.includeUsage ? [{ ...opening, choices: [], usage: usage(replies, frame) }] : [];
  const events = [...chunks, ...last].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller): void {
      for (const event of [...events, "data: [DONE]\n\n"]) controller.enqueue(encoder.encode(event));
      controller.close();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}

function head({ api, model }: ReplyFrame, object: string): Record<string, unknown> {
  const id = `${api === "chat" ? "chatcmpl" : "cmpl"}-${crypto.randomUUID().replaceAll("-", "")}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model, system_fingerprint: FINGERPRINT };
}

function usage(replies: readonly CutReply[], { promptTokens }: ReplyFrame): Record<string, number> {
  const completionTokens = replies.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
