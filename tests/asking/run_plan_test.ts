import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { assert as assertProperty, asyncProperty, integer, record as recordOf } from "fast-check";
import { type FakeModel, fakeModel, planTasks, smallHeader, smallPlan, sumTask, withFolder } from "./_fakes.ts";
import { readRun } from "@/lib/records/mod.ts";
import type { RunProgress } from "@/lib/studies/mod.ts";
import type { RunSummary } from "@/lib/asking/mod.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";

interface Session {
  readonly model?: FakeModel;
  readonly folder: string;
  readonly options?: Partial<Parameters<typeof runPlan>[1]>;
  readonly plan?: ReturnType<typeof smallPlan>;
}

async function runOnce(
  { model = fakeModel(), folder, options = {}, plan = smallPlan() }: Session,
): Promise<RunSummary> {
  const store = await openStore("run", smallHeader(), { folder });
  try {
    return await runPlan(plan, { model, store, ...options });
  } finally {
    await store.close();
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await Array.fromAsync(Deno.readDir(folder))).length === 0;
}

Deno.test("runPlan() asks every sample of a plan once and records each reply", async () => {
  await withFolder(async (folder) => {
    const model = fakeModel();
    const summary = await runOnce({ model, folder });
    const counts = { total: 12, answered: 12, failed: 0, asked: 12, promptTokens: 8976 };
    deepEqual(summary, { ...counts, isStopped: false, notMade: [] });
    equal(new Set(model.asked).size, 12);
    const { records } = await readRun("run", { folder });
    equal(records.length, 12);
    ok(records.every(({ reply, references }) => reply.kind === "answer" && reply.text === references[0]));
  });
});

Deno.test("runPlan() keeps so many calls under way, and no more", async () => {
  await withFolder(async (folder) => {
    const model = fakeModel({ turns: () => 5 });
    await runOnce({ model, folder, options: { concurrency: 3 } });
    equal(model.busiest(), 3);
  });
});

Deno.test("runPlan() stopped anywhere and resumed asks no sample twice that was answered, and leaves none out", async () => {
  const stops = recordOf({
    stopAfter: integer({ min: 0, max: 11 }),
    endAfter: integer({ min: 0, max: 11 }),
    concurrency: integer({ min: 1, max: 6 }),
    pace: integer({ min: 1, max: 5 }),
    torn: integer({ min: 0, max: 40 }),
  });
  await assertProperty(
    asyncProperty(stops, async ({ stopAfter, endAfter, concurrency, pace, torn }) => {
      await withFolder(async (folder) => {
        const turns = (call: number): number => (call * pace) % 4;
        const answered: string[] = [];
        const session = async (interrupt: (controller: AbortController) => object, after: number): Promise<void> => {
          const controller = new AbortController();
          const model = fakeModel({ turns });
          const onProgress = ({ asked }: RunProgress): void => asked >= after ? controller.abort() : undefined;
          await runOnce({ model, folder, options: { concurrency, onProgress, ...interrupt(controller) } });
          answered.push(...model.answered);
        };
        await session(({ signal }) => ({ signal }), endAfter);
        await session(({ signal }) => ({ stop: signal }), stopAfter);
        await session(() => ({}), Infinity);
        equal(answered.length, 12, "every answer was recorded, so that none was asked for again");
        equal(new Set(answered).size, 12);
        // A crash in the middle of a line loses that line and no other.
        const path = `${folder}/run/records.jsonl`;
        const text = await Deno.readTextFile(path);
        await Deno.writeTextFile(path, text.slice(0, text.length - torn));
        const model = fakeModel();
        await runOnce({ model, folder });
        equal(model.asked.length, torn < 2 ? 0 : 1);
        equal((await readRun("run", { folder })).records.length, 12);
      });
    }),
    { numRuns: 40 },
  );
});

Deno.test("runPlan() records failures, and asks them again the next time", async () => {
  await withFolder(async (folder) => {
    const first = await runOnce({
      folder,
      model: fakeModel({ fail: (call) => call % 4 === 1 ? "timeout" : undefined }),
    });
    deepEqual([first.answered, first.failed], [9, 3]);
    const model = fakeModel();
    const second = await runOnce({ folder, model });
    deepEqual([model.asked.length, second.answered, second.failed], [3, 12, 0]);
    const { records } = await readRun("run", { folder });
    equal(records.filter(({ reply }) => reply.kind === "failure").length, 0);
  });
});

Deno.test.each(
  [
    ["authentication", "its endpoint must accept the key"],
    ["not_found", "its endpoint must know the address and the model's name"],
    ["connection", "its endpoint must be reachable"],
  ] as const,
)("runPlan() stops after three calls without %s, and nothing is written", async (kind, wanted) => {
  await withFolder(async (folder) => {
    const model = fakeModel({ fail: () => kind });
    await rejects(runOnce({ folder, model, options: { concurrency: 1 } }), {
      name: "RangeError",
      message: `Cannot ask model "fake" as ${wanted}: the call failed with "no\\nluck", 3 times in a row`,
    });
    equal(model.asked.length, 3);
    ok(await isEmpty(folder));
  });
});

