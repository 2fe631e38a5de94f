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
  // Zero on average over the depths: the mean of the parabola is 2/3.
  const place = depth === null ? 0 : difficulty.middle *
      (4 * depth * (1 - depth) - 2 / 3) - difficulty.recency * (depth - 0.5);
  // Documents are not alike; their number is the length itself.
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

/** Approximate letters, digits and marks per token. */
const LETTERS_A_TOKEN = 5;
const DIGITS_A_TOKEN = 3;
const MARKS_A_TOKEN = 4;
/** Tokens per character that is not ASCII, as for Chinese in cl100k_base. */
const OTHER_TOKENS = 1.3;
/** Corrects for short words, and for marks that share the token of a word. */
const SCALE = 0.95;
/** Consecutive consonants from which each adds a token. */
const CLUSTER = 3;

const CLASSES = ["space", "vowel", "consonant", "digit", "mark", "other"] as const;
type CharacterClass = typeof CLASSES[number];

/** A state of the reader of a text: the run of characters of one kind, and of consonants, before the next character. */
interface Place {
  readonly kind: "space" | "letter" | "digit" | "mark" | "other";
  readonly run: number;
  readonly consonants: number;
}

/** The class of each ASCII character. */
const CLASS_OF = Uint8Array.from({ length: 0x80 }, (_, code) => CLASSES.indexOf(classOf(String.fromCharCode(code))));
const { next: NEXT, cost: COST } = tabulate();

/**
 * Estimates the tokens of a text from its characters, without any model's encoding.
 *
 * Words count by their letters and by runs of at least three consonants, as unpronounceable words take many tokens. On the prompts
 * of the thirteen tasks the estimate is 0.65 (rare words) to 1.2 (essays, random words) of the count of cl100k_base. A table of
 * states makes it one step per character.
 */
export function estimateTokens(text: string): number {
  let [place, tenths] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const step = place + (code < 0x80 ? CLASS_OF[code]! : CLASSES.length - 1);
    tenths += COST[step]!;
    place = NEXT[step]!;
  }
  return Math.round(SCALE * tenths / 10);
}

/** Lists all states, with the next state and the cost of each class of character, in tenths of a token. */
function tabulate(): { readonly next: Uint16Array; readonly cost: Uint8Array } {
  const places: Place[] = [{ kind: "space", run: 0, consonants: 0 }];
  const [next, cost]: [number[], number[]] = [[], []];
  for (const place of places) {
    for (const name of CLASSES) {
      const after = follow(place, name);
      const known = places.findIndex((one) => JSON.stringify(one) === JSON.stringify(after.place));
      next.push(CLASSES.length * (known < 0 ? places.push(after.place) - 1 : known));
      cost.push(Math.round(10 * after.tokens));
    }
  }
  return { next: Uint16Array.from(next), cost: Uint8Array.from(cost) };
}

/** Returns the cost of one more character, and the next state. A run is counted only as far as it matters. */
function follow(before: Place, name: CharacterClass): { readonly place: Place; readonly tokens: number } {
  const kind = name === "vowel" || name === "consonant" ? "letter" : name;
  const run = before.kind === kind ? before.run : 0;
  const none: Place = { kind, run: 0, consonants: 0 };
  if (kind === "space") return { place: none, tokens: 0 };
  if (kind === "other") return { place: none, tokens: OTHER_TOKENS };
  if (kind === "letter") {
    const consonants = name === "vowel" ? 0 : Math.min(CLUSTER, (run === 0 ? 0 : before.consonants) + 1);
    const tokens = run === 0 ? 1 : run < LETTERS_A_TOKEN ? 0 : 1 / LETTERS_A_TOKEN;
    const place: Place = { kind, run: Math.min(LETTERS_A_TOKEN, run + 1), consonants };
    return { place, tokens: tokens + (consonants === CLUSTER ? 1 : 0) };
  }
  const most = kind === "digit" ? DIGITS_A_TOKEN : MARKS_A_TOKEN;
  // Subtle: the last character of a full token leads to a run of 0, so that the next character begins another token.
  return { place: { ...none, run: (run + 1) % most }, tokens: run === 0 ? 1 : 0 };
}

function classOf(character: string): CharacterClass {
  if (character <= " ") return "space";
  if (/[0-9]/.test(character)) return "digit";
  if (/[aeiouy]/i.test(character)) return "vowel";
  return /[a-z]/i.test(character) ? "consonant" : "mark";
}
