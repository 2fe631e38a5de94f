/** One document of a question-answering task. */
export interface Document {
  /** Its title; empty where the data set has none (SQuAD). */
  readonly title: string;
  /** The words that follow `Document {i}:` on the next line; they begin with the title where RULER prints it (HotpotQA). */
  readonly text: string;
}

/** One question about the documents. */
export interface Question {
  /** The question as it is asked. */
  readonly question: string;
  /** The accepted answers, at least one; any of them is right. */
  readonly answers: readonly string[];
  /** Numbers of the documents that answer it, in the order of the reasoning: one for one hop, two for two. */
  readonly gold: readonly number[];
  /** Numbers of documents that are taken first as distractors: the same article's, or the question's own context. */
  readonly near: readonly number[];
}

/**
 * Documents with questions, from a file or from the synthetic world.
 *
 * Both are read by number, so that a set may be as large as the context needs and hold nothing until it is asked.
 */
export interface DocumentSet {
  /** What it is called in sample ids and records, such as `squad`, `hotpotqa` or `world_one_hop`. */
  readonly name: string;
  /** How many documents there are. */
  readonly documentCount: number;
  /** How many questions there are. */
  readonly questionCount: number;
  /** Gives a document by its number, from 0. */
  document(number: number): Document;
  /** Gives a question by its number, from 0. */
  question(number: number): Question;
}
