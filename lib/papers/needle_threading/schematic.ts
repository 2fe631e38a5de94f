import { THREADING, type ThreadingKind } from "@/lib/benchmarks/needle_threading/mod.ts";
import type { GivenKnobs, Materials } from "@/lib/generators/mod.ts";
import {
  type Drawing,
  type Figure,
  type FigureFrame,
  makeFigure,
  panels,
  type PanelsOptions,
} from "@/lib/figures/mod.ts";

/** What a key or a value is in a schematic, in the order of the legend, each with its colour. */
const ROLES: Readonly<Record<SchemeRole, string>> = {
  "asked for": "#f2b84b",
  "right answer": "#5ab489",
  "on the way": "#7fb2e5",
  "dead end": "#e6a5a0",
  "other": "#e9e9e9",
};

/** What a key or a value is. */
export type SchemeRole = "asked for" | "right answer" | "on the way" | "dead end" | "other";

/** The tasks of the paper's Figure 2, each small enough to see whole. */
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

/** A key or a value. */
export interface SchemeCell {
  /** The number of its pair, from 0. */
  readonly row: number;
  /** 0 for a key, 1 for a value. */
  readonly column: 0 | 1;
  /** Its first four characters. */
  readonly text: string;
  /** What it is. */
  readonly role: SchemeRole;
}

/** A value that is the key of another pair. */
export interface SchemeLink {
  /** The pair of the value. */
  readonly from: number;
  /** The pair that has it as its key. */
  readonly to: number;
}

/** A small haystack with what is asked about it. */
export interface ThreadingScheme {
  /** The task. */
  readonly title: string;
  /** Its keys and values. */
  readonly cells: readonly SchemeCell[];
  /** What leads from pair to pair. */
  readonly links: readonly SchemeLink[];
}

/**
 * Makes the small haystacks of {@linkcode threadingSchematic}: real samples of the six tasks, 12 pairs each, every key and value
 * with its role, and what leads from pair to pair.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openMaterials } from "@/lib/studies/mod.ts";
 *
 * const [single] = threadingSchemes({ materials: await openMaterials() });
 * equal(single!.cells.filter(({ role }) => role === "right answer").length, 1);
 * ```
 */
export function threadingSchemes(
  { materials, seed = "schematic" }: { readonly materials: Materials; readonly seed?: string },
): ThreadingScheme[] {
  return DRAWN.map(([title, kind, knobs]) => {
    const task = THREADING.task(`threading_${kind}`, { ...knobs, pairs: PAIRS });
    const { prompt, references, paths = [] } = task.sample({ length: 4000, seed, index: 0, materials });
    const end = prompt.user.indexOf("}\n");
    const pairs = [...prompt.user.slice(0, end).matchAll(/"([^"]+)": "([^"]+)"/g)];
    const question = prompt.user.slice(end);
    const path = new Set(paths.flat());
    const keys = new Set(pairs.map(([, key]) => key));
    const isAsked = (key: string): boolean => question.includes(key) || /[^0-9a-f-]/.test(key);
    const cells = pairs.flatMap(([, key = "", value = ""], row): SchemeCell[] => {
      const isBranch = keys.size < pairs.length && path.has(key) && !path.has(value);
      const keyRole: SchemeRole = isAsked(key)
        ? "asked for"
        : isBranch
        ? "dead end"
        : path.has(key)
        ? "on the way"
        : "other";
      const isAnswer = references.includes(value);
      const valueRole: SchemeRole = isAnswer
        ? "right answer"
        : isBranch
        ? "dead end"
        : path.has(value)
        ? "on the way"
        : "other";
      return [
        { row, column: 0, text: shorten(key), role: keyRole },
        { row, column: 1, text: shorten(value), role: valueRole },
      ];
    });
    const links = pairs.flatMap(([, , value], from) =>
      pairs.flatMap(([, key], to): SchemeLink[] => key === value ? [{ from, to }] : [])
    );
    return { title, cells, links };
  });
}

