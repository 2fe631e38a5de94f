import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { fakeModel, smallHeader, smallPlan, withFolder } from "./_fakes.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { type AskedSample, type ChooseSamples, readRun, type RunProgress, type SampleName } from "@/lib/runs/mod.ts";
import { runChosen } from "@/lib/runs/run_study.ts";
import { openRun } from "@/lib/runs/store.ts";

const LENGTH = 512;
const name = (index: number): SampleName => ({ task: "sum", length: LENGTH, index });

/** Chooses the first two samples of one task that were not asked, until six have a score. */
const untilSix: ChooseSamples = (asked) => {
  const scored = asked.filter(({ value }) => value !== null).length;
  const left = Array.from({ length: 20 }, (_, index) => index).filter((at) => !asked.some(({ index }) => index === at));
  return scored >= 6 ? [] : left.slice(0, 2).map(name);
};

async function ask(
  folder: string,
  options: Partial<Parameters<typeof runChosen>[1]> & { readonly records?: readonly RunRecord[] } = {},
): Promise<Awaited<ReturnType<typeof runChosen>>> {
  const store = await openRun("run", smallHeader(), { folder });
  const choices = { model: fakeModel(), choose: untilSix, records: [], concurrency: 2, ...options };
  try {
    return await runChosen(smallPlan({ samples: 20 }), { ...choices, store });
  } finally {
    await store.close();
  }
}

Deno.test("runChosen() asks step by step what is chosen, and records it", async () => {
  await withFolder(async (folder) => {
    const seen: number[] = [];
    const choose: ChooseSamples = (asked, plan) => {
      seen.push(asked.length);
      return untilSix(asked, plan);
    };
    const summary = await ask(folder, { choose });
    deepEqual(seen, [0, 2, 4, 6]);
    deepEqual([summary.total, summary.answered, summary.asked, summary.isStopped], [6, 6, 6, false]);
    const { records } = await readRun("run", { folder });
    deepEqual(records.map(({ index }) => index), [0, 1, 2, 3, 4, 5]);
  });
});

Deno.test("runChosen() tells the chooser the scores, and a failed call as asked in vain", async () => {
  await withFolder(async (folder) => {
    let last: readonly AskedSample[] = [];
    const model = fakeModel({ fail: (call) => call === 1 ? "server" : undefined });
    const summary = await ask(folder, { model, choose: (asked, plan) => untilSix(last = asked, plan) });
    deepEqual(last.find(({ index }) => index === 1), { task: "sum", length: LENGTH, index: 1, value: null });
    ok(last.filter(({ value }) => value === 1).length >= 6);
    equal(summary.failed, 1);
  });
});

Deno.test("runChosen() goes on from records: answers are not asked again, failed calls are", async () => {
  await withFolder(async (folder) => {
    const stop = new AbortController();
    const model = fakeModel({ fail: (call) => call === 0 ? "server" : undefined });
    const onProgress = ({ asked }: RunProgress): void => void (asked >= 3 && stop.abort());
    const first = await ask(folder, { model, stop: stop.signal, onProgress });
    ok(first.isStopped);
    const { records } = await readRun("run", { folder });
    const again = fakeModel();
    const second = await ask(folder, { model: again, records });
    ok(again.asked.includes("fake-1/sum/512/s/0"));
    equal(new Set([...again.answered, ...model.answered]).size, again.answered.length + model.answered.length);
    ok(second.answered >= 6 && !second.isStopped);
    const third = await ask(folder, { records: (await readRun("run", { folder })).records });
    deepEqual([third.asked, third.answered], [0, second.answered]);
  });
});

Deno.test("runChosen() ends where the chooser names nothing but what was asked, and where a sample cannot be made", async () => {
  await withFolder(async (folder) => {
    const stubborn = await ask(folder, { choose: () => [name(0)] });
    deepEqual([stubborn.asked, stubborn.answered], [1, 1]);
    const plan = smallPlan({ samples: 20 });
    const broken = {
      ...plan,
      cells: plan.cells.map((cell) => ({
        ...cell,
        task: {
          ...cell.task,
          sample: () => {
            throw new RangeError("too rare a sample");
          },
        },
      })),
    };
    const store = await openRun("other", smallHeader(), { folder });
    const choose: ChooseSamples = (asked) => asked.length < 3 ? [name(asked.length)] : [];
    const summary = await runChosen(broken, { model: fakeModel(), store, records: [], choose, concurrency: 1 });
    await store.close();
    deepEqual([summary.asked, summary.notMade.length], [0, 3]);
  });
});

Deno.test("runChosen() tells one progress over all steps, which is over once", async () => {
  await withFolder(async (folder) => {
    const seen: RunProgress[] = [];
    await ask(folder, { onProgress: (progress) => seen.push(progress) });
    deepEqual([seen.at(-1)!.done, seen.at(-1)!.total, seen.at(-1)!.asked], [6, 6, 6]);
    deepEqual(seen.filter(({ isOver }) => isOver).length, 1);
    ok(
      seen.every(({ done, elapsedMs }, at) =>
        at === 0 || (done >= seen[at - 1]!.done && elapsedMs >= seen[at - 1]!.elapsedMs)
      ),
    );
  });
});

Deno.test("runChosen() stops where no call can succeed", async () => {
  await withFolder(async (folder) => {
    const model = fakeModel({ fail: () => "connection" });
    await rejects(ask(folder, { model }), /^RangeError: Cannot ask model "fake" as its endpoint must be reachable/);
  });
});
