import { equal } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { COMMON_WORDS, FREQUENT_WORDS, NIAH, rulerTask, VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/mod.ts";
import { PLAIN_TEMPLATE, type Sample, type Task } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/render.ts";

const materials = await openTestMaterials("cl100k_base");

/** How often a task puts each reference into a prompt; as part of anything else it must not stand there. */
function countPlanted({ task, references, facts }: Sample): number[] {
  if (task.startsWith("niah")) return references.map(() => 1);
  // A variable is named where it gets its value and where it hands it on.
  if (task.startsWith("vt")) return references.map((_, hop) => hop === references.length - 1 ? 1 : 2);
  const targets = facts.filter(({ role }) => role === "target");
  return references.map((word) => Number(targets.find(({ key }) => key === word)!.value));
}

/** Counts what the substring score would find, if a reply said everything that is sent. */
function countFound({ prompt, references }: Sample, template = PLAIN_TEMPLATE): number[] {
  const text = renderText(prompt, template).toLowerCase();
  return references.map((reference) => text.split(reference.toLowerCase()).length - 1);
}

// Words that were found in the template before templates were looked at: between, always, tart of "start", lpfu, helpfu.
Deno.test.each(
  [
    ["vicuna-chat", rulerTask("cwe"), 1604],
    ["RWKV", rulerTask("cwe"), 74],
    ["meta-llama3", rulerTask("cwe"), 848],
    ["vicuna-chat", FREQUENT_WORDS.make({ wordLength: 4 }), 1888],
    ["vicuna-chat", rulerTask("vt"), 705],
  ] as [string, Task, number][],
)("a sample takes no answer that is part of its template, such as %s", (templateName, task, index) => {
  const template = chatTemplate(templateName);
  const sample = task.sample({ length: 1024, seed: "t", index, materials, template });
  equal(countFound(sample, template).join(), countPlanted(sample).join());
});

const TASKS: readonly Task[] = [
  NIAH.make({ name: "niah_words", haystack: "needle", valueType: "words", keys: 4, queries: 2 }),
  rulerTask("niah_multivalue"),
  VARIABLE_TRACKING.make({ name: "vt_3_chains", chains: 3 }),
  rulerTask("vt"),
  rulerTask("cwe"),
  COMMON_WORDS.make({ name: "cwe_near", common: 20, asked: 5 }),
  rulerTask("fwe"),
  FREQUENT_WORDS.make({ name: "fwe_4_letters", wordLength: 4 }),
];

Deno.test.each(TASKS.map((task) => [task.name, task] as const))(
  "%s puts no answer into the prompt but where it is planted: not into other words, the wording, the example or the template",
  (_name, task) => {
    for (const templateName of CHAT_TEMPLATES) {
      const template = chatTemplate(templateName);
      for (let index = 0; index < 40; index++) {
        const sample = task.sample({ length: 1536, seed: "answers", index, materials, template });
        equal(countFound(sample, template).join(), countPlanted(sample).join(), `${sample.references} in ${sample.id}`);
      }
    }
  },
);
