import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type Origin, type ScoreWithInterval, summarise } from "@/lib/statistics/mod.ts";

/** A model's mean score on a suite at one length. */
export interface SuiteScore extends ScoreWithInterval {
  /** The suite, or one of its tasks. */
  readonly suite: string;
  /** The model's name. */
  readonly model: string;
  /** The length in tokens. */
  readonly length: number;
  /** Samples scored; `null` if unknown. */
  readonly n: number | null;
}

/** A score of a model on a task of a suite, published or of a run, with its origin. */
export interface SuiteTaskScore extends Omit<SuiteScore, "low" | "high"> {
  readonly task: string;
  /** Lower end of its 95% interval, in percent; `null` if unknown. */
  readonly low: number | null;
  /** Upper end of its 95% interval, in percent; `null` if unknown. */
  readonly high: number | null;
  readonly origin: Origin;
  /** The run's name; published scores have none. */
  readonly run?: string;
}

/** Averages the replies of runs for each task and length, in the form of the published scores. */
export function runScores(runs: readonly ScoredRun[]): readonly SuiteTaskScore[] {
  return runs.flatMap(({ manifest: { name: run, model, origin }, replies, benchmarks = BENCHMARKS }) =>
    Array.from(Map.groupBy(replies, ({ record }) => record.suite)).flatMap(([suite, ofSuite]) => {
      const benchmark = benchmarks.find(({ families }) => families.some(({ suites }) => suites.includes(suite)));
      return summarise(ofSuite).flatMap(({ task, length, score, low, high, n }) =>
        score === null
          ? []
          : [{ suite: benchmark?.title ?? suite, model, task, length, n, score, low, high, origin, run }]
      );
    })
  );
}
