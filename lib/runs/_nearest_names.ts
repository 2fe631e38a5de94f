/** The most names that are offered. */
const MOST_OFFERED = 4;

/** Gives the names that begin most like one that was not found, the likest first; none where none begins like it. */
export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const alike = names.map((candidate) => ({ candidate, shared: countShared(candidate, name) }));
  const most = Math.max(0, ...alike.map(({ shared }) => shared));
  if (most < 2) return [];
  return alike.filter(({ shared }) => shared === most).map(({ candidate }) => candidate).slice(0, MOST_OFFERED);
}

/** Counts the characters at the start that two names have in common. */
function countShared(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count]?.toLowerCase() === right[count]?.toLowerCase()) count++;
  return count;
}
