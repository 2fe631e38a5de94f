import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { starMatrix } from "@/lib/benchmarks/counting_stars/figures.ts";
import { openStarsPublished, starMatrices, type StarPanel } from "@/lib/benchmarks/counting_stars/mod.ts";
import type { Spec } from "@/lib/figures/mod.ts";

const FROM = { origin: "published", n: "one reply a column" } as const;

const PANEL: StarPanel = {
  model: "Kimi",
  columns: [{ length: 4000, cells: [1, 1] }, { length: 8000, cells: [1, 0] }, { length: 12_000, cells: [1, 0.5] }],
};

/** The layer of cells of a figure's first view. */
function layerOf(spec: Spec): { readonly data: { readonly values: readonly Spec[] }; readonly encoding: Spec } {
  const [view] = spec["vconcat"] as readonly { readonly layer: readonly unknown[] }[];
  return view!.layer[0] as ReturnType<typeof layerOf>;
}

/** Paints patches over each other, as the picture does. */
function paint(values: readonly Spec[], columns: number, stars: number): number[][] {
  const cells = Array.from({ length: columns }, () => Array<number>(stars).fill(NaN));
  for (const patch of values) {
    for (let column = Number(patch["from"]); column < Number(patch["to"]); column++) {
      for (let star = Number(patch["star"]); star < Number(patch["next"]); star++) {
        cells[column]![star] = Number(patch["score"]);
      }
    }
  }
  return cells;
}

Deno.test("starMatrix() draws the most frequent score as the ground, and says what each patch over it is", () => {
  const { values } = layerOf(starMatrix(PANEL, FROM).spec).data;
  deepEqual(values.map(({ about }) => about), ["1 to 2 at 4K to 12K: 1", "2 at 8K: 0", "2 at 12K: 0.5"]);
});

Deno.test("starMatrix() keeps every cell of every published matrix, in few patches", async () => {
  const { panels, tasks } = await openStarsPublished();
  for (const panel of [...panels, ...tasks]) {
    const { values } = layerOf(starMatrix(panel, FROM).spec).data;
    const wanted = panel.columns.map(({ cells }) => [...cells]);
    deepEqual(paint(values, wanted.length, wanted[0]!.length), wanted);
  }
  const whole = panels.find(({ figure, model }) => figure === "stone_64_32" && model.startsWith("Kimi"))!;
  // 141 of 2,048 cells are lost, most of them in two blocks.
  ok(layerOf(starMatrix(whole, FROM).spec).data.values.length < 60);
});

Deno.test("starMatrix() has the stars from top to bottom, and the benchmark's own title unless another is given", async () => {
  const figure = starMatrix(PANEL, FROM);
  equal(figure.title, "(2-3): Kimi (Acc: 0.750)");
  equal(((layerOf(figure.spec).encoding["y"] as Spec)["scale"] as Spec)["reverse"], true);
  match(await starMatrix(PANEL, { ...FROM, title: "The tail is lost" }).svg(), /The tail is lost/);
});

Deno.test("starMatrix() names whole thousands as Counting-Stars does, and powers of two as the field does", async () => {
  const svg = await starMatrix({ model: "m", columns: [{ length: 128_000, cells: [1] }] }, FROM).svg();
  match(svg, />128K</);
  const power = await starMatrix({ model: "m", columns: [{ length: 131_072, cells: [1] }] }, FROM).svg();
  match(power, />128K</);
});

Deno.test("starMatrices() sets matrices side by side with one legend, and says simulated where it is", async () => {
  const svg = await starMatrices([PANEL, { ...PANEL, model: "Other" }], { ...FROM, title: "Two", origin: "simulated" })
    .svg();
  match(svg, /\(2-3\): Kimi/);
  match(svg, /\(2-3\): Other/);
  match(svg, /Simulated/);
  const count = (text: string): number => text.match(/Score of a star/g)?.length ?? 0;
  equal(count(svg), count(await starMatrix(PANEL, FROM).svg()));
});

Deno.test("starMatrix() refuses a matrix without cells, and columns of unequal stars", () => {
  const uneven = { model: "m", columns: [{ length: 1, cells: [1, 1] }, { length: 2, cells: [1] }] };
  for (const panel of [{ model: "m", columns: [] }, uneven]) {
    throws(() => starMatrix(panel, FROM), /all columns must have as many stars, at least one: current value is [01]$/);
  }
});
