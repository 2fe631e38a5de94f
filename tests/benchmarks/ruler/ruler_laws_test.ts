import { equal, ok } from "node:assert/strict";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { cases } from "../../_cases.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { COMMON_WORDS } from "@/lib/benchmarks/ruler/common_words.ts";
import { FREQUENT_WORDS } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_TASK_NAMES, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { PLAIN_TEMPLATE, type Sample, type Task, userText } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";

const TASKS: readonly RulerTaskName[] = RULER_TASK_NAMES.slice(0, 11);
const materials = await openTestMaterials("cl100k_base");

Deno.test("rulerTask() hides asked needles evenly over the context in any 20 samples in a row", () => {
  for (const name of TASKS.filter((task) => task.startsWith("niah"))) {
    const depths = Array.from({ length: 40 }, (_, index) => {
      const { facts } = rulerTask(name).sample({ length: 8192, seed: "depths", index, materials });
      return facts.filter(({ role }) => role === "target").map(({ depth }) => depth!);
    });
    for (let first = 0; first + 20 <= depths.length; first++) {
      const sorted = depths.slice(first, first + 20).flat().sort((left, right) => left - right);
      const miss = Math.max(...sorted.map((depth, rank) => Math.abs(depth - (rank + 0.5) / sorted.length)));
      // Twenty random depths miss by about 0.2 somewhere.
      ok(miss < 0.12, `${name} from sample ${first} misses by ${miss}`);
    }
  }
});

/** A tokenizer that shares no code and no data with the one in use. */
interface Independent {
  readonly countTokens: (text: string) => number;
  readonly clearMergeCache: () => void;
}

/** Checks a sample's length; from 4,096 tokens up at least 99% of it are used. */
function checkLength(
  { prompt, promptTokens, answerRoom, task, index }: Sample,
  { length, independent }: { readonly length: number; readonly independent: Independent },
): void {
  // Its cache slows it down once it is full.
  independent.clearMergeCache();
  const counted = independent.countTokens(userText(prompt) + prompt.answerPrefix);
  const name = `sample ${index} of ${task} at ${length}`;
  equal(promptTokens, counted, name);
  ok(counted + answerRoom <= length, name);
  if (length >= 4096) ok(counted + answerRoom >= 0.99 * length, `${name} has ${counted} tokens`);
}

for (
  const [length, encoding, independent] of [
    [131_072, "cl100k_base", cl100k],
    ...cases([], [[131_072, "o200k_base", o200k], [1_000_000, "cl100k_base", cl100k]] as const),
  ] as const
) {
  Deno.test(`rulerTask() fills ${length} tokens to the token, counted by another ${encoding}`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of TASKS) {
      checkLength(rulerTask(name).sample({ length, seed: "long", index: 5, materials }), { length, independent });
    }
  });
}

/** How often a task puts each reference into a prompt; it must not be part of anything else there. */
function countPlanted({ task, references, facts }: Sample): number[] {
  if (task.startsWith("niah")) return references.map(() => 1);
  // A variable is named where it gets its value and where it hands it on.
  if (task.startsWith("vt")) return references.map((_, hop) => hop === references.length - 1 ? 1 : 2);
  const targets = facts.filter(({ role }) => role === "target");
  return references.map((word) => Number(targets.find(({ key }) => key === word)!.value));
}

/** Counts what the substring score would find if a reply repeated everything that is sent. */
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

const ANSWER_TASKS: readonly Task[] = [
  NIAH.make({ name: "niah_words", haystack: "needle", valueType: "words", keys: 4, queries: 2 }),
  rulerTask("niah_multivalue"),
  VARIABLE_TRACKING.make({ name: "vt_3_chains", chains: 3 }),
  rulerTask("vt"),
  rulerTask("cwe"),
  COMMON_WORDS.make({ name: "cwe_near", common: 20, asked: 5 }),
  rulerTask("fwe"),
  FREQUENT_WORDS.make({ name: "fwe_4_letters", wordLength: 4 }),
];

Deno.test.each(ANSWER_TASKS.map((task) => [task.name, task] as const))(
  "%s puts no answer into the prompt but where it is planted: not into other words, the wording, the example or the template",
  (_name, task) => {
    for (const templateName of CHAT_TEMPLATES) {
      const template = chatTemplate(templateName);
      for (let index = 0; index < cases(6, 40); index++) {
        const sample = task.sample({ length: 1536, seed: "answers", index, materials, template });
        equal(countFound(sample, template).join(), countPlanted(sample).join(), `${sample.references} in ${sample.id}`);
      }
    }
  },
);
