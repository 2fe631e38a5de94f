import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { modelRecalls, promptParts, recallMaps, type RecallReplies } from "@/lib/papers/prompt_dependence/figures.ts";
import { openMeasured } from "@/lib/records/mod.ts";

const measured: readonly RecallReplies[] = await openMeasured({ benchmark: "prompt_dependence" });

Deno.test("modelRecalls() is the mean grade over five, with an interval around it", () => {
  const rows = modelRecalls(measured);
  for (const { model, task, score, low, high, n } of rows) {
    ok(low! < score && score < high! || score === 100, `${model} ${task}`);
    ok(n! > 0 && score >= 20);
  }
  const [run] = measured;
  const values = run!.replies.flatMap(({ task, value }) =>
    task === "recall_pistachio" && value !== null ? [value] : []
  );
  const row = rows.find(({ model, task }) => model === run!.manifest.model && task === "PistachioAI")!;
  equal(row.score.toFixed(6), (100 * values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(6));
  deepEqual(modelRecalls([{ ...run!, replies: [] }]), []);
});

Deno.test("recallMaps() draws three panels a model, and refuses runs without a grade", async () => {
  const svg = await recallMaps(measured, { title: "Maps" }).svg();
  for (const { manifest: { model } } of measured) ok(svg.split(`${model}:`).length > 3, model);
  match(svg, /mean recall, from 20 \(red\) to 100 \(green\)/);
  throws(() => recallMaps([{ ...measured[0]!, replies: [] }], { title: "Maps" }), RangeError);
});

Deno.test("promptParts() lists replies by each part of the prompt that varies, also needles and questions of one's own", () => {
  const tasks = Object.fromEntries(
    ["Where?", "In which place?"].map((question) => [question, { options: { needle: "It is here.", question } }]),
  );
  const replies = Object.keys(tasks).flatMap((task) =>
    [0, 1].map((depth) => (
      { task, length: 1000, value: depth, failed: false, noAnswer: false, record: { index: depth, seed: "1", depth } }
    ))
  );
  const parts = promptParts(replies, tasks);
  deepEqual([...Map.groupBy(parts, ({ task }) => task)].map(([task, of]) => [task, of.map(({ value }) => value)]), [
    ["wording: Where?", [0, 1]],
    ["wording: In which place?", [0, 1]],
    ["position: 0%", [0, 0]],
    ["position: 100%", [1, 1]],
  ]);
  deepEqual(promptParts([], {}), []);
});
