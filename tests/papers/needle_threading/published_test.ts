import { deepEqual, equal, ok } from "node:assert/strict";
import { inTable } from "@/lib/papers/evidence/pairs.ts";
import { ofKind, openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";

const published = await openThreadingPublished();

Deno.test("openThreadingPublished() reads all rows of the tables", () => {
  const { scores, limits, contexts, contours } = published;
  deepEqual([scores, limits, contexts, contours].map((rows) => rows.length), [783 + 72, 75, 20, 192]);
  equal(scores.filter(({ units }) => units !== undefined).length, 660 + 72);
  // Table 3, the first cell of LLaMA 3.1 8b, and its limit in Table 2.
  const cell = inTable(scores, "Table 3").find(({ model }) => model === "LLaMA 3.1 8b")!;
  deepEqual([cell.task, cell.length, cell.n, cell.units, cell.score], ["threading_single_needle", 1200, 55, 5, 96.4]);
  const limit = limits.find(({ model, task }) => model === "LLaMA 3.1 8b" && task === "single_needle");
  deepEqual(limit, { model: "LLaMA 3.1 8b", task: "single_needle", supported: 214, effective: 14, percent: 7 });
});

Deno.test("openThreadingPublished() has single needles at eleven depths of each haystack, as their scores are whole shares", () => {
  for (const { model, length, n, units, score } of ofKind(published.scores, "single_needle")) {
    equal(n, 11 * units!);
    equal((100 * Math.round(score * n! / 100) / n!).toFixed(1), score.toFixed(1), `${model} at ${length}`);
  }
});

Deno.test("openThreadingPublished() has a point of each model at each number of threads, within its band", () => {
  const models = Map.groupBy(inTable(published.scores, "thread_safe.png"), ({ model }) => model);
  deepEqual([...models.keys()], ["Claude 3.5 Sonnet", "Gemini 1.5 Pro", "GPT-4o"]);
  for (const points of models.values()) {
    deepEqual(points.map(({ knobs }) => Number(knobs["threads"])), Array.from({ length: 24 }, (_, at) => at + 2));
    for (const { low, score, high } of points) ok(low! < score && score < high!);
  }
});

Deno.test("openThreadingPublished() has contours that run from left to right, of models that Table 2 has", () => {
  const named = new Set(published.limits.map(({ model }) => model));
  for (const line of Map.groupBy(published.contours, ({ task, model, line }) => `${task} ${model} ${line}`).values()) {
    const places = line.map(({ at }) => at);
    deepEqual(places, places.toSorted((left, right) => left - right));
    equal(new Set(line.map(({ side }) => side)).size, 1);
    ok(line.every(({ model }) => named.has(model)));
  }
});
