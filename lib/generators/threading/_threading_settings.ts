import { checkWhole } from "../_check_knob.ts";
import type { ThreadingKind } from "./_threading_wording.ts";
import type { ThreadDirection } from "./_threads.ts";
import { pairsOfThread } from "./_threads.ts";
import { PAIR_CHARACTERS } from "./_uuid_pairs.ts";
import type { ThreadingOptions } from "./threading.ts";

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
export const THREADING_CHOICES = {
  kind: Object.keys(KNOBS) as readonly ThreadingKind[],
  placement: ["random", "clustered"],
  direction: ["forward", "backward", "random"],
} as const;

/**
 * Checks knobs and fills in those that were not given.
 *
 * @throws {RangeError} If the task has no such knob, or a knob is outside its range.
 */
export function readThreadingSettings(options: ThreadingOptions): ThreadingSettings {
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
export function threadingKnobs(settings: ThreadingSettings): Readonly<Record<string, string | number>> {
  const { kind, pairs } = settings;
  const own = KNOBS[kind].flatMap((knob): [string, string | number][] => {
    const value = settings[knob as keyof ThreadingSettings];
    return value === undefined ? [] : [[knob, value]];
  });
  const wording = kind === "single_needle" ? "published" : "own";
  return { kind, wording, ...Object.fromEntries(own), ...(pairs === undefined ? {} : { pairs }) };
}

/** How many pairs are planted among the others. */
export function plantedPairs(settings: ThreadingSettings): number {
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
