import table from "@/data/profiles.json" with { type: "json" };
import type { Category } from "@/lib/generators/mod.ts";

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

/** Effects that make one fact harder to find than another in the same prompt, in log-odds. */
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

/** What replaces a lost fact: nothing, something similar, the beginning of its value, or something invented. */
export type FactForm = "omitted" | "distractor" | "partial" | "invented";

/** What replaces a lost reply: nothing, a refusal, one item over and over, prior knowledge, or something similar from the prompt. */
export type LostReply = "empty" | "refused" | "looped" | "prior" | "distractor";

/** How facts and replies are lost. */
export interface MistakeRates {
  /** The share of losses that concern the whole reply and not single facts, in [0, 1]. */
  readonly whole: number;
  /** The same share if the prompt begins with a worked example, whose answer is then mostly copied. */
  readonly copying: number;
  /** Weights of what replaces a lost reply. */
  readonly replies: { readonly [F in LostReply]?: number };
  /** Weights of what replaces a lost fact. */
  readonly facts: { readonly [F in FactForm]?: number };
  /** For a list with its sum: the shares of replies that list too few of the added counts, and that add up wrongly. */
  readonly sums?: Readonly<Record<"unlisted" | "misadded", number>>;
}

/** A way of reading: how much is lost, and what replaces it. */
export interface Profile {
  readonly name: string;
  /** Whether it reads, answers nothing, or lists everything that could be an answer. */
  readonly manner: "reads" | "stays silent" | "lists everything";
  readonly strengths: Readonly<Record<Category, Strength>>;
  readonly difficulty: Difficulty;
  /** The most tokens that it reads; every reply to a longer prompt is lost. For a model's profile, the window that its authors claim. */
  readonly window: number;
  readonly rates: MistakeRates;
}

/**
 * Chosen by hand, near the least squares over all profiles' category scores, the passkey and vanilla needle scores (RULER,
 * Tables 10 and 11) and Yi-34B's tasks (Figures 2 and 3). These do not determine `longValue`, `lead`, `middle` and `recency`.
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

/** Assumed shares, as the paper describes the kinds of mistakes and gives no shares. */
const USUAL_RATES: MistakeRates = {
  whole: 0.15,
  copying: 0.3,
  replies: { empty: 1, refused: 2, looped: 2, prior: 1, distractor: 4 },
  facts: { omitted: 2, distractor: 4, partial: 2, invented: 2 },
};

/** Rates of models that the paper saw copying the worked example, or answering with the most frequent words of English (section 5). */
const OWN_RATES: Readonly<Record<string, MistakeRates>> = {
  "yi-34b": { ...USUAL_RATES, copying: 0.85 },
  lwm: { ...USUAL_RATES, copying: 0.85 },
  longalpaca: { ...USUAL_RATES, copying: 0.85 },
  mistral: { ...USUAL_RATES, whole: 0.3, replies: { ...USUAL_RATES.replies, prior: 45 } },
};

function sameStrengths(strength: Strength): Profile["strengths"] {
  return { retrieval: strength, "multi-hop tracing": strength, aggregation: strength, "question answering": strength };
}

/** Retains everything; the other hand-made profiles differ in what they answer or lose. */
const IDEAL: Profile = {
  name: "ideal",
  manner: "reads",
  strengths: sameStrengths({ level: Infinity, slope: 0, bend: 0 }),
  difficulty: DIFFICULTY,
  window: Infinity,
  rates: USUAL_RATES,
};

/** Retains single facts up to 128K, and loses more of many similar facts; none is replaced. */
const FADING: Profile = {
  ...IDEAL,
  strengths: sameStrengths({ level: 5, slope: 0.6, bend: 0 }),
  difficulty: { ...DIFFICULTY, middle: 0, recency: 0 },
  rates: { whole: 0, copying: 0, replies: {}, facts: { omitted: 1 } },
};

const HAND_MADE: readonly Profile[] = [
  IDEAL,
  { ...IDEAL, name: "mute", manner: "stays silent" },
  { ...IDEAL, name: "parrot", manner: "lists everything" },
  { ...FADING, name: "lost-in-the-middle", difficulty: { ...DIFFICULTY, middle: 6, recency: 0 } },
  { ...FADING, name: "lost-in-the-tail", difficulty: { ...DIFFICULTY, middle: 0, recency: -8 } },
  { ...FADING, name: "poor-at-sums", rates: { ...FADING.rates, sums: { unlisted: 0.35, misadded: 0.35 } } },
];

/** Strengths by least squares to the category scores of RULER's Tables 13 to 16, and windows of its Table 3, in tokens. */
const FITS: readonly [string, Pick<Profile, "strengths" | "window">][] = Object.entries(table);

/** The profiles that imitate the models of the RULER paper's Table 3. */
export const PUBLISHED_PROFILES: readonly Profile[] = FITS.map(([name, fit]) => (
  { ...fit, name, manner: "reads", difficulty: DIFFICULTY, rates: OWN_RATES[name] ?? USUAL_RATES }
));

const PROFILES: readonly Profile[] = [...HAND_MADE, ...PUBLISHED_PROFILES];

/** The names of all profiles. */
export const PROFILE_NAMES: readonly string[] = PROFILES.map(({ name }) => name);

/**
 * Opens a profile of the simulated reader, with or without `sim:` before its name.
 *
 * - `ideal` loses nothing, `mute` answers nothing, `parrot` lists everything that could be an answer, which a score that only
 *   counts what was found takes for perfect.
 * - `lost-in-the-middle` and `lost-in-the-tail` lose facts by their place; `poor-at-sums` overlooks some counts, lists fewer than it
 *   found, or adds them up wrongly. An analysis can be tested on these known causes.
 * - The others forget so that their scores in RULER's four categories are near those of the models that they are named after, up
 *   to the window that the model claims. They imitate scores, not replies.
 *
 * @throws {RangeError} If there is no such profile; the message lists them.
 */
export function openProfile(name: string): Profile {
  const profile = PROFILES.find((each) => each.name === name.replace(/^sim:/, ""));
  if (profile !== undefined) return profile;
  throw new RangeError(
    `Cannot open the profile as its name must be one of ${PROFILE_NAMES.join(", ")}: current value is "${name}"`,
  );
}
