/** The mean of the values of each group. */
export function groupMeans(values: Float64Array, groups: Int32Array, count: number): Float64Array {
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  groups.forEach((group, row) => {
    sums[group]! += values[row]!;
    sizes[group]!++;
  });
  return sums.map((sum, group) => sum / sizes[group]!);
}

/** The mean of all values. */
export function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
