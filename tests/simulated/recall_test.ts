import { deepEqual, equal, ok } from "node:assert/strict";
import { openProfile, type Profile } from "@/lib/simulated/profiles.ts";
import { type FactFeatures, type PromptFeatures, recallOf } from "@/lib/simulated/recall.ts";

const FACT: FactFeatures = {
  depth: 0.2,
  links: 1,
  isChained: false,
  keyLength: 10,
  valueLength: 10,
  sameKey: 1,
  lead: null,
};

const PROMPT: PromptFeatures = { category: "retrieval", tokens: 4096, rivals: 0, hasExample: false, facts: [FACT] };

/** A reader whose easiest fact has even odds at 4,096 tokens, without an effect of the place. */
const EVEN: Profile = {
  ...openProfile("gpt-4"),
  strengths: {
    retrieval: { level: 0, slope: 1, bend: 0.5 },
    "multi-hop tracing": { level: 0, slope: 1, bend: 0.5 },
    aggregation: { level: 0, slope: 1, bend: 0.5 },
    "question answering": { level: 0, slope: 1, bend: 0.5 },
  },
  difficulty: { ...openProfile("gpt-4").difficulty, middle: 0, recency: 0 },
};

function stepOf(prompt: Partial<PromptFeatures>, fact: Partial<FactFeatures> = {}): number {
  return recallOf({ ...PROMPT, ...prompt, facts: [{ ...FACT, ...fact }] }, EVEN).steps[0]!;
}

// 1 / (1 + exp(x)) for the log-odds x that are lost.
Deno.test.each(
  [
    ["the easiest fact", {}, {}, 0],
    ["a doubling costs the slope and the bend", { tokens: 8192 }, {}, 1.5],
    ["below 4,096 tokens there is no bend", { tokens: 2048 }, {}, -1],
    ["a rival, and each doubling of their number", { rivals: 4 }, {}, 1 + 2 * 0.22],
    ["a key as long as a UUID, or longer", {}, { keyLength: 360 }, 1.3],
    ["a value as long as a UUID", {}, { valueLength: 36 }, 0.2],
    ["four values of a key", {}, { sameKey: 4 }, 2 * 1.65],
    ["seven other words, and a lead of e", { category: "aggregation", rivals: 7 }, { lead: 1 }, 3 * 0.5 - 0.2],
    ["the documents of a question", { category: "question answering", rivals: 1000 }, {}, 0],
  ] as [string, Partial<PromptFeatures>, Partial<FactFeatures>, number][],
)("recallOf() has the odds of Rasch's model: %s", (_name, prompt, fact, lost) => {
  ok(Math.abs(stepOf(prompt, fact) - 1 / (1 + Math.exp(lost))) < 1e-12);
});

Deno.test("recallOf() needs every link of a fact, and every fact before it in a chain", () => {
  ok(Math.abs(stepOf({}, { links: 3 }) - 0.5 ** 3) < 1e-12);
  const facts = [FACT, { ...FACT, isChained: true }, { ...FACT, isChained: true }];
  const { expected, wholeLoss } = recallOf({ ...PROMPT, facts }, EVEN);
  const found = (0.5 + 0.25 + 0.125) / 3;
  ok(Math.abs(wholeLoss - EVEN.rates.whole * (1 - found)) < 1e-12);
  ok(Math.abs(expected - (1 - wholeLoss) * found) < 1e-12);
});

Deno.test("recallOf() loses the middle, and everything over the window; the ideal reader loses nothing", () => {
  const middle = openProfile("lost-in-the-middle");
  const at = (depth: number): number => recallOf({ ...PROMPT, facts: [{ ...FACT, depth }] }, middle).expected;
  ok(at(0.5) < at(0.1) && at(0.5) < at(0.9));
  const long = { ...PROMPT, tokens: 128 * 1024 + 1 };
  deepEqual([recallOf(long, openProfile("gpt-4")).expected, recallOf(long, openProfile("ideal")).expected], [0, 1]);
  equal(recallOf({ ...PROMPT, facts: [] }, EVEN).expected, 1);
});
