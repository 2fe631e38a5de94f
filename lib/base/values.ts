/** Fields without `undefined`: those that can be `undefined` are optional. */
export type Defined<Fields> =
  & { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] }
  & { [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };

/** Returns the fields that are not `undefined`: `{ name, ...defined({ window }) }` has a window only if there is one. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** Returns a function that makes a value at its first call and returns it at every call. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

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

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object, not a list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
