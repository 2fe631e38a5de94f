import { deepEqual, equal } from "node:assert/strict";
import { openThreadingPublished } from "@/lib/benchmarks/needle_threading/mod.ts";

const published = await openThreadingPublished();

Deno.test("openThreadingPublished() reads all rows of the tables", () => {
  const counts = [published.scores, published.limits, published.repeats, published.contexts, published.threadSafety];
  deepEqual(counts.map((rows) => rows.length), [783, 75, 660, 20, 6]);
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
