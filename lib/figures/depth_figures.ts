import { type Figure, type Titled, WIDTH } from "./figure.ts";
import { heatmap, type HeatmapOptions } from "./heatmap.ts";
import { panels, type PanelsOptions } from "./panels.ts";
import { pText } from "./run_tables.ts";
import { type Table, table } from "./table.ts";
import { intervalText } from "./tooltips.ts";
import { lengthText, plural, rangeText, sum } from "@/lib/base/mod.ts";
import { type DepthCell, type ModelTaskScore, type ThirdsCompared, unitsText } from "@/lib/statistics/mod.ts";

/** A cell of a map of scores by length and depth: a `DepthCell`, or the known parts of one. */
export interface DepthMapCell
  extends Partial<Omit<DepthCell, "length" | "depth" | "score" | "n" | "units"> & Pick<ModelTaskScore, "n" | "units">> {
  /** Context length in tokens. */
  readonly length: number;
  /** The depth of the target, in percent of the context. */
  readonly depth: number;
  /** The mean score; `null` if there is none. */
  readonly score: number | null;
}

/** Options for {@linkcode depthMap}: title and origin, and changes to the default heatmap. */
export type DepthMapOptions =
  & Titled
  & Partial<
    Omit<HeatmapOptions<Readonly<Record<string, unknown>>>, keyof Titled | "x" | "y" | "value" | "xOrder" | "yOrder">
  >
  & Pick<PanelsOptions, "columns">;

/**
 * Draws scores by length and depth as a heatmap, lengths across and depths down, from dark blue (0) to yellow (100);
 * with one panel for each of several tasks.
 *
 * The tooltip of a cell shows samples, interval, failed calls and missing answers. If depths are grouped, the cells contain their
 * scores.
 *
 * @param cells From `depthCells`; at least one with a score. A task without a score is skipped.
 * @throws {RangeError} If no cell has a score, or two cells are of one task, length and depth.
 */
export function depthMap(cells: readonly DepthMapCell[], options: DepthMapOptions): Figure {
  const { columns = 2, ...look } = options;
  const tasks = [...Map.groupBy(cells, ({ task }) => task).values()].filter((ofTask) =>
    ofTask.some(({ score }) => score !== null)
  );
  // All panels have the same columns and rows, so that they can be compared by eye.
  const rising = (values: readonly number[]): number[] => [...new Set(values)].sort((left, right) => left - right);
  const stretches = new Map(cells.map(({ depth, stretch }) => [depth, stretch ?? String(depth)]));
  const axes = {
    xOrder: rising(cells.map(({ length }) => length)),
    yOrder: rising([...stretches.keys()]),
    yLabel: (depth: unknown) => stretches.get(Number(depth))!,
  };
  if (tasks.length < 2) return drawMap(tasks[0] ?? cells, { ...axes, ...look });
  const maps = tasks.map((ofTask) => drawMap(ofTask, { ...axes, ...look, title: ofTask[0]!.task! }));
  const { title, caption = captionOf(cells), width = WIDTH } = options;
  return panels(maps, { title, caption, width, columns });
}

function drawMap(
  cells: readonly DepthMapCell[],
  options: Omit<DepthMapOptions, "columns"> & Pick<HeatmapOptions<object>, "xOrder" | "yOrder">,
): Figure {
  const { showValues = areStretches(cells), ...look } = options;
  const rows = cells.map((cell) => ({
    ...cell,
    score: cell.score !== null && showValues ? Math.round(cell.score) : cell.score,
    interval: intervalText({ low: null, high: null, ...cell }, 0).trim() || "none",
  }));
  const knows = (field: keyof DepthMapCell): boolean => cells.some((cell) => typeof cell[field] === "number");
  return heatmap<Readonly<Record<string, unknown>>>(rows, {
    caption: captionOf(cells),
    n: countText(cells),
    xTitle: "Context length (tokens)",
    yTitle: areStretches(cells) ? "Depth of the target" : "Depth (%)",
    valueTitle: "Score (%)",
    xAre: "lengths",
    domain: [0, 100],
    tooltips: {
      ...(knows("n") ? { "Samples": "n" } : {}),
      ...(knows("low") ? { "95% interval": "interval" } : {}),
      ...(knows("failed") ? { "Failed calls": "failed", "Empty replies": "noAnswer" } : {}),
    },
    ...(knows("low") ? { interval: "95% interval on hovering" } : {}),
    ...look,
    x: "length",
    y: "depth",
    value: "score",
    showValues,
  });
}

