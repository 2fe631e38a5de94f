import { equal } from "node:assert/strict";
import { originalScores, storyAnswer } from "@/lib/papers/babilong/claims.ts";
import { graphAnswer } from "@/lib/papers/graphwalks/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { mrcrAnswer } from "@/lib/papers/mrcr/claims.ts";
import { copyAnswer } from "@/lib/papers/repeated_words/claims.ts";
import { separationAnswer, suiteSeparations } from "@/lib/papers/suites/compare_suites.ts";
import { publishedSuiteScores } from "@/lib/papers/suites/published_scores.ts";

// Answers of notebooks, on the published numbers and on others that say the opposite.

Deno.test("storyAnswer() says how far a story is followed, and that no fall is shown where there is none", async () => {
  const scores = originalScores(await openEvidence("babilong"));
  equal(
    storyAnswer(scores),
    "Less and less the longer the text is. The mean of the five tasks goes from 97% without a text to 51% at 1M; " +
      "most is lost in questions on 2 facts.",
  );
  const level = scores.map((row) => ({ ...row, score: 50, low: 45, high: 55 }));
  equal(storyAnswer(level).split(".")[0], "No fall with the length of the text is shown");
});

Deno.test("graphAnswer() counts the published scores that fall with length", async () => {
  const scores = await openEvidence("graphwalks");
  equal(
    graphAnswer(scores),
    "Less well the longer it is: every published score falls with length. Of 10 pairs of model and operation, " +
      "9 fall by more than 10 points.",
  );
  const rising = scores.map((row) => ({ ...row, score: 100 - row.score }));
  equal(graphAnswer(rising).split(":")[0], "Published scores do not agree");
});

Deno.test("mrcrAnswer() names the model that both tests score most apart", async () => {
  const scores = await openEvidence("mrcr");
  equal(
    mrcrAnswer(scores),
    "OpenAI's and Google's tests share a name and not their scores. Up to 128K GPT-5.2 scores 92 on the first and " +
      "84 on the second. With eight texts on the request, a random one of them scores about 15.",
  );
  const alike = scores.map((row) => ({ ...row, score: 90 }));
  equal(
    mrcrAnswer(alike).split(". ")[0],
    "OpenAI's and Google's tests of this name give the same models alike scores",
  );
});

Deno.test("copyAnswer() counts the models that end at the score of a copy that never stops", async () => {
  const scores = await openEvidence("repeated_words");
  equal(
    copyAnswer(scores),
    "Not in a long text: every published model ends at the score of a copy that never stops. That score, 50%, is set " +
      "by the output limit and not by the words.",
  );
  const better = scores.map((row) => ({ ...row, score: row.model === "GPT-4.1" ? 90 : row.score }));
  equal(
    copyAnswer(better).split(".")[0],
    "Not all: 3 of 4 published models end at the score of a copy that never stops",
  );
});

Deno.test("separationAnswer() compares suites at the longest length with enough pairs", async () => {
  const separations = suiteSeparations(await publishedSuiteScores());
  equal(
    separationAnswer(separations),
    "Whichever is still hard at that length. At 1M, MRCR separates 15 of 21 pairs and GraphWalks separates 23 of 36 " +
      "pairs of models.",
  );
  const none = separations.map((row) => ({ ...row, apart: 0 }));
  equal(separationAnswer(none).split(".")[0], "None separates most models at long lengths");
  equal(separationAnswer([]), "No two suites have published scores of enough models at one length.");
});
