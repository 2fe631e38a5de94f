import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { type BatchServerOptions, type FakeBatchServer, fakeBatchServer } from "../models/_batch_server.ts";
import { planTasks, recordsIn, smallHeader, smallPlan, sumTask, withFolder } from "./_fakes.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { isOpen, readBatches } from "@/lib/asking/batch_files.ts";
import { openSpending } from "@/lib/asking/spending.ts";
import type { RunSummary } from "@/lib/asking/tally.ts";
import { type Batching, runBatches } from "@/lib/asking/run_batches.ts";
import { type RunOptions, runPlan } from "@/lib/asking/run_plan.ts";
import type { Plan } from "@/lib/studies/mod.ts";
import { openStore, type RunStore } from "@/lib/records/store.ts";

/** The sum that a request asks for. */
function sumOf(body: Readonly<Record<string, unknown>>): string {
  const [, left, right] = /(\d+) \+ (\d+)/.exec(JSON.stringify(body["messages"]))!;
  return String(Number(left) + Number(right));
}

/** The length that a request was made for. */
function lengthOf(body: Readonly<Record<string, unknown>>): number {
  return Number(/(\d+) \+/.exec(JSON.stringify(body["messages"]))![1]);
}

const SUMS: BatchServerOptions = { answer: (_, body) => sumOf(body) };

interface SessionOptions extends Batching, Pick<RunOptions, "stop" | "spending" | "onProgress"> {
  readonly plan?: Plan;
  readonly wrap?: (store: RunStore) => RunStore;
}

/** Runs the small plan, or goes on with it. */
async function session(server: FakeBatchServer, folder: string, options: SessionOptions = {}): Promise<RunSummary> {
  const { plan = smallPlan(), wrap = (store: RunStore) => store, stop, spending, onProgress, ...batching } = options;
  const model = { ...openEndpoint({ baseUrl: server.url, model: "m", apiKey: "sk-secret-key-123" }), name: "fake" };
  const store = await openStore("run", smallHeader({ settings: model.settings }), { folder });
  try {
    const control = Object.fromEntries(Object.entries({ stop, spending, onProgress }).filter(([, value]) => value));
    return await runBatches(plan, { model, store: wrap(store), ...control, batching: { pollMs: 1, ...batching } });
  } finally {
    await store.close();
  }
}

/** The records of the run, by the samples' ids, without what differs between equal runs. */
async function recordsOf(folder: string): Promise<readonly string[]> {
  return (await recordsIn(folder)).map(({ batch: _batch, settings: { baseUrl: _url, ...settings }, ...record }) =>
    JSON.stringify({ ...record, settings })
  ).sort();
}

/** The names of the requests of all batches that the server took. */
function submitted({ batches, inputs }: FakeBatchServer): readonly string[] {
  return batches.filter(({ status }) => status !== "failed")
    .flatMap(({ input_file_id: file }) => inputs.get(file)!.map(({ custom_id: id }) => id));
}

Deno.test("runBatches() submits what is left, split by its limits, and records the replies", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer(SUMS);
    const summary = await session(server, folder, { mostRequests: 5 });
    deepEqual({ ...summary, promptTokens: 0 }, {
      ...{ total: 12, answered: 12, failed: 0, asked: 12, promptTokens: 0, notMade: [], isStopped: false },
    });
    deepEqual(server.batches.map(({ request_counts: { total } }) => total), [5, 5, 2]);
    const [first] = server.inputs.get("file-1")!;
    deepEqual(first, {
      ...{ "custom_id": "sum/512/0", method: "POST", url: "/v1/chat/completions" },
      body: { model: "m", messages: [{ role: "user", content: "What is 512 + 0?" }], "max_tokens": 16, temperature: 0 },
    });
    deepEqual(server.batches[0]!.metadata, { "fathom_run": "run", "fathom_batch": "1" });
    const records = await recordsIn(folder);
    deepEqual(records.filter(({ batch }) => batch === "batch_1").length, 5);
    const { reply, time, origin } = records.find(({ task, length, index }) =>
      `${task}${length}${index}` === "sum5121"
    )!;
    deepEqual([origin, time], ["measured", "2026-09-21T14:15:00.000Z"]);
    deepEqual(reply, {
      ...{ kind: "answer", text: "513", finishReason: "stop", servedModel: "m-2026" },
      ...{ promptTokens: 100, cachedTokens: 40, completionTokens: 5, latencyMs: 0, attempts: 1 },
    });
    const names = (await Array.fromAsync(Deno.readDir(`${folder}/run/batches`))).map(({ name }) => name).sort();
    deepEqual(names, ["1.json", "2.json", "3.json"]);
    const again = await session(server, folder);
    deepEqual([again.answered, again.asked, server.batches.length], [12, 0, 3]);
  });
});

