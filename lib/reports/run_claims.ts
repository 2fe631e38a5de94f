import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
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

/** Loads the papers and checks their claims on a run: all claims about a whole suite; of others, those that its tasks decide. */
export async function checkPapers(run: ScoredRun): Promise<readonly CheckedClaim[]> {
  const { benchmarks = BENCHMARKS, replies } = run;
  const asked = new Set(replies.map(({ task }) => task));
  const checked = benchmarks.map(async (benchmark) => {
    const claims = checkRunClaims(await benchmark.paper?.() ?? benchmark, [run]);
    const isWhole = benchmark.tasks.every((task) => asked.has(task));
    return isWhole ? claims : claims.filter(({ verdict }) => verdict !== "cannot tell");
  });
  return (await Promise.all(checked)).flat();
}
