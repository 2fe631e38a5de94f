import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readAs, v } from "./files.ts";
import { type BenchmarkOptions, checkStudy, type Study, type StudyChanges } from "./study.ts";
import { type Benchmark, BENCHMARKS, findFamily, listFamilies, type TestLine } from "@/lib/benchmarks/mod.ts";
import { parseLine, readRulerLine, rulerFamilyOf } from "@/lib/benchmarks/ruler/mod.ts";
import {
  checkMessages,
  countPrompt,
  type Fact,
  type Family,
  hashPrompt,
  joinMessages,
  type Message,
  PLAIN_TEMPLATE,
  type Prompt,
  type PromptWords,
  type Sample,
  type SampleRequest,
  type Task,
  turnsOf,
} from "@/lib/generators/mod.ts";
import { explainFileError, type Fields, isFields, readRegular } from "@/lib/models/mod.ts";
import { defined, quoteText } from "@/lib/text/mod.ts";

/** A file of existing samples of one task at one length. */
interface SampleFile {
  readonly path: string;
  readonly task: string;
  /** The context length that the samples were made for, in tokens. */
  readonly length: number;
  /** Where its lines are, in bytes; empty lines are none. */
  readonly lines: readonly Place[];
}

/**
 * Makes the study that asks samples which exist already, as they are: a file of JSON lines with `input` and `outputs` (and
 * `answer_prefix`), or a folder of such files, as RULER's prepare.py and `fathom generate` write them; or the test files of
 * another benchmark's authors, lines or one list, such as Needle Threading's `Single_Needle.json`. Failures
 * and depths of replies are known if lines also have `facts`.
 *
 * The task of a file is the name of its folder if the file is validation.jsonl or test.jsonl, otherwise its own; its length is
 * the name of the folder above `data`, or that of the authors' lines, or else the one length of `changes`.
 *
 * @param path The file or folder.
 * @param changes Which tasks, lengths and samples to ask, all by default; what counts the tokens.
 * @throws {RangeError} If there is no such file, or its length is unknown.
 */
export async function studyOfSamples(
  path: string,
  changes: StudyChanges = {},
  { benchmarks = BENCHMARKS }: BenchmarkOptions = {},
): Promise<Study> {
  const files = await findSampleFiles(path, { lengths: changes.lengths, benchmarks });
  const study = {
    title: `the samples of ${path}`,
    tasks: [...new Set(files.map(({ task }) => task))],
    lengths: [...new Set(files.map(({ length }) => length))].sort((left, right) => left - right),
    samples: Math.max(...files.map(({ lines }) => lines.length)),
    ...changes,
    samplesFile: path,
  };
  return checkStudy(study, { where: "the flags", benchmarks });
}

/**
 * Opens the tasks of a study whose samples exist already.
 *
 * Scores and answer room are those of the benchmark's task of that name, or of RULER's family that it is called after, such as
 * `niah_mine`. Prompts are counted by the study's tokenizer, not by lengths in the file.
 *
 * @throws {RangeError} If a task of the study has no file, or cannot be scored.
 */
export async function openSampleFiles(
  { samplesFile = "", tasks, lengths }: Pick<Study, "samplesFile" | "tasks" | "lengths">,
  benchmarks: readonly Benchmark[],
): Promise<readonly Task[]> {
  const files = (await findSampleFiles(samplesFile, { lengths, benchmarks })).filter(({ length }) =>
    lengths.includes(length)
  );
  const wanted = tasks.map(({ task }) => task);
  const strange = wanted.find((name) => !files.some(({ task }) => task === name));
  if (strange !== undefined) {
    throw new RangeError(
      `Cannot ask the samples as each task must be one of ${
        [...new Set(files.map(({ task }) => task))].join(", ")
      } at ${lengths.join(", ")} tokens: current value is "${strange}"`,
    );
  }
  return wanted.map((name) => fileTask(name, files.filter(({ task }) => task === name), benchmarks));
}

