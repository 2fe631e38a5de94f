import type { TopLevelSpec } from "vega-lite";
import {
  CONFIG,
  FONT,
  legendPicker,
  type LegendPlace,
  NOTE_SIZE,
  SOFT_INK,
  type Spec,
  TITLE_SIZE,
  WARNING,
} from "./theme.ts";
import { capitalised, numberText, plainText, textWidth, type Weight, wrapText } from "./text_fit.ts";
import { type Origin, originText } from "@/lib/statistics/mod.ts";
import { escapeHtml } from "@/lib/text/mod.ts";

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
  /** The content of the legend; charts with equal keys share one. */
  readonly legendKey?: string;
  /** Returns the legend for a width. */
  readonly legendFor: (width: number) => LegendPlace;
  /** Returns the room for the labels that a single chart has instead of its legend; `null` if it keeps its legend. */
  readonly aloneFor?: (width: number) => LegendPlace | null;
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
  /** Draws the picture as SVG text, byte for byte the same on every machine. */
  readonly svg: () => Promise<string>;
  /** Returns the interactive chart, the SVG and the text; a notebook shows the first that it supports. */
  readonly [JUPYTER_DISPLAY]: () => Promise<MimeBundle>;
}

/** The default width of a picture, in pixels. */
export const WIDTH = 700;

const CAPTION_LINE = 17;

/** Makes a figure with title and note above the chart and the caption below it, inside the picture. */
export function makeFigure(options: FigureOptions, chart: Chart): Figure {
  const { title, caption, origin, width = WIDTH } = options;
  const { notes, view, legendFor, aloneFor, draw } = chart;
  const parts = { ...chart, title, caption, phrases: notePhrases(options, notes), origins: originsOf(origin), width };
  const alone = aloneFor?.(width) ?? null;
  const drawing = draw({ width, ...alone ?? legendFor(width) });
  const picks = view !== undefined;
  return composeFigure(parts, { ...drawing, params: picks ? [legendPicker([view], alone === null)] : [] });
}

/** Makes a figure from a drawn chart. */
export function composeFigure(parts: FigureParts, drawing: Drawing & { readonly params: readonly Spec[] }): Figure {
  const { origins } = parts;
  const title = plainText(parts.title);
  const note = plainText(parts.phrases.join(" · "), 1000);
  const caption = plainText(parts.caption, 2000);
  const lines = (text: string, size: number, weight: Weight = "normal"): string[] =>
    wrapText(text, { width: parts.width, size, weight });
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    usermeta: {
      embedOptions: { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } },
    },
    background: "white",
    padding: 8,
    title: {
      text: lines(title, TITLE_SIZE, "bold"),
      subtitle: lines(note, NOTE_SIZE).map(withoutDot),
      subtitleColor: isDoubtful(origins) ? WARNING : SOFT_INK,
    },
    ...(drawing.params.length === 0 ? {} : { params: drawing.params }),
    vconcat: [drawing.body, captionView(lines(caption, NOTE_SIZE), drawing.left)],
    resolve: { scale: { color: "independent", shape: "independent" } },
    config: CONFIG,
  };
  const text = [title, note, caption].join("\n");
  const svg = (): Promise<string> => renderSvg(spec, { label: text.replaceAll("\n", ". ") });
  return {
    ...{ title, note, caption, origins, text, spec, parts, svg },
    [JUPYTER_DISPLAY]: async () => ({
      "application/vnd.vegalite.v5+json": spec,
      "image/svg+xml": await svg(),
      "text/plain": text,
    }),
  };
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

/** Renders a specification as SVG, with the same bytes on every machine. */
async function renderSvg(spec: Spec, options: { readonly label: string }): Promise<string> {
  // Lazy, as most importers render no figure.
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  measureTextIn(vega);
  const view = new vega.View(vega.parse(compile(spec as unknown as TopLevelSpec).spec), { renderer: "none" });
  try {
    return tidySvg(await view.toSVG(), options.label);
  } finally {
    view.finalize();
  }
}

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  readonly limit?: number;
}

/** Makes Vega measure text by {@linkcode textWidth} instead of by a canvas and its fonts. */
function measureTextIn(vega: object): void {
  // Missing in its types.
  const { textMetrics } = vega as { readonly textMetrics: { width: (item: TextItem, text: unknown) => number } };
  textMetrics.width = (item, text) => widthOf(item, text === null || text === undefined ? "" : String(text));
}

function widthOf({ fontSize = 11, fontWeight = "normal", limit = 0 }: TextItem, text: string): number {
  const isBold = fontWeight === "bold" || Number(fontWeight) >= 600;
  const width = textWidth(text, fontSize, isBold ? "bold" : "normal");
  return limit > 0 ? Math.min(width, limit) : width;
}

/**
 * Rounds coordinates, whose last digits differ by machine, makes ids unique to the picture, as a page may contain several, and
 * states the font once. Vega escapes `<` and `>` everywhere, so a tag ends at its first `>`.
 */
function tidySvg(svg: string, label: string): string {
  const tags = /<[^>]+>/g;
  const plain = svg.replace(
    tags,
    (tag) =>
      tag
        .replaceAll(` font-family="${FONT}"`, "")
        .replace(/ (d|transform|x|y|x1|x2|y1|y2|dx|dy|width|height|viewBox|offset)="([^"]*)"/g, roundAttribute),
  ).replace(
    '<svg xmlns="http://www.w3.org/2000/svg"',
    (start) =>
      `${start} role="graphics-document" aria-label="${
        escapeHtml(label).replaceAll("&#39;", "'")
      }" font-family="${FONT}"`,
  );
  const idOf = newIds(plain);
  return plain.replace(tags, (tag) =>
    tag
      .replace(/ id="([^"]*)"/, (_, id) => ` id="${idOf(id)}"`)
      .replace(/="url\(#([^"]*)\)"/, (_, id) => `="url(#${idOf(id)})"`));
}

/** Returns the new id of each id: Vega numbers them across pictures, here they derive from a hash of the content. */
function newIds(svg: string): (id: string) => string {
  const ids = [...svg.matchAll(/<[^>]+ id="([^"]*)"/g)].map(([, id]) => id!);
  const content = ids.reduce((text, id, index) => text.replaceAll(id, String(index)), svg);
  const prefix = hashOf(content);
  return (id) => `f${prefix}-${ids.indexOf(id)}`;
}

function roundAttribute(_: string, name: string, value: string): string {
  const rounded = value.replace(/-?\d+\.\d+(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)) || 0));
  return ` ${name}="${rounded}"`;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

/** Returns a self-contained page. */
export function htmlPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>body { font-family: Inter, Helvetica, Arial, sans-serif; margin: 1.5rem; } svg { max-width: 100%; height: auto; } th, td { padding: 0.25em 0.75em; } tbody tr:nth-child(odd) { background: #f6f6f6; }</style>
</head>
<body>
${body}
</body>
</html>
`;
}
