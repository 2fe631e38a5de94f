import { maybe, type Named, number, oneOf, QUESTIONS, text, whole } from "@/lib/generators/mod.ts";

/** Characters of a pair in a haystack, `, ` included: two texts of 36, four quotation marks, a colon, a comma, two spaces. */
export const PAIR_CHARACTERS = 80;

/**
 * The kinds of tasks in the order of the paper's section 3: their own knobs, with the defaults of those that make them harder, the
 * main one first.
 */
export const KINDS = {
  "single_needle": { knobs: ["depth"], defaults: {} },
  "multi_needle": { knobs: ["needles", "placement"], defaults: { needles: 5 } },
  "conditional_needle": { knobs: ["needles", "placement", "character"], defaults: { needles: 5 } },
  "single_thread": { knobs: ["steps", "direction"], defaults: { steps: 5 } },
  "multi_thread": { knobs: ["threads", "steps", "direction"], defaults: { threads: 3, steps: 3 } },
  "branched_thread": { knobs: ["steps", "direction", "branching"], defaults: { steps: 5, branching: 2 } },
} as const;

/** A kind of task. */
export type ThreadingKind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as ThreadingKind[];

/** The knobs of every kind; only one of the first two can be given. */
export const SHARED_KNOBS: readonly string[] = ["pairs", "characters", "examples", "scorer", "questions"];

/** Values without effect, for the knobs of other kinds. */
export const NEUTRAL = {
  needles: 1,
  placement: "random",
  character: "*",
  threads: 1,
  steps: 1,
  direction: "random",
  branching: 1,
  questions: 1,
} as const;

export const KNOBS = {
  kind: oneOf(KIND_NAMES, "what is asked for: values of one key, several keys or marked keys; or the ends of threads"),
  needles: whole({ from: 1, to: 100 }, "values that multi_needle and conditional_needle ask for; 5 unless given"),
  placement: maybe(oneOf(["random", "clustered"], "needles anywhere, or side by side")),
  character: text("the mark in the keys of conditional_needle; * unless given"),
  threads: whole({ from: 1, to: 100 }, "threads to follow in multi_thread; 3 unless given"),
  steps: whole(
    { from: 2, to: 100 },
    "pairs in a thread, at least 3 where it branches; 5 unless given, 3 in multi_thread",
  ),
  direction: maybe(oneOf(["random", "forward", "backward"], "the order of a thread's pairs in the text")),
  branching: whole({ from: 2, to: 10 }, "pairs with the same key at each step of branched_thread; 2 unless given"),
  depth: number(
    { from: 0, to: 1 },
    "depth of the needle of single_needle, from 0 to 1; every tenth in turn unless given",
  ),
  pairs: whole({ from: 1, to: 50_000 }, "pairs in the haystack; by default the most that fit"),
  characters: whole({ from: PAIR_CHARACTERS, to: 4_000_000 }, "characters of the haystack, rounded to pairs of 80"),
  examples: whole(
    { from: 0, to: 8, byDefault: 0 },
    "worked examples before the haystack, for base models: small objects with the same question and its answer",
    { omitDefault: true },
  ),
  scorer: maybe(oneOf(
    ["order", "any", "original"],
    "each value in its place, values in any order (so for marked keys unless given), or the first characters as the paper's code compares them",
  )),
  questions: QUESTIONS,
};

/** The settings of a task; those of other kinds have values without effect. */
export type ThreadingSettings =
  & Omit<Named<typeof KNOBS>, "characters" | keyof typeof NEUTRAL>
  & Required<Pick<Named<typeof KNOBS>, keyof typeof NEUTRAL>>;
