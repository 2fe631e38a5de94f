import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type LengthEvidence, summarise } from "@/lib/statistics/mod.ts";

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
