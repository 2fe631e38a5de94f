import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { classesOf, classify, makeSample } from "./_samples.ts";
import { cases } from "../../_cases.ts";
import { readRealLines, testOnRealData } from "../../_real_data.ts";
import { starListScorer } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { valuesInOrder } from "@/lib/benchmarks/needle_threading/scorer.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Sample, userPrompt, userText } from "@/lib/generators/mod.ts";
import {
  classifyFailure,
  FAILURE_CLASSES,
  FAILURE_MEANINGS,
  type FailureClass,
  type FailureMode,
  isLooping,
} from "@/lib/statistics/failures/mod.ts";

const single = makeSample("niah_single_1");
const words = makeSample("niah_single_words");
const kv = makeSample("niah_multikey_3");
const values = makeSample("niah_multivalue");
const chain = makeSample("vt");
const chains = makeSample("vt_2_chains");
const common = makeSample("cwe", 4096);
const frequent = makeSample("fwe", 4096);
const oneHop = makeSample("qa_1", 4096);
const twoHops = makeSample(rulerTask("qa_2"), 4096);

const [value = ""] = single.references;
const [uuid = ""] = kv.references;
const [one = "", two = "", three = "", four = ""] = values.references;
const [v0 = "", v1 = "", v2 = "", v3 = ""] = chain.references;

function factsOf(sample: Sample, role: Sample["facts"][number]["role"]): Sample["facts"] {
  return sample.facts.filter((fact) => fact.role === role);
}

const [rival] = factsOf(kv, "distractor");
const otherChain = factsOf(chains, "distractor").map(({ key }) => key).join(" ");
const exampleNames = factsOf(chain, "example").map(({ key }) => key).join(" ");
const listed = common.references.map((word, at) => `${at + 1}. ${word}`);
const context = userText(values.prompt).split("\n")[1]!;
const thing = factsOf(oneHop, "distractor")[0]!.text.match(/[A-Z][a-z]+(?: [A-Z][a-z]+)*(?=[ .,])/g)!.at(-1)!;

type Row = [name: string, sample: Sample, reply: string, classes: readonly FailureClass[]];

Deno.test.each(
  [
    ["marks alone", single, "```\n```", ["empty"]],
    ["another number and an afterthought", kv, ` ${rival!.value}. No other UUID is mentioned in the text.`, [
      "distractor",
    ]],
    ["half a list and an admission", values, ` ${one} and ${two}. I could not find the others.`, ["incomplete answer"]],
    ["the example's variables", chain, ` ${exampleNames}`, ["copied"]],
    ["a stretch of the essay", values, ` ${context.slice(300, 420)}`, ["copied"]],
    ["the beginning of the list", common, ` ${userText(common.prompt).split("\n")[3]!.slice(0, 160)}`, [
      "copied",
    ]],
    ["prior knowledge", common, " 1. the 2. an 3. a", ["prior knowledge", "incomplete answer"]],
    ["frequent words in a row", common, " the, of, and, to, a, in, is, it, you, that", ["prior knowledge"]],
    ["frequent words one under another", common, "- **the**\n- **of**\n- **to**", [
      "prior knowledge",
      "incomplete answer",
    ]],
    ["another chain", chains, ` ${otherChain}`, ["distractor"]],
    ["the value of another key", kv, ` ${rival!.value}`, ["distractor"]],
    ["a name of another document", oneHop, ` ${thing}`, ["distractor"]],
    ["a sentence with it", oneHop, ` According to the documents, that was ${thing}.`, ["distractor"]],
    ["a name that stands nowhere", oneHop, " Marie Curie", ["other answer"]],
    ["a sentence with such a name", oneHop, " It must have been Marie Curie, the physicist.", ["other answer"]],
    ["another number", single, " 1029384.", ["other answer"]],
    ["a part of a UUID", kv, ` ${uuid.slice(0, 23)}`, ["incomplete answer"]],
    ["a UUID with a wrong end", kv, ` ${uuid.slice(0, 30)}000000`, ["other answer"]],
    ["a UUID without its first character", kv, ` ${uuid.slice(1)}`, ["incomplete answer"]],
    ["a part of a pair", words, ` ${words.references[0]!.split("-")[0]}`, ["incomplete answer"]],
    ["the family name's beginning", twoHops, ` ${twoHops.references[0]!.slice(0, -3)}`, ["incomplete answer"]],
    ["thousands", single, ` ${Number(value).toLocaleString("en-US")}`, ["wrong format"]],
    ["no hyphens", kv, ` ${uuid.replaceAll("-", "")}`, ["wrong format"]],
    ["spaced letters", chain, ` ${chain.references.map((name) => [...name].join(" ")).join(", ")}`, ["wrong format"]],
    ["words for a number", single, " a special one that is hidden there", ["wrong format"]],
    ["an answer twice", values, ` ${one}, ${one}, ${three}, and ${four}`, ["incomplete answer"]],
    ["the chain as far as hop 2", chain, ` ${v0} ${v1} ${v2}`, ["incomplete answer"]],
    ["the chain in lower case, less one", chain, ` ${[v0, v1, v2, v3].join(" ").toLowerCase()}`, ["incomplete answer"]],
    ["nine of ten words", common, ` ${listed.slice(0, 9).join(" ")}`, ["incomplete answer"]],
    ["two of three coded words", frequent, ` ${frequent.references.slice(0, 2).join(" and ")}`, ["incomplete answer"]],
    [
      "made-up words in sentences that frame them",
      frequent,
      "The answer would be zzzqqq, qqqzzz, xxxqqq I hope this helps.",
      [
        "other answer",
      ],
    ],
    [
      "a word of the list, one of no list and one twice",
      frequent,
      ` ${frequent.references[0]}, ${factsOf(frequent, "distractor")[0]!.key}, zzzqqq`,
      ["distractor"],
    ],
  ] as Row[],
)("classifyFailure() on %s", (_name, sample, reply, classes) => {
  deepEqual(classesOf(classify(sample, reply)), classes);
});

