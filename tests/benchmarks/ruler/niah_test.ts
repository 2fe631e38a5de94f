import { equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import type { NeedleType } from "@/lib/benchmarks/ruler/needles.ts";
import { PLAIN_TEMPLATE, type Sample, userText } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";

const TYPES: readonly NeedleType[] = ["words", "numbers", "uuids"];
const PAIRS = TYPES.flatMap((keyType) => TYPES.map((valueType) => ({ keyType, valueType })));
const materials = await openTestMaterials("cl100k_base");

/** Checks that all keys and values of a sample differ and that none is part of another; `askedKeys` keys have several values. */
function checkApart({ id, facts }: Sample, askedKeys: number, values: number): void {
  const texts = new Set(facts.flatMap(({ key, value }) => [key, value]));
  equal(texts.size, facts.length + facts.length - askedKeys * (values - 1), `${id} has a text twice`);
  const lengths = [...new Set([...texts].map(({ length }) => length))];
  for (const text of texts) {
    for (const length of lengths) {
      if (length >= text.length) continue;
      for (let start = 0; start + length <= text.length; start++) {
        const part = text.slice(start, start + length);
        ok(!texts.has(part), `${id}: "${part}" is part of "${text}"`);
      }
    }
  }
}

Deno.test("NIAH.make() makes no key or value that equals or holds another, in samples of all types", () => {
  let samples = 0;
  for (const pair of PAIRS) {
    const hidden = NIAH.make({ ...pair, haystack: "noise", keys: 8, values: 3, queries: 2 });
    const filler = NIAH.make({ ...pair, haystack: "needle" });
    for (let index = 0; index < cases(4, 20); index++) {
      checkApart(hidden.sample({ length: 2048, seed: "apart", index, materials }), 8, 3);
      checkApart(filler.sample({ length: 4096, seed: "apart", index, materials }), 1, 1);
      samples += 2;
    }
  }
  equal(samples, cases(72, 360));
});

Deno.test.each(PAIRS.map(({ keyType, valueType }) => [keyType, valueType] as const))(
  "NIAH.make() keeps keys (%s) and values (%s) apart among needles of a long context",
  (keyType, valueType) => {
    const task = NIAH.make({ keyType, valueType, haystack: "needle" });
    checkApart(task.sample({ length: cases(32_768, 131_072), seed: "apart", index: 0, materials }), 1, 1);
  },
);

Deno.test("NIAH.make() keeps words apart among needles of 1,000,000 tokens", { ignore: cases(true, false) }, () => {
  const task = NIAH.make({ keyType: "words", valueType: "words", haystack: "needle" });
  const sample = task.sample({ length: 1_000_000, seed: "apart", index: 0, materials });
  ok(sample.facts.length > 40_000);
  checkApart(sample, 1, 1);
});

/** Puts placeholders for what is drawn, as the paper's tables do. */
function blankOut({ prompt, facts, references }: Sample): { user: string; answerPrefix: string | undefined } {
  const asked = facts.filter(({ role }) => role === "target");
  const keys = [...new Set(asked.map(({ key }) => key))];
  const blank = (text: string): string =>
    keys.reduce((blanked, key, place) => blanked.replaceAll(key, `{key-${place + 1}}`), text);
  ok(references.length > 0);
  return { user: blank(userText(prompt)), answerPrefix: blank(prompt.answerPrefix ?? "") };
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
)("NIAH words %s of the paper as it is printed", (name, opening, question, answerPrefix) => {
  const blanked = blankOut(
    rulerTask(name, { variant: "paper" }).sample({ length: 1024, seed: "paper", index: 0, materials }),
  );
  ok(blanked.user.startsWith(opening));
  ok(blanked.user.endsWith(question));
  equal(blanked.answerPrefix, answerPrefix);
});

Deno.test("NIAH.make() makes LWM's and Vicuna's templates singular with the question, but not in the paper's form", () => {
  for (const [templateName, opening] of [["lwm-chat", "You are a"], ["vicuna-chat", "polite answers to"]] as const) {
    const template = chatTemplate(templateName);
    const { prompt } = NIAH.make({ haystack: "noise", variant: "paper" })
      .sample({ length: 1024, seed: "singular", index: 0, materials, template });
    ok(renderText(prompt, template).includes(opening));
  }
});

Deno.test("NIAH.make() leaves a template alone that is none of RULER's", () => {
  const template = { ...PLAIN_TEMPLATE, name: "own", before: "You are a helpful assistant.\n" };
  const { prompt } = NIAH.make().sample({ length: 1024, seed: "own", index: 0, materials, template });
  ok(renderText(prompt, template).startsWith("You are a helpful assistant.\nA special magic number is"));
});
