import {
  PROMPT_RECALL,
  RECALL_SYSTEMS,
  RECALL_TESTS,
  type RecallPair,
  recallRubric,
} from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { type Materials, userText } from "@/lib/generators/mod.ts";

/** The templates of Table 6, and the models that are asked with each. */
const TEMPLATES = {
  llama: "Llama 2 13B and 70B, WizardLM",
  mistral: "Mistral v0.1 and v0.2, Mixtral",
  openai: "GPT-4 Turbo, GPT-3.5 Turbo",
} as const;

/** Words kept on each side of the needle. */
const KEPT = 10;

/**
 * Shows Tables 3, 6 and 7: the template of each kind of model, and the prompt of the PistachioAI test in it, with a text that comes
 * with Fathom; `[…]` marks omissions, ⏎ a line break.
 */
export function recallPromptTable(materials: Materials, { title }: Pick<Titled, "title">): Table {
  const { needle, questions: [question] } = RECALL_TESTS.pistachio;
  const rows = Object.entries(TEMPLATES).map(([template, models]) => {
    const task = PROMPT_RECALL.make({ test: "pistachio", template: template as keyof typeof TEMPLATES, depth: 0.5 });
    const { before, after } = task.words(materials);
    const { prompt } = task.sample({ length: 640, seed: "42", index: 0, materials });
    const text = userText(prompt).slice(before.length, -after!.length);
    const [above = [], below = []] = text.split(needle).map((part) => part.trim().split(/\s+/));
    const context = `[…] ${above.slice(-KEPT).join(" ")} ${needle} ${below.slice(0, KEPT).join(" ")} […]`;
    const words = `${before}{document}${after}`.replace(RECALL_SYSTEMS.published, "{system_message}");
    return {
      ...{ template, models, format: broken(words.replace(question, "{question}")) },
      prompt: broken(before + context + after),
    };
  });
  return table(rows, {
    title,
    caption:
      `Table 6 has the templates, Tables 3 and 7 a prompt in them. A whole reply is the needle: “${needle}” Table 7 prints the ` +
      "San Francisco test under the name of PistachioAI and closes its blocks with <<SYS>> and [\\INST]; prompts here follow Table 6.",
    ...{ origin: "published", n: `${rows.length} templates` } as const,
    columns: [
      { field: "template", label: "Template" },
      { field: "models", label: "Models" },
      { field: "format", label: "Format" },
      { field: "prompt", label: "The PistachioAI test in it", write: String },
    ],
  });
}

function broken(text: string): string {
  return text.replaceAll("\n", "⏎");
}

/** The replies that the paper prints; all but the first and the last in our translation. */
const PRINTED: readonly {
  readonly where: string;
  readonly pair: RecallPair;
  readonly reply: string;
  readonly grade: number | null;
}[] = [
  { where: "Table 3", pair: RECALL_TESTS.pistachio, reply: RECALL_TESTS.pistachio.needle, grade: null },
  {
    where: "Section 4.2, GPT-4 Turbo",
    pair: RECALL_TESTS.san_francisco,
    reply:
      "The best thing to do in San Francisco is to explore its diverse neighborhoods, iconic landmarks and beautiful " +
      "scenery. Visiting the Golden Gate Bridge, walking along Fisherman's Wharf, exploring the lively Mission District and " +
      "enjoying the view from Twin Peaks are highly recommended.",
    grade: null,
  },
  {
    where: "Section 5, Llama 2 13B: 1,922 tokens, depth 11.3%",
    pair: RECALL_TESTS.san_francisco,
    reply:
      "According to the information in the text, the best thing to do in San Francisco is eat a sandwich and sit in " +
      "Dolores Park on a sunny day, as this is the advice of the text. The reason for it is that OS X is an operating system " +
      "by Apple, is beautifully designed and runs on a Powerbook.",
    grade: 3,
  },
  {
    where: "Appendix C, the judge's example",
    pair: RECALL_TESTS.san_francisco,
    reply:
      "Based on the provided information, the best thing to do in San Francisco is to eat a sandwich and sit in Dolores " +
      "Park on a sunny day.",
    grade: null,
  },
];

/** Shows the replies that the paper prints, with its grades and the rubric's. */
export function printedReplyTable({ title }: Pick<Titled, "title">): Table {
  const rows = PRINTED.map(({ pair: { needle, questions: [question] }, ...row }) => ({
    ...row,
    rubric: recallRubric(row.reply, needle, { question }).grade,
  }));
  return table(rows, {
    title,
    caption:
      "Grades are from 1 to 5; a dash where the paper prints none. In the text of section 5 the sentence after the needle gives " +
      "a reason, which the reply repeats: a judge that sees only needle and reply takes it for an addition. The second and the third " +
      "reply are in our translation, the second without its end.",
    ...{ origin: "published", n: `${rows.length} replies` } as const,
    columns: [
      { field: "where", label: "Printed in" },
      { field: "reply", label: "Reply" },
      { field: "grade", label: "Grade in the paper", digits: 0 },
      { field: "rubric", label: "Grade by the rubric", digits: 0 },
    ],
  });
}
