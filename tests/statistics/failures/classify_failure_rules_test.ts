import { deepEqual, equal } from "node:assert/strict";
import { classesOf } from "./_samples.ts";
import { type AnswerRule, anyFound, edits } from "@/lib/scorers/mod.ts";
import { classifyFailure, type FailedSample, type FailureClass, isLooping } from "@/lib/statistics/failures/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

// Short replies of our own making, one for each rule of data/measured/labels/RULES.md that a real reply had broken.

const target = { role: "target", text: "", depth: 0.4, tokenOffset: 1 } as const;
const distractor = { role: "distractor", text: "", depth: 0.7, tokenOffset: 1 } as const;

function makeSample(user: string, references: readonly string[], facts: FailedSample["facts"]): FailedSample {
  return { prompt: userPrompt(user), promptTokens: 100, answerRoom: 60, references, facts };
}

/** Five numbers of a text, each in a sentence. */
const counts = makeSample(
  `The baker sold 4 loaves. A tram went by and it was still early in the morning. The baker sold 9 loaves. The baker sold 13 loaves.
The baker sold 17 loaves. The baker sold 22 loaves.
Please list the loaves that the baker sold each time on this cold and quiet morning, for example: {"baker": [x, x, x]}. Only write JSON.`,
  ["4", "9", "13", "17", "22"],
  ["4", "9", "13", "17", "22"].map((value, at) => ({ ...target, key: `sale ${at}`, value })),
);

const KEYS = ["1b2c3d4e-0000-4000-8000-aaaaaaaaaaaa", "2c3d4e5f-0000-4000-8000-bbbbbbbbbbbb"] as const;
const VALUES = ["9e8d7c6b-1111-4111-8111-cccccccccccc", "8d7c6b5a-1111-4111-8111-dddddddddddd"] as const;

/** The values of two keys. */
const pairs = makeSample(
  `{"${KEYS[0]}": "${VALUES[0]}", "${KEYS[1]}": "${VALUES[1]}"}
Extract the values of these keys from the JSON object above and give them in their order. Keys: ["${KEYS[0]}", "${
    KEYS[1]
  }"]
 Values: `,
  VALUES,
  VALUES.map((value, at) => ({ ...target, key: KEYS[at]!, value })),
);

const one = makeSample(
  `{"${KEYS[0]}": "${VALUES[0]}", "${KEYS[1]}": "${VALUES[1]}"}
Extract the value of this key from the JSON object above. Key: "${KEYS[0]}"
 Value: `,
  [VALUES[0]],
  [{ ...target, key: KEYS[0], value: VALUES[0] }],
);

/** Three coded words, with nothing to count. */
const coded = makeSample(
  "bcdfg hjklm npqrs bcdfg.\nWhat are the three most frequently appeared words in the above coded text?",
  ["bcdfg", "hjklm", "npqrs"],
  ["bcdfg", "hjklm", "npqrs"].map((value) => ({ ...target, key: value, value: "2", depth: null })),
);

/** A place, asked for in a sentence to be filled in. */
const place = makeSample(
  `You answer questions about a document. Keep your answers short. The document given to you by the user is Salt was once carried over the pass on the backs of mules. Every village on the way took its share of the load.
Nora's favourite place to work is the Northern Lighthouse Library. In winter the pass was closed, and letters waited for months.
Now the question is: What is Nora's favourite place to work? Answer in the format "Nora's favourite place to work is ________."`,
  ["Nora's favourite place to work is the Northern Lighthouse Library."],
  [{ ...target, key: "Nora", value: "the Northern Lighthouse Library" }],
);

const PLACE_ZH = "小红最喜欢的工作地点就是北方灯塔图书馆。";
const placeZh = makeSample(
  `你是一个善于回答问题的助手，请保持回答简洁。盐从前是用骡子驮过山口的，沿途每个村子都要从货里分去一份。冬天山口封住，书信要等上几个月才到。${PLACE_ZH}
现在请问：小红最喜欢的工作地点是哪里？请按照“小红最喜欢的工作地点就是________。”的格式回答。`,
  [PLACE_ZH],
  [{ ...target, key: "小红", value: "北方灯塔图书馆" }],
);

/** A question of two steps: the inn, and then its dish. */
const steps = makeSample(
  `The best inn of Morvale is called the Grey Heron. A road leads there. The dish that the Grey Heron is known for is smoked eel.
What dish is the best inn of Morvale known for?`,
  ["smoked eel"],
  [
    { ...target, key: "inn", value: "the Grey Heron", text: "The best inn of Morvale is called the Grey Heron." },
    {
      ...target,
      key: "dish",
      value: "smoked eel",
      text: "The dish that the Grey Heron is known for is smoked eel.",
    },
    { ...distractor, key: "toll", value: "", text: "A road leads there." },
  ],
);

