import {
  differentUuids,
  interleavePairs,
  PAIR_CHARACTERS,
  pairPart,
  pairsOfThread,
  plantPairs,
  type ThreadDirection,
  type ThreadingKind,
  threadingQuestion,
} from "./pairs.ts";
import {
  checkWhole,
  type Filler,
  type Layout,
  lineFiller,
  makeTask,
  type Part,
  type Recipe,
  type SampleRequest,
  type Task,
} from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const NEEDLE_THREADING_SUITE = "needle-threading-2";

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

/** Whether needles stand anywhere or side by side. */
export type NeedlePlacement = "random" | "clustered";

/** Every knob with its value; those of other tasks at values that change nothing. */
export interface ThreadingSettings {
  readonly name: string;
  readonly kind: ThreadingKind;
  readonly needles: number;
  readonly placement: NeedlePlacement;
  readonly character: string;
  readonly threads: number;
  readonly steps: number;
  readonly direction: ThreadDirection;
  readonly branching: number;
  readonly depth?: number;
  /** The number of pairs, where it does not follow from the length. */
  readonly pairs?: number;
}

type Knob = Exclude<keyof ThreadingOptions, "kind" | "name">;

/** The knobs of each task; every task also takes `pairs` and `characters`. */
const KNOBS: Readonly<Record<ThreadingKind, readonly Knob[]>> = {
  "single_needle": ["depth"],
  "multi_needle": ["needles", "placement"],
  "conditional_needle": ["needles", "placement", "character"],
  "single_thread": ["steps", "direction"],
  "multi_thread": ["threads", "steps", "direction"],
  "branched_thread": ["steps", "direction", "branching"],
};

const SIZES: readonly Knob[] = ["pairs", "characters"];

const NEUTRAL = {
  needles: 1,
  placement: "random",
  character: "*",
  threads: 1,
  steps: 1,
  direction: "random",
  branching: 1,
} as const;

const DEFAULTS: Readonly<Record<ThreadingKind, Partial<ThreadingSettings>>> = {
  "single_needle": {},
  "multi_needle": { needles: 5 },
  "conditional_needle": { needles: 5 },
  "single_thread": { steps: 5 },
  "multi_thread": { threads: 3, steps: 3 },
  "branched_thread": { steps: 5, branching: 2 },
};

/** The words that knobs take. */
const THREADING_CHOICES = {
  kind: Object.keys(KNOBS) as readonly ThreadingKind[],
  placement: ["random", "clustered"],
  direction: ["forward", "backward", "random"],
} as const;

/** Checks knobs and fills in those that were not given. */
function readThreadingSettings(options: ThreadingOptions): ThreadingSettings {
  const { kind = "single_needle", name = `threading_${kind}`, characters: _, ...knobs } = options;
  if (!Object.hasOwn(KNOBS, kind)) {
    throw new RangeError(
      `Cannot make task ${name} as kind must be one of ${
        THREADING_CHOICES.kind.join(", ")
      }: current value is "${kind}"`,
    );
  }
  checkNames(Object.keys(options), { name, kind });
  const pairs = readPairs(options, name);
  const settings = { ...NEUTRAL, ...DEFAULTS[kind], ...knobs, ...(pairs === undefined ? {} : { pairs }), kind, name };
  checkValues(settings);
  return settings;
}

/** The knobs of a task with their values, as its samples' ids tell them. */
function threadingKnobs(settings: ThreadingSettings): Readonly<Record<string, string | number>> {
  const { kind, pairs } = settings;
  const own = KNOBS[kind].flatMap((knob): [string, string | number][] => {
    const value = settings[knob as keyof ThreadingSettings];
    return value === undefined ? [] : [[knob, value]];
  });
  const wording = kind === "single_needle" ? "published" : "own";
  return { kind, wording, ...Object.fromEntries(own), ...(pairs === undefined ? {} : { pairs }) };
}

/** How many pairs are planted among the others. */
function plantedPairs(settings: ThreadingSettings): number {
  const { kind, needles, threads } = settings;
  return kind.endsWith("needle") ? needles : threads * pairsOfThread(settings);
}

