import type { Origin } from "@/lib/analysis/mod.ts";
import {
  type Drawing,
  type Figure,
  type FigureOptions,
  type FigureParts,
  JUPYTER_DISPLAY,
  type Spec,
} from "./figure.ts";
import { legendPicker } from "./_channels.ts";
import { numberText } from "./number_text.ts";
import { renderSvg } from "./_svg.ts";
import { capitalised, plainText, wrapText } from "./_text.ts";
import { CONFIG, NOTE_SIZE, SOFT_INK, TITLE_SIZE, WARNING } from "./_theme.ts";

const CAPTION_LINE = 17;

/** Puts title and note over a chart and its caption under it, inside the picture, so that none can be lost on the way. */
export function makeFigure(parts: FigureParts): Figure {
  const { width, view } = parts;
  const drawing = parts.draw({ width, ...parts.legendFor(width) });
  return composeFigure(parts, { ...drawing, params: view === undefined ? [] : [legendPicker([view])] });
}

/** Makes a figure of a chart that is already drawn. */
export function composeFigure(parts: FigureParts, drawing: Drawing & { readonly params: readonly Spec[] }): Figure {
  const { origins } = parts;
  const title = plainText(parts.title);
  const note = plainText(parts.said.join(" · "), 1000);
  const caption = plainText(parts.caption, 2000);
  const lines = (text: string, size: number): string[] => wrapText(text, { width: parts.width * 0.96, size });
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    usermeta: {
      embedOptions: { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } },
    },
    background: "white",
    padding: 8,
    title: {
      text: lines(title, TITLE_SIZE * 1.03),
      subtitle: lines(note, NOTE_SIZE).map(withoutDot),
      subtitleColor: origins.includes("simulated") ? WARNING : SOFT_INK,
    },
    ...(drawing.params.length === 0 ? {} : { params: drawing.params }),
    vconcat: [drawing.body, captionView(lines(caption, NOTE_SIZE), drawing.left)],
    resolve: { scale: { color: "independent", shape: "independent" } },
    config: CONFIG,
  };
  const text = [title, note, caption].join("\n");
  const svg = (): Promise<string> => renderSvg(spec, { label: text.replaceAll("\n", ". ") });
  return {
    title,
    note,
    caption,
    origins,
    text,
    spec,
    parts,
    svg,
    [JUPYTER_DISPLAY]: async () => ({
      "application/vnd.vegalite.v5+json": spec,
      "image/svg+xml": await svg(),
      "text/plain": text,
    }),
  };
}

/** A line broken between two phrases does not start with the dot between them. */
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

/** What stands under the title, phrase by phrase: origin, n, interval, then whatever else the chart has to say. */
export function saidOf(options: FigureOptions, more: readonly string[] = []): string[] {
  const { n, interval, origin } = options;
  const samples = typeof n === "number" ? `n = ${numberText(n)}` : n;
  return [originText(origin), samples, interval ?? "no interval", ...more];
}

/** The distinct origins of a figure. */
export function originsOf(origin: FigureOptions["origin"]): Origin[] {
  return typeof origin === "string" ? [origin] : [...new Set(Object.values(origin))];
}

function originText(origin: FigureOptions["origin"]): string {
  const text = typeof origin === "string" ? origin : originsOf(origin).map((kind) => {
    const series = Object.keys(origin).filter((name) => origin[name] === kind);
    return `${kind}: ${series.length <= 4 ? series.join(", ") : `${series.length} series`}`;
  }).join("; ");
  return capitalised(text);
}
