import { deepEqual, equal, match, notEqual, ok, throws } from "node:assert/strict";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import {
  CDME_TASK_NAMES,
  cdmeTask,
  type CdmeTaskName,
  depthGrid,
  type Materials,
  namedCdmeTask,
  type Sample,
} from "@/lib/generators/mod.ts";
import { editMatch } from "@/lib/scorers/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";
import { openTestMaterials } from "../_materials.ts";

const materials = await openTestMaterials("cl100k_base");
const FIXED = CDME_TASK_NAMES.filter((name) => !name.startsWith("cdme_original"));
const OPENINGS = {
  zh:
    "你是一个善于回答用户问题的智能AI助手\n请保持你的回答简洁清楚。不要说和下面文档中的无关的话，或重复你的回答\n用户现在给你的文档是",
  en: "You are an intelligent AI assistant skilled in answering user questions.\n" +
    "Please keep your answers concise and clear. Do not talk about irrelevant topics or repeat your answers.\n" +
    "The document given to you by the user is ",
};
const ASKING = { zh: "\n\n现在请问：", en: "\n\nNow, the question is: " };

type Language = keyof typeof OPENINGS;

function languageOf(name: string): Language {
  return name.endsWith("_en") ? "en" : "zh";
}

/** What stands between the instructions and the question. */
function contextOf({ prompt: { user }, task }: Sample): string {
  const language = languageOf(task);
  ok(user.startsWith(OPENINGS[language]));
  return user.slice(OPENINGS[language].length, user.lastIndexOf(ASKING[language]));
}

function sampleOf(name: CdmeTaskName, request: { length: number; index: number; from?: Materials }): Sample {
  const { from = materials, ...place } = request;
  return namedCdmeTask(name).sample({ ...place, seed: "42", materials: from });
}

Deno.test("cdmeTask() words its prompt as OpenCompass does, guidance included", () => {
  // open-compass/opencompass e975a96f, cdme.py and cdme8k.py.
  const { prompt: { user }, references } = sampleOf("cdme_zh", { length: 1000, index: 3 });
  ok(user.startsWith(OPENINGS.zh));
  ok(user.endsWith(
    "\n\n现在请问：小明最喜欢的实习地点是哪里？在回答之前，请思考文档中与此问题最相关的内容是什么。" +
      "请按照“小明最喜欢的实习地点就是________。”的格式回答。",
  ));
  deepEqual(references, ["小明最喜欢的实习地点就是上海人工智能实验室。"]);
});

Deno.test("cdmeTask() words its English prompt as OpenCompass does", () => {
  const { prompt: { user } } = sampleOf("cdme_en", { length: 1000, index: 3 });
  ok(user.startsWith(OPENINGS.en));
  match(
    user,
    /\n\nNow, the question is: What is .*\? Before answering, please consider what in the document is most relevant to this question\. Please answer in the format ".*________\."$/,
  );
});

Deno.test("cdmeTask() asks plainly without guidance", () => {
  const { prompt: { user } } = cdmeTask({ guide: "off" }).sample({ length: 1000, seed: "1", index: 0, materials });
  ok(user.endsWith("现在请问：小明最喜欢的实习地点是哪里？请按照“小明最喜欢的实习地点就是________。”的格式回答。"));
});

Deno.test.each(FIXED.map((name) => [name] as [CdmeTaskName]))("%s fills its length and never goes over", (name) => {
  const task = namedCdmeTask(name);
  for (const length of [task.leastLength(materials), 1000, 3001, 16_000]) {
    for (const index of [0, 7, 19, 26]) {
      const sample = sampleOf(name, { length, index });
      equal(sample.promptTokens, countCl100k(sample.prompt.user));
      ok(sample.promptTokens <= length - task.answerRoom, `${length}, ${index}: ${sample.promptTokens}`);
      // The shortest sentence of the essays has 5 tokens; two that meet can have one more.
      if (length >= 1000) ok(length - task.answerRoom - sample.promptTokens <= 6, `${length}, ${index}`);
    }
  }
});

Deno.test.each(FIXED.map((name) => [name] as [CdmeTaskName]))(
  "%s plants each needle once, between whole sentences",
  (name) => {
    const language = languageOf(name);
    const essays = materials.essaysIn(language);
    // Whole sentences make up the essays, so what is left of a context without its needles is a run of them.
    const sentences = new Set(Array.from({ length: essays.size }, (_, at) => essays.run(at, 1).text.trim()));
    for (const index of [0, 5, 13, 19, 38]) {
      const sample = sampleOf(name, { length: 4000, index });
      const context = contextOf(sample);
      for (const { text } of sample.facts) {
        equal(sample.prompt.user.split(text).length, 2, text);
        const [before, after] = context.split(text).map((side) => side.replace(/\n/g, "").trim());
        const endsWhole = (side: string): boolean => [...sentences].some((sentence) => side.endsWith(sentence));
        const startsWhole = (side: string): boolean => [...sentences].some((sentence) => side.startsWith(sentence));
        const isNeedle = (side: string): boolean =>
          sample.facts.some((fact) => side.endsWith(fact.text) || side.startsWith(fact.text));
        ok(before === "" || endsWhole(before!) || isNeedle(before!), before!.slice(-40));
        ok(after === "" || startsWhole(after!) || isNeedle(after!), after!.slice(0, 40));
      }
    }
  },
);