function fileTask(name: string, files: readonly SampleFile[], benchmarks: readonly Benchmark[]): Task {
  const { suite: made, category, answerRoom, scorer } = knownTask(name, benchmarks);
  // Not the suite's own samples, so another name.
  const suite = made.replace(/-\d+$/, "-file");
  const sample = ({ length, index, materials, template = PLAIN_TEMPLATE }: SampleRequest): Sample => {
    const file = files.find((candidate) => candidate.length === length);
    const place = file?.lines[index];
    if (file === undefined || place === undefined) {
      const count = file?.lines.length ?? 0;
      throw new RangeError(
        `Cannot ask ${name} at ${length} tokens as the number of the sample must be below ${count}, the number of samples in the file: current value is ${index}`,
      );
    }
    const what = `sample ${index} of "${file.path}"`;
    const { messages, answerPrefix, ...answers } = readRow(readLine(file.path, place), what, benchmarks);
    const { system } = template;
    const sent = [
      ...(system === undefined ? [] : [{ role: "system", text: system } as const]),
      ...messages ?? [{ role: "user", text: "" } as const],
    ];
    const prompt: Prompt = {
      messages: checkMessages(sent, what),
      ...(template.answerPrefix && answerPrefix !== "" ? { answerPrefix } : {}),
    };
    const sha256 = messages === null ? UNKNOWN_PROMPT : hashPrompt(prompt, template);
    const source = [sha256.slice(0, 12), materials.tokenizer.name, template.name].join("/");
    return {
      id: `${suite}/${name}/${source}/${length}/${index}`,
      ...{ suite, task: name, index, length },
      promptTokens: messages === null ? 0 : countPrompt(prompt, template, materials.tokenizer),
      ...{ answerRoom, prompt, ...answers, sha256 },
    };
  };
  return {
    ...{ suite, name, category, answerRoom, scorer, options: {}, sample },
    held: new Map(files.map(({ length, lines }) => [length, lines.length])),
    leastLength: () => 1,
    // Instructions, context and question of a text cannot be separated.
    words(materials, template = PLAIN_TEMPLATE): PromptWords {
      const { prompt } = sample({ length: files[0]!.length, index: 0, seed: "", materials, template });
      const before = joinMessages({ messages: turnsOf(prompt) }, template);
      return { before, after: null, answerPrefix: prompt.answerPrefix ?? "" };
    },
  };
}

/** Replaces the hash of a prompt that is not known, as in some imported runs. */
export const UNKNOWN_PROMPT = "unknown";

/** Whether replies to a task of that name can be scored: it is a benchmark's task, or named after a family, as `niah_mine` is. */
export function canScore(name: string, benchmarks: readonly Benchmark[]): boolean {
  return familyOf(name, benchmarks) !== undefined;
}

function familyOf(name: string, benchmarks: readonly Benchmark[]): Family | undefined {
  return findFamily(name, benchmarks) ?? findFamily(rulerFamilyOf(name) ?? "", benchmarks) ??
    listFamilies(benchmarks).find((family) => name.startsWith(`${family.name}_`));
}

/** The benchmark's task of a name, or that of the family that it is called after: how its replies are scored, and the room for them. */
function knownTask(name: string, benchmarks: readonly Benchmark[]): Task {
  const family = familyOf(name, benchmarks);
  if (family !== undefined) return family.tasks.includes(name) ? family.task(name) : family.make();
  throw new RangeError(
    `Cannot ask the samples as each file must be called after a task that can be scored, or after a family, such as niah_mine: current value is "${name}"`,
  );
}

/** Reads a line of the test files of a benchmark's authors; `null` if it has another form. */
function readAuthorsLine(line: Fields, benchmarks: readonly Benchmark[]): TestLine | null {
  return benchmarks.map(({ testFiles }) => testFiles?.read(line) ?? null).find((read) => read !== null) ?? null;
}

interface FindOptions {
  readonly lengths: StudyChanges["lengths"];
  readonly benchmarks: readonly Benchmark[];
}

async function findSampleFiles(path: string, options: FindOptions): Promise<readonly SampleFile[]> {
  const paths = await listSampleFiles(path, options.benchmarks);
  if (paths.length === 0) {
    throw new RangeError(
      `Cannot ask the samples as there must be a file of JSON lines, such as vt/validation.jsonl: current value is "${path}"`,
    );
  }
  return (await Promise.all(paths.map((file) => readSampleFile(file, options)))).flat();
}

