import type { Profile, Strength } from "./profiles.ts";
import type { Category, Finding, Reading } from "@/lib/generators/mod.ts";

/** Features that make one fact of a prompt easy or hard to find. */
export interface FactFeatures {
  /** The share of the prompt before it, in [0, 1]; `null` if it is spread over the prompt. */
  readonly depth: number | null;
  /** The number of places that must be combined. */
  readonly links: number;
  /** Whether it can only be found through the fact before it. */
  readonly isChained: boolean;
  /** Characters of its key. */
  readonly keyLength: number;
  /** Characters of its value. */
  readonly valueLength: number;
  /** The number of wanted facts with the same key. */
  readonly sameKey: number;
  /** The logarithm of its count over the greatest count of a wrong word; `null` if nothing is counted. */
  readonly lead: number | null;
}

/** Features that make a prompt easy or hard, without its words. */
export interface PromptFeatures {
  readonly category: Category;
  /** Its length in tokens. */
  readonly tokens: number;
  /** The number of similar things that a wanted fact can be mistaken for. */
  readonly rivals: number;
  /** Whether it begins with a worked example. */
  readonly hasExample: boolean;
  readonly facts: readonly FactFeatures[];
}

/** Returns the features of a prompt; its facts are in the order of `reading.wanted`. */
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
/** Characters above which keys and values count as long, and those of a UUID. */
const SHORT_TEXT = 10;
const UUID_LENGTH = 36;

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

/** Classes of characters; those above the last are letters. */
const [SPACE, OTHER, MARK, DIGIT, VOWEL, CONSONANT] = [0, 1, 2, 3, 4, 5] as const;

/** The class of each ASCII character. */
const CLASS_OF = Uint8Array.from({ length: 0x80 }, (_, code) => classOf(String.fromCharCode(code)));

function classOf(character: string): number {
  if (character <= " ") return SPACE;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[aeiouy]/i.test(character)) return VOWEL;
  return /[a-z]/i.test(character) ? CONSONANT : MARK;
}

/** Approximate letters, digits and marks per token. */
const [LETTERS, DIGITS, MARKS] = [5, 3, 4];
/** Tenths of a token: of a whole one, of a further letter of a long word, and of a character that is not ASCII (cl100k_base). */
const [WHOLE, FURTHER, FOREIGN] = [10, 2, 13];
/** Consecutive consonants from which each adds a token. */
const CLUSTER = 3;
/** Corrects for short words, and for marks that share the token of a word. */
const SCALE = 0.95;

/**
 * Estimates the tokens of a text from its characters, without any model's encoding.
 *
 * Words count by their letters and by runs of at least three consonants, as unpronounceable words take many tokens. On the prompts
 * of the thirteen tasks the estimate is 0.65 (rare words) to 1.2 (essays, random words) of the count of cl100k_base.
 */
export function estimateTokens(text: string): number {
  let [tenths, last, run, consonants]: [number, number, number, number] = [0, SPACE, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 0x80 ? CLASS_OF[code]! : OTHER;
    const group = kind === CONSONANT ? VOWEL : kind;
    if (group !== last) [last, run, consonants] = [group, 0, 0];
    if (group === VOWEL) {
      consonants = kind === VOWEL ? 0 : Math.min(CLUSTER, consonants + 1);
      if (run === 0) tenths += WHOLE;
      if (run === LETTERS) tenths += FURTHER;
      if (consonants === CLUSTER) tenths += WHOLE;
      run = Math.min(LETTERS, run + 1);
    } else if (group === OTHER) {
      tenths += FOREIGN;
    } else if (group !== SPACE) {
      if (run === 0) tenths += WHOLE;
      run = (run + 1) % (group === DIGIT ? DIGITS : MARKS);
    }
  }
  return Math.round(SCALE * tenths / 10);
}
