import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openMeasured } from "@/lib/records/mod.ts";
import { suiteSeparations } from "@/lib/papers/suites/compare_suites.ts";
import { publishedScores, publishedSuiteScores } from "@/lib/papers/suites/published_scores.ts";
import { runScores } from "@/lib/reports/mod.ts";
import { SUITE_CLAIMS } from "@/lib/papers/suites/suite_claims.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const scores = await publishedSuiteScores();

Deno.test("publishedSuiteScores() has printed scores with their intervals", () => {
  const find = (suite: string, model: string, length: number) =>
    scores.find((row) => row.suite === suite && row.model === model && row.length === length)!;
  equal(find("MRCR, 8 needles", "GPT-5.2", 8192).score, 98.2);
  equal(find("GraphWalks, bfs", "GPT-5.4", 1_048_576).score, 9.4);
  const gpt4 = find("RULER", "GPT-4-1106-preview", 131_072) ?? find("RULER", "GPT-4", 131_072);
  equal(gpt4.score, 81.2);
  ok(scores.every(({ low, score, high }) => low <= score && score <= high));
});

Deno.test("SUITE_CLAIMS come out as the published scores say", () => {
  const checked = checkClaims(SUITE_CLAIMS, scores);
  deepEqual(checked.map(({ id, verdict }) => [id, verdict]), SUITE_CLAIMS.map(({ id, expected }) => [id, expected]));
  match(checked[0]!.observed, /saturated at 8K and 32K; no scores on GraphWalks were published there/);
  match(checked[1]!.observed, /^Of 14 pairs at equal lengths/);
  match(
    checked[2]!.observed,
    /^Of 14 pairs both suites tell 6 apart, 5 in the same order\. .* at 256K is 20\.1 on MRCR/,
  );
});

Deno.test("SUITE_CLAIMS fail and hold on other numbers", () => {
  const verdicts = (rows: typeof scores) => checkClaims(SUITE_CLAIMS, rows).map(({ verdict }) => verdict);
  const row = (suite: string, model: string, score: number) => (
    { suite, model, score, length: 8192, n: 400, low: score - 1, high: score + 1 }
  );
  const models = ["a", "b", "c", "d"];
  const flat = models.map((model) => row("MRCR, 8 needles", model, 97));
  deepEqual(verdicts([...flat, ...models.map((model, at) => row("GraphWalks, bfs", model, 50 + 9 * at))]), [
    ...["holds", "holds", "cannot tell"],
  ]);
  deepEqual(verdicts([...flat, ...models.map((model) => row("GraphWalks, bfs", model, 50))]), [
    ...["fails", "cannot tell", "cannot tell"],
  ]);
  const turned = models.map((model, at) => row("MRCR, 8 needles", model, 90 - 9 * at));
  equal(verdicts([...turned, ...models.map((model, at) => row("GraphWalks, bfs", model, 50 + 9 * at))])[2], "fails");
  const alike = models.map((model, at) => row("MRCR, 8 needles", model, 60 + 9 * at));
  equal(verdicts([...alike, ...models.map((model, at) => row("GraphWalks, bfs", model, 50 + 9 * at))])[2], "holds");
  // Of 36 pairs two are apart, which chance allows.
  const nine = Array.from({ length: 9 }, (_, at) => `m${at}`);
  const nearly = nine.map((model, at) => row("GraphWalks, bfs", model, at === 0 ? 48.7 : at < 3 ? 50.3 : 49.5));
  equal(suiteSeparations(nearly)[0]!.apart, 2);
  equal(verdicts([...nine.map((model) => row("MRCR, 8 needles", model, 97)), ...nearly])[0], "cannot tell");
});

Deno.test("publishedScores() has the numbers of the tables, and runScores() those of a run in the same form", async () => {
  const published = await publishedScores();
  const find = (values: object): readonly unknown[] =>
    published.filter((row) => Object.entries(values).every(([field, value]) => row[field as "suite"] === value));
  deepEqual(find({ suite: "RULER", model: "GPT-4", task: "RULER-13", length: 131072 }), [
    {
      suite: "RULER",
      model: "GPT-4",
      task: "RULER-13",
      length: 131072,
      score: 81.2,
      n: null,
      low: null,
      high: null,
      origin: "published",
    },
  ]);
  equal(find({ suite: "Needle Threading", model: "GPT-4o", task: "overall", length: 1200 }).length, 1);
  equal(find({ suite: "Counting-Stars", model: "GPT-4 Turbo", task: "acquisition" }).length, 32);
  equal(new Set(published.map(({ suite }) => suite)).size, 7);
  const measured = runScores(await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" }));
  const [row] = measured.filter(({ task, length }) => task === "niah_single_2" && length === 1024);
  equal(`${row?.suite} ${row?.origin} ${row?.score}`, "RULER measured 100");
});
