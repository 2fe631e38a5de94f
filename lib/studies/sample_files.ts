import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { defined, explainFileError, type Fields, isFields, quoteText } from "@/lib/base/mod.ts";
import { readAs, v } from "./files.ts";
import { isPlace, isTable, openRows, powerAbove, readPlace, type Row, withoutEnding } from "./sample_rows.ts";
import { type BenchmarkOptions, checkStudy, type Study, type StudyChanges } from "./study.ts";
import { DEFAULT_TOKENIZER, openTokenizer, SERVER_TOKENIZER } from "./tokenizers.ts";
import { type Benchmark, BENCHMARKS, fitPrompt, scoredTask, type TestLine } from "@/lib/benchmarks/mod.ts";
import { parseLine, readRulerLine } from "@/lib/benchmarks/ruler/ruler_files.ts";
import {
  answerRoomAt,
  checkMessages,
  countPrompt,
  type Fact,
  hashPrompt,
  joinMessages,
  keepForm,
  type Message,
  PLAIN_TEMPLATE,
  type Prompt,
  type PromptWords,
  questionOf,
  type Sample,
  type SampleRequest,
  type Task,
  turnsOf,
} from "@/lib/generators/mod.ts";
import { checkReferences } from "@/lib/scorers/mod.ts";

interface FileRow {
  readonly path: string;
  readonly row: Row;
}

interface FoundRow extends FileRow {
  readonly task: string;
  readonly length: number;
}

/** Large files are read once. */
const found = new WeakMap<object, readonly FoundRow[]>();

/**
 * Makes the study that asks samples which exist already: a file of JSON lines with `input` and `outputs` (and `answer_prefix`), or
 * a folder of such files, as RULER's prepare.py and `fathom generate` write them; or the test files of a benchmark's authors.
 *
 * The task of a file is the name of its folder if the file is validation.jsonl or test.jsonl, otherwise its own, unless the
 * authors' rows name theirs; its length is the name of the folder above `data`, or that of the authors' rows, or else the one
 * length of `changes`. Authors' rows without a length have the power of two at or above their tokens.
 *
 * @throws {RangeError} If there is no such file, or its length is unknown.
 * @throws {SyntaxError} If a table is cut, or a row has other columns than the authors' files.
 */
export async function studyOfSamples(
  path: string,
  changes: StudyChanges = {},
  { benchmarks = BENCHMARKS }: BenchmarkOptions = {},
): Promise<Study> {
  const rows = await findSamples(path, { ...changes, benchmarks });
  const { lengths } = changes;
  const atLengths = rows.filter(({ length }) => Array.isArray(lengths) && lengths.includes(length));
  const asked = atLengths.length === 0 ? rows : atLengths;
  const cells = Map.groupBy(asked, ({ task, length }) => `${length}/${task}`).values();
  const study = checkStudy({
    title: `the samples of ${path}`,
    tasks: [...new Set(asked.map(({ task }) => task))],
    lengths: [...new Set(asked.map(({ length }) => length))].sort((left, right) => left - right),
    samples: Math.max(...cells.map(({ length }) => length)),
    ...changes,
    samplesFile: path,
  }, { where: "the flags", benchmarks });
  found.set(study, rows);
  return study;
}

/**
 * Opens the tasks of a study whose samples exist already. Scores and answer room are those of the benchmark's task of that name, or
 * of RULER's family that it is called after, such as `niah_mine`.
 */
export async function openSampleFiles(
  study: Pick<Study, "samplesFile" | "tasks" | "lengths" | "tokenizer">,
  benchmarks: readonly Benchmark[],
): Promise<readonly Task[]> {
  const { samplesFile = "", tasks, lengths } = study;
  const all = found.get(study) ?? await findSamples(samplesFile, { ...study, benchmarks });
  const rows = all.filter(({ length }) => lengths.includes(length));
  const strange = tasks.map(({ task }) => task).find((name) => !rows.some(({ task }) => task === name));
  if (strange !== undefined) {
    throw new RangeError(
      `Cannot ask the samples as each task must be one of ${[...new Set(rows.map(({ task }) => task))].join(", ")} at ${
        lengths.join(", ")
      } tokens: current value is "${strange}"`,
    );
  }
  return tasks.map((choice) =>
    fileTask(scoredTask(choice, benchmarks), rows.filter(({ task }) => task === choice.task), benchmarks)
  );
}

