import { type FileReader, openDataFile } from "./_documents_file.ts";
import type { DocumentSet, Question } from "./documents.ts";

/**
 * Reads documents and questions from a SQuAD file, version 1.1 or 2.0.
 *
 * As in RULER (qa.py), every paragraph is a document, whether asked about or not, only questions that can be answered are
 * asked, and all annotated answers are accepted. The documents near a question are the other paragraphs of its article.
 * Paragraphs of equal text are one document, so that none answers by repeating the one that is asked about.
 *
 * @param json The file's text.
 * @param name What to call the set in sample ids and records.
 * @returns The documents, without titles.
 * @throws {SyntaxError} If the text is not such a file, or no question in it can be answered.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const qas = [{ question: "What is the grass?", answers: [{ text: "green", answer_start: 13 }] }];
 * const data = [{ title: "Grass", paragraphs: [{ context: "The grass is green.", qas }] }];
 * const set = documentsFromSquad(JSON.stringify({ version: "1.1", data }));
 * deepEqual(set.question(0).answers, ["green"]);
 * ```
 */
export function documentsFromSquad(json: string, name = "squad"): DocumentSet {
  const file = openDataFile(json, 'SQuAD 1.1 or 2.0 in JSON, {"data": [{"paragraphs": [{"context", "qas"}]}]}');
  const numbers = new Map<string, number>();
  const questions: Question[] = [];
  for (const article of file.list(file.field(file.root, "data"), '"data"')) {
    const paragraphs = file.list(file.field(article, "paragraphs"), '"paragraphs"');
    const contexts = paragraphs.map((paragraph) => file.text(file.field(paragraph, "context"), '"context"'));
    for (const context of contexts) if (!numbers.has(context)) numbers.set(context, numbers.size);
    const inArticle = [...new Set(contexts)].map((context) => numbers.get(context)!);
    paragraphs.forEach((paragraph, index) => {
      const gold = numbers.get(contexts[index]!)!;
      const near = inArticle.filter((number) => number !== gold);
      for (const asked of readQuestions(file, paragraph)) questions.push({ ...asked, gold: [gold], near });
    });
  }
  if (questions.length === 0) throw file.refuse("number of questions with an answer is 0");
  const texts = [...numbers.keys()];
  return {
    name,
    documentCount: texts.length,
    questionCount: questions.length,
    document: (number) => ({ title: "", text: texts[number]! }),
    question: (number) => questions[number]!,
  };
}

function readQuestions(file: FileReader, paragraph: unknown): Pick<Question, "question" | "answers">[] {
  return file.list(file.field(paragraph, "qas"), '"qas"')
    .filter((asked) => file.field(asked, "is_impossible") !== true)
    .map((asked) => ({
      question: file.text(file.field(asked, "question"), '"question"'),
      answers: file.list(file.field(asked, "answers"), '"answers"')
        .map((answer) => file.text(file.field(answer, "text"), '"text"')),
    }))
    .filter(({ answers }) => answers.length > 0);
}