Deno.test("classifyFailure() finds nothing wrong with a right reply, or where there was nothing to score", () => {
  deepEqual(classify(single, ` ${value}.`), []);
  const outcome = { reply: { kind: "answer", text: "", finishReason: "stop" }, rule: {} } as const;
  deepEqual(classifyFailure(single, { ...outcome, value: null }), []);
  deepEqual(classifyFailure(single, { ...outcome, value: 1 }), []);
});

Deno.test("classifyFailure() explains a failed call", () => {
  const reply = { kind: "failure", failure: "rate_limit", message: "429 Too many requests" } as const;
  const modes = classifyFailure(single, { reply, value: null, rule: {} });
  deepEqual(modes, [{ class: "failed call", why: "rate_limit: 429 Too many requests", evidence: [] }]);
});

Deno.test.each(
  [
    ["before its first word", single, "", ["incomplete answer"]],
    ["before its first item", single, " Let me look through the whole of it. First of all,", ["incomplete answer"]],
    ["after another answer, while it went on talking", single, " 1029384. This number stands in the", [
      "other answer",
    ]],
    ["while it gives another UUID again", kv, ` ${`${rival!.value} `.repeat(3)}`, ["distractor"]],
    ["in the middle of a refusal", single, " I am sorry, but I cannot find any", ["refusal"]],
    ["in a sentence about documents", oneHop, " Marie Curie, who was born in", ["incomplete answer"]],
  ] as Row[],
)("classifyFailure() on a reply that the output budget ended %s", (_name, sample, reply, classes) => {
  deepEqual(classesOf(classify(sample, reply, { finishReason: "length" })), classes);
});

Deno.test("classifyFailure() treats an unknown finish as cut off if the output budget was used up", () => {
  const reply = ` ${one}, ${two},`;
  const used = { finishReason: "unknown", completionTokens: values.answerRoom } as const;
  deepEqual(classesOf(classify(values, reply, used)), ["incomplete answer"]);
  deepEqual(classesOf(classify(values, reply, { ...used, completionTokens: 20 })), ["incomplete answer"]);
});

Deno.test("classifyFailure() counts a filtered reply as a refusal", () => {
  deepEqual(classesOf(classify(single, "", { finishReason: "content_filter" })), ["refusal"]);
});

Deno.test("classifyFailure() knows the answer that was given without context, however it is written", () => {
  const closedBookAnswer = "Marie Curie.";
  deepEqual(classesOf(classify(oneHop, " marie curie", { closedBookAnswer })), ["prior knowledge"]);
  deepEqual(classesOf(classify(oneHop, " Pierre Curie", { closedBookAnswer })), ["other answer"]);
  deepEqual(classesOf(classify(oneHop, " Pierre Curie", { closedBookAnswer: "" })), ["other answer"]);
});

Deno.test("classifyFailure() names the fact of a distractor and the share of others that are closer to the target", () => {
  const facts = factsOf(kv, "distractor");
  const [target] = factsOf(kv, "target");
  const distances = facts.map(({ depth }) => Math.abs(depth! - target!.depth!));
  const nearest = facts[distances.indexOf(Math.min(...distances))]!;
  const farthest = facts[distances.indexOf(Math.max(...distances))]!;
  const [near] = classify(kv, ` ${nearest.value}`);
  deepEqual(near?.evidence, [{ given: nearest.value, key: nearest.key, nearer: 0 }]);
  equal(near?.why, `given instead: ${nearest.value} (of ${nearest.key})`);
  equal(classify(kv, ` ${farthest.value}`)[0]?.evidence[0]?.nearer, 1);
});

