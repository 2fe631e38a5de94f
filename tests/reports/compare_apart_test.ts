import { deepEqual, equal } from "node:assert/strict";
import { compareApart } from "@/lib/reports/compare_apart.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { differenceInterval, scoredRows, summarise } from "@/lib/statistics/mod.ts";

/** A run with the given scores of a task at 4,096 tokens. */
function run(task: string, values: readonly number[]): ScoredRun {
  const replies = values.map((value, index) => ({
    ...{ task, length: 4096, value, failed: false, noAnswer: false },
    record: { index, settings: {}, reply: { kind: "failure" } },
  }));
  return { manifest: { origin: "measured", model: "m" }, replies } as unknown as ScoredRun;
}

Deno.test("compareApart() gives the difference of two means with the interval of independent ones", () => {
  const [one, two] = [[1, 1, 1, 0, 1, 1, 0, 1], [0, 1, 0, 0, 1, 0]];
  const shown = compareApart([run("vt", one), run("vt", two)], ["a", "b"])!;
  const [before, after] = [one, two].map((values) => scoredRows(summarise(run("vt", values).replies), "vt")[0]);
  const { score, low, high } = differenceInterval(after!, before!);
  const numbers = [before!.score, after!.score, score, low, high].map((value) => value.toFixed(1));
  const found = shown.text.split("\n").find((line) => line.startsWith("vt"))!.replaceAll("−", "-").split(/ {2,}/);
  deepEqual(found.slice(2, 7), numbers);
  equal(found.at(-1), "8 and 6");
});

Deno.test("compareApart() states no interval for few samples, and nothing for runs without a common task", () => {
  const few = compareApart([run("vt", [1, 1]), run("vt", [0, 0])], ["a", "b"])!;
  equal(/vt.*−100\.0 +–? *–? *2/.test(few.text) || /vt.*-100\.0/.test(few.text), true);
  equal(compareApart([run("vt", [1]), run("cwe", [0])], ["a", "b"]), null);
});
