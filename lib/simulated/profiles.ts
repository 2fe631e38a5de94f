import table from "@/data/profiles.json" with { type: "json" };
import type { Category } from "@/lib/generators/mod.ts";

/** The expected and the published score of a profile. */
export interface Residual {
  readonly category: Category;
  /** Context length in tokens. */
  readonly length: number;
  /** The published score, in percent. */
  readonly published: number;
  /** The expected score of the profile, in percent. */
  readonly expected: number;
}

/** The result of a fit. */
export interface ProfileFit extends Pick<Profile, "strengths" | "residuals"> {
  /** The maximum number of tokens that can be read; `null` if there is a score at every length. */
  readonly window: number | null;
}

/**
 * The retention of a reader in one category of tasks, as log-odds that fall with the length of the prompt.
 *
 * With x the doublings of the prompt above 4,096 tokens, it is `level - slope * x - bend * max(0, x)^2`.
 */
export interface Strength {
  /** The log-odds of finding the easiest fact at 4,096 tokens. */
  readonly level: number;
  /** Log-odds lost with each doubling of the prompt; at least 0. */
  readonly slope: number;
  /** The growth of the loss above 4,096 tokens; at least 0. */
  readonly bend: number;
}

/** Effects that make one fact harder to find than another in the same prompt, in log-odds; the same for all profiles. */
export interface Difficulty {
  /** Lost if anything else of the same kind is in the prompt. */
  readonly rival: number;
  /** Lost with each doubling of the number of such rivals, for facts that are in one place. */
  readonly crowd: number;
  /** Lost if the key is as long as a UUID and looks like every other; in proportion for shorter keys. */
  readonly longKey: number;
  /** Lost if the value is as long as a UUID. */
  readonly longValue: number;
  /** Lost with each doubling of the number of values that one key has. */
  readonly sameKey: number;
  /** Lost with each doubling of the number of different words, in tasks that count words. */
  readonly crowdOfWords: number;
  /** Gained with each factor e by which a word is more frequent than the most frequent wrong one. */
  readonly lead: number;
  /** Lost in the middle of the prompt compared with its ends. */
  readonly middle: number;
  /** Gained at the end of the prompt compared with its beginning. */
  readonly recency: number;
}

/**
 * Replacements of one lost fact: none, something similar from the prompt, the beginning of its value, another right answer,
 * something invented, its value with one wrong digit, or its key.
 */
export type FactForm = "left_out" | "distractor" | "partial" | "repeated" | "invented" | "near_miss" | "key";

/**
 * Forms of a reply without a right part: each fact is replaced, or the reply is empty, a refusal, one character or one line (or
 * item) repeated, a stretch of the prompt, or invented from prior knowledge.
 */
export type ReplyForm =
  | Exclude<FactForm, "left_out" | "repeated">
  | ("empty" | "refused" | "looped" | "again" | "copied" | "prior");

/** The kind of question, as far as it decides how a reply fails: a text that is graded as a whole, values, or a category. */
export type LossSetting =
  | "graded text"
  | "lone value"
  | "value among others"
  | "list of values"
  | Exclude<Category, "retrieval">;

/** Forms of mistakes: shares and weights; their sum can differ from 1. */
export interface MistakeRates {
  /** The share of losses that concern the whole reply and not single facts, in [0, 1]. */
  readonly whole: number;
  /** The same share if the prompt begins with a worked example, whose answer is then copied. */
  readonly copying: number;
  /**
   * Weights of the forms of a reply without a right part that does not copy the example, by the kind of question. Forms that a
   * reply cannot have, such as a distractor without rivals, are ignored.
   */
  readonly wholeReplies: { readonly [S in LossSetting]?: { readonly [F in ReplyForm]?: number } };
  /** Weights of the replacements of one fact, in a reply that has others right, or that is graded. */
  readonly facts: { readonly [F in FactForm]?: number };
  /** The share of distractors that are the fact's nearest neighbour, in [0, 1]. */
  readonly nearness: number;
  /**
   * For a list with its sum: the shares of replies that omit some of the added counts, and that add up wrongly, each in
   * [0, 1]. If left out, the sum is that of the list.
   */
  readonly sums?: Readonly<Record<"unlisted" | "misadded", number>>;
}

