import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { writtenTexts } from "./_read_svg.ts";
import { endLabelRoom, spread } from "@/lib/figures/line_labels.ts";
import { type Figure, lineChart } from "@/lib/figures/mod.ts";
import { DISTINCT, REST } from "@/lib/figures/colours.ts";

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
