import { ok } from "node:assert/strict";
import { playServer, type Received, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, type Failure, openEndpoint, type Reply } from "@/lib/models/mod.ts";

/** What became of the questions to a server. */
export interface Asked {
  /** The first reply, and all of them. */
  readonly reply: Reply;
  readonly replies: readonly Reply[];
  /** The wait before each further attempt, in milliseconds. */
  readonly waits: readonly number[];
  readonly received: readonly Received[];
  /** Which requests asked for a stream. */
  readonly streamed: readonly boolean[];
  /** The reasons of waits that the caller was shown. */
  readonly shown: readonly string[];
}

/** Asks a server that plays its turns a question, or several in turn, on a clock that only waits move. */
export async function ask(
  turns: readonly Turn[],
  { times = 1, ...options }: Partial<EndpointOptions> & { readonly times?: number } = {},
): Promise<Asked> {
  await using server = playServer(...turns);
  const [waits, shown, replies]: [number[], string[], Reply[]] = [[], [], []];
  let now = 0;
  const delay = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    now += milliseconds;
    return Promise.resolve();
  };
  const clock = { delay, now: () => now, random: () => 0 };
  const model = openEndpoint({ baseUrl: server.url, model: "m", ...clock, ...options });
  for (let time = 0; time < times; time++) {
    replies.push(await model.ask(smallSample(), undefined, (reason) => void shown.push(reason)));
  }
  const { received } = server;
  const streamed = received.map(({ body }) => body["stream"] === true);
  return { reply: replies[0]!, replies, waits, received, streamed, shown };
}

/** Returns the failure that a reply is. */
export function failureOf({ reply }: Pick<Asked, "reply">): Failure {
  ok(reply.kind === "failure", "the reply is a failure");
  return reply;
}
