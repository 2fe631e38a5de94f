import { equal, match } from "node:assert/strict";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { mrcrAnswer } from "@/lib/papers/mrcr/claims.ts";
import { separationAnswer, suiteSeparations } from "@/lib/papers/suites/compare_suites.ts";
import { publishedSuiteScores } from "@/lib/papers/suites/published_scores.ts";

// Answers of notebooks, on the published numbers and on others that say the opposite.

Deno.test("mrcrAnswer() names the model that both tests score most apart", async () => {
  const scores = await openEvidence("mrcr");
  equal(
    mrcrAnswer(scores),
    "It depends on whose: OpenAI's and Google's tests, both called MRCR, can give the same model different scores. " +
      "Up to 128K tokens, GPT-5.2 scores 92 on OpenAI's and 84 on Google's. " +
      "A reply with any one of the eight texts scores about 15 on average.",
  );
  const alike = scores.map((row) => ({ ...row, score: 90 }));
  equal(mrcrAnswer(alike).split(":")[0], "The same on both");
});

Deno.test("separationAnswer() compares suites at the longest length with enough pairs", async () => {
  const separations = suiteSeparations(await publishedSuiteScores());
  equal(
    separationAnswer(separations),
    "At 1M tokens, the longest length of several suites, most pairs of models are separated by MRCR and by GraphWalks. " +
      "Pairs separated: MRCR 15 of 21, GraphWalks 23 of 36.",
  );
  const none = separations.map((row) => ({ ...row, apart: 0 }));
  match(separationAnswer(none), /most pairs of models are separated by no suite\./);
  equal(separationAnswer([]), "No two suites have published scores of enough models at one length.");
});