/** A way of reading: how much is lost, and what replaces it. */
export interface Profile {
  /** Its name without `sim:`. */
  readonly name: string;
  /** Whether it reads, answers nothing, or lists everything that could be an answer. */
  readonly manner: "reads" | "stays silent" | "lists everything";
  /** Its retention, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  readonly difficulty: Difficulty;
  /** The maximum number of tokens it can read; every reply to a longer prompt is lost. */
  readonly window: number;
  /** The claimed context window of the model it imitates, in tokens. */
  readonly claimedWindow?: number;
  readonly rates: MistakeRates;
  /** Expected and published score of each category and length; empty if nothing was fitted. */
  readonly residuals: readonly Residual[];
}

/**
 * Chosen by hand, near the least squares over all profiles' category scores, the passkey and vanilla needle scores (RULER,
 * Tables 10 and 11) and Yi-34B's tasks (Figures 2 and 3).
 *
 * These scores do not determine `longValue`, `lead`, `middle` and `recency`, which are small and in the direction that the paper
 * reports: incomplete UUIDs, fewer mistakes if frequencies differ more, and facts lost in the middle.
 */
const DIFFICULTY: Difficulty = {
  rival: 1,
  crowd: 0.22,
  longKey: 1.3,
  longValue: 0.2,
  sameKey: 1.65,
  crowdOfWords: 0.5,
  lead: 0.2,
  middle: 0.8,
  recency: 0.4,
};

/**
 * Counts of the forms of wrong replies of two small models, from the primary labels in data/measured/labels, without copies of
 * the worked example and partly wrong replies. `tests/measured/reply_forms_test.ts` counts them.
 */
export const LABELLED_FORMS: MistakeRates["wholeReplies"] = {
  "lone value": { again: 1, copied: 8, near_miss: 2, invented: 3, partial: 2, key: 1 },
  "value among others": { looped: 3, again: 2, distractor: 39, near_miss: 1, invented: 4, partial: 2, key: 19 },
  "list of values": { empty: 8, looped: 25, again: 30, copied: 7, near_miss: 1, invented: 25, key: 5 },
  "multi-hop tracing": { again: 6, copied: 6, invented: 1, key: 5 },
  "aggregation": { looped: 1, again: 6, copied: 1, distractor: 3, near_miss: 1, invented: 3 },
  "question answering": { copied: 6, distractor: 13, invented: 4, key: 3 },
};

/**
 * The labelled forms. The shares of texts that are graded as a whole, by edit distance or by a judge, are assumed: with the
 * labelled shares the same losses would have other scores.
 */
const REAL_FORMS: MistakeRates["wholeReplies"] = {
  ...LABELLED_FORMS,
  "graded text": { empty: 1, copied: 1, looped: 1, prior: 2 },
};

/** Assumed shares, as the paper describes the kinds of mistakes and gives no shares. */
const USUAL_RATES: MistakeRates = {
  whole: 0.15,
  copying: 0.3,
  wholeReplies: REAL_FORMS,
  facts: { left_out: 2, distractor: 4, partial: 3, repeated: 1, invented: 1 },
  nearness: 0.6,
};

/** Models that the paper saw copying the worked example (section 5): of Yi's replies to common words at 128K, over 80%. */
const COPYING_RATES: MistakeRates = { ...USUAL_RATES, copying: 0.85 };

/** Mistral, which answers common words with the most frequent words of English (section 5). */
const PRIOR_RATES: MistakeRates = {
  ...USUAL_RATES,
  whole: 0.3,
  wholeReplies: {
    ...REAL_FORMS,
    "aggregation": { ...REAL_FORMS.aggregation, prior: 45 },
    "graded text": { empty: 1, copied: 1, looped: 1, prior: 9 },
  },
};

/** A model of the RULER paper, as its tables name it without its size, and the parts of its profile that are not fitted. */
export interface PublishedProfile extends Pick<Profile, "name" | "rates" | "difficulty"> {
  readonly model: string;
  /** In tokens (RULER, Tables 3 and 4). */
  readonly claimedWindow: number;
}

const K = 1024;

