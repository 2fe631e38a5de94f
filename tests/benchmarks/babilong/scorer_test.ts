import { deepEqual, equal } from "node:assert/strict";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { BABILONG_FIXES, type BabilongFix, givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";

const [PLACE, OBJECT, PERSON] = [
  ["kitchen", "Where is Mary?"],
  ["milk", "What did Fred give to Jeff?"],
  ["Bill", "Who received the apple?"],
] as const;

/** A reply, what it answers, and the scores by the authors' code and without its faults. */
const REPLIES: readonly (readonly [string, readonly [string, string], 0 | 1, 0 | 1])[] = [
  ["The most recent location of Mary is kitchen.", PLACE, 1, 1],
  ["Answer: Kitchen", PLACE, 1, 1],
  ["", PLACE, 0, 0],
  ["the cellar", PLACE, 0, 0],
  ["garden", PLACE, 0, 0],
  // Two of the answers are none, whichever comes first.
  ["kitchen or garden", PLACE, 0, 0],
  ["Mary left the garden for the kitchen.", PLACE, 0, 0],
  // Only the first sentence counts, so later ones may name others.
  ["kitchen. She was in the garden before.", PLACE, 1, 1],
  // "Question" is searched in text without capitals.
  ["kitchen\nQuestion: Where is John?\nAnswer: garden", PLACE, 0, 1],
  ["kitchen\n<example>\nJohn went to the garden.", PLACE, 1, 1],
  // The first full stop is of no sentence with an answer.
  ["1. kitchen", PLACE, 0, 1],
  ["Let me see. Mary went to the kitchen.", PLACE, 0, 1],
  ["The last sentence about her decides.\n\nAnswer: The most recent location of Mary is kitchen.", PLACE, 0, 1],
  ["Mary was in the garden. Answer: kitchen", PLACE, 0, 1],
  ["Answer: kitchen\n\nAnswer: garden", PLACE, 0, 1],
  // A list of options is no answer, even if the first is right.
  ["A. The kitchen\nB. The garden\nC. The studio", PLACE, 0, 0],
  ["Options:\n(A) kitchen\n(B) garden", PLACE, 0, 0],
  ["- The kitchen\n\n- The garden", PLACE, 0, 0],
  ["- response: kitchen\n\n- support: Mary left the garden.", PLACE, 0, 1],
  // Without a full stop the whole reply counts.
  ["kitchen\nThe text mentions the garden too", PLACE, 0, 1],
  // Answers inside of other words.
  ["To summarize, in summary: Bill", PERSON, 0, 1],
  ["a billionaire", PERSON, 1, 0],
  ["Bill, not Alfred", PERSON, 0, 1],
  ["a milkman", OBJECT, 1, 0],
  // What the question names is no answer.
  ["Fred gave milk to Jeff.", OBJECT, 1, 1],
  ["Jeff", OBJECT, 0, 0],
];

Deno.test("replies score by the authors' code, and without its faults", () => {
  for (const [reply, references, original, corrected] of REPLIES) {
    const { score, penalised } = findScorer("babilong").grade(reply, { references });
    deepEqual([score.value, penalised.value], [original, corrected], reply);
    const grading = findScorer("babilong corrected").grade(reply, { references });
    deepEqual([grading.score.value, grading.penalised.value], [corrected, corrected], reply);
  }
});

Deno.test("a reply scores the same as the part of it that a scorer extracts", () => {
  for (const name of ["babilong", "babilong corrected"]) {
    const { grade, extract } = findScorer(name);
    for (const [reply, references] of REPLIES) {
      equal(grade(extract!(reply)!, { references }).score.value, grade(reply, { references }).score.value, reply);
    }
  }
});

Deno.test("each correction changes only replies with its fault", () => {
  const changes = (reply: string, [target, question]: readonly [string, string]): readonly BabilongFix[] => {
    const given = (fixes: readonly BabilongFix[]): string => String(givenAnswers(reply, { target, question }, fixes));
    return BABILONG_FIXES.filter((fix) => given([fix]) !== given([]));
  };
  deepEqual(changes("kitchen", PLACE), []);
  deepEqual(changes("kitchen \nQuestion: garden", PLACE), ["question", "sentence"]);
  deepEqual(changes("garden, Answer: kitchen", PLACE), ["answer"]);
  deepEqual(changes("I see. kitchen", PLACE), ["sentence"]);
  deepEqual(changes("a billionaire", PERSON), ["words"]);
});

Deno.test("a target of another task has no score", () => {
  equal(findScorer("babilong").grade("yes", { references: ["yes", "Is Mary in the garden?"] }).score.value, null);
});

Deno.test("long replies are read in linear time", () => {
  const grade = (reply: string): unknown =>
    findScorer("babilong").grade(reply, { references: [...PLACE] }).penalised.value;
  for (const text of ["\n", "answer:", "question", "<context", "- \n", "kitchen ", "?"]) grade(text.repeat(200_000));
});
