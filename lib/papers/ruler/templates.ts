import { RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { Materials, Sample } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";

/** The rows of Table 6: the models, and the name of their template. */
const MODEL_TEMPLATES = [
  ["GPT-4", "gpt-4"],
  ["Yi, and base models", "base"],
  ["Command-R", "command-r-chat"],
  ["LWM", "lwm-chat"],
  ["LongChat", "vicuna-chat"],
  ["ChatGLM", "chatglm-chat"],
  ["Others", "meta-chat"],
] as const;

/** Shows Table 6 of the RULER paper: the chat template of each model, with spaces and line breaks as its code has them. */
export function modelTemplateTable(): Table {
  const rows = MODEL_TEMPLATES.map(([models, name]) => {
    const { before, after } = chatTemplate(name);
    return { models, name, template: `${before}{task_template}${after}{task_answer_prefix}`.replaceAll("\n", "⏎") };
  });
  return table(rows, {
    title: "Table 6 of the RULER paper: the chat templates of its models",
    caption:
      "As in its code, where ⏎ is a line break; the paper prints the marks without their angle brackets. The name is that " +
      "of --chat-template. GPT-4's is in the paper only. The answer prefix begins with a space if its task has one.",
    ...{ origin: "published", n: `${rows.length} templates` } as const,
    columns: [
      { field: "models", label: "Models" },
      { field: "name", label: "Name" },
      { field: "template", label: "Template" },
    ],
  });
}

/** Tables 7, 8 and 9, by the kind of task. */
const PRINTED_IN = { niah_single: 7, niah_multikey: 7, niah_multi: 8, vt: 8, cwe: 8, fwe: 8, qa: 9 } as const;

/**
 * Shows Tables 7 to 9 of the RULER paper: the template of each of its thirteen tasks, in the paper's wording. Keys and values of a
 * small sample are replaced by placeholders.
 */
export function taskTemplateTable(materials: Materials): Table {
  const rows = RULER_TASK_NAMES.map((name) => {
    const given = name === "vt" || name === "cwe" ? { examples: 0 } : {};
    const task = rulerTask(name, { variant: "paper", ...given });
    const sample = task.sample({ length: task.leastLength(materials), seed: "42", index: 0, materials });
    const { before, after, answerPrefix } = task.words(materials);
    const [, number] = Object.entries(PRINTED_IN).find(([kind]) => name.startsWith(kind))!;
    const isQuestion = name.startsWith("qa");
    // The last document ends in a line break of its own.
    const template = bare(`${before}{context}${isQuestion ? "\n" : ""}${after ?? ""}`.replaceAll("\n", "⏎"), sample);
    const { text } = sample.facts.find(({ role }) => role === "target")!;
    return {
      ...{ name, number, template: isQuestion ? template.replace(/(?<=Question: ).*/, "{question}") : template },
      ...{
        fact: isQuestion ? "Document {number}:⏎{document}" : bare(text, sample),
        prefix: bare(answerPrefix, sample),
      },
    };
  });
  return table(rows, {
    title: "Tables 7 to 9 of the RULER paper: the templates of its tasks",
    caption: "⏎ is a line break. Variable tracking and common words are preceded by one worked example.",
    ...{ origin: "published", n: `${rows.length} tasks` } as const,
    columns: [
      { field: "number", label: "Table", digits: 0 },
      { field: "name", label: "Task" },
      { field: "template", label: "Template" },
      { field: "fact", label: "In the context" },
      { field: "prefix", label: "Answer prefix" },
    ],
  });
}

/** Replaces the keys and values of a sample by placeholders. */
function bare(text: string, { facts }: Sample): string {
  return facts.filter(({ role }) => role === "target").reduce(
    (words, { key, value }) => [[value, "{value}"], [key, "{key}"]].reduce(replaceWord, words),
    text,
  );
}

function replaceWord(text: string, [word = "", placeholder = ""]: readonly string[]): string {
  return word.length < 3 ? text : text.replaceAll(word, placeholder);
}
