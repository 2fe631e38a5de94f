import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import {
  compareDesigns,
  type CompareDesignsOptions,
  type DesignsCompared,
  designsTable,
} from "@/lib/papers/ruler/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";
import { RULER_THRESHOLD } from "@/lib/statistics/mod.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function compareAll(options: Pick<CompareDesignsOptions, "samples" | "runs" | "rule">): readonly DesignsCompared[] {
  return PUBLISHED_PROFILES.map(({ name }) =>
    compareDesigns(name, { threshold: RULER_THRESHOLD, lengths: LENGTHS, ...options })
  );
}

function meanOf(rows: readonly DesignsCompared[], key: "same" | "asked" | "tokens" | "settled" | "wrong"): number {
  return rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
}

Deno.test("an adaptive search gives the answer of 100 samples a task in most simulated runs of each profile, with at most 40% of the samples", () => {
  const rows = compareAll({ samples: 100, runs: cases(4, 20) });
  for (const { profile, same, asked } of rows) {
    ok(same >= cases(0.75, 0.95) && asked <= 0.4, `${profile}: same ${same}, asked ${asked}`);
  }
  ok(meanOf(rows, "asked") <= 0.25 && meanOf(rows, "tokens") <= 0.25 && meanOf(rows, "wrong") <= 0.05);
});

Deno.test("an adaptive search gives the answer of the paper's 500 samples a task with at most 20% of them, and settles most", () => {
  const rows = compareAll({ samples: 500, runs: cases(1, 3) });
  ok(meanOf(rows, "same") >= 0.95 && meanOf(rows, "wrong") <= 0.05);
  ok(meanOf(rows, "asked") <= 0.2 && meanOf(rows, "settled") >= 0.6);
});

Deno.test("an adaptive search by the contiguous rule agrees too, and asks fewer tokens, as it begins with the shortest", () => {
  const rows = compareAll({ samples: 100, runs: cases(1, 3), rule: "contiguous" });
  ok(meanOf(rows, "same") >= 0.95 && meanOf(rows, "tokens") <= 0.25, `${meanOf(rows, "tokens")}`);
});

Deno.test("compareDesigns() knows the truth, and gives the same again", () => {
  const options = { threshold: RULER_THRESHOLD, lengths: LENGTHS, samples: 30, runs: 4, seed: "s" };
  const first = compareDesigns("sim:longalpaca", options);
  deepEqual([first.profile, first.truth, first.same, first.settled, first.wrong], ["longalpaca", "<4K", 1, 1, 0]);
  deepEqual(compareDesigns("longalpaca", options), first);
});

Deno.test("compareDesigns() refuses an unknown profile and a threshold outside its range", () => {
  const options = { threshold: RULER_THRESHOLD, lengths: LENGTHS, samples: 30, runs: 4 };
  throws(() => compareDesigns("nope", options), { name: "RangeError" });
  throws(() => compareDesigns("gpt-4", { ...options, threshold: 0 }), {
    name: "RangeError",
    message: "Cannot search for the effective length as threshold must be in (0, 100): current value is 0",
  });
});

Deno.test("designsTable() has the averages of its rows in its title", () => {
  const row = { profile: "a", truth: "4K", same: 1, asked: 0.2, tokens: 0.1, settled: 0.5, wrong: 0 };
  const { title, text } = designsTable([row, { ...row, profile: "b", same: 0.9, asked: 0.4 }], { n: 3 });
  equal(title, "Same answer in 95% of runs, with 30% of the samples");
  match(text, /^b +4K +90 +40 +10 +50 +0$/m);
});

Deno.test("designsTable() marks a simulated comparison as simulated", () => {
  match(
    designsTable([compareDesigns("longalpaca", { threshold: 85.6, lengths: [4096, 16_384], samples: 20, runs: 3 })], {
      n: 3,
    }).note,
    /^Simulated/,
  );
  throws(() => designsTable([], { n: 0 }), { name: "RangeError" });
});