/** The start of a UUID; of a marked one the stretch around its mark. */
function shorten(uuid: string): string {
  const at = uuid.search(/[^0-9a-f-]/);
  if (at < 0) return `${uuid.slice(0, 4)}…`;
  const start = Math.max(0, Math.min(at - 1, uuid.length - 4));
  return `${start > 0 ? "…" : ""}${uuid.slice(start, start + 4)}…`;
}

/**
 * Draws what the tasks of Needle Threading ask, as the paper's Figure 2 does: small haystacks, keys on the left and values on the
 * right, in colour what is asked for, what is on the way and what is right.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openMaterials } from "@/lib/studies/mod.ts";
 *
 * const figure = threadingSchematic({ materials: await openMaterials() });
 * match(await figure.svg(), /Branched threading/);
 * ```
 */
export function threadingSchematic(
  { materials, seed, ...options }: Partial<Omit<PanelsOptions, "caption">> & {
    readonly materials: Materials;
    readonly seed?: string;
  },
): Figure {
  const schemes = threadingSchemes({ materials, ...(seed === undefined ? {} : { seed }) });
  const figures = schemes.map((scheme) =>
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

/** How far to the right an arrow swings, by the pairs that it passes. */
const SWING = 0.07;

function drawScheme({ cells, links }: ThreadingScheme, frame: FigureFrame): Drawing {
  const rows = 1 + Math.max(...cells.map(({ row }) => row));
  const x = { type: "quantitative", scale: { domain: [0, 3], nice: false }, axis: null };
  const y = { type: "quantitative", scale: { domain: [0, rows], nice: false, reverse: true }, axis: null };
  const boxes = cells.map(({ row, column, ...rest }) => ({
    ...rest,
    ...{ left: column + 0.02, right: column + 0.98, top: row + 0.08, bottom: row + 0.92 },
    ...{ middle: column + 0.5, centre: row + 0.5 },
  }));
  const arrows = links.flatMap(({ from, to }, link) => {
    const out = 2.1 + Math.min(0.85, SWING * (1 + Math.abs(to - from)) + 0.04 * (link % 3));
    return [[2.02, from + 0.6], [out, from + 0.6], [out, to + 0.4], [2.06, to + 0.4]].map(([across, down], step) => ({
      ...{ link, across, down, step },
    }));
  });
  const heads = links.map(({ to }) => ({ across: 2.08, down: to + 0.4 }));
  const tooltip = [{ field: "role", type: "nominal", title: "What it is" }];
  const layer = [
    {
      data: { values: boxes },
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        x: { field: "left", ...x },
        x2: { field: "right" },
        y: { field: "top", ...y },
        y2: { field: "bottom" },
        color: {
          field: "role",
          type: "nominal",
          scale: { domain: Object.keys(ROLES), range: Object.values(ROLES) },
          legend: null,
        },
        tooltip,
      },
    },
    {
      data: { values: boxes },
      mark: { type: "text", fontSize: 10, color: "#222222" },
      encoding: {
        x: { field: "middle", ...x },
        y: { field: "centre", ...y },
        text: { field: "text", type: "nominal" },
        tooltip,
      },
    },
    ...(links.length === 0 ? [] : [
      {
        data: { values: arrows },
        mark: { type: "line", interpolate: "linear", color: "#4a6fa5", strokeWidth: 1.2 },
        encoding: {
          x: { field: "across", ...x },
          y: { field: "down", ...y },
          detail: { field: "link", type: "nominal" },
          order: { field: "step", type: "quantitative" },
        },
      },
      {
        data: { values: heads },
        mark: { type: "point", shape: "triangle-left", filled: true, size: 34, opacity: 1, color: "#4a6fa5" },
        encoding: { x: { field: "across", ...x }, y: { field: "down", ...y } },
      },
    ]),
  ];
  return { left: 0, body: { width: Math.round(frame.width) - 16, height: rows * ROW, view: { stroke: null }, layer } };
}