Deno.test("runBatches() is gone on with wherever it was ended, and submits nothing twice", async () => {
  await withFolder(async (folder) => {
    await using whole = fakeBatchServer(SUMS);
    await session(whole, folder, { mostRequests: 7 });
    const wanted = await recordsOf(folder);
    const calls = whole.calls.length;
    equal(calls, 9);
    for (let at = 1; at <= calls; at += cases(3, 1)) {
      for (const moment of ["before", "after"] as const) {
        await withFolder(async (other) => {
          let count = 0;
          const gone = new Response("{}", { status: 401 });
          await using server = fakeBatchServer({
            ...SUMS,
            // "after": the server did as asked, and nobody heard of it.
            disturb: () => ++count === at ? moment === "before" ? gone.clone() : "gone" : undefined,
          });
          await rejects(session(server, other, { mostRequests: 7 }), { name: "Error" });
          const summary = await session(server, other, { mostRequests: 7 });
          deepEqual([summary.answered, summary.failed], [12, 0], `${moment} call ${at}`);
          deepEqual(await recordsOf(other), wanted);
          const ids = submitted(server);
          deepEqual([ids.length, new Set(ids).size], [12, 12], `${moment} call ${at}`);
        });
      }
    }
  });
});

Deno.test("runBatches() that was ended between two records reads the rest back, and none twice", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({
      answer: (id, body) => id.startsWith("other") ? { status: 400, message: "no" } : sumOf(body),
    });
    for (const most of [0, 3, 5, 3]) {
      let left = most;
      const wrap = (store: RunStore): RunStore => ({
        ...store,
        append: async (record) => {
          if (left-- === 0) throw new Error("killed");
          await store.append(record);
        },
      });
      await session(server, folder, { wrap }).catch(() => {});
    }
    const summary = await session(server, folder);
    deepEqual([summary.answered, summary.failed, server.batches.length], [6, 6, 1]);
    equal((await recordsIn(folder)).length, 12);
  });
});

Deno.test("runBatches() counts failures under their causes and submits again what a batch left untried", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({
      answer: (id, body, batch) => {
        if (id === "sum/512/0") return { status: 400, message: "maximum context length is 100 tokens" };
        if (id === "sum/512/1") return { status: 500, message: "broken" };
        return id.startsWith("other") && batch === 1 ? "expired" : sumOf(body);
      },
    });
    const summary = await session(server, folder);
    deepEqual([summary.answered, summary.failed, summary.asked], [10, 2, 12]);
    deepEqual(server.batches.map(({ status, request_counts: { total } }) => [status, total]), [
      ["expired", 12],
      ["completed", 6],
    ]);
    const failures = (await recordsIn(folder)).flatMap(({ reply }) => reply.kind === "failure" ? [reply.failure] : []);
    deepEqual(failures.sort(), ["context_length", "server"]);
  });
});

Deno.test("runBatches() stops where a batch was cancelled, or ended without any reply", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ answer: () => "expired" });
    const { trouble, answered, failed } = await session(server, folder);
    deepEqual([answered, failed, server.batches.length], [0, 0, 1]);
    match(trouble!, /^Batch 1 was expired with 0 of 12 replies: the same command submits the rest again/);
  });
});

