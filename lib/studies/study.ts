import { dirname, isAbsolute, join } from "node:path";
import { readYaml } from "./files.ts";
import { isEmbeddedEssays } from "./materials.ts";
import { isTokenizerName } from "./tokenizers.ts";
import { type Benchmark, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import { type Variant, VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import { lengthGrid, type TaskChoice } from "@/lib/generators/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** The questions for every model: tasks, lengths, samples and their materials. */
export interface Study {
  readonly title: string;
  /** The tasks, or the one word `all`. */
  readonly tasks: readonly TaskChoice[];
  /** Context lengths, in tokens. */
  readonly lengths: readonly number[];
  /** Samples of each task at each length. */
  readonly samples: number;
  /** Fewer samples of each task at some lengths, by the length in tokens. */
  readonly samplesAt?: Readonly<Record<string, number>>;
  /** The number of the first sample. */
  readonly first: number;
  /** Times that each sample is asked, if more than once; its score is the mean of its repeats. */
  readonly repeats?: number;
  /** The same seed gives the same samples. */
  readonly seed: string;
  /** Whose wording the prompts follow. */
  readonly variant: Variant;
  /**
   * An encoding's name, the path of a tokenizer.json or .gguf file, or `server`; the model's own, or else `cl100k_base`, by
   * default.
   */
  readonly tokenizer?: string;
  /** Essays that come with Fathom, or the path of a .txt or .jsonl file or of a folder of them. */
  readonly essays: string;
  /** The path of a SQuAD file; the generated world by default. */
  readonly squad?: string;
  /** The path of a HotpotQA file; the generated world by default. */
  readonly hotpotqa?: string;
  /** The path of a file or folder of samples that exist already, which are asked as they are. */
  readonly samplesFile?: string;
}

/** The values of a knob that a grid goes through. */
type KnobList = readonly (string | number)[];

/** The keys of a study file, which also override it. */
export interface StudyChanges extends Partial<Omit<Study, "tasks" | "lengths">> {
  /** The word `all`; or names of tasks, and tasks with knobs, each alone or with a `grid` of values. */
  readonly tasks?: "all" | readonly (string | TaskChoice | Readonly<Record<string, unknown>>)[];
  /** Context lengths in tokens: a list, or `count` of them in even steps. */
  readonly lengths?: readonly number[] | { readonly from: number; readonly to: number; readonly count: number };
  /** Knobs of every task that has them; they override those of the task, and a list replaces a grid's. */
  readonly set?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
}

/** The benchmarks in use. */
export interface BenchmarkOptions {
  /**
   * The benchmarks; `all` means the default tasks of the first.
   *
   * @default {BENCHMARKS}
   */
  readonly benchmarks?: readonly Benchmark[] | undefined;
}

/**
 * Reads a study from a YAML file, for the shell and for notebooks, and lays out its grids.
 *
 * @param path Paths in the file are relative to its folder, those in `changes` to the working folder.
 * @param changes Keys that override the file's, from flags or a notebook's parameters; `undefined` changes nothing.
 * @param options The benchmarks, where it has tasks of the user's own.
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const study = await readStudyFile("data/studies/10-cdme.yaml", { lengths: [4000], set: { depths: 5 } });
 * deepEqual(study.lengths, [4000]);
 * deepEqual(study.tasks[0], { task: "cdme_zh", knobs: { depths: 5 } });
 * ```
 */
export async function readStudyFile(
  path: string,
  changes: StudyChanges = {},
  { benchmarks }: BenchmarkOptions = {},
): Promise<Study> {
  const content = await readYaml(path, { what: "the study", wanted: "it must be a YAML file" });
  const study = checkStudy(content, { where: `"${path}"`, benchmarks });
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const own = Object.entries((content as StudyChanges).set ?? {});
  // Tasks that replace the file's need not have the knobs that it sets.
  const able = knobsOf(changes.tasks === undefined ? study.tasks : readTasks(changes.tasks) ?? [], benchmarks);
  const set = { ...Object.fromEntries(own.filter(([knob]) => able.has(knob))), ...changes.set };
  const changed = { ...content as object, ...pathsOf(study, dirname(path)), ...given, set };
  return checkStudy(changed, { where: `"${path}" as changed`, benchmarks });
}

/** The paths in a study file, relative to its folder. */
function pathsOf({ tokenizer, essays, squad, hotpotqa, samplesFile }: Study, folder: string): Partial<Study> {
  const place = (path: string): string => isAbsolute(path) ? path : join(folder, path);
  return {
    ...(tokenizer === undefined ? {} : { tokenizer: isTokenizerName(tokenizer) ? tokenizer : place(tokenizer) }),
    essays: isEmbeddedEssays(essays) ? essays : place(essays),
    ...(squad === undefined ? {} : { squad: place(squad) }),
    ...(hotpotqa === undefined ? {} : { hotpotqa: place(hotpotqa) }),
    ...(samplesFile === undefined ? {} : { samplesFile: place(samplesFile) }),
  };
}

/**
 * Checks a study from a file, flags or a manifest, lays out its grids, and fills in defaults: all tasks at 4,096 tokens,
 * 25 samples each, seed 42.
 *
 * @param value Any of the keys of {@linkcode StudyChanges}, and no others.
 * @param options The benchmarks, and what errors call the study, such as its file's path.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 *
 * @example A grid, and what its tasks are called
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const { tasks } = checkStudy({ tasks: [{ task: "vt", name: "hops", chains: 1, grid: { hops: [2, 4] } }] });
 * deepEqual(tasks.map(({ name }) => name), ["hops hops=2", "hops hops=4"]);
 * deepEqual(tasks[1]?.knobs, { chains: 1, hops: 4 });
 * ```
 */
export function checkStudy(
  value: unknown,
  { where = "the options", benchmarks }: BenchmarkOptions & { readonly where?: string } = {},
): Study {
  if (!isRecord(value)) throw new TypeError(`Cannot read the study in ${where} as it must be keys with values`);
  const given: Record<string, unknown> = {};
  for (const [name, keyValue] of Object.entries(value)) {
    const key = OTHER_NAMES.get(name) ?? name;
    if (!Object.hasOwn(KEYS, key)) {
      throw new TypeError(
        `Cannot read the study in ${where} as each key must be one of ${
          Object.keys(KEYS).join(", ")
        }: current value is "${key}"`,
      );
    }
    const [read, wanted] = KEYS[key as keyof StudyChanges];
    const checked = read(keyValue);
    if (checked === undefined) {
      throw new TypeError(
        `Cannot read the study in ${where} as ${key} must be ${wanted}: current value is ${JSON.stringify(keyValue)}`,
      );
    }
    given[key] = checked;
  }
  const { tasks = [{ task: "all" }], set = {}, repeats = 1, ...rest } = given as CheckedKeys;
  const entries = setKnobs(tasks, { set, where, benchmarks });
  checkSize(entries, { lengths: rest.lengths ?? DEFAULTS.lengths, where });
  return {
    ...DEFAULTS,
    ...rest,
    ...(repeats === 1 ? {} : { repeats }),
    tasks: entries.flatMap((entry) => layOut(entry, { where, benchmarks })),
  };
}

/** The limit of tasks times lengths. */
const MAX_CELLS = 100_000;
/** The limit of samples of a task at a length. */
const MAX_SAMPLES = 1_000_000;

/** Refuses large grids before they are expanded: a short file can name more tasks than memory holds. */
function checkSize(
  entries: readonly TaskEntry[],
  { lengths, where }: Pick<Study, "lengths"> & { readonly where: string },
): void {
  const grids = entries.map(({ grid = {} }) => Object.values(grid).map((values) => values.length));
  const products = grids.map((counts) => counts.reduce((product, count) => product * count, 1));
  const tasks = products.reduce((sum, product) => sum + product, 0);
  if (tasks * lengths.length <= MAX_CELLS) return;
  const largest = grids[products.indexOf(Math.max(...products))]!.slice(0, 12).join(" × ");
  throw new RangeError(
    `Cannot read the study in ${where} as its tasks times its lengths must be at most ${MAX_CELLS}: current value is ${
      tasks * lengths.length
    }, ${tasks} tasks at ${lengths.length} ${plural(lengths.length, "length")}${
      largest === "" ? "" : ` (the largest grid is ${largest})`
    }`,
  );
}

const DEFAULTS: Omit<Study, "tasks"> = {
  title: "untitled",
  lengths: [4096],
  samples: 25,
  first: 0,
  seed: "42",
  variant: "2026",
  essays: "essays_en",
};

/** A task in a file: one, or a grid of them. */
interface TaskEntry extends Omit<TaskChoice, "knobs"> {
  /** Knobs of the family; those that take several texts can be lists. */
  readonly knobs?: KnobsSet;
  /** The values of each knob that varies; the last varies fastest. */
  readonly grid?: Readonly<Record<string, KnobList>>;
}

type KnobsSet = Readonly<Record<string, string | number | KnobList>>;
type CheckedKeys = Partial<Omit<Study, "tasks">> & { readonly tasks?: readonly TaskEntry[]; readonly set?: KnobsSet };

/** Sets knobs in each task that has them; what a grid varies stays part of the grid. */
function setKnobs(
  tasks: readonly TaskEntry[],
  { set, where, benchmarks }: BenchmarkOptions & { readonly set: KnobsSet; readonly where: string },
): readonly TaskEntry[] {
  const wanted = Object.entries(set);
  if (wanted.length === 0) return tasks;
  const entries = tasks.flatMap((entry) => spellOut(entry, benchmarks));
  const able = knobsOf(entries, benchmarks);
  const strange = wanted.find(([knob]) => !able.has(knob));
  if (strange !== undefined) {
    throw new TypeError(
      `Cannot read the study in ${where} as set must name knobs of its tasks (${
        [...able].join(", ")
      }): current value is "${strange[0]}"`,
    );
  }
  return entries.map((entry): TaskEntry => {
    let { knobs = {}, grid = {} } = entry;
    for (const [knob, given] of wanted.filter(([knob]) => knobsOf([entry], benchmarks).has(knob))) {
      const value = joinList(given, { knob, entry, where, benchmarks });
      if (typeof value === "object") grid = { ...grid, [knob]: value };
      else if (Object.hasOwn(grid, knob)) grid = { ...grid, [knob]: [value] };
      else knobs = { ...knobs, [knob]: value };
    }
    return {
      ...entry,
      ...(Object.keys(knobs).length === 0 ? {} : { knobs }),
      ...(Object.keys(grid).length === 0 ? {} : { grid }),
    };
  });
}

/** The knobs that at least one of some tasks has. */
function knobsOf(entries: readonly TaskEntry[], benchmarks?: readonly Benchmark[]): ReadonlySet<string> {
  const tasks = entries.flatMap((entry) => spellOut(entry, benchmarks));
  return new Set(tasks.flatMap(({ task }) => Object.keys(findFamily(task, benchmarks)?.knobs ?? {})));
}

function spellOut(entry: TaskEntry, benchmarks?: readonly Benchmark[]): readonly TaskEntry[] {
  if (entry.name !== undefined || entry.grid !== undefined) return [entry];
  return namedTasks(entry.task, benchmarks).map((task) => ({ ...entry, task }));
}

/** A knob of an entry, for errors too. */
interface EntryKnob extends BenchmarkOptions {
  readonly knob: string;
  readonly entry: TaskEntry;
  readonly where: string;
}

/** Joins the texts of a knob that takes several; any other list is a grid and stays. */
function joinList(
  value: string | number | KnobList,
  { knob, entry, where, benchmarks }: EntryKnob,
): string | number | KnobList {
  const families = spellOut(entry, benchmarks).flatMap(({ task }) => findFamily(task, benchmarks) ?? []);
  const [taken] = families.flatMap(({ knobs }) => knobs[knob] ?? []);
  if (typeof value !== "object" || !taken?.isList) return value;
  const joined = taken.read(value);
  if (joined !== undefined) return joined;
  throw new TypeError(
    `Cannot read the study in ${where} as ${knob} must be ${taken.wanted}: current value is ${JSON.stringify(value)}`,
  );
}

/** Lists the tasks of an entry; those of a grid are named by their knobs, such as `threads steps=5 direction=backward`. */
function layOut(
  entry: TaskEntry,
  { where, benchmarks }: BenchmarkOptions & { readonly where: string },
): readonly TaskChoice[] {
  const { grid, knobs: given, ...named } = entry;
  const knobs = Object.entries(given ?? {}).map(([knob, listed]): [string, string | number] => {
    const value = joinList(listed, { knob, entry, where, benchmarks });
    if (typeof value !== "object") return [knob, value];
    throw new TypeError(
      `Cannot read the study in ${where} as a list of values of ${knob} must be under grid or set, one for each task: ` +
        `current value is ${JSON.stringify(value)}`,
    );
  });
  const choice: TaskChoice = { ...named, ...(given === undefined ? {} : { knobs: Object.fromEntries(knobs) }) };
  if (grid === undefined) return [choice];
  let tasks: readonly TaskChoice[] = [{ ...choice, name: choice.name ?? choice.task }];
  for (const [knob, values] of Object.entries(grid)) {
    tasks = tasks.flatMap(({ task, name, knobs }) =>
      values.map((value): TaskChoice => ({
        task,
        name: `${name} ${knob}=${value}`,
        knobs: { ...knobs, [knob]: value },
      }))
    );
  }
  return tasks;
}

/** Keys by OpenCompass's names. */
const OTHER_NAMES: ReadonlyMap<string, keyof StudyChanges> = new Map([["tokenizer_model", "tokenizer"]]);

type Reader = (value: unknown) => unknown;

/** For each key a reader, which returns `undefined` for a wrong value, and a description of the right ones. */
const KEYS: Readonly<Record<keyof StudyChanges, readonly [Reader, string]>> = {
  title: [readText, "text"],
  tasks: [
    readTasks,
    "all, or a list of task names or of knobs such as { task: niah, name: eight_keys, keys: 8 } or " +
    "{ task: niah, grid: { keys: [2, 8] } }",
  ],
  lengths: [
    readLengths,
    "a list of whole numbers of tokens, such as [4096, 8192], or a range of at most 100000 such as { from: 1000, to: 32000, count: 32 }",
  ],
  samples: [readCount(1, MAX_SAMPLES), `a whole number from 1 to ${MAX_SAMPLES}`],
  samplesAt: [readSamplesAt, "lengths with a whole number of samples of at least 1, such as { 131072: 10 }"],
  first: [readCount(0), "a whole number of at least 0"],
  repeats: [readCount(1), "a whole number of at least 1"],
  seed: [readSeed, "text or a whole number"],
  variant: [readVariant, `one of ${VARIANTS.join(", ")}`],
  tokenizer: [readText, "the name of an encoding or the path of a tokenizer.json"],
  essays: [readText, "essays_en, essays_zh or the path of a file or folder"],
  squad: [readText, "the path of a file"],
  hotpotqa: [readText, "the path of a file"],
  samplesFile: [readText, "the path of a file or folder"],
  set: [readSet, "knobs with a value or a list of values, such as { depths: 11 }"],
};

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function readSeed(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : readText(value);
}

function readVariant(value: unknown): Variant | undefined {
  return VARIANTS.find((variant) => variant === String(value));
}

function readCount(least: number, most = Infinity): Reader {
  return (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most ? value : undefined;
}

/** Reads samples by length; a length can be written as `128K`, and a manifest has it in tokens. */
function readSamplesAt(value: unknown): Readonly<Record<string, number>> | undefined {
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined;
  const read = Object.entries(value).map(([length, count]) => {
    const [, digits, thousand] = /^(\d+)([kK]?)$/.exec(length) ?? [];
    const tokens = Number(digits) * (thousand === "" ? 1 : 1024);
    return digits === undefined || readCount(1, MAX_SAMPLES)(count) === undefined
      ? undefined
      : [tokens, count] as const;
  });
  return read.every((each) => each !== undefined) ? Object.fromEntries(read) as Record<string, number> : undefined;
}

/** Samples of each task at a length. */
export function samplesOf({ samples, samplesAt = {} }: Pick<Study, "samples" | "samplesAt">, length: number): number {
  return samplesAt[length] ?? samples;
}

function readLengths(value: unknown): readonly number[] | undefined {
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && number as number >= 1;
  if (Array.isArray(value)) return value.length > 0 && value.every(isCount) ? value : undefined;
  if (!isRecord(value) || Object.keys(value).toSorted().join() !== "count,from,to") return undefined;
  const { from, to, count } = value;
  if (!isCount(from) || !isCount(to) || !isCount(count) || count > MAX_CELLS || to - from < count - 1) {
    return undefined;
  }
  return lengthGrid({ from, to, points: count });
}

function readTasks(value: unknown): readonly TaskEntry[] | undefined {
  if (value === "all") return [{ task: "all" }];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const entries = value.map(readTask);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** A name alone, or a mapping in which every key but `task`, `name`, `knobs` and `grid` is a knob. */
function readTask(value: unknown): TaskEntry | undefined {
  if (typeof value === "string") return { task: value };
  if (!isRecord(value)) return undefined;
  const { task, name, grid, knobs: nested = {}, ...beside } = value;
  if (typeof task !== "string" || (name !== undefined && typeof name !== "string") || !isRecord(nested)) {
    return undefined;
  }
  const knobs = { ...nested, ...beside };
  if (
    !Object.values(knobs).every((knob) => isKnobValue(knob) || isKnobList(knob)) ||
    (grid !== undefined && !isGrid(grid))
  ) return undefined;
  return {
    task,
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(knobs).length === 0 ? {} : { knobs: knobs as KnobsSet }),
    ...(grid === undefined ? {} : { grid }),
  };
}

function readSet(value: unknown): KnobsSet | undefined {
  if (!isRecord(value)) return undefined;
  return Object.values(value).every((knob) => isKnobValue(knob) || isKnobList(knob)) ? value as KnobsSet : undefined;
}

function isGrid(value: unknown): value is Readonly<Record<string, KnobList>> {
  return isRecord(value) && Object.values(value).every(isKnobList);
}

function isKnobList(value: unknown): value is KnobList {
  return Array.isArray(value) && value.length > 0 && value.every(isKnobValue);
}

function isKnobValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
