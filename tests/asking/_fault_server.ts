import { fakeServer } from "../models/_fake_server.ts";
import { chatEvents, errorReply, streamReply } from "../models/_play_server.ts";
import { type Model, openEndpoint } from "@/lib/models/mod.ts";
import { integer, stream } from "@/lib/random/mod.ts";

/** A fault, by its name, and what the server does instead of answering. */
type Fault = (answer: string) => Response | Promise<Response>;

function broken(text: string): Response {
  const body = new ReadableStream({
    start(controller): void {
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2)));
      controller.error(new Error("reset"));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function complete(text: string, finish = "stop", promptTokens = 100): Response {
  return Response.json({
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
    usage: { prompt_tokens: promptTokens, completion_tokens: 5 },
  });
}

function refuse(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return errorReply(status, { message: `Status ${status}` }, headers);
}

/** So long that no other reply takes as long, on a busy machine either. */
const STALL_MS = 1000;

function stalled(): Promise<void> {
  return new Promise((go) => setTimeout(go, STALL_MS));
}

/** A stream that begins as an answer does and then comes to another end. */
function brokenStream(answer: string, end?: Error | Promise<void>): Response {
  const events = chatEvents([{ content: answer.slice(0, 1) }], { finish: null, usage: null });
  return streamReply(events, end === undefined ? {} : { end })();
}

/** Every fault that the server deals. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  "429": () => refuse(429),
  "429 with Retry-After": () => refuse(429, { "retry-after": "1" }),
  "500": () => refuse(500),
  "503": () => refuse(503),
  "529": () => refuse(529, { "retry-after-ms": "50" }),
  "425": () => refuse(425),
  "reset within the body": (answer) => broken(JSON.stringify({ choices: [{ message: { content: answer } }] })),
  "half a body": () =>
    new Response('{"choices": [{"message": {"con', { headers: { "content-type": "application/json" } }),
  "a page": () => new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } }),
  "another content type": (answer) => new Response(JSON.stringify({ choices: [{ message: { content: answer } }] })),
  "no choices": () => Response.json({ choices: [] }),
  "cut": (answer) => complete(answer, "length"),
  "filtered": () => complete("", "content_filter"),
  "a stall": async (answer) => {
    await stalled();
    return complete(answer);
  },
  "a stall within the stream": (answer) => brokenStream(answer, stalled()),
  "a stream cut short": (answer) => brokenStream(answer),
  "a reset within the stream": (answer) => brokenStream(answer, new Error("reset")),
  "an error within the stream": () => streamReply([{ error: { code: 500, message: "Out of memory" } }])(),
  "a long reply": (answer) => complete(`${answer} ${"word ".repeat(20_000)}`),
  "another count": (answer) => complete(answer, "stop", 1_000_000),
};

/** A server on loopback that answers sums, and deals faults by a seed. */
export interface FaultServer extends AsyncDisposable {
  /** The model that it serves; its waits are a thousandth of what they would be. */
  readonly model: Model;
  /** How often each fault was dealt. */
  readonly dealt: ReadonlyMap<string, number>;
}

/** Starts a server of which a share of the replies is a fault. */
export function faultServer(seed: string, share: number): FaultServer {
  const dealt = new Map<string, number>();
  const times = new Map<string, number>();
  const server = fakeServer(async (_request, { body }) => {
    const [{ content: question }] = body["messages"] as [{ content: string }];
    const time = (times.get(question) ?? 0) + 1;
    times.set(question, time);
    const [, left, right] = /What is (\d+) \+ (\d+)/.exec(question)!;
    const answer = String(Number(left) + Number(right));
    const draw = stream(seed, "faults", question, time);
    if (draw() >= share) return body["stream"] ? streamReply(chatEvents([{ content: answer }]))() : complete(answer);
    const names = Object.keys(FAULTS);
    const name = names[integer(draw, { low: 0, high: names.length - 1 })]!;
    dealt.set(name, (dealt.get(name) ?? 0) + 1);
    return await FAULTS[name]!(answer);
  }, { onError: () => new Response(null) });
  const delay = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds / 1000);
      signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
    });
  return {
    model: openEndpoint({
      ...{ baseUrl: server.url, model: "fake", delay },
      ...{ timeoutSeconds: 0.75 * STALL_MS / 1000, silenceSeconds: 0.5 * STALL_MS / 1000 },
    }),
    dealt,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
