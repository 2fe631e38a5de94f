import { deepEqual, equal, match, ok } from "node:assert/strict";
import { starMatrices } from "@/lib/papers/counting_stars/figures.ts";
import { openStars, type StarPanel, starPanels } from "@/lib/papers/counting_stars/published.ts";
import type { Figure, Spec } from "@/lib/figures/mod.ts";

const published = await openStars();
const FROM = { origin: "published", n: "one reply a column" } as const;

const PANEL: StarPanel = {
  model: "Kimi",
  columns: [{ length: 4000, cells: [1, 1] }, { length: 8000, cells: [1, 0] }, { length: 12_000, cells: [1, 0.5] }],
};

function draw(...matrices: readonly StarPanel[]): Figure {
  return starMatrices(matrices, { title: "Stars", ...FROM });
}

/** The layer of cells of the first matrix of a figure. */
function layerOf(view: unknown): { readonly data: { readonly values: readonly Spec[] }; readonly encoding: Spec } {
  const { mark, layer, concat, vconcat } = view as Readonly<Record<string, unknown>>;
  if ((mark as Spec | undefined)?.["type"] === "rect") return view as ReturnType<typeof layerOf>;
  const [first] = (layer ?? concat ?? vconcat) as readonly unknown[];
  return layerOf(first);
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

Deno.test("starMatrices() draws the most frequent score as the ground, and labels each patch over it", () => {
  const { values } = layerOf(draw(PANEL).spec).data;
  deepEqual(values.map(({ about }) => about), ["1 to 2 at 4K to 12K: 1", "2 at 8K: 0", "2 at 12K: 0.5"]);
});

Deno.test("starMatrices() keeps every cell of every published matrix, in few patches", () => {
  for (const panel of starPanels(published)) {
    const { values } = layerOf(draw(panel).spec).data;
    const wanted = panel.columns.map(({ cells }) => [...cells]);
    deepEqual(paint(values, wanted.length, wanted[0]!.length), wanted);
  }
  const whole = starPanels(published, ["stone_64_32"]).find(({ model }) => model.startsWith("Kimi"))!;
  // 141 of 2,048 cells are lost, most of them in two blocks.
  ok(layerOf(draw(whole).spec).data.values.length < 60);
});

Deno.test("starMatrices() sets matrices side by side with one legend, and says simulated where it is", async () => {
  const svg = await starMatrices([PANEL, { ...PANEL, model: "Other" }], { ...FROM, title: "Two", origin: "simulated" })
    .svg();
  match(svg, /\(2-3\): Kimi/);
  match(svg, /\(2-3\): Other/);
  match(svg, /Simulated/);
  const count = (text: string): number => text.match(/Score of a star/g)?.length ?? 0;
  equal(count(svg), count(await draw(PANEL).svg()));
});

Deno.test("starMatrices() labels every eighth of the stars and, where lengths crowd, some of them, the last always", async () => {
  const many = (lengths: number, stars: number): StarPanel => ({
    model: "m",
    columns: Array.from({ length: lengths }, (_, at) => ({ length: 1000 * (at + 1), cells: Array(stars).fill(1) })),
  });
  const svg = await draw(many(100, 64)).svg();
  for (const star of [8, 16, 24, 32, 40, 48, 56, 64]) match(svg, new RegExp(`>${star}<`));
  for (const star of [7, 9, 63]) ok(!svg.includes(`>${star}<`), `${star}`);
  const shown = Array.from({ length: 100 }, (_, at) => at + 1).filter((length) => svg.includes(`>${length}K<`));
  ok(shown.includes(100) && shown.length >= 10 && shown.length <= 50, shown.join());
  const steps = new Set(shown.slice(1).map((length, at) => length - shown[at]!));
  equal(steps.size, 1);
  const few = await draw(many(4, 4)).svg();
  for (const label of ["1K", "2K", "3K", "4K", "1", "2", "3", "4"]) ok(few.includes(`>${label}<`), label);
});