/** A numbered list whose head has two of the common words. */
const listed = makeSample(
  "Below is a numbered list of words.\n1. plume 2. anvil 3. tonic 4. gravel 5. plume 6. meadow 7. anvil 8. cinder 9. plume 10. anvil\nQuestion: What are the 2 most common words in the above list?",
  ["plume", "anvil"],
  ["plume", "anvil"].map((value) => ({ ...target, key: value, value: "3", depth: null })),
);

/** Names of a graph's nodes: words of hexadecimal digits. */
const NODES = ["e2f38cfd5e", "0a91bc77d2"] as const;
const nodes = makeSample(
  `The node ${NODES[0]} leads to 77aa01bc9d. The node ${
    NODES[1]
  } leads to 77aa01bc9d.\nWhich nodes lead to 77aa01bc9d?`,
  NODES,
  [
    ...NODES.map((value) => ({ ...target, key: "to 77aa01bc9d", value })),
    { ...distractor, key: "other", value: "5d41402abc", text: "The node 5d41402abc leads nowhere." },
  ],
);
const node = { ...nodes, references: [NODES[0]], facts: [{ ...target, key: "to", value: NODES[0] }] };

interface Case {
  readonly sample: FailedSample;
  readonly reply: string;
  readonly classes: readonly FailureClass[];
  readonly rule?: AnswerRule;
  readonly isCut?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  "words of digits and letters, one of them left out": {
    sample: nodes,
    reply: `Final Answer: [${NODES[0]}]`,
    classes: ["incomplete answer"],
  },
  "a word of digits and letters of another fact": {
    sample: nodes,
    reply: `Final Answer: [${NODES[0]}, 5d41402abc]`,
    classes: ["distractor"],
  },
  "a word of digits and letters that stands nowhere": {
    sample: node,
    reply: "The node is b1c44d00e9.",
    classes: ["not in context"],
  },
  "a part of a word of digits and letters": { sample: node, reply: "It is e2f38c", classes: ["partial value"] },
  "a word of digits and letters among any of several answers": {
    sample: { ...node, references: ["Marigold", "Primrose"], facts: [] },
    reply: "It must be e2f38cfd5e, I believe",
    classes: ["other text"],
    rule: anyFound,
  },
  "a word of digits and letters where numbers are asked for": {
    sample: counts,
    reply: "The baker's code was e2f38cfd5e",
    classes: ["wrong format"],
  },
  "the head of a list copied, common words included": {
    sample: listed,
    reply: " 1. plume 2. anvil 3. tonic 4. gravel 5. plume 6. meadow",
    classes: ["context copied"],
  },
  "one line of a list over and over": {
    sample: counts,
    reply: `\n${"The baker sold 10 loaves\n".repeat(8)}The baker`,
    classes: ["loop"],
    isCut: true,
  },
  "a right line over and over": { sample: counts, reply: "The baker sold 9 loaves.\n".repeat(8), classes: ["loop"] },
  "lines that count on, cut": {
    sample: counts,
    reply: "The baker sold 30 loaves\nThe baker sold 31 loaves\nThe baker",
    classes: ["not in context", "incomplete answer"],
    isCut: true,
  },
  "more numbers than asked for": {
    sample: counts,
    reply: "[4, 9, 13, 18, 22, 40, 51, 62]",
    classes: ["not in context"],
  },
  "lines of two numbers each": {
    sample: { ...counts, references: ["4", "9", "13", "17"], facts: counts.facts.slice(0, 4) },
    reply: "It sold 30, no, this time 31 loaves.\nIt sold 31, no, this time 32 loaves.",
    classes: ["not in context"],
  },
  "a negative number": { sample: counts, reply: "It sold -4, 9, 13, 17, 22", classes: ["not in context"] },
  "full-width digits": { sample: counts, reply: "４，９，１３，１７", classes: ["incomplete answer"] },
  "the instructions over and over": {
    sample: counts,
    reply: "Please list the loaves that the baker sold each time on this cold and quiet morning.\n".repeat(4),
    classes: ["loop"],
  },
  "the instructions once": {
    sample: counts,
    reply: "Please list the loaves that the baker sold each time on this cold and quiet morning, for",
    classes: ["context copied"],
    isCut: true,
  },
  "the instructions and JSON of another shape": {
    sample: counts,
    reply:
      'Please list the loaves that the baker sold each time on this cold and quiet morning:\n\n[\n  {\n    "loaf": 1,\n    "price": 2\n  },',
    classes: ["wrong format"],
    isCut: true,
  },
  "a program": {
    sample: counts,
    reply: "```python\ndef sum_up(loaves):\n    return sum(loaves)\n\nprint(sum_up(",
    classes: ["wrong format"],
    isCut: true,
  },
  "a list of letters with one word": {
    sample: coded,
    reply: "\na. zzqqy b. zzqqy c. zzqqy d. zzqqy e. zzqqy",
    classes: ["loop"],
  },
  "counting on from 1": { sample: one, reply: "1. 2. 3. 4. 5. 6. 7. 8. 9. 10.", classes: ["wrong format"] },
  "the asked keys, and rambling": {
    sample: pairs,
    reply: `["${KEYS[0]}", "${KEYS[1]}"]\n\n{"00000000-1111-4111-8111-ffffffffffff": "${VALUES[0]}"}`,
    classes: ["other text"],
  },
  "the asked keys under names": {
    sample: pairs,
    reply: `{\n "first": "${KEYS[0]}",\n "second": "${KEYS[1]}",\n "third": "${VALUES[0].slice(0, 11)}`,
    classes: ["other text"],
    isCut: true,
  },
  "one of two values twice": { sample: pairs, reply: `["${VALUES[0]}", "${VALUES[0]}"]`, classes: ["repeated answer"] },
  "one of two values": { sample: pairs, reply: `["${VALUES[0]}"]`, classes: ["incomplete answer"] },
  "the asked keys that lead to values": {
    sample: pairs,
    reply: `For ${KEYS[0]} and ${KEYS[1]} they are: ${VALUES[0]} and 00000000-1111-4111-8111-ffffffffffff`,
    classes: ["not in context"],
  },
  "an object of keys and values of its own": {
    sample: one,
    reply: '{"0b2c3d4e-5555-4000-8000-aaaaaaaaaaaa": "0e8d7c6b-6666-4111-8111-cccccccccccc", "1f"}',
    classes: ["wrong format"],
  },
  "an object with the asked key as a value": {
    sample: one,
    reply: `{"key": "${KEYS[0]}", "value": "`,
    classes: ["other text"],
    isCut: true,
  },
  "the asked key that leads to a digit": {
    sample: one,
    reply: `The value of the key "${KEYS[0]}" is 1.`,
    classes: ["wrong format"],
  },
  "the asked key for its value": {
    sample: one,
    reply: `The value of the key ${KEYS[0]} is ${KEYS[0]}.`,
    classes: ["other text"],
  },
  "a digit, and rambling": {
    sample: one,
    reply: `1\n${'Extract the value of this key from the JSON object above. Key: "ab"\n'.repeat(3)}`,
    classes: ["wrong format"],
  },
  "the form over and over": {
    sample: place,
    reply: "\nNora's favourite place to work is ________.".repeat(4),
    classes: ["loop"],
  },
  "a sentence of the text, led to by the instructions, with the answer further on": {
    sample: place,
    reply:
      "\nThe document given to you by the user is Salt was once carried over the pass on the backs of mules. Every village on the way took its share of the load.\nNora's favourite place to work is the Northern Lighthouse Library.",
    classes: ["context copied"],
  },
  "the right answer in other words, given again": {
    sample: place,
    reply: "\nThe answer is: Northern Lighthouse Library.\n\nThe answer is: Northern Lighthouse Library.",
    classes: ["wrong format"],
    rule: edits,
  },
  "prose about something else": {
    sample: place,
    reply: "The text talks of mules that had a heavy load on their backs and were slow to move.",
    classes: ["not in context"],
  },
  "prose with a name of its own": {
    sample: place,
    reply: "It is clear from all of this that it has to be Oxford.",
    classes: ["not in context"],
  },
  "a word of the text": {
    sample: place,
    reply: "Nora's favourite place to work is the village.",
    classes: ["other text"],
  },
  "a name with a slip": {
    sample: place,
    reply: "Nora's favourite place to work is the Northern Lighthouse Librarian.",
    classes: ["not in context"],
  },
  "the beginning of a name": {
    sample: place,
    reply: "Nora's favourite place to work is the Northern Lighthouse.",
    classes: ["partial value"],
  },
  "a question of its own over and over, cut": {
    sample: place,
    reply: `${"What is the secret of the salt?\n".repeat(5)}What is the`,
    classes: ["loop"],
    isCut: true,
  },
  "the question asked back": {
    sample: place,
    reply: 'The document is about the question "What is Nora\'s favourite place to work?"',
    classes: ["wrong format"],
  },
  "the question given again, with something of its own": {
    sample: place,
    reply: "Nora's favourite place to work is to learn to breathe.",
    classes: ["not in context"],
  },
  "the value on the way": { sample: steps, reply: "The Grey Heron.", classes: ["incomplete answer"] },
  "Chinese: a list of places where one is asked for": {
    sample: placeZh,
    reply: "\n答案：\n1. 杭州\n2. 深圳\n3. 广州\n4. 杭州\n5. 深圳\n6. 广州\n7. 杭州\n8. 深圳",
    classes: ["not in context"],
    isCut: true,
  },
  "Chinese: list numbers alone": {
    sample: placeZh,
    reply: "\n答案：\n1. 1. 2. 3. 4. 5. 6. 7. 8",
    classes: ["wrong format"],
    isCut: true,
  },
  "Chinese: the question in a list": {
    sample: placeZh,
    reply: `\n请回答：\n${[1, 2, 3, 4].map((at) => `${at}. 小红最喜欢的工作地点是哪里？`).join("\n")}`,
    classes: ["loop"],
    isCut: true,
  },
  "Chinese: the start of the answer and empty prose by turns": {
    sample: placeZh,
    reply:
      "“小红最喜欢的工作地点是”\n\n这是一份很长的文件，可以看到很多内容，“小红最喜欢的工作地点是”\n\n“小红最喜欢的工作地点",
    classes: ["loop"],
    isCut: true,
  },
  "Chinese: the text copied": {
    sample: placeZh,
    reply: "盐从前是用骡子驮过山口的，沿途每个村子都要从货里分去一份。",
    classes: ["context copied"],
  },
  "Chinese: the right answer with one character less": {
    sample: placeZh,
    reply: "小红最喜欢的工作地点是北方灯塔图书馆。",
    classes: ["wrong format"],
    rule: edits,
  },
  "Chinese: the answer in questions of its own": {
    sample: placeZh,
    reply:
      "\n请回答：\n1. 为什么小红最喜欢的工作地点是北方灯塔图书馆？\n2. 为什么小红最喜欢的工作地点是北方灯塔图书馆？\n3. 为什么小红",
    classes: ["wrong format"],
    isCut: true,
  },
  "Chinese: an answer, and empty words in the same sentence": {
    sample: placeZh,
    reply: "小红最喜欢的工作地点是花园，是一个花园，可以看到，是一个花园，可以看到，是一个花园，可以看到，是一个花园",
    classes: ["not in context"],
    isCut: true,
  },
  "Chinese: an answer of its own": {
    sample: placeZh,
    reply: "小红最喜欢的工作地点是大学。大学是好地方，大学是好地方，大学是好地方，大学是好地方。",
    classes: ["not in context"],
  },
};