Deno.test("runBatches() waits for room in the queue, and makes batches that fit it", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ ...SUMS, mostTokens: 4000, tokensOf: lengthOf, looks: 2 });
    const said: string[] = [];
    const { answered } = await session(server, folder, { onProgress: ({ waiting }) => void said.push(waiting ?? "") });
    equal(answered, 12);
    const ids = submitted(server);
    deepEqual([ids.length, new Set(ids).size], [12, 12]);
    ok(server.batches.length > 2);
    match(said.join("\n"), /batch \d+ in progress, 0 of \d+ done/);
  });
});

Deno.test("runBatches() gives up where one question alone is more than the server's queue holds", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ ...SUMS, mostTokens: 600, tokensOf: lengthOf });
    await rejects(session(server, folder), /Enqueued token limit reached/);
    ok(server.batches.length < 30, String(server.batches.length));
  });
});

Deno.test("runBatches() without waiting leaves batches under way, and what was not submitted is not", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ ...SUMS, looks: 3 });
    const first = await session(server, folder, { waits: false });
    deepEqual([first.answered, first.underWay, first.isStopped], [0, 12, false]);
    deepEqual((await readBatches(`${folder}/run`)).map(isOpen), [true]);
    const fetched = await session(server, folder, { waits: false, submits: false });
    deepEqual([fetched.answered, fetched.underWay], [0, 12]);
    const last = await session(server, folder, { waits: false, submits: false });
    deepEqual([last.answered, last.underWay, server.batches.length], [12, undefined, 1]);
  });
});

Deno.test("runBatches() is stopped while it waits; its batches go on", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ ...SUMS, looks: 5 });
    const stop = new AbortController();
    const onProgress: RunOptions["onProgress"] = ({ waiting }) => waiting && stop.abort();
    const { isStopped, underWay } = await session(server, folder, { pollMs: 60_000, stop: stop.signal, onProgress });
    deepEqual([isStopped, underWay], [true, 12]);
    equal((await session(server, folder)).answered, 12);
  });
});

Deno.test("runBatches() pays half, and submits no more than the limit of the cost allows", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ answer: (_, body) => sumOf(body), looks: 1 });
    const prices = { input: 10, output: 10 };
    // A question of 492 tokens and 16 to answer costs 0.00508, in a batch half of it.
    const spending = openSpending({ amount: 3.5 * 0.00254, prices }, { inBatches: true });
    const { answered, trouble } = await session(server, folder, { spending, mostRequests: 2 });
    ok(answered >= 3 && answered < 12, String(answered));
    match(trouble!, /^Stopped at the limit of its cost/);
  });
});

Deno.test("runBatches() refuses a server without batches, and a batch that the server refuses", async () => {
  await withFolder(async (folder) => {
    await using none = fakeBatchServer({ disturb: () => new Response("Not Found", { status: 404 }) });
    await rejects(session(none, folder), /HTTP 404 from .*that server has no batches/);
    await rejects(Deno.stat(`${folder}/run`), Deno.errors.NotFound);
    const plain = { model: { name: "sim:ideal" }, store: {} } as unknown as RunOptions;
    await rejects(runBatches(smallPlan(), { ...plain, batching: {} }), {
      name: "RangeError",
      message: 'Cannot ask in batches as the model must be one of a server with batches: current value is "sim:ideal"',
    });
  });
});

Deno.test("a run that was asked in batches goes on by single calls", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({
      answer: (id, body) => id.endsWith("/2") ? { status: 500, message: "broken" } : sumOf(body),
    });
    await session(server, folder);
    const model = { ...openEndpoint({ baseUrl: server.url, model: "m" }), name: "fake" };
    const store = await openStore("run", smallHeader({ settings: model.settings }), { folder });
    const asked: string[] = [];
    const ask: typeof model.ask = (sample) => {
      asked.push(sample.id);
      return Promise.resolve({ kind: "answer", text: "1", finishReason: "stop", latencyMs: 1, attempts: 1 });
    };
    const { answered } = await runPlan(smallPlan(), { model: { ...model, ask }, store });
    await store.close();
    deepEqual([answered, asked.length], [12, 4]);
  });
});

