import { type FakeServer, fakeServer, type Received } from "./_fake_server.ts";

export type { Received };

/** A server that plays its turns. */
export type PlayServer = FakeServer;

/** Plays one answer: a ready response, or what is done with the request. */
export type Turn = Response | ((request: Request) => Response | Promise<Response>);

/** Starts a server that plays its turns in order, the last one for ever. */
export function playServer(...turns: readonly Turn[]): PlayServer {
  return fakeServer(async (request, _read, at) => {
    const turn = turns[Math.min(at, turns.length - 1)]!;
    return turn instanceof Response ? await copy(turn) : await turn(request);
  });
}

/** Copies a response; `clone` alone is sent without its content type where that is its only header (Deno 2.9.6). */
async function copy(response: Response): Promise<Response> {
  const text = await response.clone().text();
  return new Response(response.status === 204 ? null : text, {
    status: response.status,
    headers: [...response.headers],
  });
}

/** A chat completion with a message. */
export function chatReply(message: unknown, rest: Readonly<Record<string, unknown>> = {}): Response {
  return Response.json({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message as object }, finish_reason: "stop", ...rest }],
    usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 },
  });
}

/** An error as OpenAI words it. */
export function errorReply(status: number, error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error }, { status, headers });
}

/** A reply that comes as a stream of events, each sent on its own, with `[DONE]` at its end unless another end is given. */
export function streamReply(
  events: readonly unknown[],
  { end = "data: [DONE]\n\n", pauseMs = 0 }: {
    readonly end?: string | Error | Promise<void>;
    readonly pauseMs?: number;
  } = {},
): () => Response {
  return () => {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      async start(controller): Promise<void> {
        for (const event of events) {
          if (pauseMs > 0) await new Promise((go) => setTimeout(go, pauseMs));
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
        }
        if (end instanceof Error) return controller.error(end);
        if (typeof end === "string") controller.enqueue(encoder.encode(end));
        else await end;
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

/** The events of a chat completion: its parts, the reason why it ended, and the counts of tokens. */
export function chatEvents(
  parts: readonly unknown[],
  { finish = "stop", usage = { prompt_tokens: 120, completion_tokens: 7 } }: {
    readonly finish?: string | null;
    readonly usage?: unknown;
  } = {},
): readonly unknown[] {
  const event = (delta: unknown, reason: string | null): unknown => ({
    ...{ id: "chatcmpl-1", object: "chat.completion.chunk", model: "m" },
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  return [
    event({ role: "assistant", content: "" }, null),
    ...parts.map((part) => event(part, null)),
    ...(finish === null ? [] : [event({}, finish)]),
    ...(usage === null ? [] : [{ id: "chatcmpl-1", model: "m", choices: [], usage }]),
  ];
}
