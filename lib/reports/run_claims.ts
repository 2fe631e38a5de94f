import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { bareSuite, type ScoredRun } from "@/lib/records/mod.ts";
import { checkClaims, type CheckedClaim, meanOfRepeats, type RunEvidence, summarise } from "@/lib/statistics/mod.ts";

/**
 * Checks the claims of a paper on the pooled replies of runs of one model. A sample that was asked several times counts once.
 */
export function checkRunClaims(
  { runClaims = [] }: Pick<Benchmark, "runClaims">,
  runs: readonly (Pick<RunEvidence, "replies"> & {
    readonly manifest: Pick<RunEvidence, "tasks"> & { readonly claimedWindow?: number };
  })[],
): readonly CheckedClaim[] {
  const replies = meanOfRepeats(runs.flatMap((run) => run.replies));
  const tasks = Object.assign({}, ...runs.map(({ manifest }) => manifest.tasks));
  const claimedLength = runs[0]?.manifest.claimedWindow ?? null;
  return checkClaims(runClaims, { rows: summarise(replies), replies, tasks, claimedLength });
}

/**
 * Loads the papers of the suites that a run has tasks of, and checks their claims on it: all claims about a whole suite; of a partial
 * one, those that its tasks decide.
 */
export async function checkPapers(run: ScoredRun): Promise<readonly CheckedClaim[]> {
  const { benchmarks = BENCHMARKS, manifest, replies } = run;
  const asked = new Set(replies.map(({ task }) => task));
  const suites = new Set(Object.values(manifest.tasks).map(({ suite }) => bareSuite(suite)));
  const isAsked = ({ families }: Benchmark): boolean => families.some(({ suite }) => suites.has(bareSuite(suite)));
  const checked = benchmarks.filter(isAsked).map(async (benchmark) => {
    const claims = checkRunClaims(await benchmark.paper?.() ?? benchmark, [run]);
    const isWhole = benchmark.tasks.every((task) => asked.has(task));
    return isWhole ? claims : claims.filter(({ verdict }) => verdict !== "cannot tell");
  });
  return (await Promise.all(checked)).flat();
}
