import { deepEqual, equal, match } from "node:assert/strict";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import {
  LEADERBOARD_CLAIMS,
  openCurves,
  RUN_CLAIMS,
  type ScoreCurve,
  windowText,
} from "@/lib/papers/ruler/leaderboard_claims.ts";
import { checkClaims, type RunEvidence, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";

const curves = await openCurves();
const table3 = curves.filter(({ task }) => task === RULER_OVERALL);

/** The published scores with another one for one model of Table 3. */
function altered(model: string, length: number, score: number): readonly ScoreCurve[] {
  const isChanged = (curve: ScoreCurve): boolean => table3.includes(curve) && curve.model.startsWith(model);
  return curves.map((curve) =>
    isChanged(curve)
      ? {
        ...curve,
        scores: curve.scores.map((at) => at.length === length ? { ...at, score, low: score, high: score } : at),
      }
      : curve
  );
}

Deno.test.each(
  [
    ["Mixtral misses at 32K", "Mixtral", 32_768, 85.5, "fails holds holds holds"],
    ["Mistral passes at 32K", "Mistral (", 32_768, 90, "fails mostly holds holds holds"],
    ["GPT-4 does not fall", "GPT-4", 131_072, 90, "holds mostly holds holds mostly holds"],
    ["LongChat does better at 128K", "LongChat", 131_072, 80, "holds mostly holds holds mostly holds"],
  ] as [string, string, number, number, string][],
)("LEADERBOARD_CLAIMS change with the numbers: %s", (_name, model, length, score, verdicts) => {
  const rows = checkClaims(LEADERBOARD_CLAIMS, altered(model, length, score));
  equal(rows.map(({ verdict }) => verdict).join(" "), verdicts);
});

Deno.test("LEADERBOARD_CLAIMS fail where needles are lost", () => {
  const lost = curves.map((curve) =>
    curve.task === "niah_single_1"
      ? { ...curve, scores: curve.scores.map((at) => ({ ...at, score: 85, low: 84, high: 86 })) }
      : curve
  );
  const failed = checkClaims(LEADERBOARD_CLAIMS, lost).filter(({ verdict }) => verdict === "fails");
  deepEqual(failed.map(({ id }) => id), ["R10"]);
});

Deno.test("windowText() counts the models that keep a score up to their claimed window, and the points lost", () => {
  equal(
    windowText(table3, 85.6),
    "Most use less than they claim: 1 of 10 models stays above RULER's pass mark up to the claimed context length. " +
      "The pass mark is 85.6. From the shortest length to the longest, the models lose 15 to 88 points.",
  );
  match(windowText(table3, 70), /^Some use less than they claim: 5 of 10 models stay /);
  const scores = table3[0]!.scores.slice(0, 2).map((row, at) => ({ ...row, score: 50 - 10 * at }));
  match(windowText([{ ...table3[0]!, scores }], 85.6), /: none of 1 models stay .* lose 10 points\.$/);
});

const TASKS = RULER_GROUPS.find((group) => group.name === RULER_OVERALL)!.tasks;

/** A run on all 13 tasks with `right` right samples of each task at each length. */
function run(
  samples: number,
  rightAt: readonly (readonly [length: number, right: number])[],
  claimedLength: number | null,
): RunEvidence {
  const records = rightAt.flatMap(([length, right]) =>
    TASKS.flatMap((task) =>
      Array.from({ length: samples }, (_, index): ScoredRecord => ({
        task,
        length,
        value: index < right ? 1 : 0,
        failed: false,
        noAnswer: false,
      }))
    )
  );
  return { rows: summarise(records), replies: [], tasks: {}, claimedLength };
}

Deno.test.each(
  [
    [
      "a perfect run that reaches the claim",
      run(100, [[4096, 100], [8192, 100]], 8192),
      "fails holds cannot tell",
    ],
    [
      "a perfect run that stops short of the claim",
      run(100, [[4096, 100], [8192, 100]], 16_384),
      "cannot tell holds cannot tell",
    ],
    ["a perfect run of few samples", run(5, [[4096, 5], [8192, 5]], 8192), "fails cannot tell cannot tell"],
    ["a run that breaks down", run(25, [[4096, 25], [8192, 5]], 8192), "holds fails holds"],
    ["a run that breaks down beyond the claim", run(100, [[4096, 100], [8192, 20]], 4096), "fails holds holds"],
    ["a run near the threshold", run(25, [[4096, 25], [8192, 22]], 8192), "cannot tell cannot tell cannot tell"],
    ["an unknown claim", run(100, [[4096, 100], [8192, 100]], null), "cannot tell holds cannot tell"],
    ["a run that keeps its middling score", run(100, [[4096, 60], [8192, 60]], 8192), "holds fails fails"],
    ["a run that finds next to nothing", run(100, [[4096, 2], [8192, 0]], 8192), "holds fails cannot tell"],
    ["one length only", run(100, [[4096, 100]], 4096), "fails holds cannot tell"],
  ] as [string, RunEvidence, string][],
)("RUN_CLAIMS: %s", (_name, evidence, verdicts) => {
  equal(checkClaims(RUN_CLAIMS, evidence).map(({ verdict }) => verdict).join(" "), verdicts);
});

Deno.test("RUN_CLAIMS cannot tell without scores, and give no NaN", () => {
  const checked = checkClaims(RUN_CLAIMS, { rows: [], replies: [], tasks: {}, claimedLength: 8192 });
  deepEqual(checked.map(({ verdict, observed }) => [verdict, observed]), [
    ["cannot tell", "No length has a score on all 13 tasks."],
    ["cannot tell", "Not both tasks have a score at such a length."],
    ["cannot tell", "Fewer than two lengths have a score on all 13 tasks."],
  ]);
});

Deno.test("RUN_CLAIMS: a fall is from the shortest length to the longest, and decides by the interval that it prints", () => {
  const seen = new Set<string>();
  for (let right = 0; right <= 100; right += 2) {
    const { verdict, observed } = checkClaims(RUN_CLAIMS, run(100, [[16_384, right], [4096, 60], [8192, 5]], null))[2]!;
    const [, fall, low, high] = observed.match(/length: the model (\S+) \((\S+) to (\S+)\)/)!.map(
      Number,
    ) as [
      number,
      number,
      number,
      number,
    ];
    equal(fall, 60 - right);
    if ([low, high].some((end) => Math.abs(end - 10) < 0.1)) continue;
    equal(verdict, low >= 10 ? "holds" : high < 10 ? "fails" : "cannot tell", observed);
    seen.add(verdict);
  }
  equal(seen.size, 3);
});

/** Rows of two needle tasks, each with its score and interval at each length. */
function needles(
  ...rows: readonly (readonly [task: 1 | 2, length: number, low: number, score: number, high: number])[]
): RunEvidence {
  return {
    ...{ replies: [], tasks: {}, claimedLength: 8192 },
    rows: rows.map(([task, length, low, score, high]) => ({
      ...{ task: `niah_single_${task}`, length, low, score, high, n: 25, failed: 0, noAnswer: 0 },
      ...{ effectiveSize: 25, unscored: 0, reason: null },
    })),
  };
}

Deno.test.each(
  [
    ["all at 95", needles([1, 4096, 95, 99, 100], [2, 4096, 95, 98, 100]), "holds"],
    ["one below 95 at its low end", needles([1, 4096, 94.9, 99, 100], [2, 4096, 95, 98, 100]), "holds"],
    ["a mean whose interval includes 95", needles([1, 4096, 95, 99, 100], [2, 4096, 80, 90, 94.9]), "cannot tell"],
    ["a mean below 95", needles([1, 4096, 95, 99, 100], [2, 4096, 60, 70, 80]), "fails"],
    ["one at 95 at its high end", needles([1, 4096, 95, 99, 100], [2, 4096, 80, 90, 95]), "cannot tell"],
    ["one below 95 at the claimed length", needles([1, 8192, 70, 80, 90], [2, 4096, 95, 98, 100]), "fails"],
    [
      "one below 95 beyond the claimed length",
      needles([1, 4096, 96, 98, 100], [1, 16_384, 70, 80, 90], [2, 4096, 95, 98, 100]),
      "holds",
    ],
    [
      "one task beyond the claimed length alone",
      needles([1, 4096, 96, 98, 100], [2, 16_384, 95, 98, 100]),
      "cannot tell",
    ],
    ["one task", needles([1, 4096, 96, 98, 100], [1, 8192, 96, 98, 100]), "cannot tell"],
  ] as [string, RunEvidence, string][],
)("RUN_CLAIMS: needles are found nearly perfectly, %s", (_name, evidence, verdict) => {
  equal(checkClaims(RUN_CLAIMS, evidence)[1]!.verdict, verdict);
});
