import { withIntervals } from "./evidence.ts";
import {
  cannotTell,
  type Claim,
  decidedByCases,
  decidedByDifference,
  differenceInterval,
  type Evidence,
  type Finding,
  notAsked,
  type RunEvidence,
} from "@/lib/statistics/mod.ts";

/** Returns the scores of a run for claims about published scores. */
export function evidenceOfRun({ rows, tasks }: Pick<RunEvidence, "rows" | "tasks">): readonly Evidence[] {
  const of = { suite: "", depth: null, model: "the model", origin: "measured", source: "the run" } as const;
  return rows.flatMap((row) => {
    const { score, task } = row;
    return score === null ? [] : [{ ...row, ...of, score, knobs: tasks[task]?.options ?? {} }];
  });
}

/** Returns a claim about published scores as a claim about a run, of which `scoresOf` gives the scores. */
export function onRun(
  { check, expected: _, ...claim }: Claim<readonly Evidence[]>,
  scoresOf: (run: RunEvidence) => readonly Evidence[] = evidenceOfRun,
): Claim<RunEvidence> {
  return { ...claim, check: (run) => check(scoresOf(run)) };
}

/** Returns the claim about published numbers of an id as one about the replies of a run, with a measure of its own. */
export function onReplies(
  claims: readonly Claim<never>[],
  id: string,
  own: Pick<Claim<RunEvidence>, "statement" | "quantifier" | "needs" | "check">,
): Claim<RunEvidence> {
  const { expected: _, check: __, ...claim } = claims.find((each) => each.id === id)!;
  return { ...claim, ...own };
}

/** Returns the rows of one table or figure, the last words of their source; rows of a run are all kept. */
export function inTable<Row extends Evidence>(rows: readonly Row[], table: string): readonly Row[] {
  return rows.filter(({ origin, source }) => origin !== "published" || source.endsWith(table));
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

/** Pairs rows that are alike but for the value of a knob. */
export function pairsByKnob(
  rows: readonly Evidence[],
  knob: string,
  groups: readonly [string, string],
): readonly EvidencePair[] {
  return pairEvidence(rows, { alike: alikeBut(knob), of: ({ knobs }) => knobs[knob], groups });
}

/** Pairs the shortest length of each model and task with its longest. */
export function endsOf(rows: readonly Evidence[]): readonly EvidencePair[] {
  const placed = rows.filter(({ length }) => length !== null);
  return pairEnds(placed, { alike: ({ model, task }) => `${model}, ${task}`, of: ({ length }) => length! });
}

/** Pairs the least value of a knob with the greatest, in rows that are alike otherwise. */
export function endsOfKnob(rows: readonly Evidence[], knob: string): readonly EvidencePair[] {
  const turned = rows.filter(({ knobs }) => knobs[knob] !== undefined);
  return pairEnds(turned, { alike: alikeBut(knob), of: ({ knobs }) => Number(knobs[knob]) });
}

function pairEnds(
  rows: readonly Evidence[],
  { alike, of }: { readonly alike: (row: Evidence) => string; readonly of: (row: Evidence) => number },
): readonly EvidencePair[] {
  return [...Map.groupBy(rows, alike)].flatMap(([name, cell]) => {
    const ordered = cell.toSorted((one, other) => of(one) - of(other));
    const [first, second] = [ordered[0]!, ordered.at(-1)!];
    return of(first) === of(second) ? [] : [{ name, first, second }];
  });
}

function alikeBut(knob: string): (row: Evidence) => string {
  return ({ model, length, knobs }) => JSON.stringify([model, length, { ...knobs, [knob]: "" }]);
}

/** Returns the first score less the second, in points. */
export function pointsOf({ first, second }: EvidencePair): number {
  return first.score - second.score;
}

/**
 * Returns whether the first score of a pair is higher; `null` if its interval leaves that open. Scores without an interval are taken as
 * they are.
 *
 * @param bar The least difference that counts, in points.
 */
function isFirstHigher(pair: EvidencePair, bar = 0): boolean | null {
  const known = withIntervals([pair.first, pair.second]);
  if (known.length < 2) return pair.first.n === null ? pointsOf(pair) > bar : null;
  const { verdict } = decidedByDifference(differenceInterval(known[0]!, known[1]!), "", { scores: known, bar });
  return verdict === "cannot tell" ? null : verdict === "holds";
}

/**
 * Returns whether a score is above a floor, in percent; `null` if its interval leaves that open. A score without an interval is taken
 * as it is.
 */
export function isAboveFloor(row: Evidence, floor: number): boolean | null {
  const [known] = withIntervals([row]);
  if (known === undefined) return row.n === null ? row.score > floor : null;
  if (known.low > floor) return true;
  return known.high <= floor ? false : null;
}

/** Judges a claim that the first score of each pair is higher ({@linkcode decidedByCases}), and lists the differences. */
export function decidedByPairs(pairs: readonly EvidencePair[], bar = 0): Finding {
  if (pairs.length === 0) return notAsked("There are no two scores to compare.");
  return decidedByCases(pairs.map((pair) => isFirstHigher(pair, bar)), `${pairs.map(differenceText).join("; ")}.`);
}

/** Judges a claim that every score is above its floor, in percent, and lists those that are not; scores whose floor is `NaN` are left out. */
export function decidedByFloors(rows: readonly Evidence[], floorOf: (row: Evidence) => number): Finding {
  const cells = rows.map((row) => ({ row, floor: floorOf(row) })).filter(({ floor }) => !Number.isNaN(floor));
  if (cells.length === 0) return cannotTell("There are no scores.");
  const agrees = cells.map(({ row, floor }) => isAboveFloor(row, floor));
  const others = cells.filter((_, at) => agrees[at] !== true).map(({ row: { model, task, length, score }, floor }) =>
    `${model}, ${task} at ${length}: ${score.toFixed(1)}, floor ${floor.toFixed(1)}`
  );
  const count = `${cells.length - others.length} of ${cells.length} are above`;
  return decidedByCases(agrees, `${[count, ...others].join("; ")}.`);
}

/** Formats a pair, such as `GPT-5.5, BFS: 90.1 and 73.7`. */
function differenceText({ name, first, second }: EvidencePair): string {
  return `${name}: ${first.score.toFixed(1)} and ${second.score.toFixed(1)}`;
}
