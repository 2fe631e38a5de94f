import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Sample } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("rulerTask() makes the thirteen tasks with RULER's answer rooms, categories and scoring", () => {
  const tasks = RULER_TASK_NAMES.map((name) => rulerTask(name));
  deepEqual(tasks.map(({ name }) => name), RULER_TASK_NAMES);
  // tokens_to_generate in RULER's code: NIAH 128, VT 30, CWE 120, FWE 50, QA 32.
  deepEqual(tasks.map(({ answerRoom }) => answerRoom), [...Array(8).fill(128), 30, 120, 50, 32, 32]);
  deepEqual(tasks.map(({ category }) => category), [
    ...Array(8).fill("retrieval"),
    "multi-hop tracing",
    "aggregation",
    "aggregation",
    "question answering",
    "question answering",
  ]);
  deepEqual(tasks.map(({ scorer }) => scorer.name), [...Array(11).fill("all"), "any", "any"]);
});

// haystack, key type, value type, keys, values, queries (RULER, table 5 and synthetic.yaml).
Deno.test.each([
  ["niah_single_1", "noise words numbers 1 1 1"],
  ["niah_single_2", "essay words numbers 1 1 1"],
  ["niah_single_3", "essay words uuids 1 1 1"],
  ["niah_multikey_1", "essay words numbers 4 1 1"],
  ["niah_multikey_2", "needle words numbers 1 1 1"],
  ["niah_multikey_3", "needle uuids uuids 1 1 1"],
  ["niah_multivalue", "essay words numbers 1 4 1"],
  ["niah_multiquery", "essay words numbers 4 1 4"],
  ["niah_single_words", "essay words words 1 1 1"],
  ["niah_multivalue_2", "essay words numbers 1 2 1"],
  ["niah_multiquery_2", "essay words numbers 2 1 2"],
] as [RulerTaskName, string][])("rulerTask() gives %s the knobs %s", (name, knobs) => {
  const { options } = rulerTask(name);
  const order = ["haystack", "keyType", "valueType", "keys", "values", "queries"];
  equal(order.map((knob) => options[knob]).join(" "), knobs);
});

Deno.test("rulerTask() gives the tasks of the correlation study their knobs", () => {
  equal(new Set(RULER_STUDY_TASK_NAMES).size, 18);
  const [vt, fwe] = [rulerTask("vt_2_chains").options, rulerTask("fwe_alpha_3_5").options];
  deepEqual([vt["chains"], vt["hops"], fwe["alpha"]], [2, 2, 3.5]);
});

Deno.test("rulerTask() takes words for the values of niah_single_3 as the paper prints it", () => {
  equal(rulerTask("niah_single_3", { variant: "paper" }).options["valueType"], "words");
  equal(rulerTask("niah_single_3", { variant: "paper", valueType: "uuids" }).options["valueType"], "uuids");
  equal(rulerTask("niah_single_2", { variant: "paper" }).options["valueType"], "numbers");
});

Deno.test("rulerTask() lets knobs be changed", () => {
  const task = rulerTask("cwe", { common: 5, variant: "2024" });
  deepEqual([task.name, task.options["common"], task.options["variant"]], ["cwe", 5, "2024"]);
});

Deno.test("rulerTask() refuses names and knobs that it does not know", () => {
  throws(() => rulerTask("vtt" as RulerTaskName), {
    name: "RangeError",
    message:
      /^Cannot make the task as its name must be one of RULER's \(niah_single_1, .*, qa_2\): current value is "vtt"$/,
  });
  throws(() => rulerTask("vt", { alpha: 2 }), {
    name: "RangeError",
    message: 'Cannot make task vt as each knob must be one of variant, chains, hops: current value is "alpha"',
  });
  throws(() => rulerTask("toString" as RulerTaskName), { name: "RangeError" });
});

/** Puts placeholders for what is drawn, as the paper's tables do. */
function blankOut({ prompt, facts, references }: Sample): { user: string; answerPrefix: string | undefined } {
  const asked = facts.filter(({ role }) => role === "target");
  const keys = [...new Set(asked.map(({ key }) => key))];
  const blank = (text: string): string =>
    keys.reduce((blanked, key, place) => blanked.replaceAll(key, `{key-${place + 1}}`), text);
  ok(references.length > 0);
  return { user: blank(prompt.user), answerPrefix: blank(prompt.answerPrefix ?? "") };
}

const PLURAL = (type: string): string =>
  `Some special magic ${type} are hidden within the following text. Make sure to memorize it. I will quiz you about the ${type} afterwards.\n`;

// Opening, question and answer prefix as Tables 7 and 8 of the paper print them.
Deno.test.each(
  [
    [
      "niah_single_1",
      PLURAL("numbers"),
      "\nWhat is the special magic number for {key-1} mentioned in the provided text?",
      " The special magic number for {key-1} mentioned in the provided text is",
    ],
    [
      "niah_single_3",
      PLURAL("words"),
      "\nWhat is the special magic word for {key-1} mentioned in the provided text?",
      " The special magic word for {key-1} mentioned in the provided text is",
    ],
    [
      "niah_multikey_3",
      PLURAL("uuids"),
      "\nWhat is the special magic number for {key-1} mentioned in the provided text?",
      " The special magic number for {key-1} mentioned in the provided text is",
    ],
    [
      "niah_multivalue",
      PLURAL("numbers"),
      "\nWhat are all the special magic numbers for {key-1} mentioned in the provided text?",
      " The special magic numbers for {key-1} mentioned in the provided text are",
    ],
  ] as [RulerTaskName, string, string, string][],
)("rulerTask() words %s of the paper as it is printed", (name, opening, question, answerPrefix) => {
  const blanked = blankOut(
    rulerTask(name, { variant: "paper" }).sample({ length: 1024, seed: "paper", index: 0, materials }),
  );
  ok(blanked.user.startsWith(opening));
  ok(blanked.user.endsWith(question));
  equal(blanked.answerPrefix, answerPrefix);
});

Deno.test("rulerTask() lists the keys of niah_multiquery with commas and an and", () => {
  const { prompt, references, facts } = rulerTask("niah_multiquery", { variant: "paper" })
    .sample({ length: 1024, seed: "paper", index: 0, materials });
  const keys = references.map((value) => facts.find((fact) => fact.value === value)!.key);
  const [first, second, third, fourth] = keys;
  equal(
    prompt.answerPrefix,
    ` The special magic numbers for ${first}, ${second}, ${third}, and ${fourth} mentioned in the provided text are`,
  );
});
