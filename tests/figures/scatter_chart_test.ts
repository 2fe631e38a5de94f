import { deepEqual, match, ok, throws } from "node:assert/strict";
import { keptIn, smallScatter } from "./_figures.ts";
import { byLines, markLabels, writtenTexts } from "./_read_svg.ts";
import { scatterChart, type ScatterOptions } from "@/lib/figures/mod.ts";

interface Row {
  readonly x: number | null;
  readonly y: number | null;
  readonly name: string;
}

const OPTIONS: ScatterOptions<Row> = {
  title: "A finding",
  caption: "How to read it.",
  n: 1,
  origin: "published",
  x: "x",
  y: "y",
  label: "name",
  xTitle: "Printed (%)",
  yTitle: "Computed (%)",
};

Deno.test("scatterChart() draws this picture", async (t) => {
  await t.assertSnapshot(byLines(await smallScatter().svg()), keptIn("scatter_chart_test.ts.snap"));
});

Deno.test("scatterChart() marks each row that has both numbers, and counts the others", async () => {
  const rows = [{ x: 1, y: 2, name: "vt" }, { x: 1, y: 2, name: "cwe" }, { x: null, y: 3, name: "fwe" }];
  const figure = scatterChart(rows, OPTIONS);
  const svg = await figure.svg();
  deepEqual(markLabels(svg).filter((label) => /^\w+: /.test(label)), ["vt: 1, 2", "cwe: 1, 2"]);
  match(figure.note, /1 without a value not shown/);
  for (const text of ["vt", "cwe", "Printed (%)", "Computed (%)"]) ok(writtenTexts(svg).includes(text), text);
});

Deno.test("scatterChart() draws where x equals y, and says what that means", () => {
  const rows = [{ x: 10, y: 20, name: "a" }, { x: 30, y: 25, name: "b" }];
  const figure = scatterChart(rows, { ...OPTIONS, diagonal: "as printed" });
  match(figure.note, /dotted: as printed/);
  // The axes have 20 to 25 in common.
  match(JSON.stringify(figure.spec), /\{"x":20,"y":20\},\{"x":25,"y":25\}/);
});

Deno.test("scatterChart() refuses what it cannot show", () => {
  throws(() => scatterChart([], OPTIONS), { message: /rows must hold at least one/ });
  throws(() => scatterChart([{ x: null, y: 1, name: "a" }], OPTIONS), {
    message: /x and y must be numbers in one row or more: current value is null/,
  });
  throws(() => scatterChart([{ x: 0, y: 1, name: "a" }], { ...OPTIONS, xSpacing: "log" }), {
    message: /x must be above 0 on a logarithmic axis: current value is 0/,
  });
  throws(() => scatterChart([{ x: 1, y: 2, name: "a" }], { ...OPTIONS, yDomain: [0, 1] }), {
    message: /y must be in the domain \[0, 1\] of its axis: current value is 2/,
  });
});
