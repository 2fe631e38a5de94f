import { lengthLabel } from "./axis.ts";
import { barChart } from "./bar_chart.ts";
import { type Figure, type FigureOptions, WIDTH } from "./figure.ts";
import { rangeText, sum } from "@/lib/base/mod.ts";
import {
  FAILURE_CLASSES,
  FAILURE_MEANINGS,
  type FailureClass,
  failureFinding,
  type FailureRow,
} from "@/lib/statistics/failures/mod.ts";
import { statedInterval, wilsonInterval } from "@/lib/statistics/mod.ts";

/**
 * Draws failures as stacked bars: a bar for each length or task shows the share of its replies that failed, by failure
 * class. A class has the same colour in every figure.
 *
 * @param rows Rows from `failureRows`, of any tasks and lengths; the replies of a bar are pooled.
 * @throws {RangeError} If there is no row with a reply.
 */
export function failureChart(
  rows: readonly FailureRow[],
  options: Partial<Pick<FigureOptions, "title">> & Pick<FigureOptions, "origin" | "warning" | "runs" | "width"> & {
    /** The meaning of a bar: a length with all its tasks, or a task with all its lengths; "length" by default. */
    readonly by?: "length" | "task";
  },
): Figure {
  const { title = failureFinding(rows), by = "length", width = WIDTH, ...drawn } = options;
  const bars = [...Map.groupBy(rows.filter(({ n }) => n > 0), (row) => row[by])];
  const ways = listWays(rows);
  const sizes = bars.map(([, ofBar]) => sum(ofBar, ({ n }) => n));
  const parts = bars.flatMap(([bar, ofBar]) =>
    ways.map((way) => ({ ...measurePart(ofBar, { bar, way }), [by]: bar, class: way }))
  );
  return barChart(parts, {
    title,
    ...drawn,
    width,
    n: `n = ${rangeText(sizes, String)} replies per bar`,
    caption: "A failed reply is counted once, by its primary failure class. A partly right reply counts as failed.",
    category: "bar",
    value: "share",
    series: "way",
    seriesTitle: "Failure",
    stacked: true,
    horizontal: by === "task",
    categoryTitle: by === "length" ? "Context length (tokens)" : "Task",
    valueTitle: "Replies (%)",
    ...(by === "length" ? { categoryLabel: (length) => lengthLabel(Number(length)) } : {}),
    palette: ways.map(colourOf),
    interval: "95% interval of a part on hovering",
    tooltips: { Replies: "replies", "95% interval": "interval", Meaning: "meaning" },
  });
}

/** Labels for failures whose sample cannot be rebuilt, and for no failure. */
const UNEXPLAINED = "unexplained";
const NONE = "none";

interface Part {
  readonly bar: string | number;
  readonly way: string;
  /** In percent of the bar's replies. */
  readonly share: number;
  readonly replies: string;
  /** Wilson's interval of the share. */
  readonly interval: string;
  readonly meaning: string;
}

function measurePart(
  rows: readonly FailureRow[],
  { bar, way }: Pick<Part, "bar" | "way">,
): Part {
  const n = sum(rows, (row) => row.n);
  const count = countWay(rows, way);
  const { low, high } = statedInterval({ ...wilsonInterval(count, n), n });
  return {
    bar,
    way,
    share: 100 * count / n,
    replies: `${count} of ${n}`,
    interval: low === null || high === null ? "none" : `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`,
    meaning: isClass(way) ? FAILURE_MEANINGS[way] : "",
  };
}

/** The kinds of failures that occur, in the order of their classes. */
function listWays(rows: readonly FailureRow[]): string[] {
  const ways = [...FAILURE_CLASSES, UNEXPLAINED].filter((way) => countWay(rows, way) > 0);
  return ways.length > 0 ? ways : [NONE];
}

function countWay(rows: readonly FailureRow[], way: string): number {
  return sum(
    rows,
    ({ classes, unexplained }) =>
      way === UNEXPLAINED ? unexplained : classes.find((count) => count.class === way)?.count ?? 0,
  );
}

function isClass(way: string): way is FailureClass {
  return Object.hasOwn(FAILURE_MEANINGS, way);
}

function colourOf(way: string): string {
  return isClass(way) ? FAILURE_COLOURS[way] : "#e4e4e4";
}

/**
 * A colour for each failure class, the same in every figure: grey for calls, purples for silence, browns and reds for text from
 * elsewhere, orange for other answers in the context, blue for what is missing, green for other forms, and grey for the rest.
 */
export const FAILURE_COLOURS: Readonly<Record<FailureClass, string>> = {
  "failed call": "#2b2b2b",
  "empty": "#c9b8e8",
  "refusal": "#9673c9",
  "loop": "#5b2a9d",
  "copied": "#7a4a21",
  "prior knowledge": "#f4a3b5",
  "distractor": "#e8851a",
  "incomplete answer": "#143c7d",
  "wrong format": "#1f9e74",
  "other answer": "#8a8a8a",
};
