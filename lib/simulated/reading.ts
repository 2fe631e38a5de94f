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
const [SPACE, OTHER, MARK, DIGIT, VOWEL, CONSONANT] = [0, 1, 2, 3, 4, 5];

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

/** The group of the last character, its run so far, and the consonants in a row. */
type State = [group: number, run: number, consonants: number];
/** An entry of the automaton: the next state, above five bits for the tenths of a character. */
const COST_BITS = 5;
const MAX_COST = 2 ** COST_BITS - 1;
/** The automaton: the entries of each state by the next byte of UTF-8. */
const STEPS = automaton();

const ENCODER = new TextEncoder();
const BYTES = new Uint8Array(2 ** 16);

/** Builds the states that can be reached. */
function automaton(): Uint16Array {
  const states: State[] = [[SPACE, 0, 0]];
  const steps: number[] = [];
  for (const state of states) {
    for (let byte = 0; byte < 256; byte++) {
      const { tenths, next } = stepOf(byte, state);
      const found = states.findIndex((known) => known.join() === next.join());
      steps.push(((found < 0 ? states.push(next) - 1 : found) << COST_BITS) + tenths);
    }
  }
  return Uint16Array.from(steps);
}

/** Returns the tenths of a byte and the state after it. */
function stepOf(byte: number, state: State): { readonly tenths: number; readonly next: State } {
  // Bytes within a character are free; a character of four bytes is two of a string.
  if (byte >= 0x80 && byte < 0xC0) return { tenths: 0, next: state };
  if (byte >= 0xC0) return { tenths: byte < 0xF0 ? FOREIGN : 2 * FOREIGN, next: [OTHER, 0, 0] };
  const kind = classOf(String.fromCharCode(byte));
  if (kind === SPACE) return { tenths: 0, next: [SPACE, 0, 0] };
  const group = kind === CONSONANT ? VOWEL : kind;
  const [, run, before] = group === state[0] ? state : [group, 0, 0];
  const tenths = run === 0 ? WHOLE : 0;
  if (group !== VOWEL) return { tenths, next: [kind, (run + 1) % (kind === DIGIT ? DIGITS : MARKS), 0] };
  const consonants = kind === VOWEL ? 0 : Math.min(CLUSTER, before + 1);
  const further = (run === LETTERS ? FURTHER : 0) + (consonants === CLUSTER ? WHOLE : 0);
  return { tenths: tenths + further, next: [VOWEL, Math.min(LETTERS, run + 1), consonants] };
}

/**
 * Estimates the tokens of a text from its characters, without any model's encoding.
 *
 * Words count by their letters and by runs of at least three consonants, as unpronounceable words take many tokens. On the prompts
 * of the thirteen tasks the estimate is 0.65 (rare words) to 1.2 (essays, random words) of the count of cl100k_base.
 */
export function estimateTokens(text: string): number {
  let [tenths, state] = [0, 0];
  for (let from = 0; from < text.length;) {
    // Bytes, as reading the characters of a string one by one takes six times as long.
    const { read, written } = ENCODER.encodeInto(text.slice(from), BYTES);
    from += read;
    for (let at = 0; at < written; at++) {
      const step = STEPS[(state << 8) | BYTES[at]!]!;
      tenths += step & MAX_COST;
      state = step >> COST_BITS;
    }
  }
  return Math.round(SCALE * tenths / 10);
}
