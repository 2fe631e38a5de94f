import { deepEqual, equal, ok } from "node:assert/strict";
import { openMeasured } from "@/lib/records/mod.ts";
import { publishedScores, publishedSuiteScores } from "@/lib/papers/suites/published_scores.ts";
import { runScores } from "@/lib/reports/mod.ts";

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

Deno.test("publishedScores() has the numbers of the tables, and runScores() those of a run in the same form", async () => {
  const published = await publishedScores();
  const find = (values: object): readonly unknown[] =>
    published.filter((row) => Object.entries(values).every(([field, value]) => row[field as "suite"] === value));
  const place = { suite: "RULER", model: "GPT-4", task: "all 13 tasks", length: 131072 };
  const [{ low, high, ...found }] = find(place) as [{ readonly low: number; readonly high: number }];
  deepEqual(found, { ...found, ...place, score: 81.2, n: 13 * 500, origin: "published" });
  // The widest interval of 6,500 answers.
  equal([low, high].map((end) => end.toFixed(1)).join(), "80.2,82.1");
  equal(find({ suite: "Needle Threading", model: "GPT-4o", task: "overall", length: 1200 }).length, 1);
  equal(find({ suite: "Counting-Stars", model: "GPT-4 Turbo", task: "counting_stars_shuffled_zh" }).length, 32);
  equal(new Set(published.map(({ suite }) => suite)).size, 8);
  const places = published.map(({ suite, task, model, length }) => `${suite} ${task} ${model} ${length}`);
  equal(new Set(places).size, places.length);
  const prompts = published.filter(({ task }) => task === "recall_thornfield");
  // Two maps of 35 lengths, each with 35 depths of one reply, which share a text.
  deepEqual(prompts.map(({ n, depth, low }) => [n, depth, low]), Array(70).fill([35, null, null]));
  const measured = runScores(await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" }));
  const [row] = measured.filter(({ task, length }) => task === "niah_single_2" && length === 1024);
  equal(`${row?.suite} ${row?.origin} ${row?.score}`, "RULER measured 100");
});
