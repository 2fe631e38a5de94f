/** One document of a question-answering prompt. */
export interface PromptDocument {
  readonly text: string;
  /** The share of the prompt's characters before it. */
  readonly depth: number;
}

/** The parts of a question-answering prompt. */
export interface DocumentPrompt {
  readonly question: string;
  readonly documents: readonly PromptDocument[];
}

const INSTRUCTION = "Answer the question based on the given documents.";
const QUESTION = "\nQuestion: ";
/** What can follow the question on its line: the answer prefix, and the marks of chat templates before it. */
const AFTER_QUESTION =
  /\s*(?:<\||\[\/INST\]|<end_of_turn>|<\/s>|Do not provide any explanation\.|ASSISTANT:|Answer:).*$/;

/** Cuts RULER's question-answering prompt into documents and question; `null` where the wording is another task's. */
export function readDocumentPrompt(prompt: string): DocumentPrompt | null {
  const asked = prompt.lastIndexOf(QUESTION);
  const instruction = prompt.lastIndexOf(INSTRUCTION, asked);
  if (asked < 0 || instruction < 0) return null;
  const line = prompt.slice(asked + QUESTION.length).split("\n", 1)[0]!;
  const question = line.replace(AFTER_QUESTION, "").trim();
  const starts = [
    ...prompt.slice(0, instruction).matchAll(/(?:^|\n)Document \d+:\n/g),
  ];
  const documents = starts.map((start, number) => ({
    text: prompt.slice(
      start.index + start[0].length,
      starts[number + 1]?.index ?? instruction,
    ).trim(),
    depth: start.index / prompt.length,
  }));
  return question === "" || documents.length === 0 ? null : { question, documents };
}
