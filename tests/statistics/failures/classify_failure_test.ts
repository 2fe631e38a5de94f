import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { classesOf, classify, makeSample } from "./_samples.ts";
import { cases } from "../../_cases.ts";
import { listedStars } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { valuesInOrder } from "@/lib/benchmarks/needle_threading/scorer.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Sample, userPrompt, userText } from "@/lib/generators/mod.ts";
import {
  classifyFailure,
  FAILURE_CLASSES,
  FAILURE_MEANINGS,
  type FailureClass,
  openClassifier,
} from "@/lib/statistics/failures/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";

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
const [v0 = "", v1 = "", v2 = "", v3 = "", v4 = ""] = chain.references;

function factsOf(sample: Sample, role: Sample["facts"][number]["role"]): Sample["facts"] {
  return sample.facts.filter((fact) => fact.role === role);
}

const [rival] = factsOf(kv, "distractor");
const otherChain = factsOf(chains, "distractor").map(({ key }) => key).join(" ");
const exampleNames = factsOf(chain, "example").map(({ key }) => key).join(" ");
const listed = common.references.map((word, at) => `${at + 1}. ${word}`);
const solved = factsOf(common, "example").slice(0, 10).map(({ key }, at) => `${at + 1}. ${key}`).join(" ");
const context = userText(values.prompt).split("\n")[1]!;
const thing = factsOf(oneHop, "distractor")[0]!.text.match(/[A-Z][a-z]+(?: [A-Z][a-z]+)*(?=[ .,])/g)!.at(-1)!;

type Row = [name: string, sample: Sample, reply: string, classes: readonly FailureClass[]];

