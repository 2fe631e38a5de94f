import { equal, match } from "node:assert/strict";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { mrcrAnswer } from "@/lib/papers/mrcr/claims.ts";
import { copyAnswer } from "@/lib/papers/repeated_words/claims.ts";
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

Deno.test("copyAnswer() counts the models that end at the score of a copy that never stops", async () => {
  const scores = await openEvidence("repeated_words");
  equal(
    copyAnswer(scores),
    "Not in a long text: at the longest, every published model scores no better than one that repeats the word without end. " +
      "The score of endless repetition, 50%, is set by the output limit and not by the words.",
  );
  const better = scores.map((row) => ({ ...row, score: row.model === "GPT-4.1" ? 90 : row.score }));
  equal(
    copyAnswer(better).split(".")[0],
    "Not all: at the longest text, 3 of 4 published models score no better than one that repeats without end",
  );
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
