import { type FileReader, openDataFile } from "./_documents_file.ts";
import type { Document, DocumentSet, Question } from "./documents.ts";

/**
 * Reads documents and questions from a HotpotQA file in the distractor format.
 *
 * As in RULER (qa.py), a document is its title, a new line and its sentences. The documents that answer a question are those
 * its supporting facts name; near to it are the others of its context, ten in all as a rule. Equal documents of different
 * questions are one. A question whose context lacks a supporting document is left out, as in the full-wiki format.
 *
 * @param json The file's text.
 * @param name What to call the set in sample ids and records.
 * @returns The documents, with titles.
 * @throws {SyntaxError} If the text is not such a file, or no question in it can be answered.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const context = [["Grass", ["The grass is green.", " It grows."]], ["Sky", ["The sky is blue."]]];
 * const asked = { question: "Is the grass green?", answer: "yes", supporting_facts: [["Grass", 0]], context };
 * const set = documentsFromHotpotqa(JSON.stringify([asked]));
 * deepEqual(set.document(0), { title: "Grass", text: "Grass\nThe grass is green. It grows." });
 * ```
 */
export function documentsFromHotpotqa(json: string, name = "hotpotqa"): DocumentSet {
  const file = openDataFile(
    json,
    'HotpotQA of the distractor setting in JSON, [{"question", "answer", "supporting_facts", "context"}]',
  );
  const numbers = new Map<string, number>();
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const asked of file.list(file.root, "the whole")) {
    const context = readContext(file, asked);
    for (const document of context) {
      if (numbers.has(document.text)) continue;
      numbers.set(document.text, documents.length);
      documents.push(document);
    }
    const titles = readSupport(file, asked);
    const support = titles.map((title) => context.find((document) => document.title === title));
    const gold = support.flatMap((document) => document ? [numbers.get(document.text)!] : []);
    const question = file.text(file.field(asked, "question"), '"question"');
    const answer = file.text(file.field(asked, "answer"), '"answer"');
    if (gold.length === 0 || gold.length < titles.length) continue;
    const near = [...new Set(context.map(({ text }) => numbers.get(text)!))].filter((number) => !gold.includes(number));
    questions.push({ question, answers: [answer], gold, near });
  }
  if (questions.length === 0) throw file.refuse("number of questions with their documents is 0");
  return {
    name,
    documentCount: documents.length,
    questionCount: questions.length,
    document: (number) => documents[number]!,
    question: (number) => questions[number]!,
  };
}

function readContext(file: FileReader, asked: unknown): Document[] {
  return file.list(file.field(asked, "context"), '"context"').map((entry) => {
    const [name, list] = file.list(entry, 'an entry of "context"');
    const title = file.text(name, "a title");
    const sentences = file.list(list, "a document").map((sentence) => file.text(sentence, "a sentence"));
    return { title, text: `${title}\n${sentences.join("")}` };
  });
}

/** Gives the titles of the documents that answer, each once, in the order in which they are named. */
function readSupport(file: FileReader, asked: unknown): string[] {
  const facts = file.list(file.field(asked, "supporting_facts"), '"supporting_facts"');
  return [...new Set(facts.map((fact) => file.text(file.list(fact, "a supporting fact")[0], "a title")))];
}
