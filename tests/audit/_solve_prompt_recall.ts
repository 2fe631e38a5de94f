import { only, SENTENCE, type Solution, unsolvable } from "./_solution.ts";

/** What stands round document and question in each template; the system message is a line that begins so. */
const TEMPLATES: readonly RegExp[] = [
  /^(?<opening><s>(?:<<SYS>>\n(?:You are .+)\n<<\/SYS>>\n)?)(?<document>[^]*)\n\[INST\](?<question>.+)\[\/INST\]$/,
  /^(?<opening>\[INST\]\n(?:You are a helpful AI .+\n)?)(?<document>[^]*)\n(?<question>.+)\n\[\/INST\]$/,
  /^(?<opening>(?:You are a helpful AI .+\n)?)(?<document>[^]*)\n(?<question>.+)$/,
];

/** What each question is about. */
const SUBJECTS = ["PistachioAI", "San Francisco", "Thornfield Hollow"];

/** Solves a prompt of "LLM In-Context Recall is Prompt Dependent": finds the one sentence that says something of the subject. */
export function solvePromptRecall(prompt: string): Solution {
  const parts = TEMPLATES.map((template) => template.exec(prompt)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) throw unsolvable("it must have a document and a question");
  const { opening, document, question } = parts as Record<"opening" | "document" | "question", string>;
  const subject = only(SUBJECTS.filter((each) => question.includes(each)), "subject of the question");
  const sentences = document.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.includes(subject));
  // "Series A." ends a sentence here as it does there.
  const needle = only(sentences, `sentence about ${subject}`);
  if (document.split(subject).length !== 2) throw unsolvable(`${subject} must be named once`);
  return {
    answers: [needle, question],
    context: [opening.length, opening.length + document.length],
    planted: 1,
    unit: SENTENCE.en,
  };
}
