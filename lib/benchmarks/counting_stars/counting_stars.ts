import { starRecipe } from "./recipe.ts";
import {
  MOST_STARS,
  type StarAsk,
  type StarEdition,
  type StarLanguage,
  type StarOrder,
  type StarSentence,
  type StarSettings,
} from "./sentences.ts";
import { checkWhole, COUNTING_STARS_SUITE, makeTask, type Scoring, type Task } from "@/lib/generators/mod.ts";

/** Options for {@linkcode countingStarsTask}. */
export interface CountingStarsOptions {
  /**
   * What the task is called.
   *
   * @default {"counting_stars"}
   */
  readonly name?: string;
  /**
   * The language of the sentences and the question; essays that come with Fathom are in the same.
   *
   * @default {"en"}
   */
  readonly language?: StarLanguage;
  /**
   * How many counts there are, the M of the paper's (M-N). Range: 1 to 1,024.
   *
   * @default {32}
   */
  readonly stars?: number;
  /**
   * What the sentences say: a plain count, one that is corrected, one to be worked out, or one set right further on.
   *
   * @default {"plain"}
   */
  readonly sentence?: StarSentence;
  /**
   * What is asked for: the list of counts, their sum, or both.
   *
   * @default {"list"}
   */
  readonly ask?: StarAsk;
  /**
   * The order of the counts in the text.
   *
   * @default {"increasing"}
   */
  readonly order?: StarOrder;
  /**
   * Whether counts are drawn anew for each sample, or are the reference's own.
   *
   * @default {"seeded"}
   */
  readonly values?: "seeded" | "reference";
  /**
   * How the text is laid out.
   *
   * - `exact`: lengths in tokens, question and answer inside; stars at the sentence breaks nearest to even intervals.
   * - `v1`: as in the paper's blog text of March 2024: lengths in characters (0.725 a token in Chinese, 1 in English).
   * - `v3`: as in the repository at 32e16f2: lengths in characters (0.7 a token) or, in English, words (0.8 a token).
   *
   * The last two begin at the text's beginning, cut it anywhere, and go over the length, as the reference does.
   *
   * @default {"exact"}
   */
  readonly edition?: StarEdition;
  /**
   * Whose reading of replies is scored: the reference's, with which published numbers are comparable, or ours, in which numbers
   * count wherever and however they are written. It changes no sample's text.
   *
   * @default {"original"}
   */
  readonly scorer?: "original" | "lenient";
}

/**
 * Makes a task of Counting-Stars: sentences that count stars stand at even intervals in a long text, and all counts are
 * asked for in order, as JSON.
 *
 * Song, Zheng and Luo, "Counting-Stars: A Multi-evidence, Position-aware, and Scalable Benchmark" (arXiv 2403.11802), and
 * nick7nlp/Counting-Stars at 32e16f2. Unlike there, the text starts anywhere in the essays, is not cut inside a sentence, and
 * the counts differ from sample to sample; the editions `v1` and `v3` keep to the reference. The sentences `miscounted` and
 * `linked`, and the question for a sum, are only sketched by its authors; their wording is Fathom's.
 *
 * @param options The knobs.
 * @returns The task. For its answer it leaves 64 tokens and, unless only the sum is asked, 2 and the greatest count's digits
 *   for each count.
 * @throws {RangeError} If a knob is outside its range, or an edition has no such sentence or question.
 *
 * @example Sixty-four stars in Chinese
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = countingStarsTask({ language: "zh", stars: 64 });
 * equal(task.scoring, "stars");
 * equal(task.answerRoom, 64 + 64 * (3 + 2));
 * ```
 */
export function countingStarsTask(options: CountingStarsOptions = {}): Task {
  const settings = readSettings(options);
  const { name, ask, stars, scorer, ...knobs } = settings;
  const digits = String(4 * stars).length;
  return makeTask({
    suite: COUNTING_STARS_SUITE,
    name,
    category: ask === "list" ? "retrieval" : "aggregation",
    options: { stars, ask, ...knobs, scorer },
    answerRoom: 64 + (ask === "sum" ? 0 : stars * (digits + 2)),
    scoring: ask === "sum" || scorer === "original" ? SCORING[ask] : `lenient ${SCORING[ask]}`,
    recipe: (request) => starRecipe(settings, request),
  });
}

const SCORING = {
  "list": "stars",
  "list_and_sum": "stars and sum",
  "sum": "sum",
} as const satisfies Readonly<Record<StarAsk, Scoring>>;

/** The words that each knob takes, the default first. */
export const COUNTING_STARS_KNOBS: Readonly<
  Record<"language" | "sentence" | "ask" | "order" | "values" | "edition" | "scorer", readonly string[]>
> = {
  language: ["en", "zh"],
  sentence: ["plain", "corrected", "miscounted", "linked"],
  ask: ["list", "list_and_sum", "sum"],
  order: ["increasing", "shuffled"],
  values: ["seeded", "reference"],
  edition: ["exact", "v1", "v3"],
  scorer: ["original", "lenient"],
};

