import {
  composeFigure,
  type Drawing,
  type Figure,
  type FigureOptions,
  type FigureParts,
  isDoubtful,
  WIDTH,
  withoutDot,
} from "./figure.ts";
import { cannotDraw, distinctOf } from "./chart.ts";
import { capitalised, plainText, type Weight, wrapText } from "./text_fit.ts";
import { legendPicker, type LegendPlace, NOTE_SIZE, SOFT_INK, type Spec, WARNING } from "./theme.ts";

/** The distance between panels, in pixels. */
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
  const { title, caption, width = WIDTH } = options;
  const columns = Math.min(options.columns ?? 2, figures.length);
  if (figures.length === 0) throw cannotDraw(title, "panels must be at least one figure", 0);
  if (!Number.isInteger(columns) || columns < 1) {
    throw cannotDraw(title, "columns must be a whole number from 1", columns);
  }
  const parts = figures.map((figure) => figure.parts);
  const shared = sharedLegend(parts, width);
  const room = shared?.room ?? 0;
  const each = Math.floor((width - room - GUTTER * (columns - 1)) / columns);
  const common = parts[0]!.phrases.filter((phrase) => parts.every(({ phrases }) => phrases.includes(phrase)));
  const drawings = parts.map((part, index) => panel(part, { index, width: each, shared, common }));
  const origins = distinctOf(parts.flatMap((part) => part.origins));
  const views = parts.flatMap(({ view }, index) => view === undefined ? [] : [`${view}${index}`]);
  const whole: FigureParts = {
    title,
    caption,
    phrases: common.includes(parts[0]!.phrases[0]!) ? common : [capitalised(origins.join(" and ")), ...common],
    origins,
    width,
    legendFor: () => ({ legend: null, room: 0 }),
    draw: () => {
      throw cannotDraw(title, "panels must be charts, not panels of their own", title);
    },
  };
  const scale = shared === null ? "independent" : "shared";
  return composeFigure(whole, {
    left: drawings[0]!.left,
    body: {
      concat: drawings.map(({ body }) => body),
      columns,
      spacing: GUTTER,
      resolve: { scale: { color: scale, shape: scale } },
    },
    params: views.length === 0 ? [] : [legendPicker(views)],
  });
}

/** Options for {@linkcode panels}; title and caption are those of the whole figure. */
export interface PanelsOptions extends Pick<FigureOptions, "title" | "caption" | "width"> {
  /** Number of panels side by side; 2 by default. */
  readonly columns?: number;
}

function sharedLegend(parts: readonly FigureParts[], width: number): LegendPlace | null {
  const keys = distinctOf(parts.map(({ legendKey }) => legendKey));
  return keys.length === 1 && keys[0] !== undefined ? parts[0]!.legendFor(width) : null;
}

interface PanelOptions {
  readonly index: number;
  readonly width: number;
  readonly shared: LegendPlace | null;
  /** The phrases of all panels, shown above them. */
  readonly common: readonly string[];
}

function panel(part: FigureParts, { index, width, shared, common }: PanelOptions): Drawing {
  const legend = shared === null ? part.legendFor(width) : { legend: shared.legend, room: 0 };
  const { body, left } = part.draw({ width, ...legend });
  const lines = (text: string, weight: Weight): string[] =>
    wrapText(plainText(text, 1000), { width: width - left, size: NOTE_SIZE, weight });
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
  return { left, body: { title, ...named(body, index) } };
}

/** Makes the names of layers that a legend picks from distinct in each panel. */
function named(body: Spec, index: number): Spec {
  const layers = body["layer"] as readonly Spec[];
  return {
    ...body,
    layer: layers.map((layer) => layer["name"] === undefined ? layer : { ...layer, name: `${layer["name"]}${index}` }),
  };
}
