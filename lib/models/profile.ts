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
export interface ProfileFit {
  /** The maximum number of tokens that can be read; `null` if there is a score at every length. */
  readonly window: number | null;
  /** The strengths of retention, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  readonly residuals: readonly Residual[];
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

/** Replacements of one lost fact: kinds of mistakes. */
export type FactForm = "left_out" | "distractor" | "partial" | "repeated" | "invented" | "near_miss" | "key";

/** Forms of a reply without a right part: kinds of mistakes. */
export type ReplyForm =
  | "empty"
  | "refused"
  | "looped"
  | "again"
  | "copied"
  | "prior"
  | "invented"
  | "distractor"
  | "near_miss"
  | "key"
  | "partial";

/** The kind of question, as far as it decides how a reply fails: a text that is graded as a whole, values, or a category. */
export type LossSetting =
  | "graded text"
  | "lone value"
  | "value among others"
  | "list of values"
  | Exclude<Category, "retrieval">;

/** Forms of mistakes: shares and weights, which need not add up to 1. */
export interface MistakeRates {
  /** The share of losses that concern the whole reply and not single facts, in [0, 1]. */
  readonly whole: number;
  /** The same share if the prompt begins with a worked example, whose answer is then copied. */
  readonly copying: number;
  /**
   * Weights of the forms of a reply without a right part that does not copy the example, by the kind of question. Forms that a
   * reply cannot have, such as a distractor without rivals, are ignored.
   */
  readonly wholeReplies: Readonly<Partial<Record<LossSetting, Readonly<Partial<Record<ReplyForm, number>>>>>>;
  /** Weights of the replacements of one fact, in a reply that has others right, or that is graded. */
  readonly facts: Readonly<Partial<Record<FactForm, number>>>;
  /** The share of distractors that are the fact's nearest neighbour, in [0, 1]. */
  readonly nearness: number;
  /**
   * For a list with its sum: the share of replies that do not list some of what they added up, and of those that add up wrongly,
   * each in [0, 1]. If left out, the sum is that of the list.
   */
  readonly sums?: Readonly<Record<"unlisted" | "misadded", number>>;
}

/** A way of reading: how much is lost, and what replaces it. */
export interface Profile {
  /** Its name without `sim:`. */
  readonly name: string;
  /** Its description, in one sentence. */
  readonly about: string;
  /** Whether it reads, answers nothing, or lists everything that could be an answer. */
  readonly manner: "reads" | "says nothing" | "lists everything";
  /** Its retention, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  readonly difficulty: Difficulty;
  /** The maximum number of tokens it can read; every reply to a longer prompt is lost. */
  readonly window: number;
  /** The claimed context window of the model it imitates, in tokens. */
  readonly claimedWindow?: number;
  readonly rates: MistakeRates;
}
