import {
  type Chart,
  type Drawing,
  type Figure,
  type FigureOptions,
  type FigureParts,
  JUPYTER_DISPLAY,
  WIDTH,
} from "./figure.ts";
import { isDoubtful, notePhrases, originsOf } from "./figure_note.ts";
import { type LegendContent, legendPicker, type LegendPlace, WITHOUT_LEGEND } from "./legend.ts";
import { hashOf, renderSvg } from "./svg.ts";
import { fourDigits, plainText, type Weight, wrapText } from "./text_fit.ts";
import { changesBetween, type SpecChange } from "./spec_changes.ts";
import { CONFIG, NOTE_SIZE, SOFT_INK, type Spec, TITLE_SIZE, WARNING } from "./theme.ts";
import { withZoom, type Zoom } from "./zoom.ts";

const CAPTION_LINE = 17;

/** The width of a figure on the page of a phone, in pixels. */
const PHONE_WIDTH = 344;

/** Makes a figure with title and note above the chart and the caption below it, inside the picture. */
export function makeFigure(options: FigureOptions, chart: Chart): Figure {
  const { title, caption, origin, width = WIDTH } = options;
  const { notes, view, zoom, legend, legendFor, labelsFor, draw } = chart;
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
    drawing: (across) => drawn(across, false),
    legend: (across) => (labelsFor?.(across, true) ?? null) === null ? legend : undefined,
    onPage: (across) => drawn(across, true),
    zooms: zoom === undefined ? [] : [zoom],
  });
}

export interface PageDrawing extends Drawing {
  readonly params: readonly Spec[];
}

interface Drawings {
  /** Returns the drawing with its legend, for a whole picture; `isBare`: panels keep their titles and lose their notes. */
  readonly drawing: (width: number, isBare: boolean) => PageDrawing;
  /** Returns the legend beside the drawing of a page; `undefined` if it has none. */
  readonly legend: (width: number) => LegendContent | undefined;
  readonly onPage: (width: number) => PageDrawing;
  /** The layers that a reader of a notebook can zoom into. */
  readonly zooms: readonly Zoom[];
}

/** What a page needs beside the specification of a figure: its texts, and what differs in the chart at each of two widths. */
export interface PageFigure extends Record<"title" | "note" | "caption", string> {
  readonly isDoubtful: boolean;
  readonly forms: readonly { readonly changes: readonly SpecChange[]; readonly legend: LegendContent | undefined }[];
}

/** Returns the chart of a figure alone, which the changes of a form begin with. */
export function chartOf({ params = [], vconcat }: Spec): Spec {
  return { ...(vconcat as readonly Spec[])[0], params, config: CONFIG };
}

export function composeFigure(parts: FigureParts, { drawing: draw, legend, onPage, zooms }: Drawings): Figure {
  const { origins, width } = parts;
  const drawing = draw(width, false);
  const title = plainText(parts.title);
  const note = plainText(parts.phrases.join(" · "), 1000);
  const caption = plainText(parts.caption, 2000);
  const lines = (text: string, size: number, weight: Weight = "normal"): string[] =>
    wrapText(text, { width, size, weight });
  const $schema = "https://vega.github.io/schema/vega-lite/v5.json";
  const usermeta = {
    embedOptions: { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } },
  };
  const spec = rounded({
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
  });
  const text = [title, note, caption].join("\n");
  const svg = (): Promise<string> => renderSvg(spec, text.replaceAll("\n", ". "));
  const pageSpec = (): Spec => {
    const datasets: Record<string, unknown> = {};
    const whole = zooms.reduce(withZoom, withNamedData(spec, datasets) as Spec);
    const forms = [...new Set([Math.min(width, PHONE_WIDTH), width])].map((across) => {
      const { body, params } = onPage(across);
      const form = { ...withNamedData(rounded(body), datasets) as Spec, params, config: CONFIG };
      return { changes: changesBetween(chartOf(whole), form), legend: legend(across) };
    });
    const figure: PageFigure = { title, note, caption, isDoubtful: isDoubtful(origins), forms };
    return { ...whole, datasets, usermeta: { ...usermeta, figure } };
  };
  return {
    title,
    note,
    caption,
    origins,
    text,
    spec,
    parts,
    chart(across): Spec {
      const { body, params } = draw(across, true);
      return rounded({ $schema, background: "white", padding: 3, ...body, params, config: CONFIG });
    },
    pageSpec,
    svg,
    [JUPYTER_DISPLAY]: async () => ({
      "application/vnd.vegalite.v5+json": pageSpec(),
      // A picture in a notebook is for readers without tooltips, such as code hosts: a mark keeps the first line of its own.
      "image/svg+xml": (await svg()).replaceAll(/(<title>[^<\n]*)\n[^<]*/g, "$1"),
      "text/plain": text,
    }),
  };
}

function paramsOf({ params }: Pick<PageDrawing, "params">): { readonly params?: readonly Spec[] } {
  return params.length === 0 ? {} : { params };
}

/** Returns a specification as JSON has it, its numbers rounded, so that data, scales and axes agree. */
function rounded(spec: Spec): Spec {
  return JSON.parse(JSON.stringify(spec, (_, value) => typeof value === "number" ? fourDigits(value) : value));
}

/** Replaces the data of each view by a name, so that views with the same data share them. */
function withNamedData(value: unknown, datasets: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((part) => withNamedData(part, datasets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (key !== "data" || !Array.isArray(part.values)) return [key, withNamedData(part, datasets)];
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
      type: "text",
      text: lines,
      x: -left,
      y: 0,
      align: "left",
      baseline: "top",
      fontSize: NOTE_SIZE,
      lineHeight: CAPTION_LINE,
      color: SOFT_INK,
      tooltip: null,
    },
  };
}
