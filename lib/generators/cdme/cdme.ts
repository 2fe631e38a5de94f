import type { CdmeEdition, CdmeItemName } from "./_cdme_items.ts";
import { fixedCdmeRecipe } from "./_cdme_fixed.ts";
import { leastOriginalLength, originalCdmeRecipe } from "./_cdme_original.ts";
import { cdmeKnobs, type CdmeSettings, itemOf, readCdmeSettings } from "./_cdme_settings.ts";
import type { CdmeLanguage } from "./_cdme_wording.ts";
import type { DepthSpacing } from "../depth_grid.ts";
import { makeTask } from "../_recipe.ts";
import { CDME_SUITE } from "../suite.ts";
import type { Scoring, Task } from "../task.ts";

/** Options for {@linkcode cdmeTask}; in brackets the name in OpenCompass's configuration, where it is another. */
export interface CdmeOptions {
  /**
   * What the task is called.
   *
   * @default {"cdme"}
   */
  readonly name?: string;
  /**
   * The language of prompt, needles and the essays that come with Fathom: Chinese (`zh`) or English (`en`).
   *
   * @default {"zh"}
   */
  readonly language?: CdmeLanguage;
  /**
   * Whether OpenCompass's flaws are mended.
   *
   * - `fixed`: the length is exact, needles stand between sentences, at the depths asked for, and an obedient answer is whole.
   * - `original`: as the code at e975a96f has it.
   *
   * @default {"fixed"}
   */
  readonly edition?: CdmeEdition;
  /**
   * Needles that come with Fathom.
   *
   * - `internship`: OpenCompass's one needle;
   * - `cot2_italy`, `cot3_italy`: its two and three, of which the last answers the question about the first;
   * - `varied`: one needle of ten, another with each repeat.
   *
   * @default {"internship"}
   */
  readonly item?: CdmeItemName;
  /** A needle of your own, with `question`; line breaks in it are kept. */
  readonly needle?: string;
  /** Several needles of your own, in order, with `question`, `answer` and `keyword`; as one text, parted by `|`. */
  readonly needles?: readonly string[] | string;
  /** The question (`retrieval_question`). */
  readonly question?: string;
  /** The answer that is wanted; a single needle itself unless given. */
  readonly answer?: string;
  /** The part of the answer that decides, where there are several needles. */
  readonly keyword?: string;
  /**
   * Depths that samples go through, from the first line to the last (`document_depth_percent_intervals`). Range: 1 to 1,000.
   * Sample i stands at depth i modulo this number; all samples of one round have the same text round their needles.
   *
   * @default {20}
   */
  readonly points?: number;
  /**
   * How depths are spaced (`document_depth_percent_interval_type`).
   *
   * @default {"linear"}
   */
  readonly spacing?: DepthSpacing;
  /** Where the first needle of every sample stands, instead of going through depths: 0 is first, 1 last. Range: 0 to 1. */
  readonly depth?: number;
  /**
   * How far each further needle stands behind the one before it, in percent of the context. Range: 0 to 100.
   *
   * @default {25}
   */
  readonly diff?: number;
  /**
   * Tokens of the length that are not context (`length_buffer`). In the original, instructions and question come out of them,
   * and the answer stands beyond the length; mended, they are the answer's alone. Range: 1 to 100,000.
   *
   * @default {200}
   */
  readonly lengthBuffer?: number;
  /**
   * Whether the question asks to think of what is most relevant first: `on` or `off`.
   *
   * @default {"on"}
   */
  readonly guide?: "on" | "off";
  /**
   * Whether replies are cut to about the answer's length before they are compared (`use_trim`): `on` or `off`.
   *
   * @default {"off"}
   */
  readonly trim?: "on" | "off";
}

/** The most that OpenCompass's dataset lets a model write, in tokens. */
const ORIGINAL_ANSWER_ROOM = 512;

/**
 * Makes a task of CDME, OpenCompass's needle test in Chinese: one needle or several stand in a long text at a given depth, and
 * the answer is compared with the needle character by character.
 *
 * open-compass/opencompass at e975a96f (January 2024), cdme.py and cdme_multi.py. Wording and needles in Chinese are theirs; the
 * English ones are Fathom's translations. Repeats begin anywhere in the essays, evenly spread, where OpenCompass shuffles the
 * lines of a file (`num_repeats_per_file`); its own random numbers are not reproduced in the original edition either.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave `lengthBuffer` tokens for the answer; in the original edition 512, beyond the length.
 * @throws {RangeError} If a knob is outside its range, or needles, question and answer do not fit together.
 *
 * @example Twenty depths and ten repeats are 200 samples
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = cdmeTask({ language: "zh", item: "cot3_italy" });
 * equal(task.scoring, "keyword");
 * equal(task.options["points"], 20);
 * ```
 */
export function cdmeTask(options: CdmeOptions = {}): Task {
  const settings = readCdmeSettings(options);
  const { name, edition, lengthBuffer } = settings;
  const isOriginal = edition === "original";
  return makeTask({
    suite: CDME_SUITE,
    name,
    category: "retrieval",
    options: cdmeKnobs(settings),
    answerRoom: isOriginal ? ORIGINAL_ANSWER_ROOM : lengthBuffer,
    scoring: scoringOf(settings),
    recipe: (request) => isOriginal ? originalCdmeRecipe(settings, request) : fixedCdmeRecipe(settings, request),
    ...(isOriginal ? { leastLength: (materials) => leastOriginalLength(settings, materials) } : {}),
  });
}

function scoringOf(settings: CdmeSettings): Scoring {
  const hasKeyword = itemOf(settings, 0).keyword !== undefined;
  if (settings.trim) return hasKeyword ? "trimmed keyword" : "trimmed edit distance";
  return hasKeyword ? "keyword" : "edit distance";
}