Deno.test.each(
  [
    ["nothing", single, "", ["empty"]],
    ["white space", single, " \n\t ", ["empty"]],
    ["marks alone", single, "```\n```", ["empty"]],
    ["a refusal", single, " I'm sorry, but I couldn't find any special magic number in the text.", ["refusal"]],
    ["a refusal in Chinese", single, "抱歉，文中没有提到这个数字。", ["refusal"]],
    ["another number and an afterthought", kv, ` ${rival!.value}. No other UUID is mentioned in the text.`, [
      "distractor",
    ]],
    ["half a list and an admission", values, ` ${one} and ${two}. I could not find the others.`, ["incomplete answer"]],
    ["one word again and again", chain, " the the the the the the the the the the", ["loop"]],
    ["a row of answers again and again", values, ` ${`${one}, ${two}, `.repeat(9)}`, ["loop"]],
    ["zeros", single, " 0000000000000000000000000000000000000000000000000000000000000", ["loop"]],
    ["the example's variables", chain, ` ${exampleNames}`, ["example copied"]],
    ["the example's words", common, ` ${solved}`, ["example copied"]],
    ["a stretch of the essay", values, ` ${context.slice(300, 420)}`, ["context copied"]],
    ["the beginning of the list", common, ` ${userText(common.prompt).split("\n")[3]!.slice(0, 160)}`, [
      "context copied",
    ]],
    ["prior knowledge", common, " 1. the 2. an 3. a", ["prior knowledge", "incomplete answer"]],
    ["frequent words in a row", common, " the, of, and, to, a, in, is, it, you, that", ["prior knowledge"]],
    ["frequent words one under another", common, "- **the**\n- **of**\n- **to**", [
      "prior knowledge",
      "incomplete answer",
    ]],
    ["another chain", chains, ` ${otherChain}`, ["distractor"]],
    ["the value of another key", kv, ` ${rival!.value}`, ["distractor"]],
    ["another key with its value", kv, ` ${rival!.key}: ${rival!.value}`, ["distractor"]],
    ["the beginning of another key's value", kv, ` ${rival!.value.slice(0, 20)}`, ["distractor"]],
    ["a name of another document", oneHop, ` ${thing}`, ["distractor"]],
    ["a sentence with it", oneHop, ` According to the documents, that was ${thing}.`, ["distractor"]],
    ["a name that stands nowhere", oneHop, " Marie Curie", ["not in context"]],
    ["a sentence with such a name", oneHop, " It must have been Marie Curie, the physicist.", ["not in context"]],
    ["another number", single, " 1029384.", ["not in context"]],
    ["another pair of words", words, " gentle-harbour", ["not in context"]],
    ["a part of a UUID", kv, ` ${uuid.slice(0, 23)}`, ["partial value"]],
    ["the end of a UUID", kv, ` ${uuid.slice(14)}`, ["partial value"]],
    ["a UUID with a wrong end", kv, ` ${uuid.slice(0, 30)}000000`, ["not in context"]],
    ["a UUID of which the first half is right", kv, ` ${uuid.slice(0, 18)}-0000-000000000000`, ["partial value"]],
    ["a UUID without its first character", kv, ` ${uuid.slice(1)}`, ["partial value"]],
    ["a number with one digit off", single, ` ${Number(value) + 1_000_000}.`, ["not in context"]],
    ["a part of a pair", words, ` ${words.references[0]!.split("-")[0]}`, ["partial value"]],
    ["the family name's beginning", twoHops, ` ${twoHops.references[0]!.slice(0, -3)}`, ["not in context"]],
    ["the key itself", words, ` ${factsOf(words, "target")[0]!.key}`, ["other text"]],
    ["thousands", single, ` ${Number(value).toLocaleString("en-US")}`, ["wrong format"]],
    ["no hyphens", kv, ` ${uuid.replaceAll("-", "")}`, ["wrong format"]],
    ["spaced letters", chain, ` ${chain.references.map((name) => [...name].join(" ")).join(", ")}`, ["wrong format"]],
    ["spaces for hyphens", words, ` ${words.references[0]!.replaceAll("-", " ")}`, ["wrong format"]],
    ["words for a number", single, " a special one that is hidden there", ["wrong format"]],
    ["an answer twice", values, ` ${one}, ${one}, ${three}, and ${four}`, ["repeated answer"]],
    ["one answer for all", values, ` ${one}, ${one}, ${one}, and ${one}`, ["repeated answer"]],
    ["three of four", values, ` ${one}, ${two}, and ${three}`, ["incomplete answer"]],
    ["three of four, given again", values, ` ${one}, ${two}, ${three}. So: ${one}, ${two}, ${three}.`, [
      "incomplete answer",
    ]],
    ["the chain as far as hop 2", chain, ` ${v0} ${v1} ${v2}`, ["incomplete answer"]],
    ["the chain with a gap", chain, ` ${v0} ${v1} ${v3} ${v4}`, ["incomplete answer"]],
    ["the chain in lower case, less one", chain, ` ${[v0, v1, v2, v3].join(" ").toLowerCase()}`, ["incomplete answer"]],
    ["assignments", chain, ` VAR ${v0} = 12345, VAR ${v1} = VAR ${v0}`, ["repeated answer", "incomplete answer"]],
    ["nine of ten words", common, ` ${listed.slice(0, 9).join(" ")}`, ["incomplete answer"]],
    ["two of three coded words", frequent, ` ${frequent.references.slice(0, 2).join(" and ")}`, ["incomplete answer"]],
    [
      "made-up words in sentences that frame them",
      frequent,
      "The answer would be zzzqqq, qqqzzz, xxxqqq I hope this helps.",
      [
        "not in context",
      ],
    ],
    [
      "a word of the list, one of no list and one twice",
      frequent,
      ` ${frequent.references[0]}, ${factsOf(frequent, "distractor")[0]!.key}, zzzqqq`,
      ["distractor", "not in context"],
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

Deno.test("classifyFailure() reports a prompt that the server cut before its consequences", () => {
  const promptCut = { counted: 900, expected: 3970 };
  const modes = classify(single, " I cannot find it in the text.", { promptCut });
  deepEqual(classesOf(modes), ["prompt cut", "refusal"]);
  equal(modes[0]!.why, "the server read 900 tokens of about 3970");
  deepEqual(classesOf(classify(single, "", { promptTokens: 900 })), ["empty"]);
});

Deno.test.each(
  [
    ["before its first word", single, "", ["incomplete answer"]],
    ["before its first item", single, " Let me look through the whole of it. First of all,", ["incomplete answer"]],
    ["in the middle of a UUID", kv, ` ${uuid.slice(0, 21)}`, ["incomplete answer"]],
    ["in the middle of a list", values, ` ${one}, ${two},`, ["incomplete answer"]],
    ["after a full list", values, ` ${one}, ${one}, ${two}, ${three}`, ["repeated answer"]],
    ["after another answer, while it went on talking", single, " 1029384. This number stands in the", [
      "not in context",
    ]],
    ["while it given another UUID again", kv, ` ${`${rival!.value} `.repeat(3)}`, ["distractor"]],
    ["in the middle of a refusal", single, " I am sorry, but I cannot find any", ["refusal"]],
    ["in a rambling answer about documents", oneHop, " Marie Curie, who was born in", ["not in context"]],
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
  deepEqual(classesOf(classify(oneHop, " Pierre Curie", { closedBookAnswer })), ["not in context"]);
  deepEqual(classesOf(classify(oneHop, " Pierre Curie", { closedBookAnswer: "" })), ["not in context"]);
});

Deno.test("classifyFailure() says which distractor was given, how far from the target and how many are closer", () => {
  const facts = factsOf(kv, "distractor");
  const [target] = factsOf(kv, "target");
  const distances = facts.map(({ depth }) => Math.abs(depth! - target!.depth!));
  const nearest = facts[distances.indexOf(Math.min(...distances))]!;
  const farthest = facts[distances.indexOf(Math.max(...distances))]!;
  const [near] = classify(kv, ` ${nearest.value}`);
  deepEqual(near?.evidence, [{
    given: nearest.value,
    key: nearest.key,
    away: nearest.depth! - target!.depth!,
    nearer: 0,
  }]);
  equal(classify(kv, ` ${farthest.value}`)[0]?.evidence[0]?.nearer, 1);
});

Deno.test("classifyFailure() says in words where a distractor is", () => {
  const place = { tokenOffset: 10 };
  const sample = {
    prompt: userPrompt("For calm-river it is 1234567. For late-boat it is 7654321.\nWhat is it for calm-river?"),
    promptTokens: 40,
    answerRoom: 128,
    references: ["1234567"],
    facts: [
      { ...place, role: "target", text: "", key: "calm-river", value: "1234567", depth: 0.2 },
      { ...place, role: "distractor", text: "", key: "late-boat", value: "7654321", depth: 0.5 },
    ],
  } as const;
  const reply = { kind: "answer", text: " 7654321.", finishReason: "stop" } as const;
  const [primary] = classifyFailure(sample, { reply, value: 0, rule: {} });
  equal(primary?.class, "distractor");
  equal(primary?.why, "gave 7654321 (of late-boat, 30.0% of the context after the target)");
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
  deepEqual([mode?.class, mode?.why], ["incomplete answer", `gave ${UUIDS[1]}`]);

  const stars = { ...thread, references: ["12", "7"], distractors: ["15", "9"], facts: [] };
  const counted = { reply: { ...reply, text: "[12, 9]" }, value: 0.5, rule: listedStars } as const;
  deepEqual(classesOf(classifyFailure(stars, counted)), ["distractor"]);

  const solved = { ...place, role: "example", text: "", key: "k9", value: "55", depth: 0 } as const;
  const references = ["12", "7", "30"];
  const told = references.map((value) => ({ ...place, text: "", key: `k${value}`, value, depth: 0.5 }));
  const three = { ...thread, references, facts: [solved, ...told] };
  const [other] = classifyFailure(three, { reply: { ...reply, text: "[12, 55, 7]" }, value: 0.5, rule: listedStars });
  deepEqual([other?.class, other?.evidence], ["other text", [{ given: "55" }]]);
});

const UUIDS = [0, 1, 2, 3].map((digit) => `${`${digit}a`.repeat(4)}-0000-4000-8000-${`${digit}b`.repeat(6)}`);

Deno.test("classifyFailure() gives its classes in order of precedence, each once", () => {
  const many = NIAH.make({ keys: 6, values: 2, queries: 3, valueType: "uuids" });
  const sample = makeSample(many);
  const [a = "", b = "", c = ""] = sample.references;
  const distractor = factsOf(sample, "distractor")[0]!.value;
  const invented = UUIDS[0]!;
  const modes = classify(sample, ` ${a}, ${a}, ${b.slice(0, 20)}, ${distractor}, and ${invented}`, {
    promptCut: { counted: 9, expected: 3970 },
  });
  deepEqual(classesOf(modes), [
    "prompt cut",
    "distractor",
    "not in context",
    "partial value",
    "repeated answer",
    "incomplete answer",
  ]);
  const places = modes.map((mode) => FAILURE_CLASSES.indexOf(mode.class));
  deepEqual(places, places.toSorted((left, right) => left - right));
  ok(!modes.some(({ why }) => why.includes(c)));
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

Deno.test("FAILURE_MEANINGS explains every failure class", () => {
  deepEqual(Object.keys(FAILURE_MEANINGS), [...FAILURE_CLASSES]);
  ok(Object.values(FAILURE_MEANINGS).every((meaning) => meaning.length > 10));
});

Deno.test("openClassifier() gives many replies the failures that classifyFailure() gives each", () => {
  const replies = ["", "I do not know.", `It is ${rival!.value}.`, userText(kv.prompt).slice(0, 300), "x y z"];
  const together = openClassifier(kv, allFound);
  for (const text of [...replies, ...replies.toReversed()]) {
    const outcome = { reply: { kind: "answer", text, finishReason: "stop" }, value: 0, rule: allFound } as const;
    deepEqual(together(outcome), classifyFailure(kv, outcome), text);
  }
});
