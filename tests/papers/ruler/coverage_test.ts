import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { shareCoverage } from "@/lib/statistics/mod.ts";
import {
  type Coverage,
  coverageBands,
  coverageFigure,
  coverageTable,
  normalInterval,
  simulateCoverage,
} from "@/lib/papers/ruler/mod.ts";

/** The share of runs covered, over all rows of a kind whose truth is in a range. */
function covered(
  rows: readonly Coverage[],
  kind: Coverage["kind"],
  range: readonly [number, number] = [0, 100],
): number {
  const chosen = rows.filter((row) => row.kind === kind && row.truth >= range[0] && row.truth <= range[1]);
  ok(chosen.length > 0);
  return chosen.reduce((sum, row) => sum + row.covered, 0) / chosen.length;
}

const LENGTHS = [4096, 32_768, 131_072];

Deno.test.each(
  [
    ["yi-34b", 25, cases(300, 1000)],
    ["mixtral", 25, cases(300, 1000)],
    ["yi-34b", 100, cases(100, 300)],
  ] as const,
)(
  "intervals hold the truth in 93 to 98%% of runs simulated with profile %s at %d samples, %d of them",
  (profile, samples, runs) => {
    const rows = simulateCoverage({ profile, lengths: LENGTHS, samples, runs });
    for (const kind of ["yes/no", "shares", "mean of 13 tasks"] as const) {
      const share = covered(rows, kind, kind === "mean of 13 tasks" ? [0, 100] : [5, 95]);
      ok(share >= 0.93 && share <= 0.98, `${kind}: ${share}`);
    }
    // Scores near 100 come out as 100 in most runs, and an interval that keeps its width there holds the truth in all of these.
    for (const kind of ["yes/no", "shares"] as const) ok(covered(rows, kind, [95, 100]) >= 0.93, kind);
  },
);

Deno.test("simulateCoverage() gives the same again, and a row for each task and length and for the mean", () => {
  const options = { profile: "lwm", lengths: [4096, 8192], samples: 4, runs: 10, seed: "s" };
  const rows = simulateCoverage(options);
  deepEqual(simulateCoverage(options), rows);
  equal(rows.length, 28);
  deepEqual(rows.slice(-2).map(({ kind, length }) => [kind, length]), [["mean of 13 tasks", 4096], [
    "mean of 13 tasks",
    8192,
  ]]);
  equal(rows.filter(({ kind }) => kind === "shares").length, 10);
});

Deno.test("simulateCoverage() refuses an unknown profile", () => {
  throws(() => simulateCoverage({ profile: "nope", lengths: [4096], samples: 1, runs: 1 }), {
    name: "RangeError",
    message: /^Cannot open the profile as its name must be one of .*: current value is "nope"$/,
  });
});

const row: Coverage = { task: "vt", length: 4096, kind: "yes/no", truth: 50, runs: 100, covered: 0.95 };

Deno.test("coverageBands() weighs each number by its runs, and keeps the least and the greatest", () => {
  deepEqual(coverageBands([{ ...row, covered: 0.9 }, { ...row, runs: 300, covered: 0.98 }]), [
    { kind: "yes/no", truths: "5 to 95", cells: 2, intervals: 400, covered: 96, least: 90, greatest: 98 },
  ]);
});

Deno.test("coverageBands() puts 5 and 95 in the middle, and what is beyond to the edges", () => {
  const rows = [0, 4.9, 5, 95, 95.1, 100].map((truth) => ({ ...row, truth }));
  deepEqual(coverageBands(rows).map(({ truths, cells }) => [truths, cells]), [
    ["5 to 95", 2],
    ["below 5 or above 95", 4],
  ]);
});

Deno.test("coverageBands() leaves nothing out and gives nothing for nothing", () => {
  const rows = simulateCoverage({ profile: "gpt-4", lengths: [4096, 131_072], samples: 4, runs: 10 });
  equal(coverageBands(rows).reduce((sum, { cells }) => sum + cells, 0), rows.length);
  deepEqual(coverageBands([]), []);
});

const figure = coverageFigure({ title: "They differ", trials: 25 });
const points = [...JSON.stringify(figure.spec).matchAll(/"series":"([^"]+)","x":([\d.]+),"y":([\d.]+)/g)]
  .map(([, series, x, y]) => ({ series: series!, x: Number(x), y: Number(y) }));

Deno.test("coverageFigure() draws four intervals over true scores of 50 to 99.5%, and names their samples", () => {
  const drawn = Map.groupBy(points, ({ series }) => series).values().map((line) =>
    new Set(line.map(({ x }) => x)).size
  );
  const [textbook, ...others] = [...drawn];
  ok(textbook! > 70 && textbook! < 100);
  deepEqual(others, [100, 100, 100]);
  ok(points.every(({ y }) => y >= 85 && y <= 100));
  match(figure.note, /^Measured · 25 samples an interval/);
});

Deno.test("coverageFigure() reports that for 25 samples at 99.5% the textbook interval holds the truth in 1 - 0.995^25 = 12% of cases", () => {
  // All right gives the point 100, which misses; all other numbers that occur hold it.
  equal((100 * (1 - 0.995 ** 25)).toFixed(0), "12");
  match(figure.text, /Below 85% nothing is drawn: the textbook interval falls to 12% at 99\.5\./);
  const at98 = (name: string): number => points.find(({ series, x }) => x === 98 && series.startsWith(name))!.y;
  ok(at98("mid-p") >= 93 && at98("exact") >= 95);
});

Deno.test("coverageTable() has a row for each kind of score and band", () => {
  const bands = coverageBands(simulateCoverage({ profile: "yi-34b", lengths: [4096], samples: 8, runs: 30 }));
  const { text, note } = coverageTable(bands, { title: "Held", n: "30 runs" });
  match(text, /mean of 13 tasks/);
  match(coverageTable(coverageBands([row]), { title: "One", n: 100 }).text, /yes\/no +5 to 95 +1 +95\.0/);
  match(note, /^Simulated/);
  ok(!text.includes("NaN"));
  throws(() => coverageTable([], { title: "None", n: 0 }), { name: "RangeError" });
});

Deno.test("normalInterval() is the share plus or minus 1.96 standard errors: 80 of 100", () => {
  const { low, high } = normalInterval(80, 100);
  deepEqual([low.toFixed(4), high.toFixed(4)], ["0.7216", "0.8784"]);
});

Deno.test("normalInterval() shrinks to a point where all or none succeed, and so misses the truth there", () => {
  deepEqual([normalInterval(0, 9), normalInterval(9, 9)], [{ low: 0, high: 0 }, { low: 1, high: 1 }]);
  equal(shareCoverage(normalInterval, { trials: 25, share: 0.99 }) < 0.25, true);
});
