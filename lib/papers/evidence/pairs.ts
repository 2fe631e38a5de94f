import type { Evidence } from "@/lib/reports/mod.ts";
import {
  type Claim,
  decidedByCases,
  decidedByDifference,
  differenceInterval,
  type Finding,
  notAsked,
  type RunEvidence,
  type ScoreWithInterval,
  statedInterval,
} from "@/lib/statistics/mod.ts";

/** Returns the scores of a run for claims about published scores. */
export function evidenceOfRun({ rows, tasks }: Pick<RunEvidence, "rows" | "tasks">): readonly Evidence[] {
  return rows.flatMap(({ task, length, n, units, score, low, high }) => {
    if (score === null) return [];
    const knobs = tasks[task]?.options ?? {};
    const of = { suite: "", model: "the model", origin: "measured", source: "the run" } as const;
    return [{ ...of, task, knobs, length, depth: null, n, units, score, low, high }];
  });
}

/** Returns a claim about published scores as a claim about a run. */
export function onRun({ check, expected: _, ...claim }: Claim<readonly Evidence[]>): Claim<RunEvidence> {
  return { ...claim, check: (run) => check(evidenceOfRun(run)) };
}

/** Two scores of which a claim says that the first is higher. */
export interface EvidencePair {
  /** What they are of, such as `GPT-5.5, BFS`. */
  readonly name: string;
  readonly first: Evidence;
  readonly second: Evidence;
}

/**
 * Pairs rows that are alike but for one property.
 *
 * @param options `alike`: what they have in common, which names the pair. `groups`: the property of the first and the second.
 */
export function pairEvidence<Key>(
  rows: readonly Evidence[],
  { alike, of, groups: [one, other] }: {
    readonly alike: (row: Evidence) => string;
    readonly of: (row: Evidence) => Key;
    readonly groups: readonly [Key, Key];
  },
): readonly EvidencePair[] {
  return [...Map.groupBy(rows, alike)].flatMap(([name, cell]) => {
    const [first, second] = [one, other].map((key) => cell.find((row) => of(row) === key));
    return first === undefined || second === undefined ? [] : [{ name, first, second }];
  });
}

/** Pairs the shortest length of each model and task with its longest. */
export function endsOf(rows: readonly Evidence[]): readonly EvidencePair[] {
  const curves = Map.groupBy(rows.filter(({ length }) => length !== null), ({ model, task }) => `${model}, ${task}`);
  return [...curves].flatMap(([name, curve]) => {
    const ordered = curve.toSorted((one, other) => one.length! - other.length!);
    const [first, second] = [ordered[0]!, ordered.at(-1)!];
    return first.length === second.length ? [] : [{ name, first, second }];
  });
}

/** Returns the first score less the second, in points. */
export function pointsOf({ first, second }: EvidencePair): number {
  return first.score - second.score;
}

/**
 * Returns whether the first score of a pair is higher; `null` if its interval leaves that open. Scores without an interval are taken as
 * they are.
 */
export function isFirstHigher(pair: EvidencePair): boolean | null {
  const scores = [pair.first, pair.second].map((row) => ({ ...row, ...statedInterval(row) }));
  const known = scores.filter((row): row is Evidence & ScoreWithInterval => row.low !== null);
  if (known.length < 2) return pair.first.n === null ? pointsOf(pair) > 0 : null;
  const { verdict } = decidedByDifference(differenceInterval(known[0]!, known[1]!), "", { scores: known });
  return verdict === "cannot tell" ? null : verdict === "holds";
}

/** Judges a claim that the first score of each pair is higher ({@linkcode decidedByCases}), and lists the differences. */
export function decidedByPairs(pairs: readonly EvidencePair[]): Finding {
  if (pairs.length === 0) return notAsked("There are no two scores to compare.");
  return decidedByCases(pairs.map(isFirstHigher), `${pairs.map(differenceText).join("; ")}.`);
}

/** Formats a pair, such as `GPT-5.5, BFS: 90.1 and 73.7`. */
export function differenceText({ name, first, second }: EvidencePair): string {
  return `${name}: ${first.score.toFixed(1)} and ${second.score.toFixed(1)}`;
}
