import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { defined, plural, quoteText, sum } from "@/lib/base/mod.ts";
import { closedObject, filledText, readAs, readYaml, v, wholeNumber } from "./files.ts";
import { type MaterialsOptions, pathsOf } from "./materials.ts";
import {
  type Benchmark,
  chosenTasks,
  findFamily,
  listFamilies,
  namedTasks,
  withoutTwins,
} from "@/lib/benchmarks/mod.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import { joinTexts, type Knobs, lengthGrid, ownNames, splitTexts, type TaskChoice } from "@/lib/generators/mod.ts";

/** A measure of a model beside the scores of its replies: the probability that it gives to the right answer. */
export type Measure = "answer-probability";

/** The questions for every model: tasks, lengths, samples and their materials. */
export interface Study extends MaterialsOptions {
  readonly title: string;
  readonly tasks: readonly TaskChoice[];
  readonly lengths: readonly number[];
  readonly samples: number;
  readonly samplesAt?: Readonly<Record<string, number>>;
  readonly first: number;
  /** Times that each sample is asked, if more than once; its score is the mean of its repeats. */
  readonly repeats?: number;
  readonly seed: string;
  /** What is asked of each sample besides a reply; nothing if left out. */
  readonly measure?: Measure;
  readonly variant: typeof VARIANTS[number];
  readonly essays: string;
  /** The path of a file or folder of samples that exist already, which are asked as they are. */
  readonly samplesFile?: string;
}

/** The keys of a study file, which also override it. */
export interface StudyChanges extends Partial<Omit<Study, "tasks" | "lengths">> {
  /** The word `all`; or names of tasks, and tasks with knobs, each alone or with a `grid` of values. */
  readonly tasks?: "all" | readonly (string | TaskChoice | Readonly<Record<string, unknown>>)[];
  /** Context lengths in tokens: a list, or `count` of them in even steps. */
  readonly lengths?: readonly number[] | { readonly from: number; readonly to: number; readonly count: number };
  /** Knobs of every task that has them; they override those of the task, and a list replaces a grid's. */
  readonly set?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
}

/** The benchmarks in use, by default `BENCHMARKS`; `all` means the default tasks of the first. */
export interface BenchmarkOptions {
  readonly benchmarks?: readonly Benchmark[] | undefined;
}

/**
 * Reads a study from a YAML file, for the shell and for notebooks, and lays out its grids.
 *
 * @param path Paths in the file are relative to its folder, those in `changes` to the working folder.
 * @param changes Keys that override the file's; `undefined` changes nothing.
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
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
  // Tasks that replace the file's need not have the knobs that it sets.
  const able = knobsOf(changes.tasks === undefined ? study.tasks : v.parse(TASKS, changes.tasks), benchmarks);
  const own = Object.entries(ownNames(able, (content as StudyChanges).set ?? {}));
  const set = {
    ...Object.fromEntries(own.filter(([knob]) => Object.hasOwn(able, knob))),
    ...ownNames(able, changes.set ?? {}),
  };
  const changed = {
    ...content as object,
    ...pathsOf(study, { from: dirname(path) }),
    ...defined(changes),
    set,
  };
  return checkStudy(changed, { where: `"${path}" as changed`, benchmarks });
}

interface StudyContext extends BenchmarkOptions {
  readonly where: string;
}

/**
 * Checks a study from a file, flags or a manifest, lays out its grids, and fills in defaults: all tasks at 4,096 tokens,
 * 25 samples each, seed 42.
 *
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
  const read = readAs(STUDY, value, { what: `the study in ${where}` });
  const {
    tasks: listed = [{ task: "all" }],
    set = {},
    repeats = 1,
    tokenizer_model: other,
    num_repeats_per_file: rounds,
    ...given
  } = read;
  const entries = setKnobs(listed.map((entry) => nameKnobs(entry, benchmarks)), set, { where, benchmarks });
  const asked = { ...DEFAULTS, ...defined({ tokenizer: other }), ...given };
  checkSize(entries, asked.lengths, where);
  const study = { ...asked, tasks: entries.flatMap((entry) => layOut(entry, { where, benchmarks })) };
  const long = study.tasks.find(({ task, name = task }) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined) {
    const wanted = `the name of a task must have at most ${MAX_NAME_BYTES} bytes, as it is part of file names`;
    throw refuse({ where }, wanted, quoteText(long.name ?? long.task, 60));
  }
  const samples = given.samples ?? (rounds && samplesOfRounds(rounds, study, { where, benchmarks }));
  return { ...study, ...(repeats === 1 ? {} : { repeats }), ...defined({ samples }) };
}

/** The most bytes of a task's name: file systems allow 255, and exports add a date, a number and an ending. */
const MAX_NAME_BYTES = 180;

