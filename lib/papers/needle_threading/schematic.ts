import { THREADING, type ThreadingKind } from "@/lib/benchmarks/needle_threading/mod.ts";
import { type GivenKnobs, type Materials, userText } from "@/lib/generators/mod.ts";
import {
  type Drawing,
  type Figure,
  type FigureFrame,
  makeFigure,
  panels,
  type PanelsOptions,
} from "@/lib/figures/mod.ts";

/** The role of a key or a value in a schematic, with its colour. */
const ROLES = {
  "asked for": "#f2b84b",
  "right answer": "#5ab489",
  "on the way": "#7fb2e5",
  "dead end": "#e6a5a0",
  "other": "#e9e9e9",
} as const;

/** The tasks of the paper's Figure 2, small enough to show whole. */
const DRAWN: readonly (readonly [title: string, kind: ThreadingKind, knobs: GivenKnobs<typeof THREADING.knobs>])[] = [
  ["Single needle", "single_needle", { depth: 0.4 }],
  ["Multiple needles", "multi_needle", { needles: 3 }],
  ["Conditional needles", "conditional_needle", { needles: 3 }],
  ["Threading", "single_thread", { steps: 4, direction: "forward" }],
  ["Multi-threading", "multi_thread", { threads: 2, steps: 3 }],
  ["Branched threading", "branched_thread", { steps: 4, branching: 2 }],
];

/** Pairs in each small haystack. */
const PAIRS = 12;

/** The small haystack of one task. */
export interface ThreadingScheme {
  readonly title: string;
  /** Its keys (column 0) and values (column 1) by pair (row), cut to four characters. */
  readonly cells: readonly {
    readonly row: number;
    readonly column: 0 | 1;
    readonly text: string;
    readonly role: keyof typeof ROLES;
  }[];
  /** Pairs whose value is the key of another pair. */
  readonly links: readonly { readonly from: number; readonly to: number }[];
}

/** Generates one sample of each of the six tasks, and assigns each key and value its role. */
export function threadingSchemes(materials: Materials, seed = "schematic"): ThreadingScheme[] {
  return DRAWN.map(([title, kind, knobs]) => {
    const task = THREADING.task(`threading_${kind}`, { ...knobs, pairs: PAIRS });
    const { prompt, references, paths = [] } = task.sample({ length: 4000, seed, index: 0, materials });
    const text = userText(prompt);
    const end = text.indexOf("}\n");
    const pairs = Array.from(
      text.slice(0, end).matchAll(/"([^"]+)": "([^"]+)"/g),
      ([, key, value]) => ({ key: key!, value: value! }),
    );
    const question = text.slice(end);
    const path = new Set(paths.flat());
    const hasBranches = new Set(pairs.map(({ key }) => key)).size < pairs.length;
    const isAsked = (key: string): boolean => question.includes(key) || /[^0-9a-f-]/.test(key);
    const cells = pairs.flatMap(({ key, value }, row) => {
      const isBranch = hasBranches && path.has(key) && !path.has(value);
      const roleOf = (text: string) => isBranch ? "dead end" : path.has(text) ? "on the way" : "other";
      return [
        { row, column: 0, text: shorten(key), role: isAsked(key) ? "asked for" : roleOf(key) },
        { row, column: 1, text: shorten(value), role: references.includes(value) ? "right answer" : roleOf(value) },
      ] as const;
    });
    const links = pairs.flatMap(({ value }, from) =>
      pairs.flatMap(({ key }, to) => key === value ? [{ from, to }] : [])
    );
    return { title, cells, links };
  });
}

/** Returns the first four characters of a UUID, or those around the mark of a marked one. */
function shorten(uuid: string): string {
  const at = uuid.search(/[^0-9a-f-]/);
  if (at < 0) return `${uuid.slice(0, 4)}…`;
  const start = Math.max(0, Math.min(at - 1, uuid.length - 4));
  return `${start > 0 ? "…" : ""}${uuid.slice(start, start + 4)}…`;
}