function checkNames(
  given: readonly string[],
  { name, kind }: { readonly name: string; readonly kind: ThreadingKind },
): void {
  const known = [...KNOBS[kind], ...SIZES];
  const unknown = given.find((knob) => knob !== "name" && knob !== "kind" && !known.includes(knob as Knob));
  if (unknown === undefined) return;
  throw new RangeError(
    `Cannot make task ${name} as its knobs must be of ${known.join(", ")}: current value is "${unknown}"`,
  );
}

function readPairs({ pairs, characters }: ThreadingOptions, task: string): number | undefined {
  if (pairs !== undefined && characters !== undefined) {
    throw new RangeError(
      `Cannot make task ${task} as only one of pairs and characters must be given: current values are ${pairs} and ${characters}`,
    );
  }
  if (characters === undefined) return pairs;
  checkWhole(characters, { task, knob: "characters", low: PAIR_CHARACTERS, high: 4_000_000 });
  return Math.round(characters / PAIR_CHARACTERS);
}

function checkValues(settings: ThreadingSettings): void {
  const { name: task, kind, needles, threads, steps, branching, depth, character, pairs } = settings;
  const isThread = kind.endsWith("thread");
  checkWhole(needles, { task, knob: "needles", low: 1, high: 100 });
  checkWhole(threads, { task, knob: "threads", low: 1, high: 100 });
  if (isThread) checkWhole(steps, { task, knob: "steps", low: kind === "branched_thread" ? 3 : 2, high: 100 });
  if (kind === "branched_thread") checkWhole(branching, { task, knob: "branching", low: 2, high: 10 });
  if (pairs !== undefined) checkWhole(pairs, { task, knob: "pairs", low: plantedPairs(settings), high: 50_000 });
  if (depth !== undefined && !(depth >= 0 && depth <= 1)) {
    throw new RangeError(`Cannot make task ${task} as depth must be in [0, 1]: current value is ${depth}`);
  }
  if (!/^[!-~]$/.test(character) || /[0-9a-f"\\-]/.test(character)) {
    throw new RangeError(
      `Cannot make task ${task} as character must be one ASCII mark or capital that no UUID has, such as * or &: ` +
        `current value is "${character}"`,
    );
  }
  for (const knob of ["placement", "direction"] as const) {
    const words: readonly string[] = THREADING_CHOICES[knob];
    if (words.includes(settings[knob])) continue;
    throw new RangeError(
      `Cannot make task ${task} as ${knob} must be one of ${words.join(", ")}: current value is "${settings[knob]}"`,
    );
  }
}

/** The name of one of the tasks of Needle Threading. */
export type ThreadingTaskName = `threading_${ThreadingKind}`;

/** The tasks of Needle Threading, in the order of the paper's section 3. */
export const THREADING_TASK_NAMES: readonly ThreadingTaskName[] = THREADING_CHOICES.kind.map((kind) =>
  `threading_${kind}` as const
);

/** What the knobs of {@linkcode threadingTask} that take words take; `character` takes others too. */
export const THREADING_KNOBS: Readonly<Record<"kind" | "placement" | "direction" | "character", readonly string[]>> = {
  ...THREADING_CHOICES,
  character: ["*", "&", "#", "@", "+", "!"],
};

/**
 * Makes one of the tasks of Needle Threading by its name.
 *
 * @param name One of {@linkcode THREADING_TASK_NAMES}.
 * @param options Knobs that are to be other than the task's own.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If there is no such task, or the task has no such knob, or it is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedThreadingTask("threading_single_thread", { direction: "backward" }).options["steps"], 5);
 * ```
 */
export function namedThreadingTask(
  name: ThreadingTaskName,
  options: Omit<ThreadingOptions, "name" | "kind"> = {},
): Task {
  const kind = THREADING_CHOICES.kind.find((each) => name === `threading_${each}`);
  if (kind === undefined) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${THREADING_TASK_NAMES.join(", ")}: current value is "${name}"`,
    );
  }
  if ("kind" in options && options.kind !== kind) {
    throw new RangeError(`Cannot make task ${name} as its kind must be ${kind}: current value is "${options.kind}"`);
  }
  return threadingTask({ ...options, name, kind });
}