/** Finds the samples of a file; one with samples of several lengths counts as a file for each. */
async function readSampleFile(path: string, { lengths, benchmarks }: FindOptions): Promise<readonly SampleFile[]> {
  const given = Array.isArray(lengths) && lengths.length === 1 ? lengths[0] as number : undefined;
  const folder = dirname(resolve(path));
  const name = basename(path).replace(/\.jsonl?$/, "");
  const ofAuthors = benchmarks.map(({ testFiles }) => testFiles?.taskOf(name)).find((each) => each !== undefined);
  const task = /^(validation|test)\.jsonl$/.test(basename(path)) ? basename(folder) : ofAuthors ?? name;
  const bytes = await readRegular(path).catch((error) => {
    throw cannotAsk(path, error);
  });
  const lines = bytes.find((byte) => byte > 0x20) === OPENING_BRACKET ? findObjects(bytes) : findLines(bytes);
  const [, folderLength] = /\/(\d+)\/data(?:\/[^/]+)?$/.exec(folder) ?? [];
  if (folderLength === undefined && ofAuthors !== undefined) {
    const lengthOf = ([from, to]: Place): number | undefined => {
      const line = readFields(new TextDecoder().decode(bytes.subarray(from, to)));
      return (line && readAuthorsLine(line, benchmarks))?.length ?? given;
    };
    const byLength = Map.groupBy(lines, lengthOf);
    if (!byLength.has(undefined)) {
      return Array.from(byLength, ([length, ofLength]) => ({ path, task, length: length!, lines: ofLength }));
    }
  }
  const length = folderLength === undefined ? given : Number(folderLength);
  if (length !== undefined) return [{ path, task, length, lines }];
  throw new RangeError(
    `Cannot ask the samples of "${path}" as --lengths must name the one length that they were made for, where they are in no folder LENGTH/data/: current value is ${
      Array.isArray(lengths) ? lengths.join(", ") : "none"
    }`,
  );
}

function readFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function listSampleFiles(path: string, benchmarks: readonly Benchmark[]): Promise<readonly string[]> {
  const there = await stat(path).catch((error) => {
    throw cannotAsk(path, error);
  });
  if (!there.isDirectory()) return [path];
  const isSampleFile = (name: string): boolean =>
    name.endsWith(".jsonl") ||
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

/** Where something is in a file, in bytes. */
type Place = readonly [from: number, to: number];

const LINE_BREAK = 0x0a;
const [OPENING_BRACKET, QUOTE, BACKSLASH, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x22, 0x5c, 0x7b, 0x7d];

function findObjects(bytes: Uint8Array): readonly Place[] {
  const places: Place[] = [];
  let [depth, from, isText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPENING_BRACE && depth++ === 0) from = at;
    else if (byte === CLOSING_BRACE && --depth === 0) places.push([from, at + 1]);
  }
  return places;
}

/** Finds the lines of a file that are not blank; the texts themselves are read one at a time, as a file can be larger than memory allows. */
function findLines(bytes: Uint8Array): readonly Place[] {
  const lines: Place[] = [];
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf(LINE_BREAK, from);
    const to = next < 0 ? bytes.length : next;
    if (bytes.subarray(from, to).some((byte) => byte > 0x20)) lines.push([from, to]);
    from = to + 1;
  }
  return lines;
}

/** Reads a line of a file; synchronously, as samples are made synchronously. */
function readLine(path: string, [from, to]: Place): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more) {
      more = readSync(file, bytes, read, bytes.length - read, from + read);
    }
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}

interface SampleRow extends Pick<Sample, "references" | "distractors" | "paths" | "facts" | "depth" | "cluster"> {
  /** `null` if an imported run does not have it. */
  readonly messages: readonly Message[] | null;
  readonly answerPrefix: string;
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
  facts: v.optional(
    v.array(v.custom<Fact>(isFact, "a fact as of fathom generate"), "a list of facts as of fathom generate"),
    [],
  ),
});

function readRow(line: string, what: string, benchmarks: readonly Benchmark[]): SampleRow {
  const refuse = (wanted: string, value: unknown): SyntaxError =>
    new SyntaxError(
      `Cannot read ${what} as ${wanted}: current value is ${quoteText(JSON.stringify(value) ?? "none", 60)}`,
    );
  const row = parseLine(line.replace(/^\uFEFF/, ""), refuse);
  const ofAuthors = readAuthorsLine(row, benchmarks);
  if (ofAuthors !== null) {
    const { length: _, input, ...known } = ofAuthors;
    return { ...known, messages: [{ role: "user", text: input }], answerPrefix: "", facts: [] };
  }
  const read = readAs(ROW, row, { what, kind: SyntaxError });
  const { input, messages, answer_prefix: answerPrefix, facts, paths, depth, cluster } = read;
  if (input === undefined && messages === undefined) throw refuse("input must be a text", undefined);
  const { references, distractors } = readRulerLine(row, refuse);
  return {
    messages: messages ?? (input ? [{ role: "user", text: input }] : null),
    ...{ answerPrefix, references, facts },
    ...defined({ distractors, paths, depth, cluster }),
  };
}

function isFact(value: unknown): value is Fact {
  return isFields(value) && ["role", "text", "key", "value"].every((name) => typeof value[name] === "string");
}
