import { meanInterval, meanOfMeans } from "@/lib/statistics/mean_interval.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile, PUBLISHED_PROFILES } from "@/lib/simulated/profiles.ts";
import { expectedTaskScore, simulatedScore } from "../simulated/_expected_score.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { independent } from "@/lib/statistics/units.ts";
import { effectiveLength, mean, RULER_THRESHOLD, type SearchSample, searchWith, sum } from "@/lib/statistics/mod.ts";
import type { MeanEstimate } from "@/lib/statistics/mean_interval.ts";
import { ok } from "node:assert/strict";
import { cases } from "../_cases.ts";

/** The share of simulated runs whose interval holds the true value of one score. */
interface Coverage {
  /** Right or wrong, shares of several references, or a mean over tasks. */
  readonly kind: "yes/no" | "shares" | "mean of 13 tasks";
  /** In percent. */
  readonly truth: number;
  readonly covered: number;
}

const SHARED = ["niah_multivalue", "niah_multiquery", "vt", "cwe", "fwe"];

/** Simulates runs of RULER's 13 tasks whose true scores are known; a row for each task and length, and for the mean at a length. */
function simulateCoverage(
  profileName: string,
  { lengths, samples, runs }: { readonly lengths: readonly number[]; readonly samples: number; readonly runs: number },
): readonly Coverage[] {
  const profile = openProfile(profileName);
  // The same scores often recur in another order.
  const known = new Map<string, MeanEstimate>();
  const estimate = (score: (draw: Draw) => number, draw: Draw): MeanEstimate => {
    const scores = Array.from({ length: samples }, () => score(draw)).sort((left, right) => left - right);
    const found = known.get(scores.join(" ")) ?? meanInterval(independent(scores));
    known.set(scores.join(" "), found);
    return found;
  };
  const holds = ({ low, high }: MeanEstimate, truth: number): number => Number(low <= truth && truth <= high);
  return lengths.flatMap((length): Coverage[] => {
    const scores = RULER_TASK_NAMES.map((task) => simulatedScore(profile, { task, length }));
    const truths = RULER_TASK_NAMES.map((task) => expectedTaskScore(profile, { task, length }) / 100);
    const held = Array.from({ length: runs }, (_, run) => {
      const draw = stream("coverage", profile.name, length, samples, run);
      const estimates = scores.map((score) => estimate(score, draw));
      const ofTasks = estimates.map((found, at) => holds(found, truths[at]!));
      return [...ofTasks, holds(meanOfMeans(estimates), mean(truths))];
    });
    return [...truths, mean(truths)].map((truth, at) => {
      const task = RULER_TASK_NAMES[at];
      const kind = task === undefined ? "mean of 13 tasks" : SHARED.includes(task) ? "shares" : "yes/no";
      return { kind, truth: 100 * truth, covered: mean(held.map((run) => run[at]!)) };
    });
  });
}

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
    const rows = simulateCoverage(profile, { lengths: LENGTHS, samples, runs });
    for (const kind of ["yes/no", "shares", "mean of 13 tasks"] as const) {
      const share = covered(rows, kind, kind === "mean of 13 tasks" ? [0, 100] : [5, 95]);
      ok(share >= 0.93 && share <= 0.98, `${kind}: ${share}`);
    }
    // Scores near 100 come out as 100 in most runs, and an interval that keeps its width there holds the truth in all of these.
    for (const kind of ["yes/no", "shares"] as const) ok(covered(rows, kind, [95, 100]) >= 0.93, kind);
  },
);

const SEARCHED = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

/**
 * Simulates an adaptive search for RULER's effective length and the full design, which asks every task at every length, on the same
 * scores of a profile. Shares of the runs in which both give the `same` answer, in which the search calls its answer `settled`, and in
 * which it does so although it is `wrong`; shares of the samples and prompt `tokens` that it asks.
 */
function compareDesigns(
  profile: string,
  { samples, runs }: Readonly<Record<"samples" | "runs", number>>,
): Readonly<Record<"same" | "asked" | "tokens" | "settled" | "wrong", number>> {
  const reader = openProfile(profile);
  const cells = SEARCHED.flatMap((length) => RULER_TASK_NAMES.map((task) => ({ task, length })));
  const sources = cells.map((cell) => ({ ...cell, score: simulatedScore(reader, cell) }));
  const answerOf = (scoreOf: (cell: typeof cells[number]) => number): string => {
    const means = SEARCHED.map((length) => (
      { length, score: mean(cells.filter((cell) => cell.length === length).map(scoreOf)) }
    ));
    return effectiveLength(means, RULER_THRESHOLD).text;
  };
  const truth = answerOf((cell) => expectedTaskScore(reader, cell));
  const outcomes = Array.from({ length: runs }, (_, run) => {
    const draw = stream("designs", reader.name, samples, run);
    const key = ({ task, length }: Pick<SearchSample, "task" | "length">): string => `${task} ${length}`;
    const drawn = new Map(
      sources.map((source) => [key(source), Array.from({ length: samples }, () => source.score(draw))]),
    );
    const score = (sample: SearchSample): number => drawn.get(key(sample))![sample.index]!;
    const design = { threshold: RULER_THRESHOLD, tasks: RULER_TASK_NAMES, lengths: SEARCHED, samples };
    const found = searchWith(score, design);
    return {
      same: Number(found.answer!.text === answerOf((cell) => 100 * mean(drawn.get(key(cell))!))),
      asked: found.scores.length / (samples * cells.length),
      tokens: sum(found.scores.map(({ length }) => length)) / (samples * sum(cells.map(({ length }) => length))),
      settled: Number(found.isSettled),
      wrong: Number(found.isSettled && found.answer!.text !== truth),
    };
  });
  const share = (key: keyof typeof outcomes[number]): number => mean(outcomes.map((run) => run[key]));
  const [same, asked, tokens] = [share("same"), share("asked"), share("tokens")];
  return { same, asked, tokens, settled: share("settled"), wrong: share("wrong") };
}

function averageOf(
  rows: readonly ReturnType<typeof compareDesigns>[],
  key: keyof ReturnType<typeof compareDesigns>,
): number {
  return mean(rows.map((row) => row[key]));
}

Deno.test("an adaptive search gives the answer of 100 samples a task in most simulated runs of each profile, with at most 40% of the samples", () => {
  const rows = PUBLISHED_PROFILES.map(({ name }) => compareDesigns(name, { samples: 100, runs: cases(4, 20) }));
  for (const [at, { same, asked }] of rows.entries()) {
    ok(same >= cases(0.75, 0.95) && asked <= 0.4, `${PUBLISHED_PROFILES[at]!.name}: same ${same}, asked ${asked}`);
  }
  ok(averageOf(rows, "asked") <= 0.25 && averageOf(rows, "tokens") <= 0.25 && averageOf(rows, "wrong") <= 0.05);
});

Deno.test("an adaptive search gives the answer of the paper's 500 samples a task with at most 20% of them, and settles most", () => {
  const rows = PUBLISHED_PROFILES.map(({ name }) => compareDesigns(name, { samples: 500, runs: cases(1, 3) }));
  ok(averageOf(rows, "same") >= 0.95 && averageOf(rows, "wrong") <= 0.05);
  ok(averageOf(rows, "asked") <= 0.2 && averageOf(rows, "settled") >= 0.6);
});
