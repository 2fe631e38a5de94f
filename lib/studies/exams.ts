import { plainName, shortHash } from "./files.ts";
import { openRows, withoutEnding } from "./sample_rows.ts";
import type { DocumentSet, Question } from "@/lib/generators/mod.ts";
import { explainFileError, type Fields } from "@/lib/models/mod.ts";
import { quoteText } from "@/lib/text/mod.ts";

const LETTERS = ["A", "B", "C", "D"];

/**
 * Opens questions with four choices, as MMLU's: rows of JSON lines, a JSON list, CSV or Parquet with `question`, `choices` (a list)
 * or `A` to `D`, and `answer` (0 to 3, or a letter). Each is a document and a question, whose answer is a letter.
 *
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If a row has other fields.
 */
export async function openExam(path: string): Promise<DocumentSet> {
  const { rows, read } = await openRows(path).catch((error) => {
    if (error instanceof SyntaxError) throw error;
    throw new RangeError(
      `Cannot read the questions as they must be a file: current value is "${path}" (${explainFileError(error)})`,
    );
  });
  const questions = rows.map((row, number) => readQuestion(read(row) ?? {}, number, path));
  if (questions.length === 0) {
    throw new SyntaxError(`Cannot read "${path}" as it must have at least one question: current value is 0`);
  }
  const texts = questions.flatMap(({ question, answers }) => [question, ...answers]);
  return {
    name: `${withoutEnding(plainName(path))}-${shortHash(texts)}`,
    documentCount: questions.length,
    questionCount: questions.length,
    document: (number) => ({ title: "", text: questions[number]!.question }),
    question: (number) => questions[number]!,
  };
}

function readQuestion(row: Fields, number: number, path: string): Question {
  const { question, answer } = row;
  const choices = row["choices"] ?? LETTERS.map((letter) => row[letter]);
  const letter = LETTERS[Number(answer)] ?? String(answer).trim().toUpperCase();
  const isText = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
  const isWhole = typeof question === "string" && Array.isArray(choices) && choices.length === 4 &&
    choices.every(isText) && LETTERS.includes(letter);
  if (!isWhole) {
    const found = quoteText(JSON.stringify(row), 120);
    throw new SyntaxError(
      `Cannot read "${path}" as each row must have a question, four choices and an answer (0 to 3, or A to D): current value of row ${
        number + 1
      } is ${found}`,
    );
  }
  const text = [question, ...choices.map((choice, at) => `${LETTERS[at]}. ${choice}`)].join(" ");
  return { question: text.replaceAll(/\s+/g, " ").trim(), answers: [letter], gold: [number], near: [] };
}
