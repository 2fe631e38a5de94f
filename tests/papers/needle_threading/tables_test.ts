import { deepEqual, match } from "node:assert/strict";
import { accuracyCurves } from "@/lib/papers/needle_threading/figures.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { publishedScoreTable } from "@/lib/papers/needle_threading/tables.ts";

const published = await openThreadingPublished();

Deno.test("publishedScoreTable() has a row a model and a column a size, with the best of each size marked", () => {
  const { text, origins } = publishedScoreTable(published, { task: "overall", title: "Means" });
  // The picture of Table 1 in the authors' repository marks the same: GPT-4o at 1.2K, Claude 3.5 Sonnet at 180K.
  match(text, /GPT-4o +93\.2\* +86\.1 .* 60\.9 +– +– +– +–/);
  match(text, /Claude 3\.5 Sonnet +91\.5 .* 48\.0\* +–/);
  deepEqual(origins, ["published"]);
});

Deno.test("accuracyCurves() draws Wilson intervals of as many answers as were asked, and one's own models beside them", async () => {
  const own = [{ model: "mine", length: 1200, score: 50, low: 40, high: 60 }];
  const figure = accuracyCurves(published, { task: "single_needle", title: "By size", own });
  const svg = await figure.svg();
  match(svg, /95% Wilson interval/);
  match(svg, /mine/);
  deepEqual(figure.origins.toSorted(), ["measured", "published"]);
  // 42 of 55 answers: 76.4%, as Wilson (1927) has it between 63.65 and 85.63.
  match(svg, /76\.4 \(63\.7 to 85\.6\)/);
});
