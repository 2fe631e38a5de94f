import { mean } from "@/lib/base/mod.ts";
import type { Profile, Strength } from "./profiles.ts";
import { type Category, type Fact, formOf, type Sample, writeReply } from "@/lib/generators/mod.ts";

/** What a sample asks for, as its facts and references say. */
export interface Asked {
  /** The values that a right reply gives. */
  readonly wanted: readonly Wanted[];
  /** Values in the prompt that could be mistaken for them. */
  readonly rivals: readonly Pick<Wanted, "key" | "value">[];
  /** The answer of the worked example; empty if there is none. */
  readonly example: readonly string[];
  /** Whether the reply also has the total of the values. */
  readonly hasTotal: boolean;
  readonly features: PromptFeatures;
}

/** One value that a right reply gives. */
export interface Wanted {
  readonly value: string;
  /** The key of its fact. */
  readonly key: string;
  /** The values on the way to it, if it is found step by step. */
  readonly way: readonly string[];
}

/**
 * Reads what a sample asks for from its facts and references; its prompt is not parsed.
 *
 * A reference belongs to the target with that key, as a word or a variable, or with that value. References beyond the first are
 * left out if the reply does not give them, and so is one without a fact of its own beside others that have one: a total.
 */
export function readAsked(sample: Sample): Asked {
  const { references, paths = [], facts } = sample;
  const { category } = formOf(sample);
  const withRole = (role: Fact["role"]): readonly Fact[] => facts.filter((fact) => fact.role === role);
  const [targets, distractors, solved] = [withRole("target"), withRole("distractor"), withRole("example")];
  const own = matchFacts(references, targets);
  const isFirstAlone = writeReply(sample, references) === writeReply(sample, references.slice(0, 1));
  const places = [...references.keys()];
  const matched = places.filter((at) => own[at] !== undefined);
  const hasTotal = !isFirstAlone && matched.length > 0 && matched.length < places.length;
  const asked = hasTotal ? matched : places.slice(0, isFirstAlone ? 1 : Infinity);
  const factAt = (at: number): Fact | undefined => own[at] ?? targets[0];
  const isByKey = asked.length > 0 && own[asked[0]!]?.key === references[asked[0]!];
  const textOf = ({ key, value }: Fact): string => isByKey || value === "" ? key : value;
  const rivals = distractors.map((fact) => ({ key: fact.key, value: textOf(fact) }));
  const sameKey = Map.groupBy(asked, (at) => factAt(at)?.key ?? "");
  const counts = asked.map((at) => Number(factAt(at)?.value));
  const isCounted = isByKey && category === "aggregation" && counts.every((count) => count > 0);
  const rivalCount = Number(distractors[0]?.value ?? 0);
  const links = Math.max(1, Math.round(targets.length / Math.max(1, asked.length)), copyLinks(sample));
  const featuresOf = (at: number, place: number): FactFeatures => {
    const { key = "", depth = null } = factAt(at) ?? {};
    return {
      depth,
      links: paths[at]?.length ?? links,
      isChained: isByKey && category === "multi-hop tracing" && place > 0,
      keyLength: key.length,
      valueLength: references[at]!.length,
      sameKey: sameKey.get(key)!.length,
      lead: isCounted ? Math.log(rivalCount > 0 ? counts[place]! / rivalCount : USUAL_LEAD) : null,
    };
  };
  // Of counted words, the example asks for the most frequent ones.
  const most = Math.max(...solved.map(({ value }) => Number(value)));
  const example = solved.filter(({ value }) => !isCounted || Number(value) === most).map(textOf).slice(0, asked.length);
  const tokens = sample.promptTokens === 0 ? sample.length : sample.promptTokens;
  const others = rivals.length + (category === "retrieval" ? sameKey.size - 1 : 0);
  return {
    wanted: asked.map((at) => (
      { value: references[at]!, key: factAt(at)?.key ?? "", way: paths[at]?.slice(0, -1) ?? [] }
    )),
    rivals,
    example,
    hasTotal,
    features: {
      category,
      tokens,
      rivals: isCounted ? otherWords(tokens, counts) : others,
      hasExample: example.length > 0,
      facts: asked.map(featuresOf),
    },
  };
}

/** Finds the target of each reference: the one with that key, or else the first unused one with that value. */
function matchFacts(references: readonly string[], targets: readonly Fact[]): (Fact | undefined)[] {
  const byKey = new Map(targets.map((fact) => [fact.key, fact]));
  const byValue = Map.groupBy(targets, ({ value }) => value);
  return references.map((reference) => byKey.get(reference) ?? byValue.get(reference)?.shift());
}

