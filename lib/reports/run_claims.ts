import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import type { RunManifest } from "@/lib/studies/mod.ts";
import {
  cannotTell,
  checkClaims,
  type CheckedClaim,
  type Claim,
  type Finding,
  meanOfRepeats,
  notAsked,
  type RunEvidence,
  type RunNeeds,
  summarise,
} from "@/lib/statistics/mod.ts";

/** The parts of a run that claims are checked on. */
export type ClaimedRun = Pick<RunEvidence, "replies"> & {
  readonly manifest: Pick<RunEvidence, "tasks"> & Partial<Pick<RunManifest, "claimedWindow" | "origin">>;
};

/**
 * Checks the claims of a paper on the pooled replies of runs of one model. A simulated reader is a control: no claim is checked on
 * it, and the list is empty.
 */
export function checkRunClaims(
  { runClaims }: Pick<Paper, "runClaims">,
  runs: readonly ClaimedRun[],
): readonly CheckedClaim[] {
  if (runs.some(({ manifest }) => manifest.origin === "simulated")) return [];
  return checkOnRun(runClaims, evidenceOf(runs));
}

/** Checks claims on a run where it has what they need. */
export function checkOnRun(claims: readonly Claim<RunEvidence>[], run: RunEvidence): readonly CheckedClaim[] {
  const guarded = claims.map((claim) => (
    { ...claim, check: () => unmetNeeds(claim.needs ?? {}, run) ?? claim.check(run) }
  ));
  return checkClaims(guarded, run);
}

/** Returns what a run lacks for a claim; `undefined` if it can be checked. */
function unmetNeeds(
  { knobs = [], lengths = 2 }: RunNeeds,
  { replies, tasks }: RunEvidence,
): Finding | undefined {
  const scored = replies.filter(({ value }) => value !== null);
  if (scored.length === 0) return notAsked("No reply has a score.");
  const asked = new Set(scored.map(({ length }) => length)).size;
  if (asked < lengths) return notAsked(`It takes ${lengths} lengths: ${asked} asked.`);
  for (const knob of knobs) {
    // A task without the knob has no value of it.
    const values = new Set(scored.flatMap(({ task }) => tasks[task]?.options[knob] ?? []));
    if (values.size < 2) return notAsked(`The knob ${knob} was not varied.`);
  }
  if (scored.every(({ value, least = 0 }) => value === least)) return cannotTell("No reply is right: it is too hard.");
  if (scored.every(({ value }) => value === 1)) return cannotTell("Every reply is right: it is too easy.");
  return undefined;
}

/** Pools runs of one model; a sample that was asked several times counts once. */
function evidenceOf(runs: readonly ClaimedRun[]): RunEvidence {
  const replies = meanOfRepeats(runs.flatMap((run) => run.replies));
  const tasks = Object.assign({}, ...runs.map(({ manifest }) => manifest.tasks));
  return { rows: summarise(replies), replies, tasks, claimedLength: runs[0]?.manifest.claimedWindow ?? null };
}

/**
 * Checks the claims of the suites that a run asked, and of a benchmark of the user's own: all claims about a whole suite; of others,
 * those that its tasks decide.
 */
export async function checkPapers(run: ScoredRun): Promise<readonly CheckedClaim[]> {
  const { benchmarks = BENCHMARKS, replies } = run;
  const asked = new Set(replies.map(({ record }) => record.suite));
  const ofRun = benchmarks.filter(({ families }) =>
    families.some(({ suites }) => suites.some((suite) => asked.has(suite)))
  );
  const checked = ofRun.map(async ({ paper, runClaims = [], tasks }) => {
    const claims = paper === undefined
      ? checkClaims(runClaims, evidenceOf([run]))
      : checkRunClaims(await paper(), [run]);
    const isWhole = tasks.every((task) => replies.some((reply) => reply.task === task));
    return isWhole ? claims : claims.filter(({ verdict }) => verdict !== "cannot tell");
  });
  return (await Promise.all(checked)).flat();
}
