import { cweTask, fweTask, niahTask, qaTask, type Task, vtTask } from "@/lib/generators/mod.ts";

/** The values of knobs, by name. */
export type Knobs = Readonly<Record<string, string | number>>;

/** A family of tasks. */
export interface Family {
  /** Makes a task with these knobs; they were checked by name and kind. */
  make(options: Knobs & { readonly name: string }): Task;
  /** What each knob takes: a number, or one of some words. */
  readonly knobs: Readonly<Record<string, "a number" | readonly string[]>>;
}

const NEEDLE_TYPES = ["words", "numbers", "uuids"];

/** Every family of tasks, by its name, with which the names of its tasks begin. */
export const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["niah", {
    make: niahTask,
    knobs: {
      haystack: ["noise", "essay", "needle"],
      keyType: NEEDLE_TYPES,
      valueType: NEEDLE_TYPES,
      ...numbers("keys", "values", "queries", "depth"),
    },
  }],
  ["vt", { make: vtTask, knobs: numbers("chains", "hops") }],
  ["cwe", { make: cweTask, knobs: numbers("common", "asked", "commonFrequency", "uncommonFrequency") }],
  ["fwe", { make: fweTask, knobs: numbers("alpha", "vocabulary", "wordLength") }],
  ["qa", { make: qaTask, knobs: numbers("hops", "documents") }],
] as [string, Family][]);

function numbers(...names: readonly string[]): Family["knobs"] {
  return Object.fromEntries(names.map((name) => [name, "a number" as const]));
}
