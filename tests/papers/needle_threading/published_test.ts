import { deepEqual, equal, ok } from "node:assert/strict";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";

const published = await openThreadingPublished();

Deno.test("openThreadingPublished() reads all rows of the tables", () => {
  const { scores, limits, repeats, contexts, threadSafety, contours } = published;
  deepEqual([scores, limits, repeats, contexts, threadSafety].map((rows) => rows.length), [783, 75, 660, 20, 72]);
  equal(contours.length, 192);
  // Table 3, the first cell of LLaMA 3.1 8b, and its limit in Table 2.
  const cell = published.scores.find(({ table, model }) => table === 3 && model === "LLaMA 3.1 8b");
  deepEqual(cell, { table: 3, task: "single_needle", model: "LLaMA 3.1 8b", length: 1200, score: 96.4 });
  const limit = published.limits.find(({ model, task }) => model === "LLaMA 3.1 8b" && task === "single_needle");
  deepEqual(limit, { model: "LLaMA 3.1 8b", task: "single_needle", supported: 214, effective: 14, percent: 7 });
});

Deno.test("openThreadingPublished() has scores of single needles that are whole 55ths, where five haystacks were asked", () => {
  const repeats = new Map(
    published.repeats.filter(({ task }) => task === "single_needle")
      .map(({ model, length, repeats: count }) => [`${model} ${length}`, count]),
  );
  for (const { task, model, length, score } of published.scores) {
    if (task !== "single_needle" || repeats.get(`${model} ${length}`) !== 5) continue;
    const right = Math.round(score * 0.55);
    equal((100 * right / 55).toFixed(1), score.toFixed(1), `${model} at ${length}`);
  }
});

Deno.test("openThreadingPublished() has a point of each model at each number of threads, within its band", () => {
  const models = Map.groupBy(published.threadSafety, ({ model }) => model);
  deepEqual([...models.keys()], ["Claude 3.5 Sonnet", "Gemini 1.5 Pro", "GPT-4o"]);
  for (const points of models.values()) {
    deepEqual(points.map(({ threads }) => threads), Array.from({ length: 24 }, (_, at) => at + 2));
    for (const { low, score, high } of points) ok(low < score && score < high);
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