function fileTask(scored: Task, found: readonly FoundRow[], benchmarks: readonly Benchmark[]): Task {
  const byLength = Map.groupBy(found, ({ length }) => length);
  const { suite: made, name, category, asks, answerRoom, answerShare, scorer, options } = scored;
  // Not the suite's own samples, so another name.
  const suite = made.replace(/-\d+$/, "-file");
  const sample = ({ length, index, materials, template = PLAIN_TEMPLATE }: SampleRequest): Sample => {
    const rows = byLength.get(length) ?? [];
    const asked = rows[index];
    if (asked === undefined) {
      throw new RangeError(
        `Cannot ask ${name} at ${length} tokens as the number of the sample must be below ${rows.length}, the number of samples in the file: current value is ${index}`,
      );
    }
    const what = `sample ${index} of "${asked.path}"`;
    const { messages, answerPrefix, cut, ...answers } = readSample(asked, what, { benchmarks, options });
    checkReferences(scorer, answers, what);
    const { tokenizer } = materials;
    const { system } = template;
    const sent = [
      ...(system === undefined ? [] : [{ role: "system", text: system } as const]),
      ...messages ?? [{ role: "user", text: "" } as const],
    ];
    const whole: Prompt = {
      messages: checkMessages(sent, what),
      ...(template.answerPrefix && answerPrefix !== "" ? { answerPrefix } : {}),
    };
    const count = (prompt: Prompt): number => countPrompt(prompt, template, tokenizer);
    const { overlong } = options;
    const fit = { cut, what: `${name}, sample ${index},`, overlong, tokens: length - answerRoom, tokenizer, count };
    const { prompt, ...known } = fitPrompt(whole, fit);
    const sha256 = messages === null ? UNKNOWN_PROMPT : hashPrompt(prompt, template);
    const source = [sha256.slice(0, 12), tokenizer.name, template.name].join("/");
    const made = {
      id: `${suite}/${name}/${source}/${length}/${index}`,
      suite,
      task: name,
      index,
      length,
      promptTokens: messages === null ? 0 : count(prompt),
      answerRoom: answerRoomAt(scored, length),
      prompt,
      question: questionOf(prompt, asks),
      ...answers,
      ...known,
      sha256,
    };
    return scored.form === undefined ? made : keepForm(made, scored.form);
  };
  return {
    suite,
    name,
    category,
    answerRoom,
    ...defined({ answerShare }),
    scorer,
    options,
    sample,
    held: new Map(Array.from(byLength, ([length, rows]) => [length, rows.length])),
    leastLength: () => 1,
    // Instructions, context and question of a text cannot be separated.
    words(materials, template = PLAIN_TEMPLATE): PromptWords {
      const { prompt } = sample({ length: found[0]!.length, index: 0, seed: "", materials, template });
      const before = joinMessages({ messages: turnsOf(prompt) }, template);
      return { before, after: null, answerPrefix: prompt.answerPrefix ?? "" };
    },
  };
}

/** Replaces the hash of a prompt that is not known, as in some imported runs. */
export const UNKNOWN_PROMPT = "unknown";

type Refuse = (wanted: string, value: unknown) => SyntaxError;

/** Reads a row of the test files of a benchmark's authors; `null` if it has another form. */
function readAuthorsLine(row: Fields, { benchmarks, options }: ReadOptions, refuse: Refuse): TestLine | null {
  return benchmarks.map(({ testFiles }) => testFiles?.read(row, refuse, options) ?? null)
    .find((read) => read !== null) ?? null;
}

interface ReadOptions {
  readonly benchmarks: readonly Benchmark[];
  /** The knobs of the row's task, if it has any. */
  readonly options?: Task["options"];
}

interface FindOptions extends ReadOptions, Pick<StudyChanges, "lengths" | "tokenizer"> {}

