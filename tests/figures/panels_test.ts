import { equal, match, ok, throws } from "node:assert/strict";
import { keptIn, smallPanels } from "./_figures.ts";
import { byLines, markLabels, written, writtenTexts } from "./_read_svg.ts";
import { type Figure, lineChart, panels } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

function chart(
  title: string,
  { origin = "published" as Origin, series = ["A", "B"], levels = [] as number[] } = {},
): Figure {
  const rows = series.flatMap((s, index) => [{ s, x: 1, y: index }, { s, x: 2, y: index + 1 }]);
  return lineChart(rows, {
    title,
    caption: "Not shown in panels.",
    n: 5,
    origin,
    x: "x",
    y: "y",
    series: "s",
    thresholds: levels.map((y) => ({ y, label: "level" })),
    xTitle: "Length (tokens)",
    yTitle: "Score (%)",
  });
}

const SAID = { title: "Together", caption: "Read across." };

Deno.test("panels() draws this picture", async (t) => {
  await t.assertSnapshot(byLines(await smallPanels().svg()), keptIn("panels_test.ts.snap"));
});

Deno.test("panels() keeps every panel's title and marks, and one caption", async () => {
  const svg = await panels([chart("One"), chart("Two")], SAID).svg();
  const text = written(svg);
  for (const wanted of ["Together", "One", "Two", "Read across.", "Published · n = 5 · no interval"]) {
    ok(text.includes(wanted), wanted);
  }
  ok(!text.includes("Not shown"));
  equal(markLabels(svg).filter((label) => label === "A, 1: 0").length, 2);
});

Deno.test("panels() share a legend only if it is the same for all", async () => {
  const count = async (figures: readonly Figure[]): Promise<number> =>
    writtenTexts(await panels(figures, SAID).svg()).filter((text) => text === "A").length;
  equal(await count([chart("One"), chart("Two")]), 1);
  equal(await count([chart("One"), chart("Two", { series: ["A", "C"] })]), 2);
  equal(await count([chart("One", { levels: [1] }), chart("Two", { levels: [2] })]), 1);
});

Deno.test("panels() refuses no figures, no columns, and panels of panels", () => {
  throws(() => panels([], SAID), { message: /panels must be at least one figure: current value is 0/ });
  throws(() => panels([chart("One")], { ...SAID, columns: 0 }), { message: /columns must be a whole number from 1/ });
  throws(() => panels([smallPanels()], SAID), { message: /panels must be charts, not panels of their own/ });
  match(panels([chart("One")], SAID).title, /Together/);
});

Deno.test("panels() align the titles and the ends of their charts, whatever reaches over them", async () => {
  const one = chart("One", { series: ["A", "a far longer name"] });
  const svg = await panels([one, chart("Two")], { ...SAID, width: 900 }).svg();
  const rises = svg.matchAll(
    /role-title"><g transform="translate\([-\d.]+,([-\d.]+)\)">(?:(?!<text).)*<text[^>]*>(?:One|Two)</gs,
  );
  equal(new Set([...rises].map(([, rise]) => rise)).size, 1);
  const widths = [...svg.matchAll(/role-axis-domain"[^>]*><line x2="([\d.]+)" y2="0"/g)].map(([, width]) => width);
  equal(widths.length, 2);
  equal(new Set(widths).size, 1);
});
