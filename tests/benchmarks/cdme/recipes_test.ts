import { deepEqual, equal, match, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { type GivenKnobs, type Materials, userText } from "@/lib/generators/mod.ts";
import { editMatch } from "@/lib/scorers/mod.ts";
import { makeHaystack, type Tokenizer } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const { tokenizer } = materials;

/** Materials whose Chinese essays are these texts. */
function withTexts(texts: readonly string[], name = "mine"): Materials {
  const essays = makeHaystack(texts, { name, tokenizer, locale: "zh" });
  return withOther(materials, { essays, essaysIn: () => essays });
}

/** Thirty short texts, each of a place of its own. */
const PLAIN = withTexts(
  [..."东南西北山水江河湖海村镇城乡林田园池桥路街巷井台亭楼门窗船车"].map((place) => `${place}边下雪了。\n`),
);

Deno.test("CDME_NEEDLES.make() with shared texts has those of version 2 in each round, in another order, and in the original's own", () => {
  const hashes = (name: typeof CDME_NEEDLES.tasks[number], indexes: readonly number[]): string[] => {
    const task = CDME_NEEDLES.task(name, { depths: 3, texts: "shared" });
    return indexes.map((index) => task.sample({ length: 1200, seed: "42", index, materials }).sha256.slice(0, 12));
  };
  // Samples 0 to 5 of version 2, which went through the depths from first to last.
  const varied = ["30370c655ccf", "a7572f961182", "b92a2de15000", "2b71084aea35", "a8abba5f88a2", "4a908780c564"];
  deepEqual(hashes("cdme_varied_zh", [1, 0, 2, 4, 3, 5]), varied);
  const multi = ["bd28f10ec568", "59c8c4cb0235", "8db1e8d479a1", "c2ed787d4273", "4a3eb7a90396", "c52a6473e3c1"];
  deepEqual(hashes("cdme_multi_en", [1, 0, 2, 4, 3, 5]), multi);
  const original = ["0815a51d2f41", "491931c7f908", "5ca8ba3df95e", "6d83e5788ed6", "c1df841e8f4f", "b4dd741622fd"];
  deepEqual(hashes("cdme_original", [0, 1, 2, 3, 4, 5]), original);
});

Deno.test("CDME_NEEDLES.make() in its original edition asks for 的 where its form has none: obedience scores 95.65", () => {
  const { prompt, references } = CDME_NEEDLES.task("cdme_original")
    .sample({ length: 1000, seed: "42", index: 0, materials });
  const user = userText(prompt);
  match(user, /请按照“小明最喜欢的实习地点就是________。”的格式回答。$/);
  equal((100 * editMatch("小明最喜欢的实习地点就是上海人工智能实验室。", references[0]!).value!).toFixed(2), "95.65");
});

Deno.test("CDME_NEEDLES.make() in its original edition takes 200 tokens off for everything but the text, and checks nothing", () => {
  for (const length of [1000, 4000]) {
    const { prompt } = CDME_NEEDLES.task("cdme_original").sample({ length, seed: "42", index: 7, materials });
    const user = userText(prompt);
    const start = user.indexOf("用户现在给你的文档是") + "用户现在给你的文档是".length;
    const context = user.slice(start, user.lastIndexOf("\n\n现在请问："));
    // Tokens that are cut and joined are not those of the text they make: a few more or less.
    ok(Math.abs(tokenizer.count(context) - (length - 200)) <= 6);
    notEqual(tokenizer.count(user), length);
  }
});

Deno.test("CDME_NEEDLES.make() in its original edition falls short where the texts do", () => {
  const sample = CDME_NEEDLES.make({ edition: "original" })
    .sample({ length: 50_000, seed: "1", index: 0, materials: PLAIN });
  ok(sample.promptTokens < 700, String(sample.promptTokens));
});

Deno.test("CDME_NEEDLES.make() in its original edition cuts sentences and characters in two", () => {
  const task = CDME_NEEDLES.task("cdme_original");
  const halves = Array.from({ length: 40 }, (_, index) => task.sample({ length: 3000, seed: "42", index, materials }));
  ok(
    halves.some(({ prompt }) => /\ufffd\n小明最喜欢的实习的地点/.test(userText(prompt))),
    "a needle stands inside a character",
  );
  const isWhole = ({ prompt }: typeof halves[0]): boolean =>
    /[。！？”\n]\n小明最喜欢的实习的地点/.test(userText(prompt));
  ok(halves.filter(isWhole).length < 20, "most needles stand inside a sentence");
});

Deno.test("CDME_NEEDLES.make() in its original edition puts later needles too deep, as the vector has it", () => {
  // T = 1,000, depth 10, gap 25 and needles of 40, 30 and 50 tokens: 39.0% and 67.0% where 35% and 60% are meant.
  const needles = [" b".repeat(40), " c".repeat(30), " d".repeat(50)];
  deepEqual(needles.map((needle) => tokenizer.count(needle)), [40, 30, 50]);
  const task = CDME_NEEDLES.make({
    edition: "original",
    needles: needles.join("|"),
    question: "请按照",
    answer: "丙",
    keyword: "丙",
    gap: 25,
    depth: 0.1,
  });
  const long = withTexts([" a".repeat(5000)]);
  const { prompt } = task.sample({ length: 1000 + 200 + 120, seed: "1", index: 0, materials: long });
  const user = userText(prompt);
  const before = needles.map((text) => user.slice(0, user.indexOf(text)).split(" a").length - 1);
  deepEqual(before, [100, 390, 670]);
});

Deno.test("CDME_NEEDLES.make() in its original edition loses what follows a second marker, and mended it does not", () => {
  const question = "它是什么？请按照“它是____。”的格式回答。请按照要求写。";
  const questionOf = (edition: "original" | "fixed"): string => {
    const task = CDME_NEEDLES.make({ edition, needle: "它是雪。", question });
    return userText(task.sample({ length: 1000, seed: "1", index: 0, materials }).prompt).split("现在请问：")[1]!;
  };
  const guidance = "在回答之前，请思考文档中与此问题最相关的内容是什么。";
  equal(questionOf("original"), `它是什么？${guidance}请按照“它是____。”的格式回答。`);
});

Deno.test("CDME_NEEDLES.make() in its original edition shuffles texts again with each repeat, from the previous order", () => {
  const openingAt = (index: number): string => {
    const sample = CDME_NEEDLES.make({ edition: "original" })
      .sample({ length: 700, seed: "1", index, materials: PLAIN });
    return userText(sample.prompt).split("实验室。\n")[1]!.slice(0, 200);
  };
  const openings = [0, 20, 40].map(openingAt);
  equal(new Set(openings).size, 3);
  equal(openingAt(40), openings[2]);
});

Deno.test("CDME_NEEDLES.make() has whole depths, but for those of a sigmoid in its fixed edition", () => {
  const depthsOf = (knobs: GivenKnobs<typeof CDME_NEEDLES.knobs>): readonly number[] =>
    Array.from({ length: 7 }, (_, index) => {
      const task = CDME_NEEDLES.make({ depths: 7, ...knobs });
      return 100 * task.sample({ length: 1000, seed: "1", index, materials }).depth!;
    }).sort((left, right) => left - right);
  const isWhole = (depth: number): boolean => Math.abs(depth - Math.round(depth)) < 1e-9;
  deepEqual(depthsOf({ spacing: "linear" }).map(Math.round), [0, 16, 33, 50, 66, 83, 100]);
  equal(depthsOf({ spacing: "linear" }).every(isWhole), true);
  equal(depthsOf({ edition: "original", spacing: "sigmoid" }).every(isWhole), true);
  const sigmoid = depthsOf({ spacing: "sigmoid" });
  deepEqual([sigmoid[0], sigmoid.at(-1), sigmoid.every(isWhole)], [0, 100, false]);
});

const ONE = { guide: "off", needle: "雪是蓝的。", question: "雪是什么颜色？" } as const;
const { needle: _, ...BARE } = ONE;
const TWO = { ...BARE, needles: "雪是蓝的。|雨是红的。", answer: "雪是蓝的。", keyword: "蓝" } as const;

Deno.test.each(
  [
    ["one needle", ONE, null],
    ["one needle with an answer", { ...ONE, answer: "蓝的。" }, null],
    ["one of several with an answer and a keyword", { ...TWO, needles: "雪是蓝的。" }, null],
    ["several needles", TWO, null],
    ["needle and needles", { ...TWO, needle: "雪是蓝的。" }, /only one of needle and needles/],
    ["no needle", BARE, /at least one, and none of them blank/],
    ["a blank needle", { ...ONE, needle: " \n" }, /needle must be a text/],
    ["a blank needle of several", { ...TWO, needles: "雪是蓝的。| " }, /at least one, and none of them blank/],
    ["no question", { needle: ONE.needle }, /must come with a question/],
    ["an answer alone", { answer: "蓝" }, /at least one, and none of them blank/],
    ["a keyword without an answer", { ...ONE, keyword: "蓝" }, /must come with an answer and a keyword/],
    ["a guided question without its marker", { ...ONE, guide: "on" }, /a guided question must contain/],
    ["an answer of another form", {
      ...ONE,
      question: "雪是什么颜色？请按照“雨是____的。”的格式回答。",
    }, /the answer must fill the form/],
    ["an answer that leaves the form empty", {
      ...ONE,
      answer: "雪是的。",
      question: "雪是什么颜色？请按照“雪是____的。”的格式回答。",
    }, /the answer must fill the form/],
  ] as [string, GivenKnobs<typeof CDME_NEEDLES.knobs>, RegExp | null][],
)("CDME_NEEDLES.make() of your own: %s", (_name, own, message) => {
  if (message === null) ok(CDME_NEEDLES.make(own).name);
  else throws(() => CDME_NEEDLES.make(own), { name: "RangeError", message });
});

Deno.test("CDME_NEEDLES.make() in its original edition refuses a keyword with a space, and a tokenizer that cannot cut", () => {
  const own = { edition: "original", needles: "a|b", question: "请按照", answer: "a b", keyword: "a b" } as const;
  throws(() => CDME_NEEDLES.make(own), {
    message:
      'Cannot make task cdme as the original\'s keyword must have no white space, or it is never found: current value is "a b"',
  });
  const blind = { name: "mine", count: () => 1, countAfterCut: () => 1, isCut: () => true } as Tokenizer;
  const task = CDME_NEEDLES.task("cdme_original");
  throws(
    () => task.sample({ length: 1000, seed: "1", index: 0, materials: withOther(materials, { tokenizer: blind }) }),
    {
      message:
        "Cannot make task cdme_original in the original edition as the tokenizer must be an encoding that comes with Fathom, such as " +
        'cl100k_base: current value is "mine"',
    },
  );
});

Deno.test("each needle of several questions goes through all depths", () => {
  const task = CDME_NEEDLES.task("cdme_en", { questions: 3, depths: 6 });
  const depths = Array.from(
    { length: 18 },
    (_, index) => task.sample({ length: 2048, seed: "depths", index, materials }).depth!,
  );
  for (const question of [0, 1, 2]) {
    equal(new Set(depths.filter((_, index) => index % 3 === question)).size, 6);
    ok(new Set(depths.slice(3 * question, 3 * question + 3)).size === 3);
  }
});

Deno.test.each(
  [
    ["cdme_multi_zh", { questions: 2 }, "from 1 to 1: current value is 2"],
    ["cdme_original", { questions: 2 }, "from 1 to 1: current value is 2"],
    ["cdme_zh", { questions: 11 }, "from 1 to 10: current value is 11"],
  ] as [typeof CDME_NEEDLES.tasks[number], GivenKnobs<typeof CDME_NEEDLES.knobs>, string][],
)("%s refuses %o, as it has fewer needles of one form", (name, knobs, range) => {
  const message = `Cannot make task ${name} as questions must be a whole number ${range}`;
  throws(() => CDME_NEEDLES.task(name, knobs), { name: "RangeError", message });
});
