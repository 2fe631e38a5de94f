import { equal, match, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { readSimulated } from "../../_read_simulated.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { CHAT_TEMPLATES, chatTemplate, joinPrompt } from "@/lib/models/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { editMatch, keywordMatch, replyKind } from "@/lib/scorers/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const IDEAL = openProfile("ideal");

Deno.test.each(CDME_NEEDLES.tasks.map((name) => [name]))(
  "the ideal reader scores 100 in %s, wherever the needles stand",
  (name) => {
    for (const [index, length] of [[0, 1000], [19, 1000], [7, 4000], [33, 4000], [138, 2000]] as const) {
      const sample = CDME_NEEDLES.task(name).sample({ length, seed: "1", index, materials });
      const { text, mistakes, task } = readSimulated(joinPrompt(sample.prompt), IDEAL);
      const [answer = "", keyword] = sample.references;
      const { value } = keyword === undefined ? editMatch(text, answer) : keywordMatch(text, { answer, keyword });
      // The original's needle says 的 where the form that it asks for has none.
      equal(value, name === "cdme_original" ? 1 - 1 / 23 : 1, text);
      equal(mistakes.length, 0);
      equal(task, "cdme");
    }
  },
);

Deno.test("the ideal reader reads CDME inside every chat template", () => {
  for (const templateName of CHAT_TEMPLATES) {
    const template = chatTemplate(templateName);
    const { prompt } = CDME_NEEDLES.task("cdme_en").sample({
      length: 1000,
      seed: "1",
      index: 4,
      materials,
      template,
    });
    const user = userText(prompt);
    const { text } = readSimulated(template.before + user + template.after, IDEAL);
    equal(
      text,
      "Xiao Ming's favorite internship location is the Shanghai Artificial Intelligence Laboratory.",
      templateName,
    );
  }
});

Deno.test("the ideal reader finds needles of the user's own by the form that is asked for", () => {
  const question = "雪是什么颜色？请按照“窗外的雪是____的。”的格式回答。";
  const task = CDME_NEEDLES.make({ needle: "\n窗外的雪是蓝的。\n", question, guide: "off" });
  const { prompt } = task.sample({ length: 1500, seed: "1", index: 9, materials });
  equal(readSimulated(joinPrompt(prompt), IDEAL).text, "窗外的雪是蓝的。");
});

Deno.test("the ideal reader says so in the prompt's language where there is no needle", () => {
  for (const [name, words] of [["cdme_zh", /找不到/], ["cdme_en", /cannot find/]] as const) {
    const { prompt, facts, references } = CDME_NEEDLES.task(name).sample({
      length: 1000,
      seed: "1",
      index: 4,
      materials,
    });
    const { text } = readSimulated(joinPrompt(prompt).replace(facts[0]!.text, ""), IDEAL);
    match(text, words);
    equal(replyKind(text, references[0]!), "refusal");
  }
});

Deno.test("weaker readers lose answers, refuse in the prompt's language where they refuse, and never fail", () => {
  const weak = openProfile("llama2-7b");
  const wholeReplies = { "graded text": { empty: 1, refused: 1, copied: 1, prior: 2 } };
  const profile = { ...weak, rates: { ...weak.rates, wholeReplies } };
  const kinds = new Set<string>();
  let sum = 0;
  for (let index = 0; index < 120; index++) {
    const { prompt, references } = CDME_NEEDLES.task("cdme_zh").sample({ length: 6000, seed: "1", index, materials });
    const { text } = readSimulated(joinPrompt(prompt), profile);
    kinds.add(replyKind(text, references[0]!));
    sum += editMatch(text, references[0]!).value!;
  }
  ok(sum / 120 > 0.1 && sum / 120 < 0.9, String(sum / 120));
  ok(kinds.has("answer") && kinds.has("empty") && kinds.has("refusal"), [...kinds].join());
  ok(!kinds.has("other language"));
});
