import { documentReader } from "./_qa_documents.ts";
import { askQuestion, documentsOf, QA_ANSWER_PREFIX, QA_OPENING, type QaSettings } from "./_qa_recipe.ts";
import type { Frame } from "../frame.ts";
import type { Materials } from "../materials.ts";

/** Sets with more questions are judged by some of them, with room to spare for a longer one. */
const MOST_MEASURED = 10_000;
const SAMPLED = 500;
const SPARE = 1.06;

/** Finds the length at which the documents that answer fit, if there are to be any, for every question of a set. */
export function qaLeastLength(
  settings: QaSettings,
  { materials, frame, answerRoom }: {
    readonly materials: Materials;
    readonly frame: Frame;
    readonly answerRoom: number;
  },
): number {
  const set = documentsOf(settings, materials);
  const isAlone = settings.documents === 0;
  return materials.remember(
    `least length of ${isAlone ? "questions" : "gold"}/${set.name}/${JSON.stringify(frame)}`,
    () => {
      const { tokenizer } = materials;
      const reader = documentReader(materials, set);
      const isSampled = set.questionCount > MOST_MEASURED;
      let most = 0;
      for (let number = 0; number < (isSampled ? SAMPLED : set.questionCount); number++) {
        const { question, gold } = set.question(number);
        let tokens = tokenizer.count(askQuestion(question, { isAlone }));
        const needed = isAlone ? [] : gold;
        needed.forEach((document, index) => {
          tokens += reader.cost(document, index + 1);
        });
        most = Math.max(most, tokens);
      }
      const texts = [
        frame.system ?? "",
        frame.before,
        isAlone ? "" : QA_OPENING,
        frame.after,
        frame.answerPrefix ? QA_ANSWER_PREFIX : "",
      ];
      const rest = texts.reduce((tokens, text) => tokens + tokenizer.count(text), answerRoom + frame.extraTokens);
      // Where texts meet, a count can differ by a token.
      return Math.ceil((most * (isSampled ? SPARE : 1) + rest + 4) / 8) * 8;
    },
  );
}
