import { deepEqual, equal, match, ok } from "node:assert/strict";
import { llamaCpp, lookServer, wordCount } from "./_look_servers.ts";
import { chatReply, errorReply, type PlayServer, playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { type EndpointPoolOptions, type Model, openEndpoint, type Reply } from "@/lib/models/mod.ts";

const ANSWER = chatReply({ content: "17" });

/** An answer after a moment, so that questions meet. */
async function answerSoon(): Promise<Response> {
  await new Promise((go) => setTimeout(go, 5));
  return ANSWER.clone();
}

function open(servers: readonly PlayServer[], options: Partial<EndpointPoolOptions> = {}): Model {
  const delay = (): Promise<void> => Promise.resolve();
  return openEndpoint({ model: "m", delay, random: () => 0, ...options, baseUrl: servers.map(({ url }) => url) });
}

/** Asks so many samples, so many at a time. */
async function askAll(
  model: Model,
  { samples, atOnce }: { readonly samples: readonly Sample[]; readonly atOnce: number },
): Promise<Reply[]> {
  const [left, replies]: [Sample[], Reply[]] = [[...samples], []];
  const askOn = async (): Promise<void> => {
    for (let sample = left.shift(); sample; sample = left.shift()) replies.push(await model.ask(sample));
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return replies;
}

function manySamples(count: number): readonly Sample[] {
  return Array.from({ length: count }, (_, index) => ({ ...smallSample(), id: `sample-${index}` }));
}

Deno.test("openEndpoint() shares the work among its servers, and says who answered", async () => {
  await using one = playServer(answerSoon);
  await using other = playServer(answerSoon);
  const model = open([one, other]);
  equal(model.settings["baseUrl"], `${one.url}, ${other.url}`);
  const replies = await askAll(model, { samples: manySamples(40), atOnce: 4 });
  deepEqual(replies.map(({ kind }) => kind), Array(40).fill("answer"));
  for (const { url, received } of [one, other]) {
    ok(received.length >= 15, `${received.length} of 40`);
    equal(replies.filter(({ server }) => server === url).length, received.length);
  }
  deepEqual(model.serverNotes?.(), []);
});

Deno.test("openEndpoint() with one address is that endpoint", async () => {
  await using server = playServer(ANSWER);
  const model = openEndpoint({ model: "m", baseUrl: [server.url, server.url] });
  equal(model.settings["baseUrl"], server.url);
  equal("server" in await model.ask(smallSample()), false);
});

Deno.test("openEndpoint() gives the repeats of a sample to the server that had it", async () => {
  await using one = playServer(ANSWER);
  await using other = playServer(ANSWER);
  const model = open([one, other]);
  const [first, second] = manySamples(2) as [Sample, Sample];
  for (let repeat = 0; repeat < 4; repeat++) {
    for (const sample of [first, second]) await model.ask(sample);
  }
  deepEqual([one.received.length, other.received.length], [4, 4]);
});

Deno.test("openEndpoint() leaves a server that is away, says so, and loses no question", async () => {
  const dead = playServer(ANSWER);
  await dead[Symbol.asyncDispose]();
  await using there = playServer(answerSoon);
  const model = open([dead, there]);
  const said: string[] = [];
  const reply = await model.ask(smallSample(), undefined, (reason) => said.push(reason));
  deepEqual([reply.kind, reply.server, said], ["answer", there.url, [
    `${dead.url} failed, the other servers continue`,
  ]]);
  deepEqual([reply.attempts, reply.resent?.map(({ failure, times, waitedMs }) => [failure, times, waitedMs])], [
    2,
    [["connection", 1, 0]],
  ]);
  const replies = await askAll(model, { samples: manySamples(20), atOnce: 4 });
  deepEqual(replies.map(({ kind, attempts }) => [kind, attempts]), Array(20).fill(["answer", 1]));
  match(model.serverNotes!().join(), /^http:\S+ failed, and the other servers answered instead: The connection to /);
});

Deno.test("openEndpoint() goes on where a server goes away in the midst, and tries it again later", async () => {
  const { now } = performance;
  let laterMs = 0;
  performance.now = () => now.call(performance) + laterMs;
  try {
    let isAway = false;
    await using one = playServer(() => isAway ? errorReply(404, { message: "gone" }) : answerSoon());
    await using other = playServer(answerSoon);
    const model = open([one, other]);
    await askAll(model, { samples: manySamples(8), atOnce: 4 });
    isAway = true;
    const before = one.received.length;
    const replies = await askAll(model, { samples: manySamples(40), atOnce: 4 });
    ok(replies.every(({ kind }) => kind === "answer"));
    ok(one.received.length - before <= 2, "those under way");
    [isAway, laterMs] = [false, 31_000];
    await askAll(model, { samples: manySamples(20), atOnce: 4 });
    ok(one.received.length - before >= 8, "it is back");
    deepEqual(model.serverNotes?.(), []);
  } finally {
    performance.now = now;
  }
});

Deno.test.each([
  ["refuses the key", 401],
  ["does not know the model", 404],
  ["is loading the model", 503],
  ["fails", 500],
])("openEndpoint() asks another server where one %s", async (_name, status) => {
  await using bad = playServer(errorReply(status, { message: "Loading model" }));
  await using good = playServer(ANSWER);
  const reply = await open([bad, good], { attempts: 2 }).ask(smallSample());
  deepEqual([reply.kind, reply.server], ["answer", good.url]);
});

Deno.test("openEndpoint() fails as one endpoint does where every server is away", async () => {
  const servers = [playServer(ANSWER), playServer(ANSWER)];
  for (const server of servers) await server[Symbol.asyncDispose]();
  const reply = await open(servers, { attempts: 2 }).ask(smallSample());
  equal(reply.kind === "failure" && reply.failure, "connection");
});

Deno.test("openEndpoint() asks no other server what none could answer", async () => {
  await using one = playServer(errorReply(400, { message: "prompt is too long" }));
  await using other = playServer(errorReply(400, { message: "prompt is too long" }));
  const reply = await open([one, other]).ask(smallSample());
  deepEqual([reply.kind === "failure" && reply.failure, one.received.length + other.received.length], [
    "context_length",
    1,
  ]);
});

Deno.test("preflight() looks at each server, and says which does not answer or differs", async () => {
  await using good = playServer(ANSWER);
  await using slower = playServer(chatReply({ content: "17" }));
  const dead = playServer(ANSWER);
  await dead[Symbol.asyncDispose]();
  const { report, failure } = await open([dead, good, slower]).probe!([], { count: () => 1 });
  equal(failure, undefined);
  equal(report.address, [dead, good, slower].map(({ url }) => url).join(", "));
  deepEqual(report.others?.map(({ address, failure }) => [address, failure !== undefined]), [
    [dead.url, true],
    [slower.url, false],
  ]);
});

Deno.test("openEndpoint() gives a slow server no second question while another is free", async () => {
  const [answered, crowded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let held = 0;
  await using slow = playServer(async () => {
    if (++held > 1) crowded.resolve();
    await answered.promise;
    return ANSWER.clone();
  });
  await using quick = playServer(ANSWER);
  const model = open([slow, quick]);
  const replies = manySamples(1).map((sample) => model.ask(sample));
  for (const sample of manySamples(5).slice(1)) {
    const reply = model.ask(sample);
    replies.push(reply);
    await Promise.race([reply, crowded.promise]);
  }
  answered.resolve();
  await Promise.all(replies);
  deepEqual([slow.received.length, quick.received.length], [1, 4]);
});

Deno.test("preflight() of servers that are all away gives why the first was, and names the others", async () => {
  const servers = [playServer(ANSWER), playServer(ANSWER)];
  for (const server of servers) await server[Symbol.asyncDispose]();
  const { report, failure } = await open(servers).probe!([], { count: () => 1 });
  ok(failure?.message.includes(servers[0]!.url));
  deepEqual(report.others?.map(({ address }) => address), [servers[1]!.url]);
});

Deno.test("preflight() has the samples counted by the first server that answers, be it the last", async () => {
  const dead = playServer(ANSWER);
  await dead[Symbol.asyncDispose]();
  await using there = lookServer(llamaCpp());
  const model = openEndpoint({ model: "m", baseUrl: [dead.url, there.url] });
  const { report, failure } = await model.probe!(manySamples(1), { count: wordCount });
  deepEqual([failure, report.tokenRatios], [undefined, { [smallSample().task]: 1 }]);
});

Deno.test.each([
  ["the least of all", [{ window: 8192 }, { window: 2048 }, { window: 4096 }], 2048],
  ["that of the one that says it", [undefined, { window: 4096 }], 4096],
  ["none where none says it", [undefined, undefined], undefined],
] as [string, ({ readonly window: number } | undefined)[], number | undefined][])(
  "preflight() of several servers has as window %s",
  async (_name, said, wanted) => {
    const servers = said.map((facts) =>
      lookServer(facts === undefined ? { "/v1/chat/completions": () => ANSWER.clone() } : llamaCpp(facts))
    );
    const model = openEndpoint({ model: "m", baseUrl: servers.map(({ url }) => url) });
    const { report } = await model.probe!([], { count: () => 1 });
    deepEqual([report.window, "window" in report], [wanted, wanted !== undefined]);
    for (const server of servers) await server[Symbol.asyncDispose]();
  },
);
