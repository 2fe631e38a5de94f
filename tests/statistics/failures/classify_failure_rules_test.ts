import { deepEqual } from "node:assert/strict";
import { classesOf } from "./_samples.ts";
import { type AnswerRule, edits } from "@/lib/scorers/mod.ts";
import { classifyFailure, type FailedSample, type FailureClass } from "@/lib/statistics/failures/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

// Short replies of our own making, each like a real reply that was misread.

const target = { role: "target", text: "", depth: 0.4, tokenOffset: 1 } as const;
const distractor = { role: "distractor", text: "", depth: 0.7, tokenOffset: 1 } as const;

function makeSample(user: string, references: readonly string[], facts: FailedSample["facts"]): FailedSample {
  return { prompt: userPrompt(user), answerRoom: 60, references, facts };
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
  "a word of digits and letters of another fact": {
    sample: nodes,
    reply: `Final Answer: [${NODES[0]}, 5d41402abc]`,
    classes: ["distractor"],
  },
  "a part of a word of digits and letters": { sample: node, reply: "It is e2f38c", classes: ["incomplete answer"] },
  "the head of a list copied, common words included": {
    sample: listed,
    reply: " 1. plume 2. anvil 3. tonic 4. gravel 5. plume 6. meadow",
    classes: ["copied"],
  },
  "a right line over and over": { sample: counts, reply: "The baker sold 9 loaves.\n".repeat(8), classes: ["loop"] },
  "lines that count on, cut": {
    sample: counts,
    reply: "The baker sold 30 loaves\nThe baker sold 31 loaves\nThe baker",
    classes: ["incomplete answer"],
    isCut: true,
  },
  "the instructions once": {
    sample: counts,
    reply: "Please list the loaves that the baker sold each time on this cold and quiet morning, for",
    classes: ["copied"],
    isCut: true,
  },
  "the asked keys, and rambling": {
    sample: pairs,
    reply: `["${KEYS[0]}", "${KEYS[1]}"]\n\n{"00000000-1111-4111-8111-ffffffffffff": "${VALUES[0]}"}`,
    classes: ["other answer"],
  },
  "the asked key for its value": {
    sample: one,
    reply: `The value of the key ${KEYS[0]} is ${KEYS[0]}.`,
    classes: ["other answer"],
  },
  "a sentence of the text, led to by the instructions, with the answer further on": {
    sample: place,
    reply:
      "\nThe document given to you by the user is Salt was once carried over the pass on the backs of mules. Every village on the way took its share of the load.\nNora's favourite place to work is the Northern Lighthouse Library.",
    classes: ["copied"],
  },
  "a name with a slip": {
    sample: place,
    reply: "Nora's favourite place to work is the Northern Lighthouse Librarian.",
    classes: ["other answer"],
  },
  "the beginning of a name": {
    sample: place,
    reply: "Nora's favourite place to work is the Northern Lighthouse.",
    classes: ["incomplete answer"],
  },
  "the value on the way": { sample: steps, reply: "The Grey Heron.", classes: ["incomplete answer"] },
  "Chinese: a list of places where one is asked for": {
    sample: placeZh,
    reply: "\n答案：\n1. 杭州\n2. 深圳\n3. 广州\n4. 杭州\n5. 深圳\n6. 广州\n7. 杭州\n8. 深圳",
    classes: ["other answer"],
    isCut: true,
  },
  "Chinese: the right answer with one character less": {
    sample: placeZh,
    reply: "小红最喜欢的工作地点是北方灯塔图书馆。",
    classes: ["wrong format"],
    rule: edits,
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
