/** The counts of a text, and beside each the wrong one that it says too, if any. */
export interface StarCounts {
  readonly counts: readonly number[];
  readonly wrongs: readonly (number | null)[];
}

/** Scores each count: 1 if it is in the list and its wrong one is not, 0.5 if both are, 0.25 if only the wrong one is. */
export function scoreCells(list: readonly (number | null)[], { counts, wrongs }: StarCounts): number[] {
  const given = new Set(list);
  return counts.map((count, at) => {
    const wrong = wrongs[at] ?? null;
    const isTempted = wrong !== null && given.has(wrong);
    if (given.has(count)) return isTempted ? 0.5 : 1;
    return isTempted ? 0.25 : 0;
  });
}

/** Tells whether the right counts in a list come in the order of the text; `null` where fewer than two are right. */
export function tellOrder(list: readonly number[], counts: readonly number[]): boolean | null {
  const places = new Map(counts.map((count, place) => [count, place]));
  const said = [...new Set(list)].flatMap((number) => places.get(number) ?? []);
  if (said.length < 2) return null;
  return said.every((place, at) => at === 0 || place > said[at - 1]!);
}
