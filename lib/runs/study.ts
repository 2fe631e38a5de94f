import { type Variant, VARIANTS } from "@/lib/generators/mod.ts";

/** A task of a study: one of the benchmark's by name, or a family with knobs of one's own. */
export interface TaskChoice {
  /** A benchmark task such as `niah_single_2`, or a family such as `niah`. */
  readonly task: string;
  /** What to call it in records and tables; the value of `task` unless given. */
  readonly name?: string;
  /** Knobs of the family. */
  readonly knobs?: Readonly<Record<string, string | number>>;
}

/** What is asked of every model alike: tasks, lengths, samples, and what they are made of. */
export interface Study {
  /** What the study is called. */
  readonly title: string;
  /** The tasks, or the one word `all`. */
  readonly tasks: readonly TaskChoice[];
  /** Context lengths, in tokens. */
  readonly lengths: readonly number[];
  /** Samples of each task at each length. */
  readonly samples: number;
  /** The number of the first sample. */
  readonly first: number;
  /** Any text; the same seed gives the same samples. */
  readonly seed: string;
  /** Whose wording the prompts follow. */
  readonly variant: Variant;
  /** An encoding's name or the path of a tokenizer.json. */
  readonly tokenizer: string;
  /** The name of essays that come with Fathom, or the path of a .txt or .jsonl file or of a folder of them. */
  readonly essays: string;
  /** The path of a SQuAD file; the synthetic world unless given. */
  readonly squad?: string;
  /** The path of a HotpotQA file; the synthetic world unless given. */
  readonly hotpotqa?: string;
}

/** The values of a study that is asked for without any. */
const DEFAULTS: Study = {
  title: "untitled",
  tasks: [{ task: "all" }],
  lengths: [4096],
  samples: 25,
  first: 0,
  seed: "42",
  variant: "2026",
  tokenizer: "cl100k_base",
  essays: "essays_en",
};

type Reader = (value: unknown) => unknown;

/** A key's reader, and what it wants in words. */
const KEYS: Readonly<Record<keyof Study, readonly [Reader, string]>> = {
  title: [readText, "text"],
  tasks: [readTasks, "all, or a list of task names or of knobs such as { task: niah, name: eight_keys, keys: 8 }"],
  lengths: [readLengths, "a list of whole numbers of tokens, such as [4096, 8192]"],
  samples: [readCount(1), "a whole number of at least 1"],
  first: [readCount(0), "a whole number of at least 0"],
  seed: [readSeed, "text or a whole number"],
  variant: [readVariant, `one of ${VARIANTS.join(", ")}`],
  tokenizer: [readText, "the name of an encoding or the path of a tokenizer.json"],
  essays: [readText, "essays_en, essays_zh or the path of a file or folder"],
  squad: [readText, "the path of a file"],
  hotpotqa: [readText, "the path of a file"],
};

/**
 * Checks a study that came from a file, from flags or from a manifest, and fills in what was not given.
 *
 * @param value What should be a study: any of its keys, and no others.
 * @param where What to call it in errors, such as the file's path.
 * @returns The study. By default all tasks at 4,096 tokens, 25 samples each, with seed 42.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 *
 * @example
 * ```ts
 * import { equal, throws } from "node:assert/strict";
 *
 * equal(checkStudy({ lengths: [8192] }).samples, 25);
 * throws(() => checkStudy({ lenghts: [8192] }), TypeError);
 * ```
 */
export function checkStudy(value: unknown, where = "the options"): Study {
  if (!isRecord(value)) throw new TypeError(`Cannot read the study in ${where} as it must be keys with values`);
  const given: Record<string, unknown> = {};
  for (const [key, keyValue] of Object.entries(value)) {
    if (!Object.hasOwn(KEYS, key)) {
      throw new TypeError(
        `Cannot read the study in ${where} as each key must be one of ${
          Object.keys(KEYS).join(", ")
        }: current value is "${key}"`,
      );
    }
    const [read, wanted] = KEYS[key as keyof Study];
    const checked = read(keyValue);
    if (checked === undefined) {
      throw new TypeError(
        `Cannot read the study in ${where} as ${key} must be ${wanted}: current value is ${JSON.stringify(keyValue)}`,
      );
    }
    given[key] = checked;
  }
  return { ...DEFAULTS, ...given };
}

/** Each reader gives the value in the form of a {@linkcode Study}, or `undefined` where it is not what was wanted. */
function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function readSeed(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : readText(value);
}

function readVariant(value: unknown): Variant | undefined {
  return VARIANTS.find((variant) => variant === String(value));
}

function readCount(least: number): Reader {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least ? value : undefined;
}

function readLengths(value: unknown): number[] | undefined {
  const isLength = readCount(1);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every((length) => isLength(length) !== undefined) ? value : undefined;
}

function readTasks(value: unknown): TaskChoice[] | undefined {
  if (value === "all") return [{ task: "all" }];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const choices = value.map(readTask);
  return choices.every((choice) => choice !== undefined) ? choices : undefined;
}

/** A name alone, or a mapping in which every key but `task`, `name` and `knobs` is a knob. */
function readTask(value: unknown): TaskChoice | undefined {
  if (typeof value === "string") return { task: value };
  if (!isRecord(value)) return undefined;
  const { task, name, knobs: nested = {}, ...beside } = value;
  if (typeof task !== "string" || (name !== undefined && typeof name !== "string") || !isRecord(nested)) {
    return undefined;
  }
  const knobs = { ...nested, ...beside };
  if (!Object.values(knobs).every((knob) => typeof knob === "string" || typeof knob === "number")) return undefined;
  return {
    task,
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(knobs).length === 0 ? {} : { knobs: knobs as NonNullable<TaskChoice["knobs"]> }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
