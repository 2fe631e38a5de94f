import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile, PUBLISHED_PROFILES } from "@/lib/simulated/profiles.ts";
import { expectedTaskScore, simulatedScore } from "../simulated/_expected_score.ts";
import { stream } from "@/lib/random/mod.ts";
import { effectiveLength, mean, RULER_THRESHOLD, type SearchSample, searchWith, sum } from "@/lib/statistics/mod.ts";
import { ok } from "node:assert/strict";
import { cases } from "../_cases.ts";

/**
 * An adaptive search compared with the full design. Shares in [0, 1]: of the runs in which both give the `same` answer, in which the
 * search calls its answer `settled`, and in which it does so although it is `wrong`; of the samples and prompt `tokens` that it asks.
 */
type DesignsCompared = Readonly<Record<typeof DESIGN_SHARES[number], number>>;

const DESIGN_SHARES = ["same", "asked", "tokens", "settled", "wrong"] as const;

const SEARCHED = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

/**
 * Simulates an adaptive search for the effective length and the full design, which asks every task at every length, on the same
 * scores of a profile of the simulated reader.
 */
function compareDesigns(
  profile: string,
  { samples, runs }: { readonly samples: number; readonly runs: number },
): DesignsCompared {
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
  const [same, asked, tokens, settled, wrong] = DESIGN_SHARES.map((key) => mean(outcomes.map((run) => run[key])));
  return { same: same!, asked: asked!, tokens: tokens!, settled: settled!, wrong: wrong! };
}

function averageOf(rows: readonly DesignsCompared[], key: keyof DesignsCompared): number {
  return mean(rows.map((row) => row[key]));
}

Deno.test("an adaptive search gives the answer of 100 samples a task in most simulated runs of each profile, with at most 40% of the samples", () => {
  const rows = PUBLISHED_PROFILES.map(({ name }) => {
    const compared = compareDesigns(name, { samples: 100, runs: cases(4, 20) });
    const { same, asked } = compared;
    ok(same >= cases(0.75, 0.95) && asked <= 0.4, `${name}: same ${same}, asked ${asked}`);
    return compared;
  });
  ok(averageOf(rows, "asked") <= 0.25 && averageOf(rows, "tokens") <= 0.25 && averageOf(rows, "wrong") <= 0.05);
});

Deno.test("an adaptive search gives the answer of the paper's 500 samples a task with at most 20% of them, and settles most", () => {
  const rows = PUBLISHED_PROFILES.map(({ name }) => compareDesigns(name, { samples: 500, runs: cases(1, 3) }));
  ok(averageOf(rows, "same") >= 0.95 && averageOf(rows, "wrong") <= 0.05);
  ok(averageOf(rows, "asked") <= 0.2 && averageOf(rows, "settled") >= 0.6);
});
