import { promptRecallRecipe } from "./_prompt_recall_recipe.ts";
import { promptRecallKnobs, readPromptRecallSettings } from "./_prompt_recall_settings.ts";
import { makeTask } from "../_recipe.ts";
import type { DepthSpacing } from "../depth_grid.ts";
import { PROMPT_RECALL_SUITE } from "../suite.ts";
import type { Task } from "../task.ts";

/** One of the paper's three tests: a needle with its question. */
export type RecallTest = "pistachio" | "san_francisco" | "thornfield";
/** One of the paper's prompt templates (Table 6). */
export type RecallTemplate = "openai" | "llama" | "mistral";
/** A wording of the question: the paper's, a request, or one that shares few words with the needle. */
export type RecallAsking = "published" | "request" | "distant";
/** A system message: the paper's, that of Kamradt's test, or none. */
export type RecallSystem = "published" | "short" | "none";

/** Options for {@linkcode promptRecallTask}. */
export interface PromptRecallOptions {
  /**
   * What the task is called.
   *
   * @default {"prompt_recall"}
   */
  readonly name?: string;
  /**
   * Which of the paper's tests is asked.
   *
   * @default {"pistachio"}
   */
  readonly test?: RecallTest;
  /** A needle of your own, one sentence, with `question`; a full stop is added where it has none. */
  readonly needle?: string;
  /** The question about it. */
  readonly question?: string;
  /**
   * The prompt template round document and question.
   *
   * @default {"openai"}
   */
  readonly template?: RecallTemplate;
  /**
   * The wording of the question.
   *
   * @default {"published"}
   */
  readonly asking?: RecallAsking;
  /**
   * The system message; it stands in the template, as in the paper.
   *
   * @default {"published"}
   */
  readonly system?: RecallSystem;
  /**
   * Depths that samples go through, from the first sentence to the last. Range: 1 to 1,000. Sample i stands at depth i modulo
   * this number; all samples of one round, of every test and wording, have the same text round their needles.
   *
   * @default {35}
   */
  readonly points?: number;
  /**
   * How depths are spaced.
   *
   * @default {"sigmoid"}
   */
  readonly spacing?: DepthSpacing;
  /** Where the needle of every sample stands, instead of going through depths: 0 is first, 1 last. Range: 0 to 1. */
  readonly depth?: number;
}

/** The most that Kamradt's test lets a model write, in tokens; the paper does not say its own. */
const ANSWER_ROOM = 300;

/**
 * Makes a task of "LLM In-Context Recall is Prompt Dependent": one sentence stands in essays at a given depth, and a question asks
 * for it.
 *
 * Machlab and Battle (arXiv 2404.08865v1), sections 3.1 to 3.3, Tables 2 and 6, after Kamradt's Needle In A Haystack test. The end
 * of the text and the needle's place are moved back to the end of a sentence. Where the paper cuts the text at its length, here
 * the whole prompt and the answer's room are the length. Replies are graded from 1 to 5.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 300 tokens for the answer; their references are the needle and the question, and
 * behind another wording of it the published one.
 * @throws {RangeError} If a knob is outside its range, or a needle comes without its question.
 *
 * @example The paper's 35 depths
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = promptRecallTask({ test: "san_francisco", template: "mistral" });
 * equal(task.scoring, "recall rubric");
 * equal(task.options["points"], 35);
 * ```
 */
export function promptRecallTask(options: PromptRecallOptions = {}): Task {
  const settings = readPromptRecallSettings(options);
  return makeTask({
    suite: PROMPT_RECALL_SUITE,
    name: settings.name,
    category: "retrieval",
    options: promptRecallKnobs(settings),
    answerRoom: ANSWER_ROOM,
    scoring: "recall rubric",
    recipe: (request) => promptRecallRecipe(settings, request),
  });
}
