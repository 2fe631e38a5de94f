import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { keptIn, smallLines } from "./_figures.ts";
import { byLines, markLabels, writtenTexts } from "./_read_svg.ts";
import { DISTINCT, REST } from "@/lib/figures/colours.ts";
import { endLabelRoom, spread } from "@/lib/figures/line_labels.ts";
import { type Figure, lineChart, type LineOptions } from "@/lib/figures/mod.ts";

interface Row {
  readonly s: string;
  readonly x: number;
  readonly y: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
}

const OPTIONS: LineOptions<Row> = {
  title: "A finding",
  caption: "How to read it.",
  n: 25,
  origin: "measured",
  x: "x",
  y: "y",
  series: "s",
  xTitle: "Context length (tokens)",
  yTitle: "Score (%)",
};
const INTERVAL = { low: "low", high: "high", interval: "95%" } as const;
const ONE: Row = { s: "A", x: 1, y: 1 };

/** The pixels to the right of the origin of each marked point, by series and x. */
async function placesOf(rows: readonly Row[], options: Partial<LineOptions<Row>> = {}): Promise<Map<string, number>> {
  const svg = await lineChart(rows, { ...OPTIONS, ...INTERVAL, xLabel: String, ...options }).svg();
  const points = svg.matchAll(/<path transform="translate\(([\d.]+),[\d.]+\)"[^>]*><title>(\w+, [\d.]+):/g);
  return new Map([...points].map(([, across, name]) => [name!, Number(across)]));
}

const ranged = (s: string, x: number): Row => ({ s, x, y: 50, low: 40, high: 60 });

Deno.test("lineChart() draws the bars of several series beside each other", async () => {
  const places = await placesOf([ranged("a", 4096), ranged("b", 4096)]);
  equal(places.get("b, 4096")! - places.get("a, 4096")!, 9);
});

Deno.test("lineChart() never draws a point beside another value of x than its own", async () => {
  const spacing = fc.constantFrom("lengths", "log", "linear", "steps");
  const lengths = fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(lengths, spacing, fc.integer({ min: 2, max: 4 }), async (xs, xSpacing, count) => {
      const names = [..."abcd"].slice(0, count);
      const places = await placesOf(names.flatMap((s) => xs.map((x) => ranged(s, x))), { xSpacing });
      const ends = xs.toSorted((one, other) => one - other).map((x) => names.map((s) => places.get(`${s}, ${x}`)!));
      for (const [at, here] of ends.slice(1).entries()) ok(Math.max(...ends[at]!) <= Math.min(...here) + 0.02);
    }),
    { numRuns: 30 },
  );
});

Deno.test("lineChart() draws this picture", async (t) => {
  await t.assertSnapshot(byLines(await smallLines().svg()), keptIn("line_chart_test.ts.snap"));
});

Deno.test("lineChart() marks every value, 0 included, and nothing else", async () => {
  const series = fc.constantFrom("A", "B", "C");
  const y = fc.option(fc.integer({ min: 0, max: 100 }), { freq: 4 });
  const rows = fc.uniqueArray(fc.record({ s: series, x: fc.integer({ min: 1, max: 500 }), y }), {
    minLength: 1,
    maxLength: 20,
    selector: (row) => `${row.s} ${row.x}`,
  }).filter((drawn) => drawn.some((row) => row.y !== null));
  await fc.assert(
    fc.asyncProperty(rows, async (drawn) => {
      const svg = await lineChart(drawn, OPTIONS).svg();
      const wanted = drawn.filter((row) => row.y !== null).map((row) => `${row.s}, ${row.x}: ${row.y}`);
      deepEqual(markLabels(svg).filter((label) => /^[ABC], /.test(label)).sort(), wanted.sort());
    }),
    { numRuns: 20 },
  );
});

Deno.test("lineChart() cuts an interval at the ends of the axis, never a value", () => {
  const rows = [{ s: "A", x: 1, y: 50, low: -5, high: 130 }];
  const options: LineOptions<Row> = { ...OPTIONS, ...INTERVAL, yDomain: [0, 100] };
  match(JSON.stringify(lineChart(rows, options).spec), /"low":0,"high":100/);
  throws(
    () => lineChart([{ s: "A", x: 1, y: 101 }], options),
    /must be in the domain \[0, 100\] of its axis: current value is 101/,
  );
});