Deno.test.each(FIXED.map((name) => [name] as [CdmeTaskName]))(
  "%s plants needles at the depths asked for, in order",
  (name) => {
    const { tokenizer } = materials;
    const language = languageOf(name);
    const essays = materials.essaysIn(language);
    const longest = essays.byLength.at(-1)!.tokens;
    const grid = depthGrid({ points: 20, whole: "floor" });
    for (let index = 0; index < 20; index++) {
      const sample = sampleOf(name, { length: 4000, index });
      equal(sample.depth, grid[index]! / 100);
      const context = contextOf(sample);
      const needles = sample.facts.map(({ text }) => text);
      const without = (text: string): number =>
        tokenizer.count(needles.reduce((rest, needle) => rest.replace(needle, ""), text));
      const total = without(context);
      const places = needles.map((needle) => context.indexOf(needle));
      deepEqual(places, places.toSorted((left, right) => left - right));
      places.forEach((place, at) => {
        const wanted = Math.min(1, (grid[index]! + 25 * at) / 100) * total;
        const stands = without(context.slice(0, place));
        ok(Math.abs(stands - wanted) <= longest / 2 + 4, `${index}, ${at}: ${stands} of ${total}, wanted ${wanted}`);
      });
    }
  },
);

Deno.test.each(FIXED.map((name) => [name] as [CdmeTaskName]))(
  "%s stands truly first at 0% and truly last at 100%",
  (name) => {
    const [first, last] = [0, 19].map((index) => sampleOf(name, { length: 3000, index }));
    ok(contextOf(first!).trimStart().startsWith(first!.facts[0]!.text));
    ok(contextOf(last!).trimEnd().endsWith(last!.facts.at(-1)!.text));
    equal(first!.facts[0]!.depth, 0);
    equal(last!.facts.at(-1)!.depth, 1);
  },
);

