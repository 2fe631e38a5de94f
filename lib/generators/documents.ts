import type { Tokenizer } from "@/lib/text/mod.ts";

/** One document of a question-answering task. */
export interface Document {
  /** Its title; empty where the data set has none (SQuAD). */
  readonly title: string;
  /** Its text; it begins with the title where RULER prints that (HotpotQA). */
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
  /** How many documents there are. */
  readonly documentCount: number;
  /** How many questions there are. */
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
  /** The line above a document; empty where it has none. */
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

/**
 * Reads documents and questions from a HotpotQA file in the distractor format.
 *
 * As in RULER (qa.py), a document is its title, a new line and its sentences. The documents that a question's supporting facts
 * name answer it; the others of its context, usually eight, are near. Equal documents are one. A question whose context lacks
 * a supporting document is left out, as in the full-wiki format.
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

/** Returns the titles of the supporting documents, each once, in the order of the file. */
function readSupport(file: FileReader, asked: unknown): string[] {
  const facts = file.list(file.field(asked, "supporting_facts"), '"supporting_facts"');
  return [...new Set(facts.map((fact) => file.text(file.list(fact, "a supporting fact")[0], "a title")))];
}

/** Reads the values of a data file, and refuses those of the wrong kind. */
interface FileReader {
  /** The whole file. */
  readonly root: unknown;
  /** Returns the items of a list; `what` names it in the error. */
  list(value: unknown, what: string): readonly unknown[];
  /** Returns a text. */
  text(value: unknown, what: string): string;
  /** Returns a field of an object, `undefined` if it has none of that name. */
  field(value: unknown, name: string): unknown;
  /** Makes the error for a file that is not what is wanted. */
  refuse(found: string): SyntaxError;
}

/** Opens a data file in JSON. */
function openDataFile(json: string, wanted: string): FileReader {
  const refuse = (found: string): SyntaxError =>
    new SyntaxError(`Cannot read the documents as the file must be ${wanted}: current ${found}`);
  return {
    root: parse(json, refuse),
    refuse,
    list(value, what): readonly unknown[] {
      if (!Array.isArray(value)) throw refuse(`value of ${what} is ${describe(value)}`);
      return value;
    },
    text(value, what): string {
      if (typeof value !== "string") throw refuse(`value of ${what} is ${describe(value)}`);
      return value;
    },
    field: (value, name) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
  };
}

function parse(json: string, refuse: FileReader["refuse"]): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refuse("text is not JSON");
  }
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
