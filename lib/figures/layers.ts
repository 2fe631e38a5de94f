import type { FigureOptions, FigureParts } from "./figure.ts";
import { LABEL_SIZE, type LegendPlace, type Palette, seriesColours, seriesShapes } from "./theme.ts";
import { distinctOf } from "./rows.ts";
import { keyTexts, plainText, textWidth } from "./text_fit.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** A place in a chart: shares of its width from the left and of its height from the bottom. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where the label of a level line stands. */
export interface Spot {
  readonly side: "left" | "right";
  readonly over: boolean;
}

const SPOTS: readonly Spot[] = [
  { side: "left", over: false },
  { side: "right", over: true },
  { side: "right", over: false },
  { side: "left", over: true },
];
const LINE = 17;

/** Finds the end and side of a level line where its label covers least of the other lines. */
export function labelSpot(
  label: string,
  options: {
    /** Height of the level line, as a share of the chart's. */
    readonly at: number;
    readonly lines: readonly (readonly Place[])[];
    readonly width: number;
    readonly height: number;
  },
): Spot {
  const { at, lines, width, height } = options;
  const across = Math.min(1, (textWidth(label, LABEL_SIZE) + 10) / width);
  const places = lines.flatMap(densely);
  const covered = SPOTS.map(({ side, over }) => {
    const [low, high] = over ? [at, at + LINE / height] : [at - LINE / height, at];
    if (low < 0 || high > 1) return Infinity;
    return places.filter(({ x, y }) => y > low && y < high && (side === "left" ? x < across : x > 1 - across)).length;
  });
  return SPOTS[covered.indexOf(Math.min(...covered))]!;
}

/** The places along a line, a hundredth of the chart's width apart. */
function densely(line: readonly Place[]): Place[] {
  return line.slice(1).flatMap((end, index) => {
    const start = line[index]!;
    const steps = Math.max(1, Math.ceil((end.x - start.x) * 100));
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + (end.x - start.x) * step / steps,
      y: start.y + (end.y - start.y) * step / steps,
    }));
  });
}

/** A rectangle of cells of one score. */
export interface Patch {
  /** Its first column. */
  readonly from: number;
  /** The column after its last. */
  readonly to: number;
  /** Its first row. */
  readonly star: number;
  /** The row after its last. */
  readonly next: number;
  /** The score. */
  readonly score: number;
}

/**
 * Joins cells of one score to rectangles.
 *
 * @param columns The cells of each column, star by star.
 * @returns Patches to be drawn in this order: the whole matrix in its most frequent score, then what is otherwise.
 */
export function mergeCells(columns: readonly (readonly number[])[]): Patch[] {
  const stars = columns[0]!.length;
  const ground = mostFrequent(columns.flat());
  const patches: Patch[] = [{ from: 0, to: columns.length, star: 0, next: stars, score: ground }];
  let above: Patch[] = [];
  for (let star = 0; star < stars; star++) {
    const runs = findRuns(columns.map((cells) => cells[star]!)).filter(({ score }) => score !== ground);
    above = runs.map(({ from, to, score }) => {
      const twin = above.find((patch) => patch.from === from && patch.to === to && patch.score === score);
      if (twin) patches.splice(patches.indexOf(twin), 1);
      const patch = { from, to, star: twin?.star ?? star, next: star + 1, score };
      patches.push(patch);
      return patch;
    });
  }
  return patches;
}

function findRuns(row: readonly number[]): { readonly from: number; readonly to: number; readonly score: number }[] {
  const starts = row.flatMap((score, at) => at === 0 || score !== row[at - 1] ? [at] : []);
  return starts.map((from, run) => ({ from, to: starts[run + 1] ?? row.length, score: row[from]! }));
}

function mostFrequent(scores: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].reduce((best, next) => next[1] > best[1] ? next : best)[0];
}

/** The series of a chart: their names as shown, and how they look. */
export interface SeriesLook {
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
  /** The shown name of a series of the rows. */
  readonly nameOf: (series: string) => string;
  readonly colourOf: (series: string) => string | undefined;
}

export function lookOf(
  series: readonly string[],
  options: { readonly palette?: Palette | readonly string[]; readonly origin: FigureOptions["origin"] },
): SeriesLook {
  const { palette = "distinct", origin } = options;
  const kinds = distinctOf(series);
  const names = keyTexts(kinds.map((kind) => kind + simulatedMark(kind, origin)));
  const colours = typeof palette === "string"
    ? seriesColours(kinds.length, palette)
    : kinds.map((_, index) => palette[index % palette.length]!);
  return {
    names,
    colours,
    shapes: seriesShapes(kinds.length),
    nameOf: (kind) => names[kinds.indexOf(kind)]!,
    colourOf: (kind) => colours[kinds.indexOf(kind)],
  };
}

function simulatedMark(series: string, origin: FigureOptions["origin"]): string {
  const kind: Origin | undefined = typeof origin === "string" ? undefined : origin[series];
  return kind === "simulated" && !series.includes("simulated") ? " (simulated)" : "";
}

/** Charts narrower than this, in pixels, have their legends below. */
const NARROW = 450;

/** A legend beside the chart while its names are short, under it where they are not. */
function legendOf(
  names: readonly string[],
  options: { readonly seriesTitle?: string; readonly width: number },
): LegendPlace {
  const { seriesTitle: title = "", width } = options;
  const widest = Math.max(...[...names, title].map((name) => textWidth(plainText(name), LABEL_SIZE)));
  const shared = { title: title === "" ? null : plainText(title), symbolOpacity: 1 };
  const beside = width >= NARROW && widest + 45 <= width * 0.3 && names.length <= 18;
  if (beside) return { legend: shared, room: Math.ceil(widest + 48) };
  const labelLimit = width - 100;
  const columns = Math.max(1, Math.floor((width - 60) / (Math.min(widest, labelLimit) + 35)));
  return { legend: { ...shared, labelLimit, orient: "bottom", direction: "vertical", columns, offset: 10 }, room: 0 };
}

/** The legend of a chart, none without a field of series, and what it says. */
export function seriesLegend(
  look: SeriesLook,
  options: { readonly series?: string; readonly seriesTitle?: string },
): Pick<FigureParts, "legendFor" | "legendKey"> {
  if (options.series === undefined) return { legendFor: () => ({ legend: null, room: 12 }) };
  return {
    legendKey: JSON.stringify([look.names, look.colours, options.seriesTitle]),
    legendFor: (width) => legendOf(look.names, { ...options, width }),
  };
}
