import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../../generators/_materials.ts";
import references from "./_reference_templates.json" with { type: "json" };
import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";

const materials = await openTestMaterials("cl100k_base");

/**
 * The text around a sample's own content in the prompts of RULER's code, for every chat template, as hashes.
 *
 * Recorded from runs of prepare.py with the template's name, three samples a task, at c3f5e3b (2026) and e40fae1 (2024); all
 * three gave one template. A hash is the first ten digits of the SHA-256 of the text that is sent, blanked out by `blankOut()`,
 * with a zero character where the field `answer_prefix` of 2026 begins.
 */
const REFERENCE_TEMPLATES: Readonly<Record<"2026" | "2024", Readonly<Record<string, string>>>> = references;

/** The tasks that each of a template's hashes is for: those in one place have the same words. */
const TEMPLATE_TASKS = [
  ["niah_single_1", "niah_single_2", "niah_multikey_1", "niah_multikey_2"],
  ["niah_single_3", "niah_multikey_3"],
  ["niah_multivalue"],
  ["niah_multiquery"],
  ["vt"],
  ["cwe"],
  ["fwe"],
  ["qa_1", "qa_2"],
] as const;

/** Puts placeholders for what is drawn: needles, lines, words, documents, keys, names and values. */
function blankOut(task: string, text: string, query: string): string {
  if (task.startsWith("niah")) {
    return text.replace(/(quiz you about the \w+ afterwards\.\n)[^]*(\nWhat )/, "$1{context}$2")
      .replace(/(?<= for )[^.?]+?(?= mentioned)/g, (keys) => keys.replace(/[^ ,]+(?=,|$)/g, "{key}"));
  }
  if (task === "vt") {
    return text.replace(/(in the following text\.)(\s*)\S[^]*?\S(\s*)(?=Question: Find)/g, "$1$2{context}$3")
      .replace(/the value \d+/g, "the value {value}")
      .replace(/(?<=they are: {2})[A-Z]+(?: [A-Z]+)+/g, "{names}");
  }
  if (task === "cwe") return text.replace(/1\. \S+(?: \d+\. \S+)*/g, "{list}");
  if (task === "fwe") return text.replace(/(coded words\. )[^]*?(?=\nQuestion:)/, "$1{context}");
  return text.replace(query, "{query}").replace(/(are given documents\.\n\n)[^]*(?=\n\nAnswer the)/, "$1{context}");
}

/** Makes a sample whose lines end with noise, as the reference's always do. */
function makeLike(task: RulerTaskName, variant: "2026" | "2024", templateName: string): Sample {
  for (let index = 0;; index++) {
    const sample = rulerTask(task, { variant })
      .sample({ length: 4096, seed: "frames", index, materials, template: chatTemplate(templateName) });
    if (task !== "vt") return sample;
    const ends = userText(sample.prompt).match(/\S\s*Question: Find/g)!.length;
    const quiet = userText(sample.prompt).split(NOISE_LINE).filter((piece) => /^\s*Question: Find/.test(piece)).length;
    if (ends === 2 && quiet === 2) return sample;
  }
}

for (const variant of ["2026", "2024"] as const) {
  for (const [templateName, hashes] of Object.entries(REFERENCE_TEMPLATES[variant])) {
    Deno.test(`rulerTask() ${variant} sends what the reference sends around all tasks in ${templateName}`, () => {
      const sent = TEMPLATE_TASKS.flatMap((tasks, place) =>
        tasks.map((task) => {
          const { prompt } = makeLike(task, variant, templateName);
          const template = chatTemplate(templateName);
          const whole = renderText(prompt, template);
          const prefixAt = whole.length - prompt.answerPrefix!.length;
          equal(whole.slice(prefixAt), prompt.answerPrefix);
          const text = variant === "2024" ? whole : `${whole.slice(0, prefixAt)}\0${prompt.answerPrefix}`;
          const query = userText(prompt).slice(userText(prompt).lastIndexOf("Question: ") + "Question: ".length);
          const blank = blankOut(task, text, query);
          const hash = createHash("sha256").update(blank).digest("hex").slice(0, 10);
          return { task, hash: hash === hashes.split(" ")[place] ? "the reference's" : `${hash} of ${blank}` };
        })
      );
      deepEqual(sent, sent.map(({ task }) => ({ task, hash: "the reference's" })));
    });
  }
}

Deno.test("chatTemplate() has every template of the reference, gpt-4, and two for InternLM", () => {
  const others = ["gpt-4", "internlm-chat", "internlm2-chat"];
  deepEqual([...Object.keys(REFERENCE_TEMPLATES["2026"]), ...others].sort(), [...CHAT_TEMPLATES].sort());
});
