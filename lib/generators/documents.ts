import type { Tokenizer } from "@/lib/text/mod.ts";

/** One document of a question-answering task. */
export interface Document {
  /** Its title; empty if the data set has none (SQuAD). */
  readonly title: string;
  /** Its text; it begins with the title if RULER prints that (HotpotQA). */
  readonly text: string;
}

/** One question about the documents. */
export interface Question {
  readonly question: string;
  /** The accepted answers, at least one; any is right. */
  readonly answers: readonly string[];
  /** Numbers of the documents that answer it, one for each hop, in the order of the reasoning. */
  readonly gold: readonly number[];
  /** Numbers of the documents used first as distractors: from the same article, or from the question's own context. */
  readonly near: readonly number[];
}

/**
 * Documents with questions, from a file or from the synthetic world.
 *
 * Both are read by number, so a set can be large without being held in memory.
 */
export interface DocumentSet {
  /** Its name in sample ids and records, such as `squad`, `hotpotqa` or `world_one_hop`. */
  readonly name: string;
  readonly documentCount: number;
  readonly questionCount: number;
  /** Returns a document by number, from 0. */
  document(number: number): Document;
  /** Returns a question by number, from 0. */
  question(number: number): Question;
  /** What its texts are made of, in a set whose documents share pieces. */
  readonly pieces?: DocumentPieces;
}

/** Documents as lists of pieces, of which there are few, so that each is counted in tokens once. */
export interface DocumentPieces {
  /** How many different pieces there are. */
  readonly count: number;
  /** A piece: it begins with a space, or with a mark after a letter, and only its last character can be a mark at its end. */
  textOf(piece: number): string;
  /** The line above a document; empty if it has none. */
  titleOf(number: number): string;
  /** The pieces of a document without its title; the text has no space before its first. */
  list(number: number): readonly number[];
  /** Returns a function that counts a document with the blank line after it; `undefined` if nothing is known of the tokenizer. */
  tokens(tokenizer: Tokenizer): ((number: number) => number) | undefined;
}

/**
 * Reads documents and questions from a SQuAD file, version 1.1 or 2.0.
 *
 * As in RULER (qa.py), every paragraph is a document, also without questions; only questions that can be answered are
 * asked, and all annotated answers are accepted. The other paragraphs of its article are near a question. Paragraphs of equal
 * text are one document.
 */
export function documentsFromSquad(json: string, name = "squad"): DocumentSet {
  const wanted = 'SQuAD 1.1 or 2.0 in JSON, {"data": [{"paragraphs": [{"context", "qas"}]}]}';
  return readDataFile(json, wanted, (root) => {
    const numbers = new Map<string, number>();
    const questions: Question[] = [];
    for (const article of listIn(root, "data")) {
      const paragraphs = listIn(article, "paragraphs");
      const contexts = paragraphs.map((paragraph) => textIn(paragraph, "context"));
      for (const context of contexts) if (!numbers.has(context)) numbers.set(context, numbers.size);
      const inArticle = [...new Set(contexts)].map((context) => numbers.get(context)!);
      paragraphs.forEach((paragraph, index) => {
        const gold = numbers.get(contexts[index]!)!;
        const near = inArticle.filter((number) => number !== gold);
        for (const asked of listIn(paragraph, "qas")) {
          if (fieldIn(asked, "is_impossible") === true) continue;
          const question = textIn(asked, "question");
          const answers = listIn(asked, "answers").map((answer) => textIn(answer, "text"));
          if (answers.length > 0) questions.push({ question, answers, gold: [gold], near });
        }
      });
    }
    if (questions.length === 0) throw new WrongFile("number of questions with an answer is 0");
    return makeSet(name, [...numbers.keys()].map((text) => ({ title: "", text })), questions);
  });
}

/**
 * Reads documents and questions from a HotpotQA file in the distractor format.
 *
 * As in RULER (qa.py), a document is its title, a new line and its sentences. The documents that a question's supporting facts
 * name answer it; the others of its context, usually eight, are near. Equal documents are one. A question whose context lacks
 * a supporting document is left out, as in the full-wiki format.
 */
export function documentsFromHotpotqa(json: string, name = "hotpotqa"): DocumentSet {
  const wanted = 'HotpotQA of the distractor setting in JSON, [{"question", "answer", "supporting_facts", "context"}]';
  return readDataFile(json, wanted, (root) => {
    const numbers = new Map<string, number>();
    const documents: Document[] = [];
    const questions: Question[] = [];
    for (const asked of listIn({ file: root }, "file")) {
      const context = listIn(asked, "context").map((entry): Document => {
        const title = textIn(entry, "0");
        const sentences = listIn(entry, "1");
        return { title, text: `${title}\n${sentences.map((_, place) => textIn(sentences, `${place}`)).join("")}` };
      });
      for (const document of context) {
        if (numbers.has(document.text)) continue;
        numbers.set(document.text, documents.length);
        documents.push(document);
      }
      const titles = new Set(listIn(asked, "supporting_facts").map((fact) => textIn(fact, "0")));
      const gold = [...titles].flatMap((title) => {
        const document = context.find((known) => known.title === title);
        return document ? [numbers.get(document.text)!] : [];
      });
      const [question, answer] = [textIn(asked, "question"), textIn(asked, "answer")];
      if (gold.length === 0 || gold.length < titles.size) continue;
      const own = new Set(context.map(({ text }) => numbers.get(text)!));
      questions.push({ question, answers: [answer], gold, near: [...own].filter((number) => !gold.includes(number)) });
    }
    if (questions.length === 0) throw new WrongFile("number of questions with their documents is 0");
    return makeSet(name, documents, questions);
  });
}

function makeSet(name: string, documents: readonly Document[], questions: readonly Question[]): DocumentSet {
  return {
    name,
    documentCount: documents.length,
    questionCount: questions.length,
    document: (number) => documents[number]!,
    question: (number) => questions[number]!,
  };
}

/** Thrown for a value that a data file must not have. */
class WrongFile extends Error {}

function readDataFile(json: string, wanted: string, read: (root: unknown) => DocumentSet): DocumentSet {
  try {
    return read(JSON.parse(json));
  } catch (error) {
    if (!(error instanceof WrongFile || error instanceof SyntaxError)) throw error;
    const found = error instanceof WrongFile ? error.message : "text is not JSON";
    throw new SyntaxError(`Cannot read the documents as the file must be ${wanted}: current ${found}`);
  }
}

/** Returns a field of an object or an item of a list; `undefined` if it has none of that name. */
function fieldIn(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldIn(value, name);
  if (Array.isArray(field)) return field;
  throw new WrongFile(`value of "${name}" is ${describe(field)}`);
}

function textIn(value: unknown, name: string): string {
  const field = fieldIn(value, name);
  if (typeof field === "string") return field;
  throw new WrongFile(`value of "${name}" is ${describe(field)}`);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
