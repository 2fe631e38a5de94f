import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import {
  checkClaims,
  type CheckedClaim,
  type Claim,
  type ClaimSet,
  meanOfRepeats,
  type RunEvidence,
  summarise,
} from "@/lib/statistics/mod.ts";

/** A published study: its benchmark, and its claims with the verdicts that the published numbers give. */
export interface Paper {
  /** The suite that it introduces. */
  readonly benchmark: Benchmark;
  /** Claims about published numbers, one set for each study of the paper. */
  readonly claims: readonly ClaimSet[];
  /** Claims that can be checked on runs of one model. */
  readonly runClaims: readonly Claim<RunEvidence>[];
}

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
