import { deepEqual, equal, match, throws } from "node:assert/strict";
import { written } from "../../figures/_read_svg.ts";
import { starBucketMap, starLeaders } from "@/lib/papers/counting_stars/later_edition.ts";
import { openStars } from "@/lib/papers/counting_stars/published.ts";

const published = await openStars();

Deno.test("starLeaders() is Table 3, the highest mean first and models without one last", () => {
  const rows = starLeaders(published);
  const means = rows.filter(({ task }) => task === "Mean of the four");
  deepEqual(means.slice(0, 2).map(({ model, score }) => [model, score]), [
    ["Gemini 1.5 Pro, 1M claimed", 63.9],
    ["GPT-4 Turbo (1106), 128K claimed", 63.5],
  ]);
  equal(means.length, 6);
  equal(new Set(rows.map(({ model }) => model)).size, 9);
  equal(rows.at(-1)!.model, "Baichuan3-Turbo, 128K claimed");
});

Deno.test("starBucketMap() draws a panel for each task, and refuses no rows", async () => {
  const options = { title: "Table 5", origin: "published", n: "8 lengths a cell" } as const;
  const text = written(await starBucketMap(published, options).svg());
  for (const words of [/Acquisition, English/, /Reasoning, Chinese/, /36K-64K/, /Moonshot-v1/]) match(text, words);
  throws(() => starBucketMap([], options), { name: "RangeError" });
});
