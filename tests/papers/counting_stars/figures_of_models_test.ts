import { deepEqual, equal, match } from "node:assert/strict";
import { written } from "../../figures/_read_svg.ts";
import { modelStarMatrices, modelStarPanels } from "@/lib/papers/counting_stars/figures.ts";
import type { ScoredRecord } from "@/lib/statistics/mod.ts";

function reply(task: string, cells: readonly number[], changes: Partial<ScoredRecord> = {}): ScoredRecord {
  return { task, length: 4000, value: 0.5, failed: false, noAnswer: false, score: { value: 0.5, cells }, ...changes };
}

const MODELS = [
  {
    model: "a",
    replies: [reply("search", [1, 1], { length: 8000 }), reply("search", [1, 1]), reply("shuffled", [1, 1])],
  },
  { model: "b", replies: [reply("search", [1, 0]), reply("shuffled", [0, 0])] },
];

Deno.test("modelStarPanels() has the models of a task beside each other, by the names given", () => {
  deepEqual(modelStarPanels(MODELS).map(({ model }) => model), [
    "a, search",
    "b, search",
    "a, shuffled",
    "b, shuffled",
  ]);
  const named = modelStarPanels(MODELS, { label: (task) => task === "search" ? "" : "mixed" });
  deepEqual(named.map(({ model }) => model), ["a", "b", "a, mixed", "b, mixed"]);
  deepEqual(named[0]!.columns.map(({ length }) => length), [4000, 8000]);
  deepEqual(modelStarPanels([]), []);
});

Deno.test("modelStarPanels() averages the cells of a length, and leaves failed calls and other benchmarks out", () => {
  const [panel, ...rest] = modelStarPanels([{
    model: "a",
    replies: [
      reply("search", [1, 0, 0]),
      reply("search", [1, 1, 0]),
      reply("search", [0, 0, 0], { failed: true }),
      reply("vt", [], { score: { value: 1 } }),
    ],
  }]);
  deepEqual(panel!.columns, [{ length: 4000, cells: [1, 0.5, 0] }]);
  equal(panel!.samples, 2);
  deepEqual(rest, []);
});

Deno.test("modelStarMatrices() draws a row a task and a column a model", async () => {
  const panels = modelStarPanels(MODELS, { label: () => "" });
  const figure = modelStarMatrices(panels, { models: 2, title: "Two models", origin: "measured" });
  match(figure.note, /1 prompt a column/);
  match(figure.caption, /One column is one prompt\.$/);
  const text = written(await figure.svg());
  for (const title of [/\(2-2\): a \(Acc: 1\.000\)/, /\(2-1\): b \(Acc: 0\.500\)/]) match(text, title);
});
