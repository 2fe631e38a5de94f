import { mean, sum } from "@/lib/base/mod.ts";
import {
  column,
  type Columns,
  type CsvColumn,
  type Evidence,
  type LengthEvidence,
  openRows,
  type Row,
  type ScoreWithInterval,
  statedInterval,
  weightedMean,
  widestInterval,
} from "@/lib/statistics/mod.ts";

const KNOBS: CsvColumn<Readonly<Record<string, string>>> = {
  name: "knobs",
  wanted: 'settings like "operation=bfs; depth=2", or empty',
  read: (cell) => {
    const pairs = cell === "" ? [] : cell.split("; ").map((pair) => pair.split("="));
    return pairs.every((pair) => pair.length === 2) ? Object.fromEntries(pairs) : undefined;
  },
};

const COLUMNS = {
  suite: column.text("suite"),
  task: column.text("task"),
  knobs: KNOBS,
  length: column.optional(column.number("length", { low: 0, high: 100_000_000 })),
  depth: column.optional(column.score("depth")),
  model: column.text("model"),
  n: column.optional(column.count("n")),
  score: column.score("score"),
  origin: column.choice("origin", ["published"]),
  source: column.text("source"),
  units: { ...column.optional(column.count("units")), isExtra: true },
  low: { ...column.optional(column.score("low")), isExtra: true },
  high: { ...column.optional(column.score("high")), isExtra: true },
};

/**
 * Reads the published scores of a suite from `data/published/NAME.csv`. A score with a known number of samples gets the mid-p interval
 * of as many yes/no answers, or of as many independent units, unless an interval was published. Partial scores vary less (Bhatia and
 * Davis 2000), so it is wide enough for any.
 *
 * @param name The suite's name, such as `ruler`.
 * @param more Further columns of the file, by the names that their values have in a row.
 * @throws {Error} If the file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openEvidence<More extends Columns = Record<never, CsvColumn<unknown>>>(
  name: string,
  more?: More,
): Promise<readonly (Evidence & Row<More>)[]> {
  const rows = await openRows(`${name}.csv`, { ...COLUMNS, ...more! }) as readonly (Row<typeof COLUMNS> & Row<More>)[];
  return rows.map((row) => {
    const { units, low, score, n } = row;
    const size = units ?? n;
    const widest = low === null && size !== null ? widestInterval(score, size) : {};
    return { ...row, units: units ?? undefined, ...widest };
  });
}

/** The interval of a row, for a chart. */
export const INTERVALS = { low: "low", high: "high", interval: "95% interval" } as const;

/** The axes of a chart of models' scores by length. */
export const MODELS_BY_LENGTH = {
  x: "length",
  y: "score",
  series: "model",
  seriesTitle: "Model",
  yDomain: [0, 100],
} as const;

/** Returns whether a score is at one length, with a known interval. */
export function isLengthEvidence(row: Evidence): row is LengthEvidence {
  return row.length !== null && row.low !== null;
}

/** Keeps the rows whose interval is known and stated: not of fewer than five samples. */
export function withIntervals(rows: readonly Evidence[]): readonly (Evidence & ScoreWithInterval)[] {
  return rows.map((row) => ({ ...row, ...statedInterval(row) })).filter(
    (row): row is Evidence & ScoreWithInterval => row.low !== null,
  );
}

/**
 * Averages published scores that are alike, with equal weight. A mean has an interval if all its scores have one; it has a depth if
 * they have the same.
 */
export function averageEvidence(rows: readonly Evidence[], alike: (row: Evidence) => string): readonly Evidence[] {
  return Array.from(Map.groupBy(rows, alike).values(), (cell): Evidence => {
    const known = withIntervals(cell);
    const score = mean(cell, (row) => row.score);
    const isKnown = known.length === cell.length;
    const { low, high } = isKnown ? weightedMean(known, known.map(() => 1)) : { low: null, high: null };
    const n = cell.some((row) => row.n === null) ? null : sum(cell, (row) => row.n!);
    const depth = cell.every((row) => row.depth === cell[0]!.depth) ? cell[0]!.depth : null;
    return { ...cell[0]!, depth, n, score, low, high };
  });
}
