/** A rectangle of cells of one score: columns and stars from the first up to, not including, the second. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly star: number;
  readonly next: number;
  readonly score: number;
}

/**
 * Joins cells of one score to rectangles.
 *
 * @param columns The cells of each column, star by star.
 * @returns Patches to be drawn in this order: the whole matrix in its most frequent score, then what is otherwise.
 */
export function mergeCells(columns: readonly (readonly number[])[]): Patch[] {
  const stars = columns[0]!.length;
  const ground = mostFrequent(columns.flat());
  const patches: Patch[] = [{ from: 0, to: columns.length, star: 0, next: stars, score: ground }];
  let above: Patch[] = [];
  for (let star = 0; star < stars; star++) {
    const runs = findRuns(columns.map((cells) => cells[star]!)).filter(({ score }) => score !== ground);
    above = runs.map(({ from, to, score }) => {
      const twin = above.find((patch) => patch.from === from && patch.to === to && patch.score === score);
      if (twin) patches.splice(patches.indexOf(twin), 1);
      const patch = { from, to, star: twin?.star ?? star, next: star + 1, score };
      patches.push(patch);
      return patch;
    });
  }
  return patches;
}

function findRuns(row: readonly number[]): { readonly from: number; readonly to: number; readonly score: number }[] {
  const starts = row.flatMap((score, at) => at === 0 || score !== row[at - 1] ? [at] : []);
  return starts.map((from, run) => ({ from, to: starts[run + 1] ?? row.length, score: row[from]! }));
}

function mostFrequent(scores: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].reduce((best, next) => next[1] > best[1] ? next : best)[0];
}
