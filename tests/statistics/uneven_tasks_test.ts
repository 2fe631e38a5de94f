import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { meanOfCells } from "./_mean_of_cells.ts";
import { lengthMeans, midInterval, pairedComparison, type ScoreWithInterval, summarise } from "@/lib/statistics/mod.ts";
import { compareGroups } from "@/lib/statistics/group_comparison.ts";

const DRAWS = Number(Deno.env.get("FATHOM_DRAWS") ?? cases(100, 1000));
/** Three standard errors of a share near its bound. */
const CHANCE = 3 * Math.sqrt(0.08 * 0.92 / DRAWS);

/** Tasks alike: their number, the samples of each, and the chances of a gain and of a loss; for one model the gain is "right". */
type Part = readonly [tasks: number, samples: number, gain: number, loss?: number];
type Law = readonly [name: string, ...parts: readonly Part[]];

const MEANS: readonly Law[] = [
  ["12 tasks near 100%, one of a single sample at 50%", [12, 25, 0.995], [1, 1, 0.5]],
  ["12 tasks near 100%, one of a single sample at 90%", [12, 25, 0.995], [1, 1, 0.9]],
  ["12 tasks near 100%, one of three samples at 70%", [12, 25, 0.995], [1, 3, 0.7]],
  ["12 tasks at 100%, one of five samples at 85%", [12, 25, 1], [1, 5, 0.85]],
  ["12 tasks at 100%, one of 13 samples at 87%", [12, 25, 1], [1, 13, 0.87]],
  ["12 tasks at 90%, one of three samples at 50%", [12, 25, 0.9], [1, 3, 0.5]],
  ["12 tasks near 0, one of three samples at 40%", [12, 25, 0.005], [1, 3, 0.4]],
  ["nine tasks of 25 samples, four of three", [9, 25, 0.99], [4, 3, 0.7]],
  ["nine tasks of 25 samples, four of one", [9, 25, 0.99], [4, 1, 0.9]],
  ["one to 100 samples, each twice as hard", [3, 1, 0.3], [3, 3, 0.6], [3, 10, 0.8], [2, 30, 0.95], [2, 100, 0.99]],
  ["one to four samples", [4, 1, 0.95], [4, 2, 0.95], [3, 3, 0.95], [2, 4, 0.95]],
  ["two tasks of 100 and of five samples", [1, 100, 0.9], [1, 5, 0.5]],
];

/** Few samples of tasks that are alike: the spread of their means must not count twice. */
const EQUAL: readonly Law[] = [
  ["13 tasks of one sample at 50%", [13, 1, 0.5]],
  ["13 tasks of two samples at 50%", [13, 2, 0.5]],
  ["13 tasks of five samples at 95%", [13, 5, 0.95]],
  ["13 tasks of 25 samples at 98%", [13, 25, 0.98]],
  ["five tasks of one sample at 50%", [5, 1, 0.5]],
];

const PAIRS: readonly Law[] = [
  ["no change in 12 tasks, one of a single pair often lost", [12, 25, 0.002, 0.002], [1, 1, 0, 0.5]],
  ["no change in 12 tasks, one of three pairs often lost", [12, 25, 0, 0], [1, 3, 0, 0.4]],
  ["no change in 12 tasks, one of three pairs that nearly all differ", [12, 25, 0.002, 0.002], [1, 3, 0.4, 0.4]],
  ["no change in 12 tasks, one of six pairs", [12, 25, 0.002, 0.002], [1, 6, 0, 0.2]],
  ["a tenth lost in 12 tasks, one of three pairs gained", [12, 25, 0, 0.1], [1, 3, 0.4, 0]],
  ["nine tasks of 25 pairs, four of three", [9, 25, 0.002, 0.002], [4, 3, 0.1, 0.3]],
  ["one to 100 pairs", [4, 1, 0.1, 0.1], [3, 5, 0.1, 0.1], [3, 20, 0.1, 0.1], [3, 100, 0.1, 0.1]],
];

/** Returns the outcomes of each task: 1 for a gain, -1 for a loss, 0 for neither. */
function drawTasks([, ...parts]: Law, draw: Draw): readonly (readonly number[])[] {
  return parts.flatMap(([tasks, samples, gain, loss = 0]) =>
    Array.from({ length: tasks }, () =>
      Array.from({ length: samples }, () => {
        const luck = draw();
        return luck < gain ? 1 : luck < gain + loss ? -1 : 0;
      }))
  );
}

/** Returns the true mean in percent, with equal weight for each task. */
function truthOf([, ...parts]: Law): number {
  const tasks = parts.reduce((sum, [count]) => sum + count, 0);
  return 100 * parts.reduce((sum, [count, , gain, loss = 0]) => sum + count * (gain - loss), 0) / tasks;
}

