import { escapeHtml } from "@/lib/base/mod.ts";
import {
  CONFIG,
  type Domain,
  type LegendContent,
  legendPicker,
  type LegendPlace,
  NOTE_SIZE,
  SOFT_INK,
  type Spec,
  TITLE_SIZE,
  WARNING,
} from "./theme.ts";
import { hashOf, renderSvg } from "./svg.ts";
import { capitalised, numberText, plainText, type Weight, wrapText } from "./text_fit.ts";
import { type Origin, originText } from "@/lib/statistics/mod.ts";

/** The key under which a Jupyter kernel looks for the display form of an object. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** One output in several forms, by MIME type; a frontend shows the best that it supports. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** The fields of a row. */
export type Field<Row> = Extract<keyof Row, string>;

/** Options of every figure. */
export interface FigureOptions {
  /** The finding, as a sentence without its full stop. */
  readonly title: string;
  /** How to read the figure. */
  readonly caption: string;
  /** Samples of each mark: a number, or a phrase such as `"n = 25 to 500 samples a point"`. */
  readonly n: number | string;
  /** The origin of the numbers; by series if there are several. */
  readonly origin: Origin | Readonly<Record<string, Origin>>;
  /** The meaning of bands or bars around a value, such as `"95% interval"`; required if there are any. */
  readonly interval?: string;
  /** A warning at the end of the note, such as that lengths are in another model's tokens. */
  readonly warning?: string | undefined;
  /** Width of the whole picture, in pixels. Range: 200 to 2,000; 700 by default. */
  readonly width?: number;
}

/** Options that every figure and table takes. */
export type Titled = Pick<FigureOptions, "title" | "origin" | "warning">;

/** The room of a chart. */
export interface FigureFrame extends LegendPlace {
  /** From the outer edge of the left axis to the right end, the legend's room included, in pixels. */
  readonly width: number;
  /** Whether the chart is alone, and not a panel beside others. */
  readonly isAlone?: boolean;
  /** Axes that a neighbour shows: the vertical one to the left, or the title of the horizontal one below. */
  readonly shared?: {
    readonly y?: boolean;
    readonly xTitle?: boolean;
    /** The ends of the vertical axis of all panels, if the chart has none of its own. */
    readonly yDomain?: Domain | undefined;
  };
}

/** A drawn chart, without title, note and caption. */
export interface Drawing {
  /** A Vega-Lite view. */
  readonly body: Spec;
  /** From the outer edge of the left axis to the origin, in pixels. */
  readonly left: number;
}

/** The parts of a figure that depend on the kind of chart. */
export interface Chart {
  /** Phrases of the note after origin, n and interval. */
  readonly notes?: readonly string[];
  /** The name of the layer whose marks a legend picks, if any. */
  readonly view?: string;
  /** The content of the legend; charts with equal content share one. */
  readonly legend?: LegendContent;
  /** The axes as texts; panels with equal ones show them once. */
  readonly axes?: { readonly x: string; readonly y: string };
  /** The least and the greatest value of a vertical axis without a domain of its own. */
  readonly yEnds?: Domain;
  readonly legendFor: (width: number) => LegendPlace;
  /** Returns the room for labels instead of a legend, alone or as a panel; `null` if the chart keeps its legend. */
  readonly labelsFor?: (width: number, isAlone: boolean) => LegendPlace | null;
  /** Draws the chart to the width of a frame. */
  readonly draw: (frame: FigureFrame) => Drawing;
}

/** The parts of a figure, from which {@linkcode panels} combines several. */
export interface FigureParts
  extends Omit<Chart, "notes">, Required<Pick<FigureOptions, "title" | "caption" | "width">> {
  /** Origin, n, interval and notes, each a phrase. */
  readonly phrases: readonly string[];
  readonly origins: readonly Origin[];
}