function readSettings(options: CountingStarsOptions): StarSettings {
  const { name = "counting_stars", stars = 32, language = "en", sentence = "plain", ask = "list" } = options;
  const { order = "increasing", values = "seeded", edition = "exact", scorer = "original" } = options;
  const settings: StarSettings = { name, stars, language, sentence, ask, order, values, edition, scorer };
  checkWhole(stars, { task: name, knob: "stars", low: 1, high: MOST_STARS });
  for (const [knob, words] of Object.entries(COUNTING_STARS_KNOBS)) {
    const value = settings[knob as keyof typeof COUNTING_STARS_KNOBS];
    if (!words.includes(value)) {
      throw new RangeError(
        `Cannot make task ${name} as ${knob} must be one of ${words.join(", ")}: current value is "${value}"`,
      );
    }
  }
  const written = { exact: COUNTING_STARS_KNOBS.sentence, v1: ["plain"], v3: ["plain", "corrected"] }[edition];
  if (!written.includes(sentence)) {
    throw new RangeError(
      `Cannot make task ${name} as sentence must be ${
        written.join(" or ")
      } in edition ${edition}: current value is "${sentence}"`,
    );
  }
  if (edition !== "exact" && ask !== "list") {
    throw new RangeError(
      `Cannot make task ${name} as ask must be list in edition ${edition}: current value is "${ask}"`,
    );
  }
  return settings;
}

/** What a task of Counting-Stars is, the middle of its name. */
export type CountingStarsKind = "search" | "shuffled" | "reasoning" | "sum" | "miscount" | "linked";

const KINDS: Readonly<Record<CountingStarsKind, CountingStarsOptions>> = {
  "search": {},
  "shuffled": { order: "shuffled" },
  "reasoning": { order: "shuffled", sentence: "corrected" },
  "sum": { ask: "list_and_sum" },
  "miscount": { sentence: "miscounted" },
  "linked": { sentence: "linked" },
};

/** The name of one of the tasks of Counting-Stars. */
export type CountingStarsTaskName = `counting_stars_${CountingStarsKind}_${"en" | "zh"}`;

/**
 * The tasks of Counting-Stars, in English and in Chinese: search (the reference's acquisition) with increasing and with
 * shuffled counts, reasoning, and three of the next version: list and sum, counts to be worked out, and linked counts.
 */
export const COUNTING_STARS_TASK_NAMES: readonly CountingStarsTaskName[] = (["en", "zh"] as const).flatMap((language) =>
  (Object.keys(KINDS) as CountingStarsKind[]).map((kind) => `counting_stars_${kind}_${language}` as const)
);

/**
 * Makes one of the tasks of Counting-Stars by its name.
 *
 * @param name One of {@linkcode COUNTING_STARS_TASK_NAMES}.
 * @param options Knobs that are to be other than the task's own.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedCountingStarsTask("counting_stars_reasoning_zh").options["sentence"], "corrected");
 * equal(namedCountingStarsTask("counting_stars_search_en", { stars: 64 }).options["stars"], 64);
 * ```
 */
export function namedCountingStarsTask(
  name: CountingStarsTaskName,
  options: Omit<CountingStarsOptions, "name"> = {},
): Task {
  if (!COUNTING_STARS_TASK_NAMES.includes(name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${
        COUNTING_STARS_TASK_NAMES.join(", ")
      }: current value is "${name}"`,
    );
  }
  const [kind, language] = name.replace("counting_stars_", "").split("_") as [CountingStarsKind, "en" | "zh"];
  return countingStarsTask({ name, language, ...KINDS[kind], ...options });
}

/**
 * Gives the N context lengths of a version (M-N): even steps up to the longest.
 *
 * @param count How many lengths. Range: from 1.
 * @param longest The longest, in tokens; 128,000 in the paper.
 * @returns The lengths, rising, in tokens.
 * @throws {RangeError} If `count` is not a whole number from 1 to `longest`.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(countingStarsLengths(4), [32_000, 64_000, 96_000, 128_000]);
 * ```
 */
export function countingStarsLengths(count: number, longest = 128_000): number[] {
  if (!Number.isInteger(count) || count < 1 || count > longest) {
    throw new RangeError(
      `Cannot give lengths as their count must be a whole number from 1 to ${longest}: current value is ${count}`,
    );
  }
  const step = Math.floor(longest / count);
  return Array.from({ length: count }, (_, number) => step * (number + 1));
}

/** The versions that the paper runs: how many stars (M) and how many lengths (N). */
export const COUNTING_STARS_VERSIONS: readonly { readonly stars: number; readonly lengths: number }[] = [
  { stars: 16, lengths: 32 },
  { stars: 32, lengths: 16 },
  { stars: 32, lengths: 32 },
  { stars: 64, lengths: 32 },
];