Deno.test("runPlan() stops after ten calls in a row without a connection later on, and keeps what it has", async () => {
  await withFolder(async (folder) => {
    const plan = smallPlan({ samples: 10 });
    const model = fakeModel({ fail: (call) => call < 5 ? undefined : "connection" });
    const summary = await runOnce({ folder, model, plan, options: { concurrency: 1 } });
    match(summary.trouble!, /, 10 times in a row\. All replies so far are recorded: ask again to resume$/);
    deepEqual([model.asked.length, summary.answered, summary.failed, summary.isStopped], [15, 5, 10, true]);
    equal((await readRun("run", { folder })).records.length, 15, "the last that failed is recorded too");
    equal((await readRun("run", { folder })).records.filter(({ reply }) => reply.kind === "answer").length, 5);
    const next = fakeModel();
    equal((await runOnce({ folder, model: next, plan })).answered, 40);
    equal(next.asked.length, 35);
  });
});

Deno.test("runPlan() ends waits when it is stopped, and counts the samples that waited as not asked", async () => {
  await withFolder(async (folder) => {
    const stop = new AbortController();
    const ended = Promise.withResolvers<never>();
    const model = {
      ...fakeModel(),
      ask: () => (setTimeout(() => stop.abort()), ended.promise),
      endWaits: () => ended.reject(new DOMException("The waits were ended", "AbortError")),
    };
    const { answered, failed, isStopped } = await runOnce({ folder, model, options: { stop: stop.signal } });
    deepEqual([answered, failed, isStopped], [0, 0, true]);
  });
});

Deno.test("runPlan() lists samples that cannot be made and asks the others", async () => {
  await withFolder(async (folder) => {
    const task = sumTask();
    const sample: typeof task.sample = (request) => {
      if (request.index === 1) throw new RangeError(`no room at ${request.length}`);
      return task.sample(request);
    };
    const options = { tasks: [{ ...task, sample }], lengths: [512], samples: 3 };
    const summary = await runOnce({ folder, plan: planTasks(options) });
    deepEqual([summary.answered, summary.notMade], [2, ["no room at 512"]]);
  });
});

Deno.test("runPlan() ends what is under way and throws where a model breaks its word and rejects", async () => {
  await withFolder(async (folder) => {
    const model = fakeModel({ turns: () => 3 });
    const ask: typeof model.ask = (sample, signal) =>
      sample.index === 2 ? Promise.reject(new Error("out of order")) : model.ask(sample, signal);
    await rejects(runOnce({ folder, model: { ...model, ask }, options: { concurrency: 3 } }), /out of order/);
    ok(model.asked.length <= 3);
  });
});

Deno.test("runPlan() tells its progress: never back, and over in the end", async () => {
  await withFolder(async (folder) => {
    const told: RunProgress[] = [];
    await runOnce({ folder, options: { concurrency: 2, onProgress: (progress) => told.push(progress) } });
    deepEqual(told.map(({ done }) => done), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12]);
    equal(told[0]!.leftMs, null);
    ok(told.slice(1).every(({ leftMs }) => leftMs !== null && leftMs >= 0));
    deepEqual(told.map(({ isOver }) => isOver).indexOf(true), 13);
    equal(told.at(-1)!.tokens, 8976);
  });
});

Deno.test("runPlan() tells in its progress that the server is loading the model, until a reply comes", async () => {
  const told: (string | undefined)[] = [];
  const base = fakeModel();
  const model: FakeModel = {
    ...base,
    ask: (sample, signal, onWait) => {
      if (base.asked.length === 0) onWait?.("the server is loading the model");
      return base.ask(sample, signal);
    },
  };
  await withFolder(async (folder) => {
    await runOnce({ model, folder, options: { concurrency: 1, onProgress: ({ waiting }) => told.push(waiting) } });
  });
  deepEqual(told, [undefined, "the server is loading the model", ...Array(13).fill(undefined)]);
});

Deno.test.each([0, 257, 1.5])("runPlan() refuses a concurrency of %d", async (concurrency) => {
  await withFolder(async (folder) => {
    await rejects(runOnce({ folder, options: { concurrency } }), {
      name: "RangeError",
      message:
        `Cannot run the plan as concurrency must be a whole number from 1 to 256: current value is ${concurrency}`,
    });
    ok(await isEmpty(folder));
  });
});

Deno.test("runPlan() leaves out samples whose count by the server the run's end cut short", async () => {
  await withFolder(async (folder) => {
    const ending = new AbortController();
    const countTokens = (_sample: unknown, signal?: AbortSignal): Promise<number> => {
      ending.abort();
      return Promise.reject(signal?.reason);
    };
    const model = { ...fakeModel(), countTokens };
    const plan = { ...smallPlan(), fitsServer: true as const };
    const { asked, failed, notMade, isStopped } = await runOnce({
      folder,
      model,
      plan,
      options: { signal: ending.signal },
    });
    deepEqual([asked, failed, notMade, isStopped, model.asked.length], [0, 0, [], true, 0]);
  });
});