function areStretches(cells: readonly DepthMapCell[]): boolean {
  return cells.some(({ stretch }) => stretch !== undefined);
}

function captionOf(cells: readonly DepthMapCell[]): string {
  const row = areStretches(cells) ? "the stretch of the context that holds the target" : "the depth of the target";
  return `A column is a context length, a row ${row}; a cell is the mean score in percent. Hover for n and interval.`;
}

/** Formats the samples of the cells, with failed calls and missing answers: `n = 7 to 9 a cell, 2 failed calls`. */
function countText(cells: readonly DepthMapCell[]): string {
  const counts = cells.flatMap(({ n }) => typeof n === "number" ? [n] : []);
  if (counts.length === 0) return "samples a cell not given";
  const lost = ([["failed", "failed calls"], ["noAnswer", "missing answers"]] as const).flatMap(([field, what]) => {
    const count = sum(cells, (cell) => cell[field] ?? 0);
    return count === 0 ? [] : [`${count} ${what}`];
  });
  return [`n = ${rangeText(counts, String)} a cell`, ...lost].join(", ");
}

/**
 * Makes a table of scores by task, length and depth: a column for each stretch of the context, with n and interval in each
 * cell; a stretch without a score is a dash.
 *
 * @param cells Cells from `depthCells`, cut into stretches; at least one.
 * @throws {RangeError} If there are no rows.
 */
export function depthTable(cells: readonly DepthCell[], options: Partial<Titled> & Pick<Titled, "origin">): Table {
  const { title = "Scores by the depth of the target", ...drawn } = options;
  const stretchOf = ({ depth, stretch }: DepthCell): string => stretch ?? `${depth}%`;
  const stretches = [...new Map(cells.map((cell) => [cell.depth, stretchOf(cell)]))].sort(([one], [other]) =>
    one - other
  );
  const rows = Map.groupBy(cells, ({ task, length }) => JSON.stringify([task, length]));
  const texts = [...rows.values()].map((ofRow): Readonly<Record<string, string>> => ({
    task: ofRow[0]!.task,
    length: lengthText(ofRow[0]!.length),
    ...Object.fromEntries(ofRow.map((cell) => [stretchOf(cell), cellText(cell)])),
  }));
  return table(texts, {
    title,
    ...drawn,
    caption:
      "Mean scores in percent of the samples whose target is in that stretch of the context, with their number in parentheses.",
    n: "samples as in each cell",
    interval: unitsText(cells),
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", align: "right" },
      ...stretches.map(([, stretch]) => ({ field: stretch, label: stretch, align: "right" as const })),
    ],
  });
}

function cellText(cell: DepthCell): string {
  return cell.score === null ? "—" : `${cell.score.toFixed(0)}${intervalText(cell, 0)} (${cell.n})`;
}

/**
 * Makes a table of a comparison of the thirds of a context by `compareThirds`.
 */
export function thirdsTable(compared: ThirdsCompared, options: Partial<Titled> & Pick<Titled, "origin">): Table {
  const { title = compared.finding, ...drawn } = options;
  const rows = compared.rows.map((row) => ({
    ...row,
    pair: `${row.left} less ${row.right}`,
    corrected: pText(row.adjusted),
    verdict: verdictText(row),
  }));
  const cells = Math.max(...rows.map((row) => row.cells));
  return table(rows, {
    title,
    ...drawn,
    caption:
      "Thirds of the context by where the target is, compared as groups of samples within each task and length, which " +
      "weigh the same. Studentised permutation test, p-values corrected for three comparisons (Holm); intervals are those of " +
      "single rows. A third is lost where it is below both others.",
    n: `${cells} ${plural(cells, "cell")} of a task and a length, samples as in each row`,
    interval: unitsText(rows),
    columns: [
      { field: "pair", label: "Thirds" },
      { field: "leftScore", label: "The one (%)", digits: 1 },
      { field: "rightScore", label: "The other (%)", digits: 1 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "nLeft", label: "n, the one", digits: 0 },
      { field: "nRight", label: "n, the other", digits: 0 },
      { field: "corrected", label: "p, corrected", align: "right" },
      { field: "verdict", label: "What it shows" },
    ],
  });
}

function verdictText({ higher, p }: ThirdsCompared["rows"][number]): string {
  if (p === null) return "nothing to compare";
  return higher === null ? "no difference shown" : `the ${higher} third is higher`;
}
