import { deepEqual, match } from "node:assert/strict";
import { written } from "../../figures/_read_svg.ts";
import { modelStarMatrices, modelStarPanels, type StarModel } from "@/lib/papers/counting_stars/figures.ts";
import { modelStarChanges, starChangeTable } from "@/lib/papers/counting_stars/star_changes.ts";
import type { RunRecord } from "@/lib/records/mod.ts";

/** Replies to a task that find so many of two stars, a length each. */
function replies(task: string, found: readonly number[]): StarModel["replies"] {
  return found.map((stars, at) => ({
    record: {
      ...{ task, model: "as recorded", length: 4000 * (at + 1), scoring: "stars", references: ["3", "5"] },
      reply: { kind: "answer", text: JSON.stringify({ "little_penguin": [3, 5].slice(0, stars) }) },
    } as unknown as RunRecord,
  }));
}

const MODELS: readonly StarModel[] = [
  { model: "a", replies: [...replies("search", [2, 2]), ...replies("shuffled", [2, 1])] },
  { model: "b", replies: [...replies("search", [1, 0]), ...replies("shuffled", [0, 0])] },
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
  deepEqual(named[2]!.columns.map(({ cells }) => cells), [[1, 1], [1, 0]]);
  deepEqual(modelStarPanels([]), []);
});

Deno.test("modelStarPanels() takes the first prompt of a length alone, or one time of several, where asked to", () => {
  const of = (index: number, repeat: number, found: number): StarModel["replies"] =>
    replies("search", [found]).map(({ record }) => ({ record: { ...record, index, repeat } }));
  const models = [{ model: "a", replies: [...of(0, 0, 2), ...of(0, 1, 1), ...of(1, 0, 0)] }];
  const cellsOf = (options: Parameters<typeof modelStarPanels>[1]): readonly number[] =>
    modelStarPanels(models, options)[0]!.columns[0]!.cells;
  deepEqual(cellsOf({}), [2 / 3, 1 / 3]);
  deepEqual(cellsOf({ firstOnly: true }), [1, 0.5]);
  deepEqual(cellsOf({ firstOnly: true, repeat: 1 }), [1, 0]);
  deepEqual(cellsOf({ repeat: 0 }), [0.5, 0.5]);
});

Deno.test("modelStarMatrices() draws a row a task and a column a model", async () => {
  const panels = modelStarPanels(MODELS, { label: () => "" });
  const figure = modelStarMatrices(panels, { models: 2, title: "Two models", origin: "measured" });
  match(figure.note, /1 prompt a column/);
  match(figure.caption, /One column is one prompt\.$/);
  const text = written(await figure.svg());
  for (const title of [/\(2-2\): a \(Acc: 1\.000\)/, /\(2-2\): b \(Acc: 0\.250\)/]) match(text, title);
});

Deno.test("modelStarChanges() has a row for each change and model, at the lengths of both matrices", () => {
  const [first, second] = ["search", "shuffled"].map((task) =>
    modelStarPanels(MODELS).filter((panel) => panel.task === task)
  );
  const rows = modelStarChanges(["a", "b"], [{ change: "shuffling", first: first!, second: second! }], { seed: "1" });
  deepEqual(rows.map(({ change, model, difference, lengths }) => [change, model, difference, lengths]), [
    ["shuffling", "a", 0.25, 2],
    ["shuffling", "b", 0.25, 2],
  ]);
  const [none] = modelStarChanges(["a"], [{ change: "nothing", first: [], second: [] }], { seed: "1" });
  deepEqual([none!.lengths, none!.difference], [0, null]);
  const single = second!.map((panel) => ({ ...panel, columns: panel.columns.slice(0, 1) }));
  const short = modelStarChanges(["a"], [{ change: "shuffling", first: first!, second: single }], { seed: "1" });
  deepEqual([short[0]!.lengths, short[0]!.p], [1, null]);
  match(starChangeTable(short, { title: "t", origin: "simulated", n: "1" }).text, /^shuffling +a +1 +– +–$/m);
});
