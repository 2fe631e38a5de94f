import { deepEqual, equal, ok } from "node:assert/strict";
import { publishedSuiteScores, suiteSeparations } from "@/lib/reports/mod.ts";

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

Deno.test("GraphWalks tells more of its models apart at 1M tokens than MRCR does up to 128K", () => {
  const shares = suiteSeparations(scores).map((
    { suite, length, share },
  ): [string, number] => [`${suite} ${length}`, share]);
  const of = new Map(shares);
  deepEqual(of.get("MRCR, 8 needles 8192"), 0);
  ok(of.get("GraphWalks, bfs 1048576")! > 50);
});
