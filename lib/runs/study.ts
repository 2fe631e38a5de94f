import { dirname, isAbsolute, join } from "node:path";
import { parse, YAMLParseError } from "yaml";
import { isEmbeddedEssays } from "./materials.ts";
import { explainFileError } from "./records_file.ts";
import { type Variant, VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import type { TaskChoice } from "@/lib/generators/mod.ts";
import { isEncodingName } from "@/lib/text/mod.ts";

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

/**
 * Reads a study from a YAML file.
 *
 * Paths in it are taken from the folder it is in.
 *
 * @param path The file's path.
 * @returns The study.
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const study = await readStudyFile("data/studies/ruler-quick.yaml");
 * equal(study.seed, "42");
 * ```
 */
export async function readStudyFile(path: string): Promise<Study> {
  const study = checkStudy(parseYaml(await readFile(path), path), `"${path}"`);
  const besideFile = (place: string): string => isAbsolute(place) ? place : join(dirname(path), place);
  return {
    ...study,
    ...(isEncodingName(study.tokenizer) ? {} : { tokenizer: besideFile(study.tokenizer) }),
    ...(isEmbeddedEssays(study.essays) ? {} : { essays: besideFile(study.essays) }),
    ...(study.squad === undefined ? {} : { squad: besideFile(study.squad) }),
    ...(study.hotpotqa === undefined ? {} : { hotpotqa: besideFile(study.hotpotqa) }),
  };
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read the study as it must be a YAML file: current value is "${path}" (${explainFileError(error)})`,
    );
  }
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const line = error.linePos?.[0].line ?? 1;
    throw new SyntaxError(
      `Cannot read the study in "${path}" as line ${line} must be YAML: ${error.message.split("\n")[0]}`,
    );
  }
}

/**
 * Lists the tasks of a family at every combination of some knobs' values, for studies of what makes a task hard.
 *
 * @param base The family, with the knobs that stay as they are; its name, or the family's, begins the name of each task.
 * @param knobs The values of each knob that is turned; the last knob is turned fastest.
 * @returns A task for each combination, named by it, such as `threads steps=5 direction=backward`.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const grid = knobGrid({ task: "vt", name: "hops", knobs: { chains: 1 } }, { hops: [2, 4] });
 * deepEqual(grid.map(({ name }) => name), ["hops hops=2", "hops hops=4"]);
 * deepEqual(grid[1]?.knobs, { chains: 1, hops: 4 });
 * ```
 */
export function knobGrid(
  base: TaskChoice,
  knobs: Readonly<Record<string, readonly (string | number)[]>>,
): readonly TaskChoice[] {
  let grid: readonly TaskChoice[] = [{ ...base, name: base.name ?? base.task }];
  for (const [knob, values] of Object.entries(knobs)) {
    grid = grid.flatMap((choice) =>
      values.map((value): TaskChoice => ({
        task: choice.task,
        name: `${choice.name} ${knob}=${value}`,
        knobs: { ...choice.knobs, [knob]: value },
      }))
    );
  }
  return grid;
}