/**
 * Draws the tasks of Needle Threading as the paper's Figure 2 does: small haystacks with keys on the left and values on the right,
 * coloured by role.
 */
export function threadingSchematic(
  { materials, seed, ...options }:
    & { readonly materials: Materials; readonly seed?: string }
    & Partial<
      Omit<PanelsOptions, "caption">
    >,
): Figure {
  const figures = threadingSchemes(materials, seed).map((scheme) =>
    makeFigure({ title: scheme.title, caption: "", origin: "published", n: "a drawing, nothing measured" }, {
      legendFor: () => ({ legend: null, room: 0 }),
      draw: (frame) => drawScheme(scheme, frame),
    })
  );
  return panels(figures, {
    title: "What the tasks of Needle Threading ask (after its Figure 2)",
    columns: 3,
    ...options,
    caption:
      "Each panel is a small haystack of 12 pairs, made by the task itself: keys left, values right, cut to four characters. Amber is " +
      "asked for, green is the right answer, blue leads there, red leads nowhere; an arrow goes from a value to the pair that has it as its key.",
  });
}

/** Height of a pair, in pixels. */
const ROW = 17;

/** How far an arrow swings to the right for each pair that it passes. */
const SWING = 0.07;

function drawScheme({ cells, links }: ThreadingScheme, frame: FigureFrame): Drawing {
  const rows = 1 + Math.max(...cells.map(({ row }) => row));
  const x = (field: string) => ({
    ...{ field, type: "quantitative", scale: { domain: [0, 3], nice: false }, axis: null },
  });
  const y = (field: string) => ({
    ...{ field, type: "quantitative", scale: { domain: [0, rows], nice: false, reverse: true }, axis: null },
  });
  const boxes = cells.map(({ row, column, ...rest }) => ({
    ...rest,
    ...{ left: column + 0.02, right: column + 0.98, top: row + 0.08, bottom: row + 0.92 },
    ...{ middle: column + 0.5, centre: row + 0.5 },
  }));
  const arrows = links.flatMap(({ from, to }, link) => {
    const out = 2.1 + Math.min(0.85, SWING * (1 + Math.abs(to - from)) + 0.04 * (link % 3));
    const bends = [[2.02, from + 0.6], [out, from + 0.6], [out, to + 0.4], [2.06, to + 0.4]];
    return bends.map(([across, down], step) => ({ link, across, down, step }));
  });
  const heads = links.map(({ to }) => ({ across: 2.08, down: to + 0.4 }));
  const tooltip = [{ field: "role", type: "nominal", title: "What it is" }];
  const scale = { domain: Object.keys(ROLES), range: Object.values(ROLES) };
  const layer = [
    {
      data: { values: boxes },
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        ...{ x: x("left"), x2: { field: "right" }, y: y("top"), y2: { field: "bottom" } },
        color: { field: "role", type: "nominal", scale, legend: null },
        tooltip,
      },
    },
    {
      data: { values: boxes },
      mark: { type: "text", fontSize: 10, color: "#1a1a1a" },
      encoding: { x: x("middle"), y: y("centre"), text: { field: "text", type: "nominal" }, tooltip },
    },
    ...(links.length === 0 ? [] : [
      {
        data: { values: arrows },
        mark: { type: "line", interpolate: "linear", color: "#4a6fa5", strokeWidth: 1.2 },
        encoding: {
          ...{ x: x("across"), y: y("down") },
          detail: { field: "link", type: "nominal" },
          order: { field: "step", type: "quantitative" },
        },
      },
      {
        data: { values: heads },
        mark: { type: "point", shape: "triangle-left", filled: true, size: 34, opacity: 1, color: "#4a6fa5" },
        encoding: { x: x("across"), y: y("down") },
      },
    ]),
  ];
  return { left: 0, body: { width: Math.round(frame.width) - 16, height: rows * ROW, view: { stroke: null }, layer } };
}