Deno.test("lineChart() dashes the stretch that leads to a row, and explains it", async () => {
  const rows: Row[] = [{ s: "A", x: 1, y: 1 }, { s: "A", x: 2, y: 2 }, { s: "A", x: 4, y: 3 }];
  const figure = lineChart(rows, {
    ...OPTIONS,
    dashed: { when: ({ x }) => x === 4, means: "beyond the trained length" },
  });
  match(figure.note, /dashed: beyond the trained length/);
  const paths = [...(await figure.svg()).matchAll(/<path[^>]* d="M[^"]*L[^"]*"[^>]*stroke-dasharray="6,4"/g)];
  equal(paths.length, 1);
});

Deno.test.each(
  [
    ["no rows", [], {}, /rows must hold at least one: current value is 0/],
    ["nothing but gaps", [{ ...ONE, y: null }], {}, /y must be a number in one row or more: current value is null/],
    ["two values for one point", [ONE, { ...ONE, y: 2 }], {}, /two rows of A at 1/],
    ["a score as text", [{ ...ONE, y: "96.6" }], {}, /y must be a finite number or null: current value is "96.6"/],
    ["not a number", [{ ...ONE, y: NaN }], {}, /y must be a finite number or null: current value is NaN/],
    ["no x", [{ ...ONE, x: null }], {}, /x must be a number in every row: current value is null/],
    ["a length of 0", [{ ...ONE, x: 0 }], {}, /x must be above 0 on a logarithmic axis: current value is 0/],
    ["a 0 on a logarithmic axis", [{ ...ONE, y: 0 }], { ySpacing: "log" }, /y must be above 0 on a logarithmic axis/],
    ["an interval without a name", [ONE], { low: "low", high: "high" }, /interval must describe low and high/],
    ["an interval the wrong way round", [{ ...ONE, low: 3, high: 2 }], INTERVAL, /low must be at most high \(2\)/],
    ["no title", [ONE], { title: " " }, /title must not be empty/],
    ["no caption", [ONE], { caption: "" }, /caption must not be empty/],
    ["a width of nothing", [ONE], { width: 0 }, /width must be in \[200, 2000\]: current value is 0/],
  ] as [string, unknown[], Partial<LineOptions<Row>>, RegExp][],
)("lineChart() refuses %s", (_name, rows, more, message) => {
  throws(() => lineChart(rows as Row[], { ...OPTIONS, ...more }), (error: Error) => {
    match(error.message, /^Cannot draw /);
    match(error.message, message);
    return true;
  });
});

/** The pairs of neighbours that lines join, solid (s) and dashed (d), of points drawn as solid, dashed, or missing (.). */
function joinedPairs(pattern: string): string[] {
  const rows = [...pattern].map((mark, at) => ({ s: "A", x: at + 1, y: mark === "." ? null : at, mark }));
  const options = { ...OPTIONS, dashed: { when: ({ mark }: typeof rows[number]) => mark === "d", means: "d" } };
  const [view] = lineChart(rows, options as LineOptions<typeof rows[number]>).spec["vconcat"] as [{ layer: Layer[] }];
  return view.layer.filter(({ mark }) => mark.type === "line").flatMap(({ mark, data: { values } }) =>
    values.slice(1).flatMap(({ x, run }, at) =>
      run !== undefined && run === values[at]!.run
        ? [`${mark.strokeDash === undefined ? "s" : "d"}${values[at]!.x}-${x}`]
        : []
    )
  );
}

interface Layer {
  readonly mark: {
    readonly type: string;
    readonly strokeDash?: unknown;
    readonly align?: string;
    readonly baseline?: string;
  };
  readonly data: { readonly values: readonly { readonly x: number; readonly run?: number }[] };
}

