import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { stream } from "@/lib/random/mod.ts";
import { comparePairs, judgeLoss, minimumDetectableDifference, type PairedSample } from "@/lib/statistics/mod.ts";

function pair(baseline: number, other: number, changes: Partial<PairedSample> = {}): PairedSample {
  return { task: "vt", length: 4096, third: null, baseline, other, ...changes };
}

const MODELS = ["before", "after"] as const;

/** Pairs of a model that is right with a chance, and of one that loses some of what the first got right. */
function drawLoss(
  seed: string,
  options: { readonly n: number; readonly chance: number; readonly lost: number },
): PairedSample[] {
  const draw = stream(seed, "loss");
  return Array.from({ length: options.n }, () => {
    const baseline = Number(draw() < options.chance);
    return pair(baseline, baseline === 1 && draw() < options.lost / options.chance ? 0 : baseline);
  });
}

Deno.test("comparePairs() has rows for all samples, lengths, tasks and thirds, and no row without samples", () => {
  const pairs = [
    ...Array(6).fill(pair(1, 0, { third: "first" })),
    ...Array(6).fill(pair(1, 1, { task: "cwe", length: 1024 })),
  ];
  const { rows, corrected } = comparePairs([pairs]);
  deepEqual(rows[0]!.map(({ by, name, n, difference }) => [by, name, n, difference]), [
    ["all", "all samples", 12, -50],
    ["length", "1K", 6, 0],
    ["length", "4K", 6, -100],
    ["task", "vt", 6, -100],
    ["task", "cwe", 6, 0],
    ["third", "first third", 6, -100],
  ]);
  equal(corrected, "p-values corrected for 6 comparisons (Holm)");
  // Six of six lost: 2 in 2^6 ways of the signs, whichever rows have them.
  deepEqual(rows[0]!.map(({ p }) => p.toFixed(9)), [1 / 32, 1, 1 / 32, 1 / 32, 1, 1 / 32].map((p) => p.toFixed(9)));
});

Deno.test("comparePairs() corrects for the rows of all models together", () => {
  const lost = Array(8).fill(pair(1, 0));
  const alone = comparePairs([lost], { by: ["all"] }).rows[0]![0]!;
  const among = comparePairs([lost, lost, lost], { by: ["all"] }).rows[0]![0]!;
  equal(alone.p, among.p);
  equal(among.adjusted, 3 * alone.adjusted);
  equal(alone.higher, "baseline");
});

Deno.test("comparePairs() changes signs with the models, and weighs tasks alike whatever their samples", () => {
  const pairs = [...Array(10).fill(pair(1, 0)), pair(0, 1, { task: "cwe" })];
  const [row] = comparePairs([pairs]).rows[0]!;
  equal(row?.difference, 0);
  const swapped = pairs.map(({ baseline, other, ...rest }) => ({ ...rest, baseline: other, other: baseline }));
  const [back] = comparePairs([swapped], { by: ["task"] }).rows[0]!;
  deepEqual([back?.difference, back?.higher], [100, "other"]);
});

Deno.test("comparePairs() has a row for a group at a length where all of its tasks were asked, and none for no pairs", () => {
  const groups = [{ name: "both", tasks: ["vt", "cwe"] }, { name: "more", tasks: ["vt", "fwe"] }];
  const pairs = [pair(1, 1), pair(1, 0, { task: "cwe" }), pair(1, 0, { length: 8192 })];
  deepEqual(comparePairs([pairs], { by: ["group"], groups }).rows[0]!.map(({ name, n }) => [name, n]), [[
    "both, 4K",
    2,
  ]]);
  deepEqual(comparePairs([[]]).rows, [[]]);
});

Deno.test.each([
  ["a loss of all", Array(60).fill(pair(1, 0)), "worse"],
  ["no change in many", Array(400).fill(pair(1, 1)), "not worse"],
  ["no change in few", Array(5).fill(pair(1, 1)), "cannot tell"],
  ["a gain", Array(60).fill(pair(0, 1)), "not worse"],
] as [string, PairedSample[], string][])("judgeLoss() of %s", (_name, pairs, want) => {
  const { verdict, finding, n } = judgeLoss(pairs, { margin: 2, models: MODELS });
  equal(verdict, want);
  match(finding, new RegExp(`^after less before is -?\\d+\\.\\d points \\[.*\\] on ${n} samples: `));
});

Deno.test("judgeLoss() calls a model that loses exactly the margin worse in at most 5% of seeded draws", () => {
  const draws = cases(400, 1000);
  for (const n of [100, 400]) {
    const verdicts = Array.from(
      { length: draws },
      (_, seed) =>
        judgeLoss(drawLoss(`${seed}`, { n, chance: 0.8, lost: 0.05 }), { margin: 5, models: MODELS }).verdict,
    );
    const worse = verdicts.filter((verdict) => verdict === "worse").length / draws;
    ok(worse <= 0.05, `${worse} of ${n}`);
  }
});

Deno.test("judgeLoss() of nine pairs of which three are lost cannot tell: tasks of single pairs carry little", () => {
  const lost = [pair(1, 0), pair(1, 1, { task: "cwe" }), pair(1, 1, { task: "cwe" })];
  const pairs = [
    ...lost,
    pair(1, 0, { length: 8192 }),
    pair(1, 0, { task: "fwe" }),
    ...Array(4).fill(pair(1, 1, { task: "qa" })),
  ];
  const { verdict, low } = judgeLoss(pairs, { margin: 1, models: MODELS });
  equal(verdict, "cannot tell");
  ok(low < 0, `${low}`);
});

Deno.test("judgeLoss() states what this many samples detect, as the planner does", () => {
  const pairs = [pair(1, 0), pair(0, 1), pair(1, 1), pair(1, 1), pair(0, 0)];
  const { detectable, needed, finding } = judgeLoss(pairs, { margin: 2, models: MODELS });
  equal(detectable, minimumDetectableDifference(5, { score: 60, tasks: 1, correlation: 1 / 6 }));
  ok(needed! > 1000);
  match(finding, /too few to decide whether the loss is more than 2; .* and about [\d,]+ detect a loss of 4$/);
});

Deno.test("judgeLoss() of a baseline at 0 finds no loss that could be detected", () => {
  const { verdict, detectable, needed } = judgeLoss([pair(0, 0)], { margin: 2, models: MODELS });
  deepEqual([verdict, detectable, needed], ["cannot tell", null, null]);
});

Deno.test("judgeLoss() refuses no pairs and a margin outside its range", () => {
  throws(() => judgeLoss([], { margin: 2, models: MODELS }), { message: /at least one pair: current value is 0$/ });
  throws(() => judgeLoss([pair(1, 1)], { margin: 100, models: MODELS }), {
    name: "RangeError",
    message: "Cannot judge a loss as the margin must be in [0, 100) points: current value is 100",
  });
});