async function findSamples(path: string, options: FindOptions): Promise<readonly FoundRow[]> {
  const paths = await listSampleFiles(path, options.benchmarks);
  // One after another, as the rows of tables are large.
  const rows = (await Array.fromAsync(paths, (file) => readSampleFile(file, options))).flat();
  if (rows.length > 0) return rows;
  throw new RangeError(
    `Cannot ask the samples as there must be a file of JSON lines, such as vt/validation.jsonl: current value is "${path}"`,
  );
}

async function readSampleFile(path: string, options: FindOptions): Promise<readonly FoundRow[]> {
  const { lengths, benchmarks } = options;
  const given = Array.isArray(lengths) && lengths.length === 1 ? lengths[0] as number : undefined;
  const folder = dirname(resolve(path));
  const name = withoutEnding(basename(path));
  const ofAuthors = benchmarks.map(({ testFiles }) => testFiles?.taskOf(name)).find((each) => each !== undefined);
  const task = /^(validation|test)\.jsonl$/.test(basename(path)) ? basename(folder) : ofAuthors ?? name;
  const { rows, read } = await openRows(path).catch((error) => {
    throw error instanceof SyntaxError ? error : cannotAsk(path, error);
  });
  const [, folderLength] = /\/(\d+)\/data(?:\/[^/]+)?$/.exec(folder) ?? [];
  const held = rows.map((row): FileRow => ({ path, row }));
  if (folderLength === undefined) {
    const found = await sortAuthorsRows(held, { ...options, read, task, given, isNamed: ofAuthors !== undefined });
    if (found !== undefined) return found;
  }
  const length = folderLength === undefined ? given : Number(folderLength);
  if (length !== undefined) return held.map((row) => ({ ...row, task, length }));
  throw new RangeError(
    `Cannot ask the samples of "${path}" as --lengths must name the one length that they were made for or are cut to, where they are in no folder LENGTH/data/: current value is ${
      Array.isArray(lengths) ? lengths.join(", ") : "none"
    }`,
  );
}

/** Finds task and length of the rows of authors; `undefined` if they are not those of authors, or a length is unknown. */
async function sortAuthorsRows(
  rows: readonly FileRow[],
  { read, task, given, isNamed, benchmarks, tokenizer }: FindOptions & {
    readonly read: (row: Row) => Fields | undefined;
    /** The task of rows that name none, and their length. */
    readonly task: string;
    readonly given: number | undefined;
    readonly isNamed: boolean;
  },
): Promise<readonly FoundRow[] | undefined> {
  const found: FoundRow[] = [];
  let columns: string | undefined;
  for (const [at, each] of rows.entries()) {
    const fields = read(each.row) ?? {};
    const refuse = refuseIn(`row ${at + 1} of "${each.path}"`);
    const line = readAuthorsLine(fields, { benchmarks }, refuse);
    const names = Object.keys(fields).join(", ");
    if (at === 0 && line !== null) columns = names;
    if (line === null && columns !== undefined) throw refuse(`it must have the columns of row 1 (${columns})`, names);
    if (line === null && isTable(each.path) && !("input" in fields || "messages" in fields)) {
      throw refuse("it must have the columns of the authors' test files of a benchmark, or input and outputs", names);
    }
    if (line === null && !isNamed) return undefined;
    const length = line === null || line.cut !== undefined ? given : line.length ?? await binOf(line, tokenizer);
    if (length === undefined) return undefined;
    found.push({ ...each, task: line?.task ?? task, length });
  }
  return found.length === 0 ? undefined : found;
}

async function binOf(line: TestLine, name: string = DEFAULT_TOKENIZER): Promise<number> {
  const tokenizer = await openTokenizer(name === SERVER_TOKENIZER ? DEFAULT_TOKENIZER : name);
  return powerAbove(messagesOf(line).map(({ text }) => text).join("\n"), tokenizer);
}

function messagesOf({ input = "", messages = [{ role: "user", text: input }] }: TestLine): readonly Message[] {
  return messages;
}

function refuseIn(what: string): Refuse {
  return (wanted, value) =>
    new SyntaxError(
      `Cannot read ${what} as ${wanted}: current value is ${quoteText(JSON.stringify(value) ?? "none", 60)}`,
    );
}