Deno.test.each(FIXED.map((name) => [name] as [CdmeTaskName]))("%s gives an obedient answer full marks", (name) => {
  for (const index of [0, 20, 40, 60, 80, 100, 120, 140, 160, 180]) {
    const { prompt: { user }, references: [answer], facts } = sampleOf(name, { length: 1500, index });
    const [, before, after] = /(?:格式|format|请按照).*?[“"'](\P{M}*?)_+(.*?)[”"'](?:的格式回答。)?$/u.exec(
      user.slice(-400),
    )!;
    const form = before!.split(/[“]|format ["']|请按照'/u).at(-1)!;
    equal(editMatch(`${form}${facts.at(-1)!.value}${after}`, answer!).value, 1, `${form}…${after}`);
  }
});

Deno.test("cdmeTask() keeps full-width marks and puts no space into Chinese", () => {
  const context = contextOf(sampleOf("cdme_zh", { length: 8000, index: 9 }));
  match(context, /[\u4e00-\u9fff]，[\u4e00-\u9fff]/);
  equal(/[,.!?;:] ?[\u4e00-\u9fff]/.exec(context), null);
  equal(/[\u4e00-\u9fff。，] +[\u4e00-\u9fff]/.exec(context), null);
});

Deno.test("cdmeTask() counts o200k_base as exactly", async () => {
  const from = await openTestMaterials("o200k_base");
  for (const name of ["cdme_zh", "cdme_multi_en"] as const) {
    const sample = sampleOf(name, { length: 5000, index: 12, from });
    equal(sample.promptTokens, countO200k(sample.prompt.user));
    ok(4800 - sample.promptTokens <= 6);
  }
});

Deno.test("cdmeTask() makes sample 17 without making 0 to 16, and the same each time", () => {
  const [alone, again] = [1, 2].map(() => sampleOf("cdme_zh", { length: 2000, index: 17 }));
  deepEqual(alone, again);
  for (let index = 0; index < 17; index++) sampleOf("cdme_zh", { length: 2000, index });
  equal(sampleOf("cdme_zh", { length: 2000, index: 17 }).sha256, alone!.sha256);
  notEqual(sampleOf("cdme_zh", { length: 2000, index: 16 }).sha256, alone!.sha256);
});

Deno.test("cdmeTask() has the same text round the needle at every depth of a repeat, and another in the next", () => {
  const openings = [1, 10, 21, 30].map((index) => contextOf(sampleOf("cdme_zh", { length: 6000, index })).slice(0, 60));
  equal(openings[0], openings[1]);
  equal(openings[2], openings[3]);
  notEqual(openings[0], openings[2]);
});

Deno.test("cdmeTask() goes through a sigmoid that reaches both ends, or stays at one depth", () => {
  const depthsOf = (task: ReturnType<typeof cdmeTask>): number[] =>
    Array.from({ length: 5 }, (_, index) => task.sample({ length: 1500, seed: "1", index, materials }).depth!);
  deepEqual(depthsOf(cdmeTask({ points: 5, spacing: "sigmoid" })), [0, 0.07586, 0.5, 0.92414, 1]);
  deepEqual(depthsOf(cdmeTask({ depth: 0.3 })), [0.3, 0.3, 0.3, 0.3, 0.3]);
});

Deno.test("cdmeTask() takes needles of the user's own, and those whose depths reach beyond the end stand last", () => {
  const task = cdmeTask({
    needles: ["甲地在乙地以北。", "乙地在丙地以北。"],
    question: "最北的是哪里？请按照“最北的是____。”的格式回答。",
    answer: "最北的是甲地。",
    keyword: "甲地",
    diff: 60,
    depth: 0.8,
  });
  const { prompt: { user }, facts, references } = task.sample({ length: 1500, seed: "1", index: 0, materials });
  deepEqual(references, ["最北的是甲地。", "甲地"]);
  equal(facts[1]!.depth, 1);
  match(user, /[。！？”]甲地在乙地以北。/);
  match(user, /乙地在丙地以北。\n\n现在请问：最北的是哪里？在回答之前/);
  equal(task.scoring, "keyword");
  equal(task.options["needles"], "甲地在乙地以北。|乙地在丙地以北。");
});

Deno.test("cdmeTask() parts a needle without line breaks from English sentences by one space", () => {
  const needle = "The tallest tower in Wuzhen is the White Lotus Tower.";
  const question = 'Which tower is the tallest? Please answer in the format "The tallest tower in Wuzhen is ____."';
  const task = cdmeTask({ language: "en", needle, question });
  for (const index of [0, 8, 19]) {
    const context = contextOf({ ...task.sample({ length: 1200, seed: "1", index, materials }), task: "cdme_en" });
    match(context, /(?:^|[^ ] )The tallest tower in Wuzhen is the White Lotus Tower\.(?: [^ ]|$)/);
  }
});

Deno.test.each(
  [
    [{ language: "de" }, 'Cannot make task cdme as language must be one of zh, en: current value is "de"'],
    [{ edition: "2024" }, 'Cannot make task cdme as edition must be one of fixed, original: current value is "2024"'],
    [{ points: 0 }, "Cannot make task cdme as points must be a whole number from 1 to 1000: current value is 0"],
    [{ depth: 50 }, "Cannot make task cdme as depth must be in [0, 1]: current value is 50"],
    [{ diff: -1 }, "Cannot make task cdme as diff must be in [0, 100]: current value is -1"],
    [
      { lengthBuffer: 0 },
      "Cannot make task cdme as lengthBuffer must be a whole number from 1 to 100000: current value is 0",
    ],
    [{ needle: "雪。" }, 'Cannot make task cdme as needles of your own must come with a question: current value is ""'],
    [
      { needle: " ", question: "？" },
      'Cannot make task cdme as needles of your own must be at least one, and none of them blank: current value is [" "]',
    ],
    [
      { needle: "雪是白的。", question: "雪是什么颜色？" },
      'Cannot make task cdme as a guided question must hold "请按照" (or guide be off): current value is "雪是什么颜色？"',
    ],
    [
      { needles: "雪是白的。|夜是黑的。", question: "请按照", answer: "白" },
      'Cannot make task cdme as several needles must come with an answer and a keyword (zh): current value is {"answer":"白"}',
    ],
    [
      { needle: "小明的实习的地点是北京。", question: "请按照“小明的实习地点是____。”的格式回答。" },
      'Cannot make task cdme as the answer must fill the form "小明的实习地点是____。" that the question asks for, ' +
      'or an obedient answer is not whole: current value is "小明的实习的地点是北京。"',
    ],
  ] as [object, string][],
)("cdmeTask() refuses %j", (options, message) => {
  throws(() => cdmeTask(options), { name: "RangeError", message });
});

Deno.test("cdmeTask() refuses a length below its least, and essays that hold the needle", () => {
  const least = namedCdmeTask("cdme_zh").leastLength(materials);
  throws(() => sampleOf("cdme_zh", { length: least - 1, index: 0 }), {
    message: `Cannot generate cdme_zh as length must be at least ${least} tokens: current value is ${least - 1}`,
  });
  const { tokenizer } = materials;
  const essays = makeHaystack(["小明最喜欢的实习地点就是上海人工智能实验室。今天下雪了。"], {
    name: "told",
    tokenizer,
    locale: "zh",
  });
  throws(() => sampleOf("cdme_zh", { length: 2000, index: 0, from: { ...materials, essaysIn: () => essays } }), {
    message:
      'Cannot make task cdme_zh as the essays told must not hold the needle: current value is "小明最喜欢的实习地点就是上海人工智能实验室。今天下雪了。小明最喜欢的实习地点就是上海…" ' +
      "(take it out of that text, or leave the text out)",
  });
});

Deno.test("namedCdmeTask() refuses a name it does not know", () => {
  throws(() => namedCdmeTask("cdme_fr" as CdmeTaskName), /its name must be one of cdme_zh, cdme_en, /);
});