Deno.test("classifyFailure() says of what a copy is, and which answers were repeated or given in part", () => {
  const kinds = (sample: Sample, text: string): unknown[] =>
    classify(sample, text).flatMap(({ evidence }) => evidence.map(({ kind }) => kind));
  deepEqual(kinds(chain, ` ${exampleNames}`), Array(5).fill("example"));
  deepEqual(kinds(values, ` ${context.slice(300, 420)}`), ["context"]);
  deepEqual(kinds(values, ` ${one}, ${one}, ${three}, and ${four}`), ["repeated"]);
  deepEqual(kinds(kv, ` ${uuid.slice(0, 23)}`), ["part"]);
});

Deno.test("classifyFailure() works from the roles of facts alone, whatever the suite", () => {
  const place = { role: "target", tokenOffset: 1 } as const;
  const thread: Pick<Sample, "prompt" | "promptTokens" | "answerRoom" | "references" | "facts"> = {
    prompt: userPrompt("{k1: k2, k2: k3}\nWhere does k1 lead to?"),
    promptTokens: 30,
    answerRoom: 30,
    references: [UUIDS[3]!],
    facts: [
      { ...place, text: "", key: UUIDS[0]!, value: UUIDS[1]!, depth: 0.1 },
      { ...place, text: "", key: UUIDS[1]!, value: UUIDS[2]!, depth: 0.5 },
      { ...place, text: "", key: UUIDS[2]!, value: UUIDS[3]!, depth: 0.9 },
    ],
  };
  const reply = { kind: "answer", text: UUIDS[1]!, finishReason: "stop" } as const;
  const [mode] = classifyFailure(thread, { reply, value: 0, rule: valuesInOrder });
  deepEqual([mode?.class, mode?.why], ["incomplete answer", `a value on the way: ${UUIDS[1]}`]);

  const stars = { ...thread, references: ["12", "7"], distractors: ["15", "9"], facts: [] };
  const counted = { reply: { ...reply, text: "[12, 9]" }, value: 0.5, rule: starListScorer("stars") } as const;
  deepEqual(classesOf(classifyFailure(stars, counted)), ["distractor"]);
});

const UUIDS = [0, 1, 2, 3].map((digit) => `${`${digit}a`.repeat(4)}-0000-4000-8000-${`${digit}b`.repeat(6)}`);

Deno.test("classifyFailure() gives its classes in order of precedence, each once", () => {
  const sample = makeSample(NIAH.make({ keys: 6, values: 2, queries: 3, valueType: "uuids" }));
  const [right = ""] = sample.references;
  const distractor = factsOf(sample, "distractor")[0]!.value;
  const modes = classify(sample, ` ${right}, ${right}, ${distractor}, and ${UUIDS[0]}`);
  deepEqual(classesOf(modes), ["distractor", "incomplete answer"]);
});

Deno.test("classifyFailure() is fast on replies made to be hard to search", () => {
  const many = cases(4_000, 20_000);
  const numbers = Array.from({ length: many }, (_, at) => 1_000_000 + 37 * at);
  const replies = [
    `x${" ".repeat(4 * many)}y`,
    `x${"*".repeat(4 * many)}y`,
    "1. ".repeat(many) + "x, ".repeat(many),
    numbers.join(", "),
    numbers.map((number) => number.toString(16)).join("-"),
    "no ".repeat(many) + "a-".repeat(many),
  ];
  for (const sample of [single, kv, words, chain, common, frequent, oneHop]) {
    for (const reply of replies) ok(classify(sample, reply).length > 0);
  }
});

Deno.test("classifyFailure() reads the first 20,000 characters of a reply that never ends", () => {
  const sentence = "I think that the number is 17 of 23. ";
  const long = Array.from({ length: 600 }, (_, at) => sentence.replace("17", String(at))).join("");
  deepEqual(classify(words, long + sentence.repeat(50_000)), classify(words, long.slice(0, 20_000)));
});

Deno.test("classifyFailure() refuses a value that is not a score", () => {
  const reply = { kind: "answer", text: "", finishReason: "stop" } as const;
  throws(() => classifyFailure(single, { reply, value: 50, rule: {} }), {
    name: "RangeError",
    message: "Cannot classify the reply as its score must be in [0, 1]: current value is 50",
  });
});

Deno.test("the page of data files lists the failure classes with their meanings", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/data.md", import.meta.url));
  // Nine of replies, beside failed calls.
  equal(FAILURE_CLASSES.length, 10);
  for (const name of FAILURE_CLASSES) {
    const row = page.split("\n").find((line) => line.startsWith(`| ${name} `));
    ok(row?.includes(FAILURE_MEANINGS[name]), name);
  }
});

