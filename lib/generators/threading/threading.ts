import { stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import { type Filler, lineFiller } from "../_fillers.ts";
import { interleavePairs } from "./_interleave_pairs.ts";
import type { Layout, Part } from "../_layout.ts";
import { plantPairs } from "./_planted_pairs.ts";
import { makeTask, type Recipe } from "../_recipe.ts";
import {
  type NeedlePlacement,
  plantedPairs,
  readThreadingSettings,
  threadingKnobs,
  type ThreadingSettings,
} from "./_threading_settings.ts";
import { type ThreadingKind, threadingQuestion } from "./_threading_wording.ts";
import type { ThreadDirection } from "./_threads.ts";
import { differentUuids, pairPart } from "./_uuid_pairs.ts";
import type { SampleRequest, Task } from "../task.ts";

export type { NeedlePlacement, ThreadDirection, ThreadingKind };

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
export const NEEDLE_THREADING_SUITE = "needle-threading-2";

/** Options for {@linkcode threadingTask}; a task takes those that it says it takes, and `pairs` or `characters`. */
export interface ThreadingOptions {
  /**
   * What the task is called.
   *
   * @default {"threading_" and the kind}
   */
  readonly name?: string;
  /**
   * What is asked.
   *
   * - `single_needle` (default): the value of one key;
   * - `multi_needle`: the values of several keys;
   * - `conditional_needle`: the values of all keys with a special character in them;
   * - `single_thread`: values that are keys again are followed to the last;
   * - `multi_thread`: several threads are followed, from their first keys;
   * - `branched_thread`: keys of the thread stand several times with different values, and one of them alone goes on.
   */
  readonly kind?: ThreadingKind;
  /**
   * Number of values asked for by `multi_needle` and `conditional_needle`; the paper's is 2 to 25. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly needles?: number;
  /**
   * Whether the needles of these two stand anywhere or side by side.
   *
   * @default {"random"}
   */
  readonly placement?: NeedlePlacement;
  /**
   * The character that stands in a key of `conditional_needle` in the place of one of its own, such as `*` or `&`.
   *
   * @default {"*"}
   */
  readonly character?: string;
  /**
   * Number of pairs in a thread; the paper's is 2 to 25. Range: 2 to 100, and from 3 in `branched_thread`.
   *
   * @default {5, and 3 in `multi_thread`}
   */
  readonly steps?: number;
  /**
   * Whether each pair of a thread stands after the one before it, before it, or anywhere.
   *
   * @default {"random"}
   */
  readonly direction?: ThreadDirection;
  /**
   * Number of threads in `multi_thread`; the paper's is 2 to 25. Range: 1 to 100.
   *
   * @default {3}
   */
  readonly threads?: number;
  /**
   * How many pairs have the same key at each step of `branched_thread` but the first and the last. Range: 2 to 10.
   *
   * @default {2}
   */
  readonly branching?: number;
  /**
   * Where the needle of `single_needle` stands, as a share of the haystack: 0 is first, 1 last. Unless given, every tenth in
   * turn, as in the paper: 11 samples go through them all.
   */
  readonly depth?: number;
  /**
   * The number of pairs in the haystack, instead of as many as fit the length, which is then only a bound. Range: the pairs
   * asked for to 50,000.
   */
  readonly pairs?: number;
  /** The length of the haystack in characters, as the paper sizes it, rounded to pairs of 80. Range: 80 to 4,000,000. */
  readonly characters?: number;
}

/** Tokens of an answer besides its values, and of a value: 100 for one value, as the paper's code has it. */
const [ROOM, ROOM_OF_VALUE] = [60, 40];
/** How often pairs are drawn again to use up the last tokens of a length. */
const PASSES = 12;
/** Haystacks of more pairs than this vary in tokens by less than a hundredth: that is five standard deviations. */
const MANY_PAIRS = 500;

/**
 * Makes a task of Needle Threading: values are looked up and followed in a JSON object of random UUIDs.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, section 3. A prompt is the object, a line break and the question. The wording
 * of `single_needle` is that of the paper's code; the wording of the other tasks is not public, so theirs is Fathom's own,
 * which the task's option `wording` tells. Every key is different, but for the keys at which a thread branches.
 *
 * @param options The task and its knobs.
 * @returns The task. Its samples leave 60 tokens and 40 for each value asked for.
 * @throws {RangeError} If the task has no such knob, or a knob is outside its range.
 *
 * @example Ten needles side by side
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = threadingTask({ kind: "multi_needle", needles: 10, placement: "clustered" });
 * equal(task.answerRoom, 460);
 * equal(task.options["wording"], "own");
 * ```
 */
export function threadingTask(options: ThreadingOptions = {}): Task {
  const settings = readThreadingSettings(options);
  const { name, kind, needles, threads, pairs = 0 } = settings;
  const knobs = threadingKnobs(settings);
  return makeTask({
    suite: NEEDLE_THREADING_SUITE,
    name,
    category: kind.endsWith("thread") ? "multi-hop tracing" : "retrieval",
    options: knobs,
    answerRoom: ROOM + ROOM_OF_VALUE * needles * threads,
    scoring: kind === "conditional_needle" ? "values in any order" : "values in order",
    ...(pairs > MANY_PAIRS ? { probes: 2 } : {}),
    recipe: (request) => threadingRecipe(settings, { ...request, knobs: JSON.stringify(knobs) }),
  });
}

function threadingRecipe(settings: ThreadingSettings, request: SampleRequest & { readonly knobs: string }): Recipe {
  const { materials: { tokenizer }, length, seed, index, knobs } = request;
  const { kind, name, character, pairs } = settings;
  const path = [seed, NEEDLE_THREADING_SUITE, name, knobs, length];
  const draw = stream(...path, index);
  const newUuid = differentUuids(draw);
  const planted = plantPairs(settings, { path, index, draw, newUuid });
  const drawPair = (): Part => pairPart({ key: newUuid(), value: newUuid() }, { role: "distractor", tokenizer });
  const question = threadingQuestion(kind, { keys: planted.keys, character });
  const before = [{ measured: measure("{", tokenizer) }];
  const after = [{ measured: measure(`}\n${question}`, tokenizer) }];
  const inOrder = planted.pairs.toSorted((left, right) => left.depth - right.depth);
  const layOut = (size: number, filler: Filler): Layout => ({
    before,
    context: interleavePairs(inOrder, { size, filler, tokenizer }),
    after,
  });
  const filler = lineFiller({ draw: drawPair, tokenizer, passes: PASSES });
  const size = pairs === undefined ? { least: 1, most: Infinity } : fixed(pairs - plantedPairs(settings));
  return {
    ...size,
    layOut: (size) => layOut(size, filler),
    closeGap(size, gap, fits): Layout {
      if (pairs !== undefined) return layOut(size, filler);
      for (const { filler: tighter } of filler.tighten?.(size, gap) ?? []) {
        const layout = layOut(size, tighter);
        if (fits(layout)) return layout;
      }
      return layOut(size, filler);
    },
    answerPrefix: "",
    references: () => planted.references,
    ...(planted.depth === undefined ? {} : { depth: planted.depth }),
    ...(planted.paths === undefined ? {} : { paths: planted.paths }),
  };
}

function fixed(size: number): { readonly least: number; readonly most: number } {
  return { least: size, most: size };
}