/** Returns the law that is covered least often, with its share. */
function worstOf(
  laws: readonly Law[],
  intervalOf: (tasks: readonly (readonly number[])[]) => { readonly low: number; readonly high: number },
): readonly [share: number, name: string] {
  const shares = laws.map((law): [number, string] => {
    const [draw, truth] = [stream("uneven tasks", law[0]), truthOf(law)];
    const covered = Array.from({ length: DRAWS }, () => {
      const { low, high } = intervalOf(drawTasks(law, draw));
      return low <= truth + 1e-9 && truth <= high + 1e-9;
    });
    return [covered.filter(Boolean).length / DRAWS, law[0]];
  });
  return shares.toSorted(([left], [right]) => left - right)[0]!;
}

const recordsOf = (tasks: readonly (readonly number[])[]) =>
  tasks.flatMap((values, task) =>
    values.map((value) => ({ task: `${task}`, length: 4096, value, failed: false, noAnswer: false }))
  );

Deno.test("meanOfRows() covers the mean of tasks in at least 92% of draws of each law, also with unequal numbers of samples", () => {
  const laws = [...MEANS, ...EQUAL];
  const [share, name] = worstOf(laws, (tasks) => meanOfCells(recordsOf(tasks)));
  ok(share >= 0.92 - CHANCE, `${name}: covered ${share}`);
});

Deno.test("pairedComparison() covers the difference over tasks with unequal numbers of pairs in at least 92% of draws of each law", () => {
  const [share, name] = worstOf(
    PAIRS,
    (tasks) =>
      pairedComparison(
        tasks.map((gains) => gains.map((gain) => ({ first: Number(gain > 0), second: Number(gain < 0) }))),
        99,
      ),
  );
  ok(share >= 0.92 - CHANCE, `${name}: covered ${share}`);
});

Deno.test("compareGroups() covers the difference of groups with unequal numbers of samples in at least 92% of draws of each law", () => {
  const [share, name] = worstOf(cases(MEANS.slice(0, 3), MEANS), (tasks) => {
    const replies = recordsOf(tasks).map((reply) => ({ ...reply, record: { index: 0, seed: "1" } }));
    // The second group is always wrong: its score is 0, and its interval that of 25 samples a task.
    const wrong = tasks.flatMap((_, task) =>
      Array.from({ length: 25 }, () => ({ ...replies[0]!, task: `${task}`, value: 0, length: 8192 }))
    );
    return compareGroups([...replies, ...wrong], {
      of: ({ length }) => length,
      groups: [4096, 8192],
      alike: ({ task }) => task,
    })!;
  });
  ok(share >= 0.92 - CHANCE, `${name}: covered ${share}`);
});

Deno.test("meanOfRows() covers the mean over questions of which some weigh ten times the others in at least 92% of draws", () => {
  // Only the ten of 100 questions that are asked at another length too can be wrong.
  const draw = stream("heavy questions");
  const covered = Array.from({ length: DRAWS }, () => {
    const asked = Array.from({ length: 100 }, (_, at) => (
      { ...recordsOf([[at < 10 ? Number(draw() < 0.82) : 1]])[0]!, cluster: `${at}` }
    ));
    const twice = asked.slice(0, 10).map((one) => ({ ...one, length: 8192 }));
    const { low, high } = meanOfCells([...asked, ...twice]);
    const truth = 100 * (1 - 0.18 * (1 + 0.1) / 2);
    return low <= truth && truth <= high;
  }).filter(Boolean).length / DRAWS;
  ok(covered >= 0.92 - CHANCE, `covered ${covered}`);
});

Deno.test("a task of one sample beside 12 without a failure costs its own share of the mean, not more", () => {
  const rows = summarise(recordsOf([...Array(12).fill(Array(25).fill(1)), [1]]));
  const [mean] = lengthMeans(rows, { groups: [{ name: "all", tasks: rows.map(({ task }) => task) }] });
  const { low, high } = mean as ScoreWithInterval;
  const own = 100 * (1 - midInterval(1, 1).low) / 13;
  const others = 100 * (12 / 13) * (1 - midInterval(300, 300).low);
  ok(Math.abs(100 - low - Math.hypot(own, others)) < 1e-6);
  equal(high, 100);
});

Deno.test("tasks with nearly the same number of samples are averaged as before: a lost call changes little", () => {
  const widthOf = (samples: number): number => {
    const tasks = [...Array(12).fill([...Array(20).fill(1), ...Array(5).fill(0)]), Array(samples).fill(1)];
    const { low, high } = meanOfCells(recordsOf(tasks));
    return high - low;
  };
  deepEqual([24, 20, 15].map((samples) => Math.abs(widthOf(samples) / widthOf(25) - 1) < 0.06), [true, true, true]);
});
