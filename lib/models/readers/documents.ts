import { pick } from "@/lib/random/mod.ts";
import type { Finding, Reading, TaskReader } from "../reading.ts";
import { readDocumentPrompt } from "./_documents.ts";
import { guessAnswers } from "./_guess.ts";
import { FAMOUS_ANSWERS } from "./_invented.ts";
import { continueWith } from "./_wording.ts";

/**
 * Guesses answers to questions about real documents by the words that question and sentence share.
 *
 * No rule can answer such questions: on SQuAD at 4,096 tokens it is right about one time in four, on HotpotQA less
 * often. Its readings say that they are guesses.
 */
export const DOCUMENT_READER: TaskReader = {
  name: "documents",
  recognise(prompt): Reading | null {
    const parts = readDocumentPrompt(prompt);
    if (!parts) return null;
    const findings = guessAnswers(parts).map(({ text, depth }): Finding => ({
      key: parts.question,
      value: text,
      depth,
    }));
    return {
      category: "question answering",
      wanted: findings.slice(0, 1),
      rivals: findings.slice(1),
      example: [],
      isGuess: true,
      invent: (draw) => pick(draw, FAMOUS_ANSWERS),
      write: (said) => continueWith(prompt, "Answer:")(said.join(" ")),
    };
  },
};
