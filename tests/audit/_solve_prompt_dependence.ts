import { areUnset, type Audit, only, SENTENCE, type Solution, unsolvable } from "./_solution.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { SEVERAL_NEEDLES } from "@/lib/benchmarks/prompt_dependence/several_needles.ts";

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

const SEVERAL = /^(?<opening>(?:You are a helpful AI .+\n)?)(?<document>[^]*)\n(?<question>What are .+)$/;

/** Solves a prompt with several needles of Kamradt's test: names every ingredient that a sentence of the text says. */
function solveSeveralNeedles(prompt: string): Solution {
  const parts = SEVERAL.exec(prompt)?.groups;
  if (parts === undefined) throw unsolvable("it must have a document and a question");
  const { opening, document } = parts as Record<"opening" | "document", string>;
  const said = [...document.matchAll(/([A-Z][a-z]+(?: [a-z]+)?) (?:is|are) one of the secret ingredients/g)];
  if (said.length !== document.split("secret ingredients").length - 1) {
    throw unsolvable("each ingredient must be named");
  }
  return {
    answers: said.map(([, ingredient]) => ingredient!),
    context: [opening.length, opening.length + document.length],
    planted: said.length,
    unit: SENTENCE.en,
  };
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: (prompt, { suite }) => suite.startsWith("several") ? solveSeveralNeedles(prompt) : solvePromptRecall(prompt),
  further: [
    SEVERAL_NEEDLES.task("recall_pizza", { depth: 0, system: "none" }),
    SEVERAL_NEEDLES.task("recall_pizza", { spacing: "sigmoid", depths: 7, system: "published" }),
    ...(["openai", "llama", "mistral"] as const).flatMap((template) =>
      (["published", "short", "none"] as const).map((system) =>
        PROMPT_RECALL.task("recall_thornfield", { template, system, wording: "request" })
      )
    ),
    PROMPT_RECALL.task("recall_pistachio", { wording: "distant", spacing: "linear", depths: 7 }),
    PROMPT_RECALL.task("recall_san_francisco", { depth: 0 }),
    PROMPT_RECALL.task("recall_san_francisco", { depth: 1, wording: "distant", template: "llama" }),
  ],
  traits: (options) => ({
    isSpread: areUnset(options, "depth", "depths") && options["ending"] !== "needle",
    asksTheSame: true,
  }),
  // The references of recall come with wordings of the question, of which one is asked.
  answersOf: ({ suite, references }) => suite.startsWith("prompt-recall") ? references.slice(0, 2) : references,
};
