import { checkWhole } from "../_check_knob.ts";
import { commonRecipe, type CommonSettings, readFrequencies } from "./_common_recipe.ts";
import { makeTask } from "../_recipe.ts";
import { RULER_SUITE } from "../suite.ts";
import type { Task } from "../task.ts";
import type { Variant } from "./variant.ts";

/** Options for {@linkcode cweTask}. */
export interface CweOptions {
  /**
   * What the task is called.
   *
   * @default {"cwe"}
   */
  readonly name?: string;
  /**
   * Number of common words. Range: 1 to 100.
   *
   * @default {10}
   */
  readonly common?: number;
  /**
   * Number of words asked for; the other common words then appear once less than the asked ones. Range: 1 to `common`. Where
   * it is not given, all common words are asked for, as in RULER.
   */
  readonly asked?: number;
  /**
   * How often each common word appears. Range: above `uncommonFrequency`, to 1,000. Where it is not given, it is 30, and 6 in
   * the short form that RULER uses below 4,096 tokens, and Fathom also where so many common words need more room.
   */
  readonly commonFrequency?: number;
  /**
   * How often each other word appears. Range: 1 to 1,000. Where it is not given, it is 3, and 1 in the short form.
   */
  readonly uncommonFrequency?: number;
  /**
   * Whose wording to follow.
   *
   * @default {"2026"}
   */
  readonly variant?: Variant;
}

/**
 * Makes a common words task: a numbered list in which some words appear more often than all others, and those are asked for.
 *
 * RULER, section 3.3 and common_words_extraction.py. Unlike the reference, no common word is part of another word of the
 * sample, of its wording or of its chat template, words of the example do not come back in the list, each sample has an order
 * of its own, and the vocabulary is large enough for the longest contexts.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 120 tokens for the answer, or 12 for each word if more than ten are asked for.
 * @throws {RangeError} If a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(cweTask().answerRoom, 120);
 * equal(cweTask({ common: 20 }).answerRoom, 240);
 * ```
 */
export function cweTask(options: CweOptions = {}): Task {
  const settings = readSettings(options);
  const { name, ...knobs } = settings;
  return makeTask({
    suite: RULER_SUITE,
    name,
    category: "aggregation",
    options: knobs,
    answerRoom: Math.max(120, 12 * settings.asked),
    scoring: "all",
    recipe: (request) => commonRecipe(settings, request),
  });
}

function readSettings(options: CweOptions): CommonSettings {
  const { name = "cwe", common = 10, commonFrequency = "auto", uncommonFrequency = "auto", variant = "2026" } = options;
  const { asked = common } = options;
  checkWhole(common, { task: name, knob: "common", low: 1, high: 100 });
  checkWhole(asked, { task: name, knob: "asked", low: 1, high: common });
  const settings: CommonSettings = { name, variant, common, asked, commonFrequency, uncommonFrequency };
  for (const isShort of [true, false]) {
    const { often, seldom } = readFrequencies(settings, isShort);
    checkWhole(seldom, { task: name, knob: "uncommonFrequency", low: 1, high: 1000 });
    const low = seldom + (asked < common ? 2 : 1);
    checkWhole(often, { task: name, knob: "commonFrequency", low, high: 1000 });
  }
  return settings;
}
