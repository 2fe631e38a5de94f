import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type Origin, type ScoreWithInterval, summarise } from "@/lib/statistics/mod.ts";

/** A model's mean score on a task: published, measured or simulated. */
export interface Evidence {
  /** The suite by its title, such as `Counting-Stars`. */
  readonly suite: string;
  readonly task: string;
  /** The settings of the task, such as `{ operation: "bfs" }`. */
  readonly knobs: Readonly<Record<string, string | number>>;
  /** Context length in tokens; `null` for a mean over lengths. */
  readonly length: number | null;
  /** Depth of the facts in percent of the text; `null` for a mean over depths. */
  readonly depth: number | null;
  readonly model: string;
  /** Samples scored; `null` if unknown. */
  readonly n: number | null;
  /** Independent units among the samples, if several share a text or question. */
  readonly units?: number | undefined;
  /** In percent. */
  readonly score: number;
  /** Lower end of its 95% interval, in percent; `null` if unknown. */
  readonly low: number | null;
  /** Upper end of its 95% interval, in percent; `null` if unknown. */
  readonly high: number | null;
  readonly origin: Origin;
  /** A document, with its table or figure; for a run its name. */
  readonly source: string;
  /** The name of the run; published scores have none. */
  readonly run?: string;
}

/** Evidence at one length. */
export type PlacedEvidence = Evidence & { readonly length: number };

/** Evidence at one length with a known interval. */
export type LengthEvidence = PlacedEvidence & ScoreWithInterval;

/** Averages the replies of runs for each task and length, in the form of the published scores. */
export function runScores(runs: readonly ScoredRun[]): readonly LengthEvidence[] {
  return runs.flatMap(({ manifest: { name: run, model, origin, tasks }, replies, benchmarks = BENCHMARKS }) =>
    Array.from(Map.groupBy(replies, ({ record }) => record.suite)).flatMap(([name, ofSuite]) => {
      const benchmark = benchmarks.find(({ families }) => families.some(({ suites }) => suites.includes(name)));
      const suite = benchmark?.title ?? name;
      return summarise(ofSuite).flatMap(({ task, length, score, low, high, n, units }) => {
        if (score === null) return [];
        const knobs = tasks[task]?.options ?? {};
        const interval = { score, low: low!, high: high! };
        return [{ suite, task, knobs, length, depth: null, model, n, units, ...interval, origin, source: run, run }];
      });
    })
  );
}
