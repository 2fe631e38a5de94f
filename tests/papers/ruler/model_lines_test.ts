import { deepEqual, equal, throws } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";
import { effectText, modelEffects, modelFigure, modelLine, openModelLines } from "@/lib/papers/ruler/model_lines.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { summarise } from "@/lib/statistics/mod.ts";

const lines = await openModelLines();

Deno.test("openModelLines() has the fifteen lines of Figure 4, and the lengths at which they turn dashed", () => {
  equal(lines.length, 15);
  const turning = lines.filter(({ trained }) => trained !== null).map(({ series, trained }) => [series, trained]);
  deepEqual(turning, [
    ["LWM-128K", 131_072],
    ["LWM-base-32K", 32_768],
    ["LWM-base-128K", 131_072],
    ["Llama2-7b", 4096],
    ["Mamba-2.8b-slimpj", 2048],
    ["RWKV-v5-7b", 4096],
  ]);
});

Deno.test("modelLine() has the means of the 13 tasks, where all have a score", () => {
  const reply = (task: string, length: number, value: number | null) => ({
    task,
    length,
    value,
    failed: value === null,
    noAnswer: false,
  });
  const replies = RULER_TASK_NAMES.flatMap((
    task,
    at,
  ) => [reply(task, 4096, at < 6 ? 1 : 0), reply(task, 8192, task === "vt" ? null : 1)]);
  const line = modelLine("x", summarise(replies), 32_768);
  deepEqual(line.points.map(({ length, score }) => [length, score.toFixed(3)]), [[4096, (600 / 13).toFixed(3)]]);
  deepEqual([line.series, line.trained], ["x", 32_768]);
});

const OPTIONS = { title: "A finding", caption: "How to read it.", origin: "published", n: 6500 } as const;

Deno.test("modelFigure() draws the four families of Figure 4, dashed beyond the training length", async () => {
  const figure = modelFigure(lines, OPTIONS);
  const texts = writtenTexts(await figure.svg());
  for (const title of ["Training length: LWM, chat", "Training length: LWM, base", "Model size: Yi", "Architecture"]) {
    equal(texts.filter((text) => text === title).length, 1, title);
  }
});

Deno.test("modelFigure() refuses models without a single mean of the 13 tasks", () => {
  const none = [modelLine("a", [], null)];
  throws(() => modelFigure(none, OPTIONS), {
    name: "RangeError",
    message: 'Cannot draw "A finding" as panels must be at least one figure: current value is 0',
  });
});

Deno.test("modelEffects() compares a length never trained on, training length and size, the largest first", () => {
  const effects = modelEffects(lines);
  deepEqual(effects.map(({ score, cases }) => [score.toFixed(1), cases]), [["41.1", 6], ["22.7", 1], ["12.5", 2]]);
  equal(
    effectText(effects),
    "What costs most is a length beyond the training length: 41 points on average. " +
      "Next: a smaller model (23), training on shorter texts (13).",
  );
  const yi = modelEffects(lines.filter(({ family }) => family === "Model size: Yi"));
  equal(effectText(yi), "What costs most is a smaller model: 23 points on average.");
  equal(effectText(modelEffects([])), "No two models were compared.");
});
