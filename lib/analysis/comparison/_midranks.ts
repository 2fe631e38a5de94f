/** Ranks numbers from the lowest, from 1; equal ones share the mean of their ranks. */
export function midranks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = new Map<number, number>();
  for (let first = 0; first < sorted.length;) {
    const value = sorted[first]!;
    const last = sorted.lastIndexOf(value);
    middle.set(value, (first + last) / 2 + 1);
    first = last + 1;
  }
  return values.map((value) => middle.get(value)!);
}
