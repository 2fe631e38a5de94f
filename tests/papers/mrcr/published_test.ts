import { deepEqual, equal, ok } from "node:assert/strict";
import { openMrcrPublished, publishedFloor } from "@/lib/papers/mrcr/published.ts";
import { googleScores, openaiScores } from "@/lib/papers/mrcr/published.ts";

const published = await openMrcrPublished();

Deno.test("published scores have the values of the tables, with intervals of 100 questions", () => {
  const row = openaiScores(published).find(({ model, length }) => model === "GPT-5.5" && length === 131_072)!;
  equal(row.score, 83.1);
  ok(row.low > 74 && row.low < 76 && row.high > 88 && row.high < 90, `${row.low} to ${row.high}`);
  deepEqual(
    googleScores(published).find(({ model }) => model === "Gemini 3 Pro"),
    { model: "Gemini 3 Pro", upTo128K: 77, at1M: 26.3 },
  );
  deepEqual([2, 4, 8, 3].map((needles) => publishedFloor(published, needles).toFixed(1)), [
    "51.0",
    "27.0",
    "15.0",
    "35.8",
  ]);
});