for (const [name, { sample, reply, classes, rule = {}, isCut = false }] of Object.entries(CASES)) {
  Deno.test(`classifyFailure() on ${name}`, () => {
    const finishReason = isCut ? "length" : "stop";
    const outcome = { reply: { kind: "answer", text: reply, finishReason }, value: 0.5, rule } as const;
    const modes = classifyFailure(sample, outcome);
    deepEqual(classesOf(modes), classes, JSON.stringify(modes));
  });
}

Deno.test.each(
  [
    ["one line of a list over and over", "the same text is repeated 8 times"],
    ["lines that count on, cut", "gave 30, 31; the output limit cut the reply after 2 of 5 items"],
    ["full-width digits", "4 of 5 items were given"],
    ["the instructions once", "88 characters are copied from the prompt word for word"],
    ["counting on from 1", "there is no UUID in the reply"],
    ["a name with a slip", "gave nora's favourite place to work is the northern lighthouse librarian"],
    ["the value on the way", "gave the grey heron"],
    ["the right answer in other words, given again", `given in another form: ${place.references[0]!.toLowerCase()}`],
  ] as [string, string][],
)("classifyFailure() says why it is %s: %s", (name, why) => {
  const { sample, reply, rule = {}, isCut = false } = CASES[name]!;
  const finishReason = isCut ? "length" : "stop";
  const modes = classifyFailure(sample, { reply: { kind: "answer", text: reply, finishReason }, value: 0.5, rule });
  deepEqual(modes.map((mode) => mode.why).join("; "), why);
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
