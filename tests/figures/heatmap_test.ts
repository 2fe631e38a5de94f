import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { keptIn, smallHeatmap } from "./_figures.ts";
import { byLines, markLabels, withOwnAttributes, writtenTexts } from "./_read_svg.ts";
import { type Category, heatmap, type HeatmapOptions, lengthLabel } from "@/lib/figures/mod.ts";

interface Row {
  readonly x: Category;
  readonly y: Category;
  readonly v: number | null;
  readonly reply?: string;
}

const OPTIONS: HeatmapOptions<Row> = {
  title: "A finding",
  caption: "How to read it.",
  n: 1,
  origin: "measured",
  x: "x",
  y: "y",
  value: "v",
  xTitle: "Context length (tokens)",
  yTitle: "Depth (%)",
  valueTitle: "Score (1 to 10)",
};
const ONE: Row = { x: 1, y: 1, v: 1 };
const GREY = /fill="#dcdcdc"/g;

Deno.test("heatmap() draws this picture", async (t) => {
  await t.assertSnapshot(byLines(await smallHeatmap().svg()), keptIn("heatmap_test.ts.snap"));
});

Deno.test("heatmap() has a cell for each pair, grey where there is no row or no value, and says so", async () => {
  const rows: Row[] = [{ x: 1024, y: 0, v: 10 }, { x: 2048, y: 50, v: null }, { x: 2048, y: 100, v: 0 }];
  const figure = heatmap(rows, { ...OPTIONS, xLabel: (x) => lengthLabel(Number(x)) });
  const svg = await figure.svg();
  equal([...withOwnAttributes(svg).matchAll(GREY)].length, 4);
  equal(markLabels(svg).filter((label) => label.endsWith(": no value")).length, 4);
  deepEqual(markLabels(svg).filter((label) => /^\dK, \d+: \d+$/.test(label)), [
    "1K, 0: 10",
    "2K, 100: 0",
  ]);
  match(figure.note, /grey: no value/);
});

Deno.test("heatmap() draws the mean of each column over its known values", async () => {
  const rows: Row[] = [{ x: 1, y: 0, v: 10 }, { x: 1, y: 1, v: 5 }, { x: 2, y: 0, v: 4 }, { x: 2, y: 1, v: null }];
  const figure = heatmap(rows, { ...OPTIONS, columnMeans: true, domain: [0, 10] });
  deepEqual(markLabels(await figure.svg()).filter((label) => label.startsWith("mean ")), ["mean 7.50", "mean 4"]);
  match(figure.note, /white line: column means \(bottom 0, top 10\)/);
});

Deno.test("heatmap() writes values on cells, light on dark", async () => {
  const rows: Row[] = [{ x: 1, y: 1, v: 0 }, { x: 2, y: 1, v: 1 }];
  const svg = await heatmap(rows, { ...OPTIONS, showValues: true }).svg();
  match(svg, /fill="#ffffff">0</);
  match(svg, /fill="#1a1a1a">1</);
});

Deno.test("heatmap() turns labels that do not fit, or by the angle given", async () => {
  const rows: Row[] = Array.from({ length: 12 }, (_, index) => ({ x: `a rather long name ${index}`, y: 1, v: index }));
  match(await heatmap(rows, OPTIONS).svg(), /rotate\(315\)[^>]*>a rather long name 0</);
  match(await heatmap(rows, { ...OPTIONS, xLabelAngle: 90 }).svg(), /rotate\(90\)[^>]*>a rather long name 0</);
  ok(writtenTexts(await heatmap(rows, OPTIONS).svg()).includes("Depth (%)"));
});

Deno.test.each([
  ["with K where all can be", [1024, 131072], ["1K", "128K"]],
  ["in full where one must be", [10071, 128000], ["10,071", "128,000"]],
] as [string, number[], string[]][])(
  "heatmap() writes columns that are context lengths %s",
  async (_name, lengths, texts) => {
    const rows: Row[] = lengths.map((x) => ({ x, y: 1, v: 1 }));
    const written = writtenTexts(await heatmap(rows, { ...OPTIONS, xAre: "lengths" }).svg());
    deepEqual(texts.filter((text) => !written.includes(text)), []);
  },
);

Deno.test("heatmap() writes every second turned label, or fewer, where more would lie over each other", async () => {
  const rows: Row[] = Array.from({ length: 80 }, (_, x) => ({ x: `column ${x}`, y: 1, v: 1 }));
  const written = writtenTexts(await heatmap(rows, { ...OPTIONS, width: 400 }).svg()).filter((text) =>
    text.startsWith("column")
  );
  ok(written.length >= 10 && written.length <= 40, String(written.length));
  deepEqual(written.slice(0, 2).map((text) => Number(text.slice(7)) > 1), [false, true]);
});

Deno.test.each(
  [
    ["no rows", [], {}, /rows must hold at least one/],
    ["nothing but gaps", [{ ...ONE, v: null }], {}, /v must be a number in one row or more/],
    ["two rows for one cell", [ONE, ONE], {}, /each cell must have one row: current value is "two rows at 1, 1"/],
    [
      "a value outside the colours",
      [{ ...ONE, v: 11 }],
      { domain: [1, 10] },
      /v must be in the domain \[1, 10\]: .*11/,
    ],
    ["an order that leaves one out", [ONE], { xOrder: [2] }, /xOrder must hold every value of its axis: .*"no 1"/],
    ["a value as text", [{ ...ONE, v: "1" }], {}, /v must be a finite number or null: current value is "1"/],
  ] as [string, unknown[], Partial<HeatmapOptions<Row>>, RegExp][],
)("heatmap() refuses %s", (_name, rows, more, message) => {
  throws(() => heatmap(rows as Row[], { ...OPTIONS, ...more }), { message });
});