/** Returns the links of a copy that is as long as the prompt: it can go wrong wherever it doubles. */
function copyLinks({ references: [copy = ""], answerRoom, promptTokens }: Sample): number {
  return answerRoom < promptTokens / 2 ? 1 : Math.ceil(Math.log2(1 + copy.split(" ").length));
}

/** How much more frequent than others words are whose rivals are not known. */
const USUAL_LEAD = 10;

/**
 * Estimates the other words of a text in which words are counted. Equally frequent words are in a list, where most others occur
 * three times, below an example; otherwise frequencies follow Zipf's law, so that few words make up most of the text.
 */
function otherWords(tokens: number, counts: readonly number[]): number {
  const isList = counts.every((count) => count === counts[0]);
  return Math.max(1, isList ? (tokens - 2700) / 16 : Math.sqrt(tokens / 3.6) - 4);
}

/** Features that make one fact of a prompt easy or hard to find. */
export interface FactFeatures {
  /** The share of the prompt before it, in [0, 1]; `null` if it is spread over the prompt. */
  readonly depth: number | null;
  /** The number of places that must be combined. */
  readonly links: number;
  /** Whether it can only be found through the fact before it. */
  readonly isChained: boolean;
  readonly keyLength: number;
  readonly valueLength: number;
  /** The number of wanted facts with the same key. */
  readonly sameKey: number;
  /** The logarithm of its count over the greatest count of a wrong word; `null` if nothing is counted. */
  readonly lead: number | null;
}

/** Features that make a prompt easy or hard, without its words. */
export interface PromptFeatures {
  readonly category: Category;
  readonly tokens: number;
  /** The number of similar things that a wanted fact can be mistaken for. */
  readonly rivals: number;
  /** Whether it begins with a worked example. */
  readonly hasExample: boolean;
  readonly facts: readonly FactFeatures[];
}

/** The recall of a profile for one prompt, as probabilities. */
export interface Recall {
  /** The probability that the whole reply is lost. */
  readonly wholeLoss: number;
  /** The probability of each fact, if the reply is not lost and the fact before it in its chain is found. */
  readonly steps: readonly number[];
  /** The expected share of the answer, in [0, 1]. */
  readonly expected: number;
}

/** The length of a strength's level. */
const BASE_TOKENS = 4096;
/** Characters above which keys and values count as long, and those of a UUID, the longest that count. */
const [SHORT_TEXT, LONG_TEXT] = [10, 36];

/**
 * Returns the recall of a profile for one prompt; `expected` is the expected score.
 *
 * A fact is found with log-odds equal to the profile's strength less the fact's difficulty (Rasch's model of test items,
 * 1960). A fact in a chain needs all facts before it. Some of what is lost is lost with the whole reply.
 */
export function recallOf(features: PromptFeatures, profile: Profile): Recall {
  const { rates, strengths, window } = profile;
  const strength = strengthAt(strengths[features.category], features.tokens);
  const steps = features.facts.map((fact) => logistic(strength - difficultyOf(fact, features, profile)) ** fact.links);
  let chain = 1;
  const shares = steps.map((step, at) => chain = features.facts[at]!.isChained ? chain * step : step);
  const found = steps.length === 0 ? 1 : mean(shares);
  const share = features.hasExample ? rates.copying : rates.whole;
  const wholeLoss = features.tokens > window ? 1 : share * (1 - found);
  return { wholeLoss, steps, expected: (1 - wholeLoss) * found };
}

function strengthAt({ level, slope, bend }: Strength, tokens: number): number {
  const doublings = Math.log2(Math.max(1, tokens) / BASE_TOKENS);
  return level - slope * doublings - bend * Math.max(0, doublings) ** 2;
}

function difficultyOf(fact: FactFeatures, features: PromptFeatures, { difficulty }: Profile): number {
  const { depth, lead } = fact;
  if (lead !== null) return difficulty.crowdOfWords * Math.log2(1 + features.rivals) - difficulty.lead * lead;
  // Zero on average over the depths: the mean of the parabola is 2/3.
  const place = depth === null ? 0 : difficulty.middle * (4 * depth * (1 - depth) - 2 / 3) -
    difficulty.recency * (depth - 0.5);
  // Documents differ; their number is the length itself.
  if (features.category === "question answering") return place;
  const crowd = features.rivals === 0 ? 0 : difficulty.rival + difficulty.crowd * Math.log2(features.rivals);
  return place + crowd + difficulty.longKey * excess(fact.keyLength) +
    difficulty.longValue * excess(fact.valueLength) +
    difficulty.sameKey * Math.log2(fact.sameKey);
}

/** Returns 0 for short texts, and 1 for a UUID and longer ones. */
function excess(characters: number): number {
  return Math.min(1, Math.max(0, characters - SHORT_TEXT) / (LONG_TEXT - SHORT_TEXT));
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
