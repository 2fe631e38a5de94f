import type { Category } from "@/lib/generators/mod.ts";

/** How far a profile's expected score is from the published one. */
export interface Residual {
  /** Of which tasks. */
  readonly category: Category;
  /** Context length in tokens. */
  readonly length: number;
  /** What the paper prints, in percent. */
  readonly published: number;
  /** What the profile is expected to score, in percent. */
  readonly expected: number;
}

/** What a fit gives. */
export interface ProfileFit {
  /** The most tokens that can be read, or `null` where some score at every length. */
  readonly window: number | null;
  /** How strongly facts are held, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  /** How far the expected scores are from the published ones. */
  readonly residuals: readonly Residual[];
}

/**
 * How strongly a reader holds on to what it reads in one category of tasks, as log-odds that fall with the load.
 *
 * With x the doublings of the prompt above 4,096 tokens, it is `level - slope * x - bend * max(0, x)^2`.
 */
export interface Strength {
  /** The log-odds of finding the easiest fact at 4,096 tokens. */
  readonly level: number;
  /** Log-odds lost with each doubling of the prompt; at least 0. */
  readonly slope: number;
  /** What makes the loss grow above 4,096 tokens; at least 0. */
  readonly bend: number;
}

/** What makes one fact harder to find than another in the same prompt, in log-odds; the same for all profiles. */
export interface Difficulty {
  /** Lost where there is anything else of the same kind in the prompt. */
  readonly rival: number;
  /** Lost with each doubling of the number of such rivals, for facts that stand in one place. */
  readonly crowd: number;
  /** Lost where the key is as long as a UUID and looks like every other; in proportion for shorter ones. */
  readonly longKey: number;
  /** Lost where the value is as long as a UUID. */
  readonly longValue: number;
  /** Lost with each doubling of the number of values that one key has. */
  readonly sameKey: number;
  /** Lost with each doubling of the number of different words among which some are counted. */
  readonly crowdOfWords: number;
  /** Gained with each factor e by which a word is more frequent than the most frequent one not asked for. */
  readonly lead: number;
  /** Lost in the middle of the prompt compared with its ends. */
  readonly middle: number;
  /** Gained at the end of the prompt compared with its beginning. */
  readonly recency: number;
}

/** What is said in place of one fact: kinds of mistakes. */
export type FactForm = "left_out" | "distractor" | "partial" | "repeated" | "invented" | "near_miss" | "key";

/** How a reply with nothing right fails: kinds of mistakes. */
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

/** What is asked for, as far as it decides how a reply fails: a reply whose whole text is graded, or values, or a category. */
export type LossSetting =
  | "graded text"
  | "lone value"
  | "value among others"
  | "list of values"
  | Exclude<Category, "retrieval">;

/** What becomes of what is lost; shares and weights, which need not add up to 1. */
export interface MistakeRates {
  /** The share of what is lost that is lost with the whole reply and not fact by fact, in [0, 1]. */
  readonly whole: number;
  /** That share where the prompt begins with a worked example, whose answer is then copied. */
  readonly copying: number;
  /**
   * How a reply fails that has nothing right, the example not being copied: weights by what is asked for. Those that a reply
   * cannot have, such as a distractor without rivals, are left aside.
   */
  readonly wholeReplies: Readonly<Partial<Record<LossSetting, Readonly<Partial<Record<ReplyForm, number>>>>>>;
  /** What is said in place of one fact of a reply that has others right, or that is graded. */
  readonly facts: Readonly<Partial<Record<FactForm, number>>>;
  /** How often a distractor is the fact's nearest neighbour and not any other, in [0, 1]. */
  readonly nearness: number;
  /**
   * Where a list is asked for with its sum: how often some of what was found and added up is not listed, and how often it is
   * added up wrongly, each in [0, 1]. Unless given, the sum is that of the list.
   */
  readonly sums?: Readonly<Record<"unlisted" | "misadded", number>>;
}

/** One way of reading: how much is forgotten, and what is said instead. */
export interface Profile {
  /** Its name without `sim:`. */
  readonly name: string;
  /** One sentence: what it stands for. */
  readonly about: string;
  /** Whether it reads, says nothing, or says everything that could be an answer. */
  readonly manner: "reads" | "says nothing" | "lists everything";
  /** How strongly it holds on to what it reads, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  /** What makes one fact harder for it than another. */
  readonly difficulty: Difficulty;
  /** The most tokens it can read; every reply to a longer prompt is lost. */
  readonly window: number;
  /** The context window that is claimed for the model it imitates, in tokens; none where it imitates no model. */
  readonly claimedWindow?: number;
  /** What becomes of what it loses. */
  readonly rates: MistakeRates;
}
