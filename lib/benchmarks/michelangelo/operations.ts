import { type Draw, integer, pick, placeIn } from "@/lib/random/mod.ts";

/** A statement of Python on the list `numbers`. */
type Operation = readonly [name: "append" | "insert" | "pop" | "remove" | "sort" | "reverse", ...values: number[]];

/** The length of the list at which no number is taken out. */
const LEAST_LENGTH = 4;

/** Writes a list as Python prints it. */
export const writeList = (list: readonly number[]): string => `[${list.join(", ")}]`;

/** Writes an operation as a statement, with a comment by which it can be told from others like it. */
export const writeOperation = ([name, ...values]: Operation, comment: number): string =>
  `numbers.${name}(${values.join(", ")})  # ${comment}`;

/** Runs operations on a list; `null` if Python raises an error, as a number is missing. */
export function runAll(start: readonly number[], operations: readonly Operation[]): readonly number[] | null {
  return operations.reduce<readonly number[] | null>((list, operation) => list && run(list, operation), start);
}

function run(list: readonly number[], [name, first = -1, second = 0]: Operation): readonly number[] | null {
  const without = (at: number): readonly number[] | null => at < list.length ? list.toSpliced(at, 1) : null;
  return {
    append: () => [...list, first],
    insert: () => list.toSpliced(first, 0, second),
    pop: () => without(first),
    remove: () => list.includes(first) ? without(list.indexOf(first)) : null,
    sort: () => list.toSorted((left, right) => left - right),
    reverse: () => list.toReversed(),
  }[name]();
}

/**
 * Draws operations that all matter: none restores an earlier list, and without any one of them the last list is another, or Python
 * raises an error.
 *
 * @param values Different numbers that are not in the list, as many as operations.
 */
export function drawOperations(draw: Draw, start: readonly number[], values: readonly number[]): readonly Operation[] {
  let operations: readonly Operation[] = [];
  const lists = [writeList(start)];
  while (operations.length < values.length) {
    // A new number at the end always matters, so that the loop ends.
    const next = [...operations, drawOperation(draw, runAll(start, operations)!, values[operations.length]!)];
    const without = next.map((_, left) => runAll(start, next.toSpliced(left, 1)));
    const list = writeList(runAll(start, next)!);
    if (lists.includes(list) || without.some((other) => other !== null && writeList(other) === list)) continue;
    operations = next;
    lists.push(list);
  }
  return operations;
}

function drawOperation(draw: Draw, list: readonly number[], value: number): Operation {
  const place = integer(draw, { low: 0, high: list.length - 1 });
  const taking: Operation[] = [["pop"], ["pop", place], ["remove", list[place]!]];
  const others: Operation[] = [["append", value], ["insert", place, value], ["sort"], ["reverse"]];
  return pick(draw, list.length > LEAST_LENGTH ? [...others, ...taking] : others);
}

/** Texts that are printed on the way, each about a token longer than the one before. */
const NOTES = ["Do nothing.", "Do nothing here.", "Do nothing at all.", "Do nothing at this point."];

/**
 * Draws statements that leave a list as it is: a print statement within up to three pairs, each of which undoes itself.
 *
 * @param values Different numbers that are not in the list.
 * @param drawComment Draws the comment of a statement.
 */
export function drawNothing(draw: Draw, values: readonly number[], drawComment: () => number): string {
  let lines = [`print("${pick(draw, NOTES)}")`];
  const from = placeIn(draw, values);
  for (let pairs = integer(draw, { low: 0, high: 3 }); pairs > 0; pairs--) {
    const value = values[(from + pairs) % values.length]!;
    const place = integer(draw, { low: 0, high: LEAST_LENGTH });
    const pair = pick(draw, pairsOf(place, value));
    const [first, last] = pair.map((operation) => writeOperation(operation, drawComment()));
    lines = [first!, ...lines, last!];
  }
  return lines.join("\n");
}

/** Returns the pairs of operations of which the second undoes the first. */
function pairsOf(place: number, value: number): readonly (readonly Operation[])[] {
  return [
    [["reverse"], ["reverse"]],
    [["append", value], ["pop"]],
    [["insert", place, value], ["pop", place]],
    [["insert", place, value], ["remove", value]],
  ];
}