async function listSampleFiles(path: string, benchmarks: readonly Benchmark[]): Promise<readonly string[]> {
  const there = await stat(path).catch((error) => {
    throw cannotAsk(path, error);
  });
  if (!there.isDirectory()) return [path];
  const isSampleFile = (name: string): boolean =>
    name.endsWith(".jsonl") || isTable(name) ||
    (name.endsWith(".json") && benchmarks.some(({ testFiles }) => testFiles?.taskOf(name.slice(0, -5)) !== undefined));
  const files = await Promise.all((await readdir(path, { withFileTypes: true })).map((entry) => {
    const { name } = entry;
    // RULER's code leaves its predictions beside the data.
    if (entry.isDirectory()) return name === "pred" ? [] : listSampleFiles(join(path, name), benchmarks);
    return isSampleFile(name) ? [join(path, name)] : [];
  }));
  return files.flat().sort();
}

function cannotAsk(path: string, error: unknown): RangeError {
  return new RangeError(
    `Cannot ask the samples as there must be a file or folder of them: current value is "${path}" (${
      explainFileError(error)
    })`,
  );
}

const TEXT = v.string("a text");

const ROW = v.object({
  input: v.optional(v.nullable(v.pipe(TEXT, v.minLength(1, "a text")))),
  messages: v.optional(v.config(
    v.array(v.pipe(
      v.object({ role: v.picklist(["system", "user", "assistant"]), content: v.string() }),
      v.transform(({ role, content }): Message => ({ role, text: content })),
    )),
    { message: "a list of role and content" },
  )),
  "answer_prefix": v.optional(TEXT, ""),
  paths: v.optional(v.array(v.array(TEXT, "a list of texts"), "lists of texts")),
  depth: v.optional(v.config(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), { message: "a number in [0, 1]" })),
  cluster: v.optional(TEXT),
  question: v.optional(TEXT),
  facts: v.optional(
    v.array(v.custom<Fact>(isFact, "a fact as of fathom generate"), "a list of facts as of fathom generate"),
    [],
  ),
});

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** The fields of a row, by their names without case and marks. */
const FIELDS = new Map([...Object.keys(ROW.entries), "outputs", "distractors"].map((name) => [plainName(name), name]));

function readSample(
  { path, row: held }: FileRow,
  what: string,
  options: ReadOptions,
): Pick<Sample, "references" | "distractors" | "paths" | "facts" | "depth" | "cluster"> & {
  readonly question?: string;
  readonly cut?: TestLine["cut"];
  /** `null` if an imported run does not have it. */
  readonly messages: readonly Message[] | null;
  readonly answerPrefix: string;
} {
  const refuse = refuseIn(what);
  const row = isPlace(held) ? parseLine(readPlace(path, held).replace(/^\uFEFF/, ""), refuse) : held;
  const ofAuthors = readAuthorsLine(row, options, refuse);
  if (ofAuthors !== null) {
    const { length: _length, task: _task, input: _input, ...known } = ofAuthors;
    return { answerPrefix: "", ...known, messages: messagesOf(ofAuthors), facts: [] };
  }
  for (const given of Object.keys(row)) {
    const name = FIELDS.get(plainName(given)) ?? given;
    // A field of another name would be ignored.
    if (name !== given) throw refuse(`a field must be called ${name}`, given);
  }
  const read = readAs(ROW, row, { what, kind: SyntaxError });
  const { input, messages, answer_prefix: answerPrefix, facts, paths, depth, cluster, question } = read;
  if (input === undefined && messages === undefined) throw refuse("input must be a text", undefined);
  const { references, distractors } = readRulerLine(row, refuse);
  return {
    messages: messages ?? (input ? [{ role: "user", text: input }] : null),
    answerPrefix,
    references,
    facts,
    ...defined({ distractors, paths, depth, cluster, question }),
  };
}

function isFact(value: unknown): value is Fact {
  return isFields(value) && ["role", "text", "key", "value"].every((name) => typeof value[name] === "string");
}
