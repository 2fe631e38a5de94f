/** A change of a specification: the path of a member, and its new value; without one it is removed. */
export type SpecChange = readonly [path: readonly (string | number)[], value?: unknown];

/** Returns the changes that make one specification from another; between charts of two widths they are few. */
export function changesBetween(from: unknown, to: unknown, path: SpecChange[0] = []): SpecChange[] {
  if (!isBranch(from) || !isBranch(to) || Array.isArray(from) !== Array.isArray(to)) {
    return from === to ? [] : [[path, to]];
  }
  const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key)).reverse();
  return [
    ...Object.entries(to).flatMap(([key, value]) =>
      Object.hasOwn(from, key) ? changesBetween(from[key], value, [...path, key]) : [[[...path, key], value] as const]
    ),
    ...(Array.isArray(to) && removed.length > 0
      ? [[[...path, "length"], to.length] as const]
      : removed.map((key): SpecChange => [[...path, key]])),
  ];
}

/** Returns a copy of a specification with changes from {@linkcode changesBetween}. */
export function withChanges<T>(spec: T, changes: readonly SpecChange[]): T {
  const changed = structuredClone(spec);
  for (const [path, ...values] of changes) {
    const member = path.at(-1)!;
    const parent = path.slice(0, -1).reduce((part, key) => part[key] as Branch, changed as Branch);
    if (values.length === 0) delete parent[member];
    else parent[member] = structuredClone(values[0]);
  }
  return changed;
}

type Branch = Record<string | number, unknown>;

function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null;
}