Deno.test.each([
  ["one line", "ssss", ["s1-2", "s2-3", "s3-4"]],
  ["a gap", "ss.ss", ["s1-2", "s4-5"]],
  ["a dashed end that starts where the solid line ends", "sssdd", ["s1-2", "s2-3", "d3-4", "d4-5"]],
  ["a point alone", ".s.", []],
  ["a dashed stretch after a gap", "s.dd", ["d3-4"]],
  ["a first point whose line goes on dashed", "sdd", ["d1-2", "d2-3"]],
])("lineChart() joins %s", (_name, pattern, pairs) => {
  deepEqual(joinedPairs(pattern), pairs);
});

/** Where the label of a threshold stands, on an axis from 0 to 100. */
function labelPlace(y: number, ys: readonly number[]): string {
  const rows = ys.map((value, at): Row => ({ s: "A", x: at, y: value }));
  const options: LineOptions<Row> = { ...OPTIONS, xSpacing: "linear", yDomain: [0, 100] };
  const { spec } = lineChart(rows, { ...options, thresholds: [{ y, label: "to reach" }] });
  const [view] = spec["vconcat"] as [{ layer: Layer[] }];
  const { align, baseline } = view.layer.find(({ mark }) => mark.type === "text")!.mark;
  return `${align}, ${baseline === "bottom" ? "over" : "under"}`;
}

Deno.test.each([
  ["left under its line where nothing is in the way", 50, [90, 90], "left, under"],
  ["clear of a line that falls through the threshold", 50, [52, 47, 38, 29, 20, 10], "right, over"],
  ["over a line at the lower end of the chart", 1, [2, 2], "right, over"],
  ["under a line at the upper end of the chart", 99, [10, 10], "left, under"],
] as [string, number, number[], string][])("lineChart() writes a threshold's label %s", (_name, y, ys, place) => {
  equal(labelPlace(y, ys), place);
});

Deno.test("spread() keeps order, room and ends", () => {
  const places = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(fc.property(places, (list) => {
    const moved = spread(list.toSorted((left, right) => left - right), [7, 293]);
    equal(moved.length, list.length);
    ok(
      moved.every((place, at) =>
        place >= 7 - 1e-9 && place <= 293 + 1e-9 && (at === 0 || place - moved[at - 1]! >= 14 - 1e-9)
      ),
    );
  }));
});

const names = Array.from({ length: 10 }, (_, at) => `model ${at}`);

function tenLines(series: readonly string[]): Figure {
  const rows = series.flatMap((model, at) => [1, 2, 3].map((x) => ({ model, x, y: 50 + at * x })));
  return lineChart(rows, {
    ...{ title: "Lines", caption: "Each is a model.", n: 25, origin: "simulated" } as const,
    ...{ x: "x", y: "y", series: "model", seriesTitle: "Model", xTitle: "x", yTitle: "y", xSpacing: "linear" } as const,
  });
}

Deno.test("lines have their names at their ends, and the ninth and later ones are grey", async () => {
  const svg = await tenLines(names).svg();
  const written = writtenTexts(svg);
  ok(names.every((name) => written.filter((text) => text.startsWith(name)).length === 1), written.join());
  equal(written.includes("Model"), false);
  const colours = [...svg.matchAll(/mark-line[^>]*stroke="(#[0-9a-f]{6})" stroke-width="2"/g)].map(([, colour]) =>
    colour
  );
  deepEqual(colours, [...DISTINCT, REST, REST]);
});

Deno.test("names that are too many or too long for the chart's side stay in a legend", () => {
  equal(endLabelRoom(names, { width: 700, height: 100 }), null);
  equal(endLabelRoom(names.map((name) => name.repeat(8)), { width: 700, height: 300 }), null);
});

Deno.test("lineChart() writes no threshold's label over another threshold", () => {
  const rows = [0, 1].map((x): Row => ({ s: "A", x, y: 90 }));
  const thresholds = [31.6, 28.8].map((y) => ({ y, label: String(y) }));
  const { spec } = lineChart(rows, { ...OPTIONS, xSpacing: "linear", yDomain: [0, 100], thresholds });
  const [view] = spec["vconcat"] as [{ layer: Layer[] }];
  const labels = view.layer.filter(({ mark }) => mark.type === "text").map(({ mark }) => mark.baseline);
  // Each has a rim behind it.
  deepEqual(labels, ["bottom", "bottom", "top", "top"]);
});
