import { fillMissing } from "./_fill_missing.ts";

/** A row of a crossed design: the level of each factor, and what was measured there. */
export interface FactorRow {
  /** The level of each factor, by the factor's name. */
  readonly levels: Readonly<Record<string, string | number>>;
  /** What was measured, in any unit; `null` where it is missing. */
  readonly value: number | null;
}

/** A factor, with the number of each row's level. */
export interface Factor {
  readonly name: string;
  readonly levels: readonly (string | number)[];
  readonly at: Int32Array;
}

/** Rows of which every combination of levels has as many, with missing values filled in. */
export interface CrossedDesign {
  readonly factors: readonly Factor[];
  /** The number of each row's combination, and how many combinations there are. */
  readonly cells: Int32Array;
  readonly cellCount: number;
  /** Rows of each combination. */
  readonly repeats: number;
  readonly values: Float64Array;
  readonly missing: number;
  /** Degrees of freedom of noise: what differs within combinations, or between them where none is repeated. */
  readonly freedomOfNoise: number;
}

/** The greatest share of values that may be missing. */
export const MOST_MISSING = 0.2;

/**
 * Reads rows as a crossed design.
 *
 * @throws {RangeError} If a factor has one level, a combination has more rows than another, or too much is missing.
 */
export function readDesign(rows: readonly FactorRow[], names: readonly string[]): CrossedDesign {
  if (names.length === 0) throw cannot("there must be a factor with two levels or more", "none");
  const factors = names.map((name) => readFactor(rows, name));
  const cellCount = factors.reduce((count, { levels }) => count * levels.length, 1);
  const cellOf = (row: number): number => factors.reduce((cell, { levels, at }) => cell * levels.length + at[row]!, 0);
  const cells = Int32Array.from(rows, (_, row) => cellOf(row));
  const sizes = countOf(cells, cellCount);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least !== most) {
    throw cannot(`rows must hold every combination of ${names.join(", ")} equally often`, `${least} to ${most} rows`);
  }
  const missing = rows.filter(({ value }) => value === null).length;
  if (missing > MOST_MISSING * rows.length) {
    throw cannot("at most a fifth of the values may be missing", `${missing} of ${rows.length}`);
  }
  const present = countOf(cells.filter((_, row) => rows[row]!.value !== null), cellCount);
  const within = present.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const between = factors.reduce((freedom, { levels }) => freedom - (levels.length - 1), cellCount - 1) - missing;
  const freedomOfNoise = most > 1 ? within : between;
  if (freedomOfNoise < 1) throw cannot("some rows must be left over to tell noise by", `${rows.length} rows`);
  return {
    factors,
    cells,
    cellCount,
    repeats: most,
    values: fillMissing(rows, { factors, cells }),
    missing,
    freedomOfNoise,
  };
}

function readFactor(rows: readonly FactorRow[], name: string): Factor {
  const level = ({ levels }: FactorRow): string | number | undefined => levels[name];
  const levels = [...new Set(rows.map(level))].filter((value) => value !== undefined);
  if (levels.length < 2 || rows.some((row) => level(row) === undefined)) {
    throw cannot("each factor must have two levels or more, and every row one of them", `"${name}"`);
  }
  const numbers = new Map(levels.map((value, at) => [value, at]));
  return { name, levels, at: Int32Array.from(rows, (row) => numbers.get(level(row)!)!) };
}

function countOf(cells: Int32Array, count: number): readonly number[] {
  const sizes = Array<number>(count).fill(0);
  for (const cell of cells) sizes[cell]!++;
  return sizes;
}

function cannot(wanted: string, current: string): RangeError {
  return new RangeError(`Cannot share out the variance as ${wanted}: current value is ${current}`);
}
