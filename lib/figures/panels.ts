import { WITHOUT_AXIS, withTopSpace } from "./axis.ts";
import type { Drawing, Figure, FigureFrame, FigureOptions, FigureParts } from "./figure.ts";
import { isDoubtful } from "./figure_note.ts";
import { legendPicker, NARROW, WITHOUT_LEGEND } from "./legend.ts";
import { composeFigure, type PageDrawing, withoutDot } from "./make_figure.ts";
import { cannotDraw, distinctOf } from "./row_values.ts";
import { capitalised, plainText, type Weight, wrapText } from "./text_fit.ts";
import { type Domain, NOTE_SIZE, SOFT_INK, type Spec, WARNING } from "./theme.ts";

const GUTTER = 26;

/**
 * Combines several figures side by side, each under its own title.
 *
 * One caption replaces those of the figures. Origin, n and interval are stated once if all agree, otherwise above each
 * panel. A common legend is drawn once.
 *
 * @param figures At least one figure, in reading order; not panels themselves.
 * @throws {RangeError} If there are no figures, or `columns` is not a whole number from 1 up.
 */
export function panels(figures: readonly Figure[], options: PanelsOptions): Figure {
  const { title, caption, width = 900 } = options;
  const columns = Math.min(options.columns ?? 2, figures.length);
  if (figures.length === 0) throw cannotDraw(title, "panels must be at least one figure", 0);
  if (!Number.isInteger(columns) || columns < 1) {
    throw cannotDraw(title, "columns must be a whole number from 1", columns);
  }
  const parts = figures.map((figure) => figure.parts);
  const common = parts[0]!.phrases.filter((phrase) => parts.every(({ phrases }) => phrases.includes(phrase)));
  const origins = distinctOf(parts.flatMap((part) => part.origins));
  const whole: FigureParts = {
    title,
    caption,
    phrases: common.includes(parts[0]!.phrases[0]!) ? common : [capitalised(origins.join(" and ")), ...common],
    origins,
    width,
    legendFor: () => WITHOUT_LEGEND,
    draw: () => {
      throw cannotDraw(title, "panels must be charts, not panels of their own", title);
    },
  };
  const shared = oneOf(parts.map(({ legend }) => legend));
  return composeFigure(whole, {
    drawing: (across, isBare) => {
      const fitting = isBare && across < NARROW ? 1 : columns;
      const hidden = isBare ? parts.flatMap(({ phrases }) => phrases) : common;
      return drawGrid(parts, { width: across, columns: fitting, common: hidden, hasLegend: true });
    },
    legend: () => shared,
    onPage: (across) => {
      const fitting = across < width ? 1 : columns;
      return drawGrid(parts, { width: across, columns: fitting, common, hasLegend: shared === undefined });
    },
    zooms: parts.flatMap(({ view, zoom }, index) =>
      zoom === undefined ? [] : [{ ...zoom, views: [`${view}${index}`] }]
    ),
  });
}

/** Returns what all have in common; `undefined` if they differ. */
function oneOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return new Set(values.map((value) => JSON.stringify(value))).size === 1 ? values[0] : undefined;
}

interface GridOptions {
  readonly width: number;
  readonly columns: number;
  /** The phrases of all panels, shown above them. */
  readonly common: readonly string[];
  /** Whether a legend that all panels share is drawn. */
  readonly hasLegend: boolean;
}

function drawGrid(parts: readonly FigureParts[], { width, columns, common, hasLegend }: GridOptions): PageDrawing {
  const isShared = oneOf(parts.map(({ legend }) => legend)) !== undefined;
  const beside = isShared && hasLegend ? parts[0]!.legendFor(width) : WITHOUT_LEGEND;
  const sameYs = oneOf(parts.map(({ axes }) => axes?.y)) !== undefined;
  const sameY = columns > 1 && sameYs;
  const sameX = columns > 1 && parts.length > columns && oneOf(parts.map(({ axes }) => axes?.x)) !== undefined;
  const ends = parts.flatMap(({ yEnds }) => yEnds ?? []);
  const yDomain: Domain | undefined = ends.length === 0 ? undefined : [Math.min(0, ...ends), Math.max(...ends)];
  const room = width - beside.room - GUTTER * (columns - 1);
  const each = Math.floor(room / columns);
  const places = parts.map((part) => part.labelsFor?.(each, false) ?? part.legendFor(each));
  const frameOf = (across: number, index: number): FigureFrame => {
    const place = isShared ? { legend: beside.legend } : places[index]!;
    return {
      width: across,
      ...place,
      // All charts of a column end at one place.
      room: isShared ? 0 : Math.max(...places.map((each) => each.room)),
      shared: {
        yDomain: sameYs ? yDomain : undefined,
        y: sameY && index % columns > 0,
        xTitle: sameX && index + columns < parts.length,
      },
    };
  };
  // Where only the first column has a vertical axis, all charts are as wide as in the first column.
  const { left } = parts[0]!.draw(frameOf(each, 0));
  const inner = Math.floor((room - left - (columns - 1) * WITHOUT_AXIS) / columns);
  const acrossOf = (index: number): number => !sameY ? each : inner + (index % columns === 0 ? left : WITHOUT_AXIS);
  const drawings = parts.map((part, index) =>
    drawPanel(part, { index, common, frame: frameOf(acrossOf(index), index) })
  );
  const views = parts.flatMap(({ view }, index) => view === undefined ? [] : [`${view}${index}`]);
  const scale = isShared ? "shared" : "independent";
  return {
    left: drawings[0]!.left,
    body: {
      concat: drawings.map(({ body }) => body),
      columns,
      spacing: GUTTER,
      resolve: { scale: { color: scale, shape: scale } },
    },
    params: views.length === 0 ? [] : [legendPicker(views, hasLegend)],
  };
}

/** Options for {@linkcode panels}; title and caption are those of the whole figure. */
export interface PanelsOptions extends Pick<FigureOptions, "title" | "caption" | "width"> {
  /** Number of panels side by side; 2 by default, in a picture 900 pixels wide. */
  readonly columns?: number;
}

function drawPanel(
  part: FigureParts,
  { index, frame, common }: Pick<GridOptions, "common"> & { readonly index: number; readonly frame: FigureFrame },
): Drawing {
  const { body, left } = part.draw(frame);
  const lines = (text: string, weight: Weight): string[] =>
    wrapText(plainText(text, 1000), { width: frame.width - 16, size: NOTE_SIZE, weight });
  const own = part.phrases.filter((phrase) => !common.includes(phrase));
  const title = {
    text: lines(part.title, "bold"),
    fontSize: NOTE_SIZE,
    lineHeight: 16,
    offset: 8,
    ...(own.length === 0 ? {} : { subtitle: lines(own.join(" · "), "normal").map(withoutDot) }),
    subtitleFontSize: NOTE_SIZE - 1,
    subtitleColor: isDoubtful(part.origins) ? WARNING : SOFT_INK,
  };
  return { left, body: { title, ...withTopSpace(named(body, index)) } };
}

/** Makes the names of layers that a legend picks from distinct in each panel. */
function named(body: Spec, index: number): Spec {
  const layers = body["layer"] as readonly Spec[];
  return {
    ...body,
    layer: layers.map((layer) => layer["name"] === undefined ? layer : { ...layer, name: `${layer["name"]}${index}` }),
  };
}