Deno.test("runBatches() lets ten looks pass before it submits to a full queue again", async () => {
  await withFolder(async (folder) => {
    const errors = { data: [{ code: "token_limit_exceeded", message: "Enqueued token limit reached" }] };
    await using server = fakeBatchServer({
      ...SUMS,
      disturb: ({ path }) => {
        const [id] = /batch_[12]$/.exec(path) ?? [];
        const batch = server.batches.find((each) => each.id === id);
        if (batch !== undefined) Object.assign(batch, { status: "failed", errors });
        return undefined;
      },
    });
    const said: string[] = [];
    const { answered } = await session(server, folder, { onProgress: ({ waiting }) => void said.push(waiting ?? "") });
    // Refused twice, and neither refused batch is taken for the third.
    deepEqual([answered, server.batches.length], [12, 3]);
    equal(said.filter((text) => text === "batch 1 waits for room in the server's queue").length, 20);
  });
});

Deno.test("runBatches() asks no more about a batch that was read back, and counts none of its questions twice", async () => {
  await withFolder(async (folder) => {
    await using server = fakeBatchServer({ ...SUMS, looks: 2 });
    const done: number[] = [];
    const onProgress: RunOptions["onProgress"] = (progress) => void done.push(progress.done);
    await session(server, folder, { mostRequests: 5, onProgress });
    deepEqual((await readBatches(`${folder}/run`)).map(({ isOver }) => isOver), [true, true, true]);
    deepEqual([done.at(0), done.at(-1), Math.max(...done)], [0, 12, 12]);
    // The server's own counts are shown before the replies are read.
    ok(
      done.some((count) => count > 0 && count < 12) && done.toSorted((a, b) => a - b).join() === done.join(),
      done.join(),
    );
    const looks = server.calls.length;
    await session(server, folder);
    ok(!server.calls.slice(looks).some(({ path }) => /batch_\d/.test(path)));
  });
});

Deno.test("runBatches() takes a prompt that a reply repeats out of it, as single calls do", async () => {
  await withFolder(async (folder) => {
    const story = "The grass is green. The sky is blue. Here we go, there and back again. ".repeat(8);
    const tasks = ["sum", "other"].map((name) => {
      const task = sumTask({ name });
      return {
        ...task,
        sample: (request: Parameters<typeof task.sample>[0]) => {
          const sample = task.sample(request);
          return { ...sample, prompt: userPrompt(`${story}${sample.prompt.messages[0]!.text}`) };
        },
      };
    });
    await using server = fakeBatchServer({
      answer: (id, body) => {
        const [{ content }] = body["messages"] as [{ content: string }];
        if (id === "sum/512/0") return `user\n${content}\nassistant\n${sumOf(body)}`;
        if (id === "sum/512/1") return `${content.replaceAll(". ", ".\n")} ${sumOf(body)}`;
        return id === "sum/512/2" ? `A long answer of its own words: ${"and so on ".repeat(80)}` : sumOf(body);
      },
    });
    await session(server, folder, { plan: planTasks({ tasks, lengths: [512, 1024], samples: 3 }) });
    const replies = (await recordsIn(folder))
      .filter(({ task, length }) => task === "sum" && length === 512)
      .sort((left, right) => left.index - right.index)
      .map(({ reply }) => reply.kind === "answer" ? [reply.text.trim(), reply.repeatsPrompt] : []);
    deepEqual(replies.slice(0, 2), [["assistant\n512", true], ["513", true]]);
    deepEqual([replies[2]![0]!.toString().startsWith("A long answer"), replies[2]![1]], [true, undefined]);
  });
});
