/** Adds numbers up, in their order. */
export function sum(numbers: Iterable<number>): number;
/** Adds up what `part` makes of each item. */
export function sum<Item>(items: Iterable<Item>, part: (item: Item, at: number) => number): number;
export function sum(items: Iterable<unknown>, part: (item: unknown, at: number) => number = Number): number {
  let total = 0;
  let at = 0;
  for (const item of items) total += part(item, at++);
  return total;
}

/** Returns the mean of numbers; `NaN` if there is none. */
export function mean(numbers: readonly number[]): number;
/** Returns the mean of what `part` makes of each item. */
export function mean<Item>(items: readonly Item[], part: (item: Item, at: number) => number): number;
export function mean(items: readonly unknown[], part: (item: unknown, at: number) => number = Number): number {
  return sum(items, part) / items.length;
}
