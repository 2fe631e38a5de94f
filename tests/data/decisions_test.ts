import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { openerOf, verdictOf } from "@/lib/certify/decision.ts";
import { QUANTISED_LOSS } from "@/lib/certify/smoke.ts";
import { expectedPairs } from "@/lib/certify/mod.ts";
import { type Draw, pick, stream } from "@/lib/random/mod.ts";
import { MEASURED_FOLDER } from "@/lib/records/run_folders.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { comparePairs, type PairedSample, pairRecords } from "@/lib/statistics/mod.ts";

// Changes of llama.cpp's server in data/measured/decisions, by the probability of the right answer and by the scores of the replies.

const FOLDER = `${MEASURED_FOLDER}/decisions`;
const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
const changed = names.filter((name) => !name.endsWith("-f16"));

async function pairsOf(name: string, measure?: "answer-probability"): Promise<readonly PairedSample[]> {
  const base = name.replace(/-[^-]+$/, "-f16");
  const [before, after] = await Promise.all(
    [base, name].map((run) => readScoredRun(`${FOLDER}/${run}`, { measure })),
  );
  return pairRecords(before!.replies, after!.replies).pairs;
}

const PAIRS = new Map(
  await Promise.all(changed.map(async (name) => [name, await pairsOf(name, "answer-probability")] as const)),
);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const differencesOf = (pairs: readonly PairedSample[]): readonly number[] =>
  pairs.map(({ baseline, other }) => other - baseline);

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
    const bases = pairs.map(({ baseline }) => baseline);
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

/** Forecasts a certificate that draws recorded differences again. */
function forecast(recorded: readonly number[]): ReturnType<typeof expectedPairs> {
  const square = Math.max(0.25, 100 * mean(recorded.map((value) => value * value)));
  return expectedPairs({ ...RULE, samples: 4000, flips: square }, { discordance: square, recorded });
}

const BY_SCORE = new Map(await Promise.all(changed.map(async (name) => [name, await pairsOf(name)] as const)));

const DOCS = (await Deno.readTextFile("docs/certify.md")).replaceAll(/ +/g, " ");
const MODELS: Readonly<Record<string, string>> = { gemma: "Gemma", smollm2: "SmolLM2" };
const CHANGES: Readonly<Record<string, string>> = {
  q8: "KV cache q8_0",
  q4: "KV cache q4_0",
  rope: "RoPE scale 0.5",
  batch8: "8 at once",
  self: "none",
};

for (const name of changed) {
  Deno.test(`docs/certify.md has the changes that ${name} measured, and the pairs to a finding by each measure`, () => {
    const both = [BY_SCORE, PAIRS].map((of) => of.get(name)!);
    const [model, change] = name.split("-");
    const rows = both.map((pairs) => comparePairs([pairs], { by: ["all"] }).rows[0]![0]!);
    const points = rows.map(({ difference }) => difference.toFixed(1).replace("-", "\u2212"));
    const firsts = both.map((pairs) => Math.round(forecast(differencesOf(pairs)).first).toLocaleString("en"));
    const row = `| ${[`${MODELS[model!]}, ${CHANGES[change!]}`, rows[0]!.n, ...points, ...firsts].join(" | ")} |`;
    ok(DOCS.includes(row), `docs/certify.md must have the row ${row}`);
  });
}

Deno.test("a change that flips replies and loses nothing is decided by probability with fewer pairs, or with a tenth", () => {
  const found = changed.map((name) => {
    const [score, probability] = [BY_SCORE, PAIRS].map((of) => moved(differencesOf(of.get(name)!), 0));
    const [byScore, byProbability] = [score!, probability!].map((values) => Math.round(forecast(values).mean));
    return {
      name,
      flips: score!.some((value) => value !== score![0]),
      byScore: byScore!,
      byProbability: byProbability!,
    };
  });
  const flipping = found.filter(({ flips }) => flips);
  ok(flipping.length >= 4 && flipping.every(({ byScore, byProbability }) => byProbability < byScore));
  const { byScore, byProbability } = found.find(({ name }) => name === "gemma-q4")!;
  ok(byProbability <= byScore / 10);
  const sentence = `would take ${byScore.toLocaleString("en")} pairs by score and ${byProbability} by probability`;
  ok(DOCS.includes(sentence), `docs/certify.md must have "${sentence}"`);
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
    ok(replies.length >= 24 && replies.every(({ value }) => value !== null), name);
    equal(manifest.study.measure, "answer-probability");
    deepEqual([
      ...new Set(replies.map(({ record }) => record.likelihood?.kind === "likelihood" && record.likelihood.way)),
    ], ["grammar"]);
    ok((await Deno.stat(`${FOLDER}/${name}/records.jsonl.gz`)).size < 100_000, name);
  }
});
