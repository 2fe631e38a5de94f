import type { Profile, Strength } from "./profile.ts";
import type { Category, Finding, Reading } from "@/lib/generators/mod.ts";

/** What makes one fact of a prompt easy or hard to find. */
export interface FactFeatures {
  /** The share of the prompt before it, in [0, 1]; `null` where it is spread over the prompt. */
  readonly depth: number | null;
  /** How many places must be put together. */
  readonly links: number;
  /** Whether it can only be found through the fact before it. */
  readonly isChained: boolean;
  /** Characters of its key. */
  readonly keyLength: number;
  /** Characters of its value. */
  readonly valueLength: number;
  /** How many facts asked for have the same key. */
  readonly sameKey: number;
  /** The logarithm of its count over the greatest count that is not asked for; `null` where nothing is counted. */
  readonly lead: number | null;
}

/** What makes a prompt easy or hard, without its words. */
export interface PromptFeatures {
  /** What its task tests. */
  readonly category: Category;
  /** Its length in tokens. */
  readonly tokens: number;
  /** How many other things of the same kind any fact asked for can be mistaken for. */
  readonly rivals: number;
  /** Whether it begins with a worked example. */
  readonly hasExample: boolean;
  /** What makes each fact asked for easy or hard to find. */
  readonly facts: readonly FactFeatures[];
}

/** What makes a prompt easy or hard for a profile; its facts are in the order of `reading.wanted`. */
export function readingFeatures(reading: Reading, tokens: number): PromptFeatures {
  const { category, wanted, rivals, example } = reading;
  const keys = new Map<string, number>();
  for (const { key } of wanted) keys.set(key, (keys.get(key) ?? 0) + 1);
  const nextCount = rivals[0]?.count ?? 1;
  const factFeatures = (finding: Finding): FactFeatures => ({
    depth: finding.depth,
    links: finding.links ?? 1,
    isChained: (finding.hop ?? 0) > 0,
    keyLength: finding.key.length,
    valueLength: finding.value.length,
    sameKey: keys.get(finding.key)!,
    lead: finding.count === undefined ? null : Math.log(finding.count / nextCount),
  });
  return {
    category,
    tokens,
    rivals: rivals.length + (category === "retrieval" ? keys.size - 1 : 0),
    hasExample: example.length > 0,
    facts: wanted.map(factFeatures),
  };
}

/** What a profile keeps of one prompt, as probabilities. */
export interface Recall {
  /** That the whole reply is lost. */
  readonly wholeLoss: number;
  /** That each fact is found when the reply is not lost and the fact before it in its chain is found. */
  readonly steps: readonly number[];
  /** The mean share of the answer that is said, in [0, 1]. */
  readonly expected: number;
}

/** The length at which a strength's level holds. */
const BASE_TOKENS = 4096;
/** Characters at which keys and values begin to be long, and those of a UUID. */
const SHORT_TEXT = 10;
const UUID_LENGTH = 36;

/**
 * How much of a prompt a profile keeps; `expected` is the expected score.
 *
 * A fact is found with log-odds equal to the profile's strength less the fact's difficulty (Rasch's model of test items,
 * 1960). A fact in a chain needs all facts before it. Some of what is lost is lost with the whole reply.
 */
export function recallOf(features: PromptFeatures, profile: Profile): Recall {
  const { rates, strengths, window } = profile;
  const strength = strengthAt(strengths[features.category], features.tokens);
  const steps = features.facts.map((fact) => logistic(strength - difficultyOf(fact, features, profile)) ** fact.links);
  let chain = 1;
  let sum = 0;
  steps.forEach((step, at) => {
    chain = features.facts[at]!.isChained ? chain * step : step;
    sum += chain;
  });
  const found = steps.length === 0 ? 1 : sum / steps.length;
  const share = features.hasExample ? rates.copying : rates.whole;
  const wholeLoss = features.tokens > window ? 1 : share * (1 - found);
  return { wholeLoss, steps, expected: (1 - wholeLoss) * found };
}

function strengthAt(strength: Strength, tokens: number): number {
  const { level, slope, bend } = strength;
  const doublings = Math.log2(Math.max(1, tokens) / BASE_TOKENS);
  return level - slope * doublings - bend * Math.max(0, doublings) ** 2;
}

function difficultyOf(
  fact: FactFeatures,
  features: PromptFeatures,
  { difficulty }: Profile,
): number {
  if (fact.lead !== null) {
    return difficulty.crowdOfWords * Math.log2(1 + features.rivals) -
      difficulty.lead * fact.lead;
  }
  const { depth } = fact;
  // Neutral on average over the depths: the parabola's mean is 2/3.
  const place = depth === null ? 0 : difficulty.middle *
      (4 * depth * (1 - depth) - 2 / 3) - difficulty.recency * (depth - 0.5);
  // Documents are alike in nothing but their number, which is the load itself.
  if (features.category === "question answering") return place;
  const crowd = features.rivals === 0 ? 0 : difficulty.rival + difficulty.crowd * Math.log2(features.rivals);
  return place + crowd + difficulty.longKey * length(fact.keyLength) +
    difficulty.longValue * length(fact.valueLength) +
    difficulty.sameKey * Math.log2(fact.sameKey);
}

/** 0 for short texts, 1 for a UUID, more for longer ones. */
function length(characters: number): number {
  return Math.max(0, characters - SHORT_TEXT) / (UUID_LENGTH - SHORT_TEXT);
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