/** A captioned chart, the same in a notebook, on a page and in a file. */
export interface Figure extends Pick<FigureParts, "title" | "caption" | "origins"> {
  /** Origin, n and interval in one line, as drawn under the title. */
  readonly note: string;
  /** Title, note and caption as plain text. */
  readonly text: string;
  /** The picture as a Vega-Lite 5 specification, its data included. */
  readonly spec: Spec;
  /** The parts that {@linkcode panels} combines. */
  readonly parts: FigureParts;
  /** The specification with what {@linkcode figureHtml} needs to draw the figure into a page. */
  readonly pageSpec: () => Spec;
  /** Draws the picture as SVG text, byte for byte the same on every machine. */
  readonly svg: () => Promise<string>;
  /** Returns the interactive chart, the SVG and the text; a notebook shows the first that it supports. */
  readonly [JUPYTER_DISPLAY]: () => Promise<MimeBundle>;
}

/** The default width of a picture, in pixels. */
export const WIDTH = 700;

const CAPTION_LINE = 17;

/** The width of a figure on the page of a phone, in pixels. */
export const PHONE_WIDTH = 344;

/** Makes a figure with title and note above the chart and the caption below it, inside the picture. */
export function makeFigure(options: FigureOptions, chart: Chart): Figure {
  const { title, caption, origin, width = WIDTH } = options;
  const { notes, view, legend, legendFor, labelsFor, draw } = chart;
  const parts = { ...chart, title, caption, phrases: notePhrases(options, notes), origins: originsOf(origin), width };
  const pickerOf = (hasLegend: boolean): readonly Spec[] => view === undefined ? [] : [legendPicker([view], hasLegend)];
  const place = (across: number, onPage: boolean): LegendPlace & { readonly picks: boolean } => {
    const labels = labelsFor?.(across, true) ?? null;
    if (labels !== null) return { ...labels, picks: false };
    return onPage && legend !== undefined ? { ...WITHOUT_LEGEND, picks: false } : { ...legendFor(across), picks: true };
  };
  const drawn = (across: number, onPage: boolean): PageDrawing => {
    const { picks, ...frame } = place(across, onPage);
    return { ...draw({ width: across, isAlone: true, ...frame }), params: pickerOf(picks) };
  };
  return composeFigure(parts, {
    drawing: drawn(width, false),
    legend: (across) => (labelsFor?.(across, true) ?? null) === null ? legend : undefined,
    onPage: (across) => drawn(across, true),
  });
}

/** The room of a chart whose legend is outside it. */
export const WITHOUT_LEGEND: LegendPlace = { legend: null, room: 0 };

/** A drawing and the parameters of its legend. */
export interface PageDrawing extends Drawing {
  readonly params: readonly Spec[];
}

interface Drawings {
  /** The drawing with its legend, for the whole picture. */
  readonly drawing: PageDrawing;
  /** Returns the legend beside the drawing of a page; `undefined` if it has none. */
  readonly legend: (width: number) => LegendContent | undefined;
  readonly onPage: (width: number) => PageDrawing;
}

/** The parts of a figure from which a page draws it, at two widths. */
export interface PageFigure extends Record<"title" | "note" | "caption", string> {
  readonly isDoubtful: boolean;
  readonly forms: readonly { readonly spec: Spec; readonly legend: LegendContent | undefined }[];
}