/** Returns the samples of some rounds of a task's depths, in each file of the essays if rounds take them in turn. */
function samplesOfRounds(rounds: number, { tasks, essays }: Study, context: StudyContext): number {
  const { benchmarks } = context;
  const options = tasks.flatMap((choice) => chosenTasks(choice, benchmarks)).map(({ task, knobs = {} }) => {
    const family = findFamily(task, benchmarks);
    return (family?.tasks.includes(task) ? family.task(task, knobs) : family?.make(knobs))?.options ?? {};
  });
  const counts = new Set(options.map(({ depths = 1, files }) => {
    return rounds * Number(depths) * (files === "each" ? splitTexts(essays).length : 1);
  }));
  const [samples = rounds] = counts;
  if (counts.size <= 1) return samples;
  throw refuse(context, "num_repeats_per_file must be of tasks that have the same number of depths", [...counts]);
}

function refuse({ where }: StudyContext, reason: string, value: unknown): TypeError {
  return new TypeError(`Cannot read the study in ${where} as ${reason}: current value is ${JSON.stringify(value)}`);
}

const [MAX_CELLS, MAX_SAMPLES, MAX_LENGTH] = [100_000, 1_000_000, 2_000_000];

/** Refuses large grids before they are expanded: a short file can name more tasks than memory holds. */
function checkSize(entries: readonly TaskEntry[], lengths: readonly number[], where: string): void {
  const grids = entries.map(({ grid = {} }) => Object.values(grid).map((values) => values.length));
  const products = grids.map((counts) => counts.reduce((product, count) => product * count, 1));
  const tasks = sum(products);
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

function nameKnobs(entry: TaskEntry, benchmarks?: readonly Benchmark[]): TaskEntry {
  const { knobs = {}, grid = {} } = entry;
  const able = knobsOf([entry], benchmarks);
  return { ...entry, ...filled("knobs", ownNames(able, knobs)), ...filled("grid", ownNames(able, grid)) };
}

/** Sets knobs in each task that has them; what a grid varies stays part of the grid. */
function setKnobs(tasks: readonly TaskEntry[], set: KnobsSet, context: StudyContext): readonly TaskEntry[] {
  if (Object.keys(set).length === 0) return tasks;
  const able = knobsOf(tasks, context.benchmarks);
  const wanted = Object.entries(ownNames(able, set));
  const [strange] = wanted.find(([knob]) => !Object.hasOwn(able, knob)) ?? [];
  if (strange !== undefined) {
    const others = listFamilies(context.benchmarks).filter(({ knobs }) => strange in knobs).map(({ name }) => name);
    const names = [...new Set(tasks.map(({ task }) => task))].join(", ");
    throw others.length === 0
      ? refuse(context, `set must name knobs of its tasks (${Object.keys(able).join(", ")})`, strange)
      : new RangeError(`Cannot set ${strange} as the task must be of ${others.join(", ")}: current value is ${names}`);
  }
  const withSet = (entry: TaskEntry): TaskEntry => {
    const knobs = { ...entry.knobs };
    const grid = { ...entry.grid };
    for (const [knob, given] of wanted.filter(([knob]) => Object.hasOwn(knobsOf([entry], context.benchmarks), knob))) {
      const value = joinList(given, knob, entry, context);
      if (typeof value === "object") grid[knob] = value;
      else if (Object.hasOwn(grid, knob)) grid[knob] = [value];
      else knobs[knob] = value;
    }
    return { ...entry, ...filled("knobs", knobs), ...filled("grid", grid) };
  };
  return tasks.flatMap((entry) => {
    const changed = spellOut(entry, context.benchmarks).map(withSet);
    return changed.length === 1 ? changed : withoutTwins(changed, context.benchmarks);
  });
}

function filled<Name extends string, Value extends object>(name: Name, value: Value): Partial<Record<Name, Value>> {
  return Object.keys(value).length === 0 ? {} : { [name]: value } as Record<Name, Value>;
}

function knobsOf(entries: readonly TaskEntry[], benchmarks?: readonly Benchmark[]): Knobs {
  const tasks = entries.flatMap((entry) => spellOut(entry, benchmarks));
  return Object.assign({}, ...tasks.map(({ task }) => findFamily(task, benchmarks)?.knobs));
}

function spellOut(entry: TaskEntry, benchmarks?: readonly Benchmark[]): readonly TaskEntry[] {
  const isOne = entry.grid !== undefined && findFamily(entry.task, benchmarks) !== undefined;
  if (entry.name !== undefined || isOne) return [entry];
  return namedTasks(entry.task, benchmarks).map((task) => ({ ...entry, task }));
}

/** Joins the texts of a knob that takes several; any other list is a grid and stays. */
function joinList(value: KnobsSet[string], knob: string, entry: TaskEntry, context: StudyContext): KnobsSet[string] {
  const { benchmarks } = context;
  const families = spellOut(entry, benchmarks).flatMap(({ task }) => findFamily(task, benchmarks) ?? []);
  const [taken] = families.flatMap(({ knobs }) => knobs[knob] ?? []);
  if (typeof value !== "object" || !taken?.isList) return value;
  const joined = taken.read(value);
  if (joined !== undefined) return joined;
  throw refuse(context, `${knob} must be ${taken.wanted}`, value);
}

/** Lists the tasks of an entry; those of a grid are named by their knobs, such as `threads steps=5 direction=backward`. */
function layOut(entry: TaskEntry, context: StudyContext): readonly TaskChoice[] {
  const { grid, knobs: given, ...named } = entry;
  const knobs = Object.entries(given ?? {}).map(([knob, listed]): [string, string | number] => {
    const value = joinList(listed, knob, entry, context);
    if (typeof value !== "object") return [knob, value];
    throw refuse(context, `a list of values of ${knob} must be under grid or set, one for each task`, value);
  });
  const choice: TaskChoice = { ...named, ...(given === undefined ? {} : { knobs: Object.fromEntries(knobs) }) };
  if (grid === undefined) return [choice];
  const each = spellOut(entry, context.benchmarks);
  let tasks: readonly TaskChoice[] = each.map(({ task, name = task }) => ({ ...choice, task, name }));
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

/** Samples of each task at a length. */
export function samplesOf({ samples, samplesAt = {} }: Pick<Study, "samples" | "samplesAt">, length: number): number {
  return samplesAt[length] ?? samples;
}

/** A knob's value; YAML's true and false are `on` and `off`. */
const KNOB = v.union([v.string(), v.number(), v.pipe(v.boolean(), v.transform((isOn) => isOn ? "on" : "off"))]);
const KNOB_LIST = v.pipe(v.array(KNOB), v.minLength(1));
const KNOBS = v.record(v.string(), v.union([KNOB, KNOB_LIST], "a text, a number or a list of them"));
type KnobsSet = NonNullable<StudyChanges["set"]>;

/** A task in a file: a name alone, or a mapping in which every other key is a knob. */
const TASK = v.union([
  v.pipe(v.string(), v.transform((task): TaskEntry => ({ task }))),
  v.pipe(
    v.objectWithRest({
      task: v.string(),
      name: v.exactOptional(v.string()),
      knobs: v.exactOptional(KNOBS),
      grid: v.exactOptional(v.record(v.string(), KNOB_LIST)),
    }, KNOBS.value),
    v.transform(({ task, name, knobs, grid, ...beside }): TaskEntry => ({
      ...defined({ task, name, grid }),
      ...filled("knobs", { ...knobs, ...beside as KnobsSet }),
    })),
  ),
]);

interface TaskEntry extends Omit<TaskChoice, "knobs"> {
  readonly knobs?: KnobsSet;
  readonly grid?: Readonly<Record<string, readonly (string | number)[]>>;
}

const TASKS = v.config(
  v.union([
    v.pipe(v.literal("all"), v.transform((task): TaskEntry[] => [{ task }])),
    v.pipe(v.array(TASK), v.minLength(1)),
  ]),
  {
    message: "all, or a list of task names or of knobs such as { task: niah, name: eight_keys, keys: 8 } or " +
      "{ task: niah, grid: { keys: [2, 8] } }",
  },
);

const LENGTHS = v.config(
  v.union([
    v.pipe(v.array(wholeNumber(1, MAX_LENGTH)), v.minLength(1)),
    v.pipe(
      v.strictObject({ from: wholeNumber(1), to: wholeNumber(1, MAX_LENGTH), count: wholeNumber(1, MAX_CELLS) }),
      v.check(({ from, to, count }) => to - from >= count - 1),
      v.transform(({ count: points, ...range }) => [...lengthGrid({ ...range, points })]),
    ),
  ]),
  {
    message:
      "a list of whole numbers of tokens up to 2000000, such as [4096, 8192], or a range of at most 100000 such as " +
      "{ from: 1000, to: 32000, count: 32 }",
  },
);

const SAMPLES_AT = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^\d+[kK]?$/, "a length in tokens, such as 131072 or 128K")),
    wholeNumber(1, MAX_SAMPLES),
    "lengths with a number of samples, such as { 131072: 10 }",
  ),
  v.check((counts) => Object.keys(counts).length > 0, "at least one length"),
  v.transform((counts): Record<string, number> =>
    Object.fromEntries(
      Object.entries(counts).map(([length, count]) => [parseInt(length) * (/k$/i.test(length) ? 1024 : 1), count]),
    )
  ),
);

