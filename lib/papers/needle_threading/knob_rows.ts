import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/knobs.ts";
import { type LengthEvidence, NO_DIFFERENCE, statedInterval } from "@/lib/statistics/mod.ts";

/**
 * Returns whether a score is above the floor: its interval is at or above the least difference that counts, or, of too few samples
 * for an interval, any score is.
 */
export function isAboveFloor(row: Parameters<typeof statedInterval>[0] & { readonly score: number | null }): boolean {
  const { low } = statedInterval(row);
  return low === null ? (row.score ?? 0) > 0 : low >= NO_DIFFERENCE;
}

/**
 * Returns the rows of one kind of task in which a knob has several values and other knobs but that of the lines are alike, at the
 * longest length that has them; none if there are none or all are at the floor.
 *
 * @param options `knob`: that of the axis. `series`: that of the lines.
 */
export function turnedRows(
  rows: readonly LengthEvidence[],
  { kind, knob, series = "" }: { readonly kind: ThreadingKind; readonly knob: string; readonly series?: string },
): readonly LengthEvidence[] {
  const ofKind = rows.filter(({ knobs }) => knobs["kind"] === kind && knobs[knob] !== undefined);
  const alike = Map.groupBy(
    ofKind,
    ({ knobs, length }) => JSON.stringify([length, { ...knobs, [knob]: "", [series]: "" }]),
  );
  const isTurned = (same: readonly LengthEvidence[]): boolean => new Set(same.map(({ knobs }) => knobs[knob])).size > 1;
  const [longest = []] = [...alike.values()].filter((same) => isTurned(same) && same.some(isAboveFloor))
    .toSorted((left, right) => right[0]!.length - left[0]!.length);
  return longest;
}

/** Returns a sentence for each model: how many of its scores are above the floor, and of which tasks. */
export function floorText(rows: readonly LengthEvidence[]): string {
  return Array.from(Map.groupBy(rows, ({ model }) => model), ([model, own]) => {
    const above = own.filter(isAboveFloor);
    const tasks = [...new Set(above.map(({ task }) => task))];
    if (above.length === 0) return `${model} is at the floor in every task and length.`;
    const where = above.length === own.length ? "all" : `${above.length} of`;
    const names = above.length === own.length ? "" : `: ${tasks.join(", ")}`;
    return `${model} is above the floor in ${where} ${own.length} pairs of task and length${names}.`;
  }).join(" ");
}