/** What is wrong with a reply to a question whose answers the context tells; `any` of them will do, or `all` are wanted. */
function judge(text: string, answers: readonly string[], contains: "any" | "all" = "all"): FailureMode[] {
  const place = { role: "target", text: "", depth: 0.5, tokenOffset: 1 } as const;
  const sample = {
    prompt: userPrompt(`The context says: ${answers.join(", ")}.\nWhat is it?`),
    promptTokens: 100,
    answerRoom: 300,
    references: answers,
    facts: answers.map((value, at) => ({ ...place, key: `key ${at}`, value })),
  };
  return classifyFailure(sample, {
    reply: { kind: "answer", text, finishReason: "stop" },
    value: 0,
    rule: { contains },
  });
}

Deno.test.each([
  ["i'm sorry, but i can't find the special magic number for calm-river."],
  ["unfortunately, the provided text does not contain the special magic number."],
  ["there is no mention of calm-river in the text."],
  ["it is not possible to determine the answer from the documents."],
  ["unknown"],
  ["n/a."],
  ["抱歉，文中没有提到这个数字。"],
  ["根据提供的文本，无法确定答案。"],
  ["無法從文中得知。"],
])("classifyFailure() recognises a refusal: %s", (reply) => {
  deepEqual(classesOf(judge(reply, ["Marie Curie"], "any")), ["refusal"]);
});

Deno.test.each([
  ["the special magic number for calm-river is 1234567."],
  ["1. apple 2. pear 3. not"],
  ["no country for old men"],
  ["答案是旧金山。"],
])("classifyFailure() finds no refusal in: %s", (reply) => {
  ok(!classesOf(judge(reply, ["Marie Curie"], "any")).includes("refusal"));
});

Deno.test.each([
  ["a word", "the the the the the", "the", 5],
  ["a word with marks", "**No,** No, no - no", "no", 4],
  ["a numbered word", "1. the 2. the 3. the 4. the", "the", 4],
  ["a row that begins late", "well, I say: x y x y x y x y", "x y", 4],
  ["text without spaces", "我不知道，".repeat(10), "我不知道，", 10],
  ["a sentence that is given again", "It was Pierre Curie. ".repeat(10), null, 0],
  ["digits", "0".repeat(60), "0", 60],
  ["three rounds of nothing", "the the the", "the", 3],
  ["three rounds of an answer", "x y x y x y", null, 0],
  ["a loop that is the lesser part", "one two three four five six seven eight nine ten eleven no no no no", null, 0],
] as [string, string, string | null, number][])("classifyFailure() on a loop: %s", (_name, text, unit, rounds) => {
  const found = judge(text, ["Marie Curie"], "any").find((mode) => mode.class === "loop");
  equal(found?.evidence[0]?.given ?? null, unit);
  if (unit !== null) equal(found?.why, `the same text is repeated ${rounds} times`);
});

interface Recorded {
  readonly reply: string;
  readonly "judge_score_1_to_10": number;
}

const RECORDED = "recorded/claude_2_1_san_francisco.jsonl";

testOnRealData("classifyFailure() recognises the refusals among Claude 2.1's recorded replies to a needle test", {
  reads: RECORDED,
  fn(): void {
    const answer = "eat a sandwich and sit in Dolores Park on a sunny day";
    const wrong = readRealLines<Recorded>(RECORDED).filter(({ reply }) =>
      !reply.toLowerCase().includes(answer.toLowerCase())
    );
    const classes = wrong.map(({ reply }) => classesOf(judge(reply, [answer], "any")));
    // The judge gave 260 of them its lowest mark, and one a 3. The last one refuses and then answers in other words.
    equal(wrong.length, 262);
    equal(classes.filter(([primary]) => primary === "refusal").length, 262);
  },
});

testOnRealData("classifyFailure() finds no refusal in at least 95% of the replies that the judge took for perfect", {
  reads: RECORDED,
  fn(): void {
    const perfect = readRealLines<Recorded>(RECORDED).filter((recorded) => recorded.judge_score_1_to_10 === 10);
    const refused = perfect.filter(({ reply }) => classesOf(judge(reply, ["Marie Curie"], "any")).includes("refusal"));
    equal(perfect.length, 439);
    ok(refused.length <= 0.05 * perfect.length, `${refused.length}`);
  },
});

Deno.test.each([
  ["a number without end", ": 1000000000000000000000000000000000000000", true],
  ["a list without items", " 1. 2. 3. 4. 5. 6. 7. 8. 9. 10. 11. 12. ", true],
  ["a word again and again", " a) a) a) a) a) a) a)", true],
  ["a sentence that was cut", "The special magic number for the old", false],
  ["an answer", ": 4696826", false],
  ["two answers", " 12, 13", false],
  ["nothing", "", false],
] as [string, string, boolean][])("isLooping() %s", (_name, text, loops) => equal(isLooping(text), loops));
