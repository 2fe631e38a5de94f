import { deepEqual, equal, match, ok } from "node:assert/strict";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { type ComparedRecord, compareModels } from "@/lib/statistics/mod.ts";

const TASKS = RULER_GROUPS.find(({ name }) => name === RULER_OVERALL)!.tasks;

interface Asked {
  readonly task: string;
  readonly length?: number;
  readonly values: readonly (number | null)[];
  readonly seed?: string;
}

function records({ task, length = 4096, values, seed = "42" }: Asked): readonly ComparedRecord[] {
  return values.map((value, index) => (
    { task, length, value, failed: value === null, noAnswer: false, record: { index, seed } }
  ));
}

function right(chance: number, count: number, path: string): readonly number[] {
  const draw = stream(path);
  return Array.from({ length: count }, () => Number(draw() < chance));
}

Deno.test("compareModels() has a row for each task, length and group, and counts the comparisons that it corrects for", () => {
  const both = TASKS.flatMap((task) => records({ task, values: [1, 0, 1, 1] }));
  const { rows, comparisons, corrected } = compareModels(both, both, { groups: RULER_GROUPS });
  // 13 tasks, and of the five groups the four that have more than one task.
  equal(rows.length, 17);
  equal(comparisons, 17);
  equal(corrected, "p-values corrected for 17 comparisons (Holm)");
  ok(
    rows.every(({ difference, p, adjusted, higher }) =>
      difference === 0 && p === 1 && adjusted === 1 && higher === null
    ),
  );
  equal(compareModels(both, both, { rows: "groups", groups: RULER_GROUPS }).rows.length, 5);
  equal(compareModels(both, both, { rows: "tasks", correction: "none" }).corrected, "p-values are not corrected");
});

Deno.test("compareModels() says which model is higher where the corrected p-value is at most 5%", () => {
  const first = [
    ...records({ task: "vt", values: Array(30).fill(1) }),
    ...records({ task: "cwe", values: [1, 1, 1, 1, 1, 1] }),
  ];
  const second = [
    ...records({ task: "vt", values: Array(30).fill(0.5) }),
    ...records({ task: "cwe", values: [0, 0, 0, 0, 0, 0] }),
  ];
  const { rows } = compareModels(first, second, { rows: "tasks" });
  deepEqual(rows.map(({ task, p, adjusted, higher }) => [task, p! < 0.05, adjusted! > p!, higher]), [
    ["vt", true, true, "first"],
    ["cwe", true, false, "first"],
  ]);
  deepEqual(compareModels(second, first, { rows: "tasks" }).rows.map(({ higher }) => higher), ["second", "second"]);
});

Deno.test("compareModels() keeps the chance of any false difference among 26 at 5% by Holm's correction", () => {
  const runs = 150;
  const wrong = Array.from({ length: runs }, (_, run) => {
    const model = (name: string): readonly ComparedRecord[] =>
      TASKS.flatMap((task) =>
        [4096, 8192].flatMap((length) =>
          records({ task, length, values: right(0.8, 25, `${name} ${run} ${task} ${length}`) })
        )
      );
    return compareModels(model("one"), model("other"), { rows: "tasks" }).rows.some(({ higher }) => higher !== null);
  }).filter((isWrong) => isWrong).length;
  ok(wrong <= 0.09 * runs, `${wrong} of ${runs}`);
});

Deno.test("compareModels() has the difference of the means over tasks in the groups, with tasks weighing alike", () => {
  const first = [...records({ task: "cwe", values: [1, 1, 1, 1] }), ...records({ task: "fwe", values: [1, 0] })];
  const second = [...records({ task: "cwe", values: [0, 1, 1, 1] }), ...records({ task: "fwe", values: [0, 0] })];
  const { rows } = compareModels(first, second, { groups: RULER_GROUPS });
  const aggregation = rows.find(({ task }) => task === "aggregation")!;
  deepEqual([aggregation.first, aggregation.second, aggregation.difference], [75, 37.5, 37.5]);
  const overall = rows.find(({ task }) => task === RULER_OVERALL)!;
  equal(overall.difference, null);
  match(overall.reason!, /^11 of the tasks cannot be compared at 4K: niah_single_1, /);
});

Deno.test.each(
  [
    [
      "all calls of one failed",
      [1, 1, 1],
      [null, null, null],
      "42",
      "3 dropped for failed calls, 0 asked of only one",
    ],
    ["no common samples", [1, 1, 1], [1, 1, 1], "43", "0 dropped for failed calls, 6 asked of only one"],
  ] as const,
)("compareModels() has no number but a reason where %s, never NaN", (_name, left, right, seed, reason) => {
  const first = records({ task: "vt", values: left });
  const second = records({ task: "vt", values: right, seed });
  const { rows, comparisons } = compareModels(first, second, { rows: "tasks" });
  const { difference, low, high, p, adjusted } = rows[0]!;
  deepEqual([difference, low, high, p, adjusted, comparisons], [null, null, null, null, null, 0]);
  equal(rows[0]!.reason, `no sample has a score from both models: ${reason}`);
});

Deno.test("compareModels() compares other samples as two groups where it is told to, whatever their sizes", () => {
  const first = records({ task: "vt", values: right(0.95, 40, "a") });
  const second = records({ task: "vt", values: right(0.3, 15, "b"), seed: "43" });
  const { rows } = compareModels(first, second, { rows: "tasks", paired: false });
  deepEqual([rows[0]!.n, rows[0]!.nSecond, rows[0]!.higher], [40, 15, "first"]);
  const failed = records({ task: "vt", values: [null] });
  const none = compareModels(first, failed, { rows: "tasks", paired: false });
  equal(none.rows[0]!.reason, "no scores to compare: 40 of the first model, 0 of the second");
});

Deno.test("compareModels() of one sample, and of nothing, is no error", () => {
  const one = records({ task: "vt", values: [1] });
  const [row] = compareModels(one, records({ task: "vt", values: [0] }), { rows: "tasks" }).rows;
  deepEqual([row!.difference, row!.p, row!.higher], [100, 1, null]);
  deepEqual(compareModels([], []).rows, []);
});