/** The models of the RULER paper's Table 3 that have a profile. */
export const PUBLISHED_PROFILES: readonly PublishedProfile[] = [
  { name: "gpt-4", model: "GPT-4", claimedWindow: 128 * K, rates: USUAL_RATES },
  { name: "command-r", model: "Command-R", claimedWindow: 128 * K, rates: USUAL_RATES },
  { name: "yi-34b", model: "Yi", claimedWindow: 200 * K, rates: COPYING_RATES },
  { name: "mixtral", model: "Mixtral", claimedWindow: 32 * K, rates: USUAL_RATES },
  { name: "mistral", model: "Mistral", claimedWindow: 32 * K, rates: PRIOR_RATES },
  { name: "chatglm", model: "ChatGLM", claimedWindow: 128 * K, rates: USUAL_RATES },
  { name: "lwm", model: "LWM", claimedWindow: 1024 * K, rates: COPYING_RATES },
  { name: "together", model: "Together", claimedWindow: 32 * K, rates: USUAL_RATES },
  { name: "longchat", model: "LongChat", claimedWindow: 32 * K, rates: USUAL_RATES },
  { name: "longalpaca", model: "LongAlpaca", claimedWindow: 32 * K, rates: COPYING_RATES },
  { name: "llama2-7b", model: "Llama2-7B (chat)", claimedWindow: 4 * K, rates: USUAL_RATES },
].map((profile) => ({ ...profile, difficulty: DIFFICULTY }));

function sameStrengths(strength: Strength): Profile["strengths"] {
  return {
    "retrieval": strength,
    "multi-hop tracing": strength,
    "aggregation": strength,
    "question answering": strength,
  };
}

/** Retains everything; the other hand-made profiles differ in what they answer or lose. */
const IDEAL: Profile = {
  name: "ideal",
  manner: "reads",
  strengths: sameStrengths({ level: Infinity, slope: 0, bend: 0 }),
  difficulty: DIFFICULTY,
  window: Infinity,
  rates: USUAL_RATES,
  residuals: [],
};

/** Retains single facts up to 128K, and loses more of many similar facts; none is replaced. */
const FADING: Profile = {
  ...IDEAL,
  strengths: sameStrengths({ level: 5, slope: 0.6, bend: 0 }),
  difficulty: { ...DIFFICULTY, middle: 0, recency: 0 },
  rates: { ...USUAL_RATES, whole: 0, copying: 0, wholeReplies: {}, facts: { "left_out": 1 } },
};

const HAND_MADE: readonly Profile[] = [
  IDEAL,
  { ...IDEAL, name: "mute", manner: "stays silent" },
  { ...IDEAL, name: "parrot", manner: "lists everything" },
  { ...FADING, name: "lost-in-the-middle", difficulty: { ...DIFFICULTY, middle: 6, recency: 0 } },
  { ...FADING, name: "lost-in-the-tail", difficulty: { ...DIFFICULTY, middle: 0, recency: -8 } },
  { ...FADING, name: "poor-at-sums", rates: { ...FADING.rates, sums: { unlisted: 0.35, misadded: 0.35 } } },
];

const FITS = table as unknown as Readonly<Record<string, ProfileFit>>;

/** The names of all profiles. */
export const PROFILE_NAMES: readonly string[] = [
  ...HAND_MADE.map(({ name }) => name),
  ...PUBLISHED_PROFILES.map(({ name }) => name),
];

/**
 * Opens a profile of the simulated reader, with or without `sim:` before its name.
 *
 * - `ideal` loses nothing, `mute` answers nothing, `parrot` lists everything that could be an answer, which a score that only
 *   counts what was found takes for perfect.
 * - `lost-in-the-middle` and `lost-in-the-tail` lose facts depending on their place; `poor-at-sums` overlooks some counts, lists fewer than
 *   it found, or adds them up wrongly. An analysis can be tested on these known causes.
 * - The others are named after models of the RULER paper's Table 3, and forget so that their scores in the four categories
 *   are near those of Tables 13 to 16. They imitate scores, not replies.
 *
 * @throws {RangeError} If there is no such profile; the message lists them.
 */
export function openProfile(name: string): Profile {
  const bare = name.replace(/^sim:/, "");
  const handMade = HAND_MADE.find((profile) => profile.name === bare);
  if (handMade) return handMade;
  const published = PUBLISHED_PROFILES.find((profile) => profile.name === bare);
  const fit = Object.hasOwn(FITS, bare) ? FITS[bare] : undefined;
  if (!published || !fit) {
    throw new RangeError(
      `Cannot open the profile as its name must be one of ${PROFILE_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  return { ...published, ...fit, manner: "reads", window: fit.window ?? Infinity };
}
