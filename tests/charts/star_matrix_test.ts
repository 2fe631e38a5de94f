import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openStarsPublished, type StarPanel } from "@/lib/analysis/mod.ts";
import { type Spec, starMatrices, starMatrix } from "@/lib/charts/mod.ts";

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

Deno.test("starMatrix() draws the cells of one score in a row as one, and says what each run is", () => {
  const { values } = layerOf(starMatrix(PANEL, FROM).spec).data;
  deepEqual(values.map(({ from, to, star, score }) => [from, to, star, score]), [
    [0, 3, 0, 1],
    [0, 1, 1, 1],
    [1, 2, 1, 0],
    [2, 3, 1, 0.5],
  ]);
  deepEqual(values.map(({ about }) => about), ["1 at 4K to 12K: 1", "2 at 4K: 1", "2 at 8K: 0", "2 at 12K: 0.5"]);
});

Deno.test("starMatrix() keeps every cell of a published matrix: the runs cover it once and have its mean", async () => {
  const panel = (await openStarsPublished()).panels.find(({ figure }) => figure === "stone_64_32")!;
  const { values } = layerOf(starMatrix(panel, FROM).spec).data;
  const area = (run: Spec): number => Number(run["to"]) - Number(run["from"]);
  equal(values.reduce((sum, run) => sum + area(run), 0), 64 * 32);
  const right = values.reduce((sum, run) => sum + area(run) * Number(run["score"]), 0);
  equal((right / (64 * 32)).toFixed(3), panel.printed.toFixed(3));
  ok(values.length < 64 * 32 / 4);
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