const TOKENIZER = filledText("the name of an encoding or the path of a tokenizer.json");

const ESSAYS = v.config(
  v.union([
    filledText(""),
    v.pipe(v.array(filledText("")), v.minLength(1), v.transform((paths): string => joinTexts(paths))),
  ]),
  { message: "essays_en, essays_zh, or the path of a file or folder or a list of them" },
);

const STUDY = closedObject({
  title: v.exactOptional(filledText("text")),
  tasks: v.exactOptional(TASKS),
  lengths: v.exactOptional(LENGTHS),
  samples: v.exactOptional(wholeNumber(1, MAX_SAMPLES)),
  samplesAt: v.exactOptional(SAMPLES_AT),
  first: v.exactOptional(wholeNumber(0, MAX_SAMPLES)),
  repeats: v.exactOptional(wholeNumber(1, 1000)),
  seed: v.exactOptional(v.config(
    v.union([filledText(""), v.pipe(v.number(), v.safeInteger(), v.transform(String))]),
    { message: "text or a whole number" },
  )),
  measure: v.exactOptional(v.picklist(["answer-probability"], "answer-probability")),
  variant: v.exactOptional(v.config(
    v.pipe(v.unknown(), v.transform(String), v.picklist(VARIANTS)),
    { message: `one of ${VARIANTS.join(", ")}` },
  )),
  tokenizer: v.exactOptional(TOKENIZER),
  // OpenCompass's names of it, and of the rounds of all depths.
  "tokenizer_model": v.exactOptional(TOKENIZER),
  "num_repeats_per_file": v.exactOptional(wholeNumber(1, MAX_SAMPLES)),
  essays: v.exactOptional(ESSAYS),
  squad: v.exactOptional(filledText("the path of a file")),
  hotpotqa: v.exactOptional(filledText("the path of a file")),
  mmlu: v.exactOptional(filledText("the path of a file")),
  samplesFile: v.exactOptional(filledText("the path of a file or folder")),
  set: v.exactOptional(KNOBS),
});
