import { deepEqual, equal, match, throws } from "node:assert/strict";
import { fakeModel, smallHeader, smallPlan, withFolder } from "./_fakes.ts";
import { readRun, type RunRecord } from "@/lib/records/mod.ts";
import type { RunSummary } from "@/lib/asking/mod.ts";
import { openSpending } from "@/lib/asking/spending.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";

/** A prompt token costs 0.001, a token written 0.01. */
const prices = { input: 1000, output: 10_000 };

function answer(promptTokens: number, completionTokens: number, counted = promptTokens): RunRecord {
  return { promptTokens, reply: { kind: "answer", promptTokens: counted, completionTokens } } as unknown as RunRecord;
}

Deno.test("openSpending() takes the most that a call can cost, and gives back what it did not", async () => {
  const spending = openSpending({ amount: 3, prices }, { maxTokens: 50 });
  // 1,000 tokens read and 50 written: 1.5 each.
  const [first, second, third, last] = [1, 2, 3, 4].map(() => ({ promptTokens: 1000, answerRoom: 16 }));
  deepEqual([await spending.reserve(first!), await spending.reserve(second!)], [true, true]);
  // The third waits for what the others give back.
  let isTaken = false;
  const taking = spending.reserve(third!).then((taken) => isTaken = taken);
  spending.settle(first!, answer(1000, 20));
  await new Promise((go) => setTimeout(go));
  equal(isTaken, false);
  spending.settle(second!, undefined);
  equal(await taking, true);
  spending.settle(third!, answer(1000, 0));
  equal(spending.trouble(), undefined);
  equal(await spending.reserve(last!), false);
  match(
    spending.trouble()!,
    /^Stopped at the limit of its cost: 2\.2000 of 3 is spent, .* a higher limit resumes the run$/,
  );
});

Deno.test("openSpending() begins with what earlier sessions spent, and counts prompts as the server did", async () => {
  // A prompt of 100 tokens was 150 at the server, so one of 1,000 may be 1,500; an answer of 16 is 0.16.
  const open = () => openSpending({ amount: 1.7, prices }, { records: [answer(100, 0, 150)] });
  equal(await open().reserve({ promptTokens: 1000, answerRoom: 16 }), false);
  equal(await open().reserve({ promptTokens: 900, answerRoom: 16 }), true);
});

Deno.test("openSpending() refuses a limit of nothing", () => {
  throws(() => openSpending({ amount: 0, prices }), {
    name: "RangeError",
    message: "Cannot limit the cost of the run as it must be above 0: current value is 0",
  });
});

Deno.test("runPlan() stops before a call that could cost too much, and the rest is asked with a higher limit", async () => {
  await withFolder(async (folder) => {
    const run = async (amount: number): Promise<RunSummary> => {
      const store = await openStore("run", smallHeader(), { folder });
      const records = await readRun("run", { folder }).then((read) => read.records).catch(() => []);
      try {
        const spending = openSpending({ amount, prices }, { records });
        return await runPlan(smallPlan(), { model: fakeModel({ turns: () => 3 }), store, spending, concurrency: 4 });
      } finally {
        await store.close();
      }
    };
    // A prompt of 512 tokens is 492 and 16 are left for its answer: 0.652 at most; the fake model writes none that count.
    const first = await run(2);
    deepEqual([first.isStopped, first.answered], [true, 3]);
    match(first.trouble!, /limit of its cost/);
    equal((await readRun("run", { folder })).records.length, first.answered);
    const second = await run(100);
    deepEqual([second.isStopped, second.answered, second.trouble], [false, 12, undefined]);
    equal((await readRun("run", { folder })).records.length, 12);
  });
});
