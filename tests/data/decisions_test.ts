import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { openerOf, verdictOf } from "@/lib/certify/decision.ts";
import { QUANTISED_LOSS } from "@/lib/certify/smoke.ts";
import { expectedPairs } from "@/lib/certify/mod.ts";
import { type Draw, pick, stream } from "@/lib/random/mod.ts";
import { MEASURED_FOLDER } from "@/lib/records/run_folders.ts";
import { readScoredRun } from "@/lib/records/mod.ts";

// Changes of llama.cpp's server in data/measured/decisions, by the probability of the right answer and by the scores of the replies.

const FOLDER = `${MEASURED_FOLDER}/decisions`;
const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
const changed = names.filter((name) => !name.endsWith("-f16"));

/** A sample of base and change, as its measure has it. */
type Pair = readonly [base: number, change: number];

async function pairsOf(name: string, measure?: "answer-probability"): Promise<readonly Pair[]> {
  const base = name.replace(/-[^-]+$/, "-f16");
  const [before, after] = await Promise.all(
    [base, name].map((run) => readScoredRun(`${FOLDER}/${run}`, { measure })),
  );
  const values = new Map(after!.replies.map(({ record, value }) => [record.sample, value]));
  return before!.replies.flatMap(({ record, value }): Pair[] => {
    const other = values.get(record.sample);
    return typeof value === "number" && typeof other === "number" ? [[value, other]] : [];
  });
}

const PAIRS = new Map(
  await Promise.all(changed.map(async (name) => [name, await pairsOf(name, "answer-probability")] as const)),
);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const differencesOf = (pairs: readonly Pair[]): readonly number[] => pairs.map(([base, change]) => change - base);

/** Moves differences to a mean, within [-1, 1]. */
function moved(differences: readonly number[], to: number): readonly number[] {
  const by = to - mean(differences);
  return differences.map((difference) => Math.max(-1, Math.min(1, difference + by)));
}

const CELLS = 8;
const MARGIN = 0.05;
const RULE = {
  margin: 100 * MARGIN,
  samples: 400,
  flips: 0.25,
  cells: Array.from({ length: CELLS }, (_, at) => ({ name: `${at}`, weight: 1 })),
};

/** The share of certificates with a verdict; a difference of `null` is missing, and the verdict must hold whatever it was. */
function shareOf(wanted: string, drawPair: (draw: Draw) => number | null, seed: string): number {
  const [draw, runs] = [stream("decisions", seed), cases(300, 10_000)];
  const open = openerOf(RULE, [-MARGIN, 0]);
  let found = 0;
  for (let run = 0; run < runs; run++) {
    // Without what is missing, and with it counted for the base and for the change.
    const evidences = [open(), open(), open()];
    for (let pairs = CELLS; pairs <= RULE.samples; pairs += CELLS) {
      const drawn = Array.from({ length: CELLS }, () => drawPair(draw));
      for (const [at, evidence] of evidences.entries()) {
        const values = drawn.flatMap((value) => value ?? (at === 0 ? [] : [at === 1 ? -1 : 1]));
        evidence.add({ values, weights: values.map(() => 1) });
      }
      const verdicts = evidences.map((evidence) => verdictOf(evidence.interval(), RULE));
      if (verdicts[0] === null) continue;
      if (new Set(verdicts).size === 1 && verdicts[0] === wanted) found++;
      break;
    }
  }
  return found / runs;
}

/** The largest share that is no evidence against 2.5%, at a chance of 0.1%. */
const most = 0.025 + 3.1 * Math.sqrt(0.025 * 0.975 / cases(300, 10_000));

for (const [name, pairs] of PAIRS) {
  Deno.test(`a loss of the margin of ${name} is "no worse" in at most 2.5% of certificates by probability`, () => {
    const atMargin = moved(differencesOf(pairs), -MARGIN);
    const bases = pairs.map(([base]) => base);
    const truncated = MARGIN / mean(bases);
    const scenarios: Readonly<Record<string, (draw: Draw) => number | null>> = {
      "as recorded": (draw) => pick(draw, atMargin),
      // The change loses whole answers, as of prompts that its server cuts.
      truncation: (draw) => draw() < truncated ? -pick(draw, bases) : 0,
      "truncation at both": (draw) => {
        const place = draw();
        if (place < 2 * truncated) return -pick(draw, bases);
        return place < 3 * truncated ? pick(draw, bases) : 0;
      },
      "refusals at both": (draw) => draw() < 0.02 ? null : pick(draw, atMargin),
    };
    for (const [scenario, drawPair] of Object.entries(scenarios)) {
      const share = shareOf("no worse", drawPair, `${name} ${scenario}`);
      ok(share <= most, `${scenario}: ${share}`);
    }
  });
}

Deno.test("a change that loses nothing is decided by probability with a tenth of the pairs of its scores, or fewer", async () => {
  const found = await Promise.all(changed.map(async (name) => {
    const [byScore, byProbability] = [await pairsOf(name), PAIRS.get(name)!].map((pairs) => {
      const recorded = moved(differencesOf(pairs), 0);
      const square = 100 * mean(recorded.map((value) => value * value));
      const rule = { ...RULE, samples: 4000, flips: Math.max(0.25, square) };
      return expectedPairs(rule, { discordance: Math.max(0.01, square), recorded });
    });
    return {
      name,
      score: Math.round(byScore!.mean),
      probability: Math.round(byProbability!.mean),
      undecided: 1 - byScore!.noWorse,
    };
  }));
  console.log(found);
  const flipping = found.filter(({ name }) => !name.endsWith("-self"));
  ok(flipping.length > 0 && flipping.every(({ score, probability }) => probability <= score));
  ok(flipping.some(({ score, probability }) => probability <= score / 10));
});

Deno.test("the power of a smoke test is that of the recorded loss of a KV cache in 4 bits", () => {
  const differences = differencesOf(PAIRS.get("gemma-q4")!).map((value) => 100 * value);
  const deviation = Math.sqrt(mean(differences.map((value) => (value - mean(differences)) ** 2)));
  deepEqual(
    [-mean(differences), deviation].map((value) => value.toFixed(1)),
    [QUANTISED_LOSS.points, QUANTISED_LOSS.deviation].map((value) => value.toFixed(1)),
  );
});

Deno.test("every recorded change has the samples of its base, asked in one way, and is small", async () => {
  for (const name of names) {
    const { replies, manifest } = await readScoredRun(`${FOLDER}/${name}`, { measure: "answer-probability" });
    ok(replies.length >= 32 && replies.every(({ value }) => value !== null), name);
    equal(manifest.study.measure, "answer-probability");
    deepEqual([
      ...new Set(replies.map(({ record }) => record.likelihood?.kind === "likelihood" && record.likelihood.way)),
    ], ["grammar"]);
    ok((await Deno.stat(`${FOLDER}/${name}/records.jsonl.gz`)).size < 60_000, name);
  }
});
