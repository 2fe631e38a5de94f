import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as p50k from "gpt-tokenizer/encoding/p50k_base";
import * as r50k from "gpt-tokenizer/encoding/r50k_base";
import { cases } from "../../_cases.ts";
import { openFreshMaterials, openTestMaterials } from "../../generators/_materials.ts";
import { COMMON_WORDS } from "@/lib/benchmarks/ruler/common_words.ts";
import { FREQUENT_WORDS } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_TASK_NAMES, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Variant, VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import { type Materials, PLAIN_TEMPLATE, type Sample, type Task, userText } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";
import type { EncodingName } from "@/lib/text/mod.ts";

const TASKS: readonly RulerTaskName[] = RULER_TASK_NAMES.slice(0, 11);
const materials = await openTestMaterials("cl100k_base");

Deno.test("rulerTask() makes a sample alike alone, after others and from freshly opened materials", async () => {
  const fresh = await openFreshMaterials("cl100k_base");
  for (const name of TASKS) {
    const [task, length] = [rulerTask(name), 2048];
    const make = (index: number, from: Materials): string =>
      JSON.stringify(task.sample({ length, seed: "alike", index, materials: from }));
    const upwards = [0, 1, 2, 3].map((index) => make(index, materials));
    const downwards = [3, 2, 1, 0].map((index) => make(index, fresh)).toReversed();
    deepEqual(upwards, downwards);
    equal(new Set(upwards).size, 4);
  }
});

Deno.test("rulerTask() makes other samples for other seeds, lengths and variants", () => {
  for (const name of TASKS) {
    const hashes = [
      ["a", 2048, "2026"],
      ["b", 2048, "2026"],
      ["a", 2047, "2026"],
      ["a", 2048, "2024"],
      ["a", 2048, "paper"],
    ].map(([seed, length, variant]) =>
      rulerTask(name, { variant: variant as "2026" }).sample({
        length: length as number,
        seed: seed as string,
        index: 0,
        materials,
      })
    );
    equal(new Set(hashes.map(({ id }) => id)).size, 5);
    equal(new Set(hashes.map(({ sha256 }) => sha256)).size, 5, name);
  }
});

Deno.test("rulerTask() fits any length from the least one up, for any seed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TASKS), fc.constantFrom(...VARIANTS), fc.nat(3000), fc.string(), (
      name,
      variant,
      more,
      seed,
    ) => {
      const task = rulerTask(name, { variant });
      const length = task.leastLength(materials) + more;
      const { promptTokens, prompt } = task.sample({ length, seed, index: 0, materials });
      equal(promptTokens, materials.tokenizer.count(userText(prompt) + prompt.answerPrefix));
      ok(promptTokens + task.answerRoom <= length);
    }),
    { numRuns: cases(60, 300), seed: 1 },
  );
});

for (const name of TASKS) {
  Deno.test(`rulerTask("${name}") refuses a length below its least one, which works for many samples`, () => {
    for (const variant of VARIANTS) {
      const task = rulerTask(name, { variant });
      const least = task.leastLength(materials);
      throws(() => task.sample({ length: least - 1, seed: "least", index: 0, materials }), {
        name: "RangeError",
        message: `Cannot generate ${name} as length must be at least ${least} tokens: current value is ${least - 1}`,
      });
      for (let index = 0; index < cases(15, 150); index++) {
        const { promptTokens, answerRoom } = task.sample({ length: least, seed: "least", index, materials });
        ok(promptTokens + answerRoom <= least);
      }
    }
  });
}

Deno.test("rulerTask() holds every reference in the prompt, and no reference twice", () => {
  for (const name of TASKS) {
    for (let index = 0; index < 20; index++) {
      const { prompt, references } = rulerTask(name).sample({ length: 2048, seed: "held", index, materials });
      ok(references.every((reference) => userText(prompt).includes(reference)));
      equal(new Set(references).size, references.length);
    }
  }
});

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

const ENCODINGS: readonly (readonly [EncodingName, Independent, Variant])[] = [
  ["cl100k_base", cl100k, "2026"],
  ["o200k_base", o200k, "2024"],
  ["p50k_base", p50k, "paper"],
  ["r50k_base", r50k, "2026"],
];

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

const MANY = cases(1, 4);

for (const [encoding, independent, variant] of ENCODINGS) {
  Deno.test(`rulerTask() ${variant} fills lengths up to 32,768 to the token, counted by another ${encoding}`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of TASKS) {
      const task = rulerTask(name, { variant });
      const least = task.leastLength(materials);
      for (const [length, samples] of [[512, MANY], [1024, MANY], [4096, MANY], [32_768, 1]] as const) {
        if (length < least) continue;
        for (let index = 0; index < samples; index++) {
          const sample = task.sample({ length, seed: `length ${index}`, index, materials });
          checkLength(sample, { length, independent });
        }
      }
    }
  });
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

Deno.test("rulerTask() fits 512 tokens for all tasks but those with a worked example", async () => {
  const materials: Materials = await openTestMaterials("cl100k_base");
  const tooLong = TASKS.filter((name) => rulerTask(name).leastLength(materials) > 512);
  equal(tooLong.join(), "vt,cwe");
  ok(TASKS.every((name) => rulerTask(name).leastLength(materials) <= 1024));
});

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
