import { equal, match, ok, throws } from "node:assert/strict";
import { keptIn, smallBars } from "./_figures.ts";
import { byLines, markLabels, writtenTexts } from "./_read_svg.ts";
import { barChart, type BarOptions } from "@/lib/figures/mod.ts";

interface Row {
  readonly c: string;
  readonly s: string;
  readonly v: number | null;
  readonly low?: number;
  readonly high?: number;
}

const OPTIONS: BarOptions<Row> = {
  title: "A finding",
  caption: "How to read it.",
  n: 10,
  origin: "measured",
  category: "c",
  value: "v",
  series: "s",
  categoryTitle: "Task",
  valueTitle: "Score (%)",
};
const INTERVAL = { low: "low", high: "high", interval: "95% interval" } as const;
const ROWS: Row[] = [
  { c: "vt", s: "4K", v: 90, low: 85, high: 94 },
  { c: "vt", s: "8K", v: 0, low: 0, high: 2 },
  { c: "cwe", s: "4K", v: null },
];

Deno.test("barChart() draws this picture", async (t) => {
  await t.assertSnapshot(byLines(await smallBars().svg()), keptIn("bar_chart_test.ts.snap"));
});

Deno.test("barChart() has a bar for each value, and n/a where there is none or no row", async () => {
  for (const horizontal of [false, true]) {
    const svg = await barChart(ROWS, { ...OPTIONS, horizontal }).svg();
    const labels = markLabels(svg);
    for (const label of ["vt, 4K: 90", "vt, 8K: 0"]) ok(labels.includes(label), label);
    equal(writtenTexts(svg).filter((text) => text === "n/a").length, 2);
  }
});

Deno.test("barChart() draws intervals as thin lines, and says what they are", async () => {
  const figure = barChart(ROWS, { ...OPTIONS, ...INTERVAL });
  match(figure.note, /thin lines: 95% interval/);
  ok(markLabels(await figure.svg()).includes("vt, 4K: 90 (85 to 94)"));
});

Deno.test("barChart() stacks parts in the order of their rows", async () => {
  const rows: Row[] = [{ c: "a", s: "right", v: 80 }, { c: "a", s: "wrong", v: 15 }, { c: "a", s: "empty", v: 5 }];
  const svg = await barChart(rows, { ...OPTIONS, stacked: true, horizontal: true, valueDomain: [0, 100] }).svg();
  const starts = ["right: 80", "wrong: 15", "empty: 5"].map((label) => {
    const [, d] = new RegExp(` d="M([\\d.]+),[^>]*><title>a, ${label}<`).exec(svg)!;
    return Number(d);
  });
  equal(starts[0], 0);
  // 80 parts of a hundred lie between the first two starts, 15 between the next two.
  ok(Math.abs((starts[1]! - starts[0]!) / (starts[2]! - starts[1]!) - 80 / 15) < 0.01);
});

Deno.test.each(
  [
    ["no rows", [], {}, /rows must hold at least one/],
    ["nothing but gaps", [{ c: "a", s: "b", v: null }], {}, /v must be a number in one row or more/],
    ["two rows for one bar", [ROWS[0], ROWS[0]], {}, /each bar must have one row: .* "two rows for vt 4K"/],
    ["a stack with a part missing", [ROWS[2]], { stacked: true }, /v must be a number in every row: .* null/],
    [
      "a stack with a negative part",
      [{ ...ROWS[0], v: -1 }],
      { stacked: true },
      /v must be at least 0 in stacked bars/,
    ],
    ["a stack with intervals", [ROWS[0]], { stacked: true, ...INTERVAL }, /low and high must be left out of stacked/],
    ["a bar that is cut", [ROWS[0]], { valueDomain: [0, 50] }, /v must be in the domain \[0, 50\] of its axis: .* 90/],
    ["intervals without a name", ROWS, { low: "low", high: "high" }, /interval must describe low and high/],
  ] as [string, Row[], Partial<BarOptions<Row>>, RegExp][],
)("barChart() refuses %s", (_name, rows, more, message) => {
  throws(() => barChart(rows, { ...OPTIONS, ...more }), { message });
});
