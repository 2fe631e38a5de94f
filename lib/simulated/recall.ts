import { mean } from "@/lib/base/mod.ts";
import type { Category } from "@/lib/generators/mod.ts";
import type { Profile, Strength } from "./profiles.ts";

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