/** Makes a figure from drawn charts. */
export function composeFigure(parts: FigureParts, { drawing, legend, onPage }: Drawings): Figure {
  const { origins, width } = parts;
  const title = plainText(parts.title);
  const note = plainText(parts.phrases.join(" · "), 1000);
  const caption = plainText(parts.caption, 2000);
  const lines = (text: string, size: number, weight: Weight = "normal"): string[] =>
    wrapText(text, { width, size, weight });
  const $schema = "https://vega.github.io/schema/vega-lite/v5.json";
  const usermeta = {
    embedOptions: { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } },
  };
  const spec = {
    $schema,
    usermeta,
    background: "white",
    padding: 8,
    title: {
      text: lines(title, TITLE_SIZE, "bold"),
      subtitle: lines(note, NOTE_SIZE).map(withoutDot),
      subtitleColor: isDoubtful(origins) ? WARNING : SOFT_INK,
    },
    ...paramsOf(drawing),
    vconcat: [drawing.body, captionView(lines(caption, NOTE_SIZE), drawing.left)],
    resolve: { scale: { color: "independent", shape: "independent" } },
    config: CONFIG,
  };
  const text = [title, note, caption].join("\n");
  const svg = (): Promise<string> => renderSvg(spec, text.replaceAll("\n", ". "));
  const pageSpec = (): Spec => {
    const forms = [...new Set([Math.min(width, PHONE_WIDTH), width])].map((across) => {
      const { body, ...drawn } = onPage(across);
      return { spec: { ...paramsOf(drawn), ...body, config: CONFIG }, legend: legend(across) };
    });
    const page: PageFigure = { title, note, caption, isDoubtful: isDoubtful(origins), forms };
    const datasets: Record<string, readonly unknown[]> = {};
    const whole = { ...spec, usermeta: { ...usermeta, page } };
    return { ...withNamedData(whole, datasets) as Spec, datasets };
  };
  return {
    ...{ title, note, caption, origins, text, spec, parts, pageSpec, svg },
    [JUPYTER_DISPLAY]: async () => ({
      "application/vnd.vegalite.v5+json": pageSpec(),
      "image/svg+xml": await svg(),
      "text/plain": text,
    }),
  };
}

function paramsOf({ params }: Pick<PageDrawing, "params">): { readonly params?: readonly Spec[] } {
  return params.length === 0 ? {} : { params };
}

/** Replaces the data of each view by a name, so that views with the same data share them. */
function withNamedData(value: unknown, datasets: Record<string, readonly unknown[]>): unknown {
  if (Array.isArray(value)) return value.map((part) => withNamedData(part, datasets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (key !== "data" || !Array.isArray(part?.values)) return [key, withNamedData(part, datasets)];
      const name = `d${hashOf(JSON.stringify(part.values))}`;
      datasets[name] = part.values;
      return [key, { name }];
    }),
  );
}

/** Removes the separator at the start of a line that was broken between two phrases. */
export function withoutDot(line: string): string {
  return line.replace(/^· /, "");
}

function captionView(lines: readonly string[], left: number): Spec {
  return {
    view: { stroke: null },
    width: 10,
    height: lines.length * CAPTION_LINE,
    data: { values: [{}] },
    mark: {
      ...{ type: "text", text: lines, x: -left, y: 0, align: "left", baseline: "top" },
      ...{ fontSize: NOTE_SIZE, lineHeight: CAPTION_LINE, color: SOFT_INK, tooltip: null },
    },
  };
}

/** Returns the phrases of the note: origin, n, interval, the notes of the chart, and the warning. */
export function notePhrases(options: FigureOptions, notes: readonly string[] = []): string[] {
  const { n, interval, origin, warning } = options;
  const samples = typeof n === "number" ? `n = ${numberText(n)}` : n;
  return [
    originPhrase(origin),
    samples,
    interval ?? "no interval",
    ...notes,
    ...(warning === undefined ? [] : [warning]),
  ];
}

export function originsOf(origin: FigureOptions["origin"]): Origin[] {
  return typeof origin === "string" ? [origin] : [...new Set(Object.values(origin))];
}

export function isDoubtful(origins: readonly Origin[]): boolean {
  return origins.includes("simulated") || origins.includes("unknown");
}

function originPhrase(origin: FigureOptions["origin"]): string {
  const text = typeof origin === "string" ? originText(origin) : originsOf(origin).map((kind) => {
    const series = Object.keys(origin).filter((name) => origin[name] === kind);
    return `${originText(kind)}: ${series.length <= 4 ? series.join(", ") : `${series.length} series`}`;
  }).join("; ");
  return capitalised(text);
}

/** What a page without scripts may load: nothing from elsewhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/** Returns a self-contained page. */
export function htmlPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
<style>body { font-family: Inter, Helvetica, Arial, sans-serif; margin: 1.5rem; } svg { max-width: 100%; height: auto; } th, td { padding: 0.25em 0.75em; } tbody tr:nth-child(odd) { background: #f6f6f6; }</style>
</head>
<body>
${body}
</body>
</html>
`;
}
