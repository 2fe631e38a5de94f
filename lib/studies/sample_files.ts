import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type BenchmarkOptions, checkStudy, type Study, type StudyChanges } from "./study.ts";
import { type Benchmark, BENCHMARKS, findFamily, type TestLine } from "@/lib/benchmarks/mod.ts";
import { parseLine, readRulerLine, rulerFamilyOf } from "@/lib/benchmarks/ruler/mod.ts";
import {
  checkMessages,
  countPrompt,
  type Fact,
  hashPrompt,
  joinMessages,
  type Message,
  PLAIN_TEMPLATE,
  type Prompt,
  type PromptWords,
  type Role,
  type Sample,
  type SampleRequest,
  type Task,
  turnsOf,
} from "@/lib/generators/mod.ts";
import { explainFileError, readRegular } from "@/lib/models/mod.ts";

/** A file of samples that exist already: those of one task at one length. */
interface SampleFile {
  readonly path: string;
  /** The task, from the name of the folder or of the file. */
  readonly task: string;
  /** The context length that the samples were made for, in tokens. */
  readonly length: number;
  /** Where its lines are, in bytes; empty lines are none. */
  readonly lines: readonly Place[];
}

/**
 * Makes the study that asks samples which exist already, as they are: a file of JSON lines with `input` and `outputs` (and
 * `answer_prefix`), or a folder of such files, as RULER's prepare.py and `fathom generate` write them; or the test files of
 * another benchmark's authors, lines or one list, such as Needle Threading's `Single_Needle.json`. How a reply failed, and at
 * which depth, is told where lines have `facts` too.
 *
 * The task of a file is the name of its folder where the file is validation.jsonl or test.jsonl, otherwise its own; its length is
 * the name of the folder above `data`, or what the authors' lines say, or else the one length of `changes`.
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
  const held = new Map(files.map(({ length, lines }) => [length, lines.length]));
  const read = lineReader(benchmarks);
  const sample = ({ length, index, materials, template = PLAIN_TEMPLATE }: SampleRequest): Sample => {
    const file = files.find((candidate) => candidate.length === length);
    const place = file?.lines[index];
    if (file === undefined || place === undefined) {
      throw new RangeError(
        `Cannot ask ${name} at ${length} tokens as the number of the sample must be below ${
          file?.lines.length ?? 0
        }, as many as the file has: current value is ${index}`,
      );
    }
    const { messages, answerPrefix, ...answers } = readRow(readLine(file.path, place), {
      path: file.path,
      index,
      read,
    });
    const { system } = template;
    const sent = [
      ...(system === undefined ? [] : [{ role: "system", text: system } as const]),
      ...messages ?? NO_MESSAGES,
    ];
    const prompt: Prompt = {
      messages: checkMessages(sent, `sample ${index} of "${file.path}"`),
      ...(template.answerPrefix && answerPrefix !== "" ? { answerPrefix } : {}),
    };
    const sha256 = messages === null ? UNKNOWN_PROMPT : hashPrompt(prompt, template);
    const source = [sha256.slice(0, 12), materials.tokenizer.name, template.name].join("/");
    return {
      id: `${suite}/${name}/${source}/${length}/${index}`,
      suite,
      task: name,
      index,
      length,
      promptTokens: messages === null ? 0 : countPrompt(prompt, template, materials.tokenizer),
      answerRoom,
      prompt,
      ...answers,
      sha256,
    };
  };
  return {
    suite,
    name,
    category,
    answerRoom,
    scorer,
    options: {},
    held,
    leastLength: () => 1,
    sample,
    // Instructions, context and question of a text cannot be separated.
    words(materials, template = PLAIN_TEMPLATE): PromptWords {
      const { prompt } = sample({
        length: files[0]!.length,
        index: 0,
        seed: "",
        materials,
        template,
      });
      return {
        before: joinMessages({ messages: turnsOf(prompt) }, template),
        after: null,
        answerPrefix: prompt.answerPrefix ?? "",
      };
    },
  };
}

/** The messages of a prompt that is not known. */
const NO_MESSAGES: readonly Message[] = [{ role: "user", text: "" }];

/** In place of the hash of a prompt that is not known: of some that an imported run was asked. */
export const UNKNOWN_PROMPT = "unknown";

/** Whether replies to a task of that name can be scored: it is a benchmark's, or called after a family of RULER's. */
export function canScore(name: string, benchmarks: readonly Benchmark[]): boolean {
  return findFamily(name, benchmarks) !== undefined || rulerFamilyOf(name) !== undefined;
}

/** The benchmark's task of a name, or RULER's that it is called after: how its replies are scored, and the room for them. */
function knownTask(name: string, benchmarks: readonly Benchmark[]): Task {
  const family = findFamily(name, benchmarks) ?? findFamily(rulerFamilyOf(name) ?? "", benchmarks);
  if (family !== undefined) return family.tasks.includes(name) ? family.task(name) : family.make();
  throw new RangeError(
    `Cannot ask the samples as each file must be called after a task that can be scored, or after a family of RULER's, such as niah_mine: current value is "${name}"`,
  );
}

/** Reads a sample of the test files of some benchmark's authors; `null` where it is of none. */
type ReadLine = (line: Readonly<Record<string, unknown>>) => TestLine | null;

function lineReader(benchmarks: readonly Benchmark[]): ReadLine {
  return (line) => {
    for (const { testFiles } of benchmarks) {
      const read = testFiles?.read(line) ?? null;
      if (read !== null) return read;
    }
    return null;
  };
}

interface FindOptions {
  readonly lengths: StudyChanges["lengths"];
  readonly benchmarks: readonly Benchmark[];
}

/** Finds the files of samples at a path: it, or those below it. A file with samples of several lengths is one for each. */
async function findSampleFiles(path: string, { lengths, benchmarks }: FindOptions): Promise<readonly SampleFile[]> {
  const paths = await listSampleFiles(path, benchmarks);
  if (paths.length === 0) {
    throw new RangeError(
      `Cannot ask the samples as there must be a file of JSON lines, such as vt/validation.jsonl: current value is "${path}"`,
    );
  }
  const given = Array.isArray(lengths) && lengths.length === 1 ? lengths[0] as number : undefined;
  const read = lineReader(benchmarks);
  const found = await Promise.all(paths.map(async (file): Promise<readonly SampleFile[]> => {
    const folder = dirname(resolve(file));
    const isSubset = /^(validation|test)\.jsonl$/.test(basename(file));
    const name = basename(file).replace(/\.jsonl?$/, "");
    const ofAuthors = benchmarks.map(({ testFiles }) => testFiles?.taskOf(name)).find((each) => each !== undefined);
    const task = isSubset ? basename(folder) : ofAuthors ?? name;
    const bytes = await readRegular(file).catch((error) => {
      throw cannotAsk(file, error);
    });
    const lines = bytes.find((byte) => byte > 0x20) === OPENING_BRACKET ? findObjects(bytes) : findLines(bytes);
    const [, folderLength] = /\/(\d+)\/data(?:\/[^/]+)?$/.exec(folder) ?? [];
    if (folderLength === undefined && ofAuthors !== undefined) {
      const text = new TextDecoder();
      const lengthOf = ([from, to]: Place): number | undefined =>
        readFields(text.decode(bytes.subarray(from, to)), read)?.length ?? given;
      const byLength = Map.groupBy(lines, lengthOf);
      if (!byLength.has(undefined)) {
        return Array.from(byLength, ([length, ofLength]) => ({ path: file, task, length: length!, lines: ofLength }));
      }
    }
    const length = folderLength === undefined ? given : Number(folderLength);
    if (length === undefined) {
      throw new RangeError(
        `Cannot ask the samples of "${file}" as --lengths must say the one length that they were made for, where they are in no folder LENGTH/data/: current value is ${
          Array.isArray(lengths) ? lengths.join(", ") : "none"
        }`,
      );
    }
    return [{ path: file, task, length, lines }];
  }));
  return found.flat();
}

function readFields(line: string, read: ReadLine): TestLine | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? read(value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

async function listSampleFiles(path: string, benchmarks: readonly Benchmark[]): Promise<readonly string[]> {
  const there = await Deno.stat(path).catch((error) => {
    throw cannotAsk(path, error);
  });
  if (!there.isDirectory) return [path];
  const entries = await Array.fromAsync(Deno.readDir(path));
  const isSampleFile = (name: string): boolean =>
    name.endsWith(".jsonl") ||
    (name.endsWith(".json") && benchmarks.some(({ testFiles }) => testFiles?.taskOf(name.slice(0, -5)) !== undefined));
  const files = await Promise.all(entries.map(({ name, isDirectory }) => {
    // RULER's code leaves its predictions beside the data.
    if (isDirectory) return name === "pred" ? [] : listSampleFiles(join(path, name), benchmarks);
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

/** Finds the objects of a JSON list. */
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

// A sample is made at once, without waiting, so its line is read so too.
function readLine(path: string, [from, to]: Place): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(file, bytes, read, bytes.length - read, from + read);
      if (more === 0) break;
      read += more;
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

function readRow(
  line: string,
  { path, index, read }: { readonly path: string; readonly index: number; readonly read: ReadLine },
): SampleRow {
  const refuse = (wanted: string, value: unknown): SyntaxError => {
    const text = JSON.stringify(value) ?? "none";
    return new SyntaxError(
      `Cannot read sample ${index} of "${path}" as ${wanted}: current value is ${
        text.length > 60 ? `${text.slice(0, 60)}…` : text
      }`,
    );
  };
  const row = parseLine(line.replace(/^\uFEFF/, ""), refuse);
  const ofAuthors = read(row);
  if (ofAuthors !== null) {
    const { length: _, input, ...known } = ofAuthors;
    return { ...known, messages: [{ role: "user", text: input }], answerPrefix: "", facts: [] };
  }
  const { paths, facts = [], answer_prefix: answerPrefix = "", depth, cluster } = row;
  const messages = readMessages(row);
  if (messages === undefined) {
    throw row["messages"] === undefined
      ? refuse('"input" must be a text', row["input"])
      : refuse('"messages" must be a list of role and content', row["messages"]);
  }
  if (typeof answerPrefix !== "string") throw refuse('"answer_prefix" must be a text', answerPrefix);
  const { references, distractors } = readRulerLine(row, refuse);
  if (paths !== undefined && !(Array.isArray(paths) && paths.every(isTexts))) {
    throw refuse('"paths" must be lists of texts', paths);
  }
  if (depth !== undefined && !(typeof depth === "number" && depth >= 0 && depth <= 1)) {
    throw refuse('"depth" must be a number in [0, 1]', depth);
  }
  if (cluster !== undefined && typeof cluster !== "string") throw refuse('"cluster" must be a text', cluster);
  if (!Array.isArray(facts) || !facts.every(isFact)) throw refuse('"facts" must be those of fathom generate', facts);
  return {
    messages,
    answerPrefix,
    references,
    facts,
    ...(distractors === undefined ? {} : { distractors }),
    ...(paths === undefined ? {} : { paths }),
    ...(depth === undefined ? {} : { depth }),
    ...(cluster === undefined ? {} : { cluster }),
  };
}

/** Reads the messages of a line, or its input as one user message; `null` if the prompt is not known. */
function readMessages({ input, messages }: Readonly<Record<string, unknown>>): readonly Message[] | null | undefined {
  if (messages === undefined) {
    if (input === null) return null;
    return typeof input === "string" && input !== "" ? [{ role: "user", text: input }] : undefined;
  }
  if (!Array.isArray(messages)) return undefined;
  const read = messages.map((message): Message | undefined => {
    const { role, content } = (message ?? {}) as Readonly<Record<string, unknown>>;
    return isRole(role) && typeof content === "string" ? { role, text: content } : undefined;
  });
  return read.every((message) => message !== undefined) ? read : undefined;
}

function isRole(value: unknown): value is Role {
  return value === "system" || value === "user" || value === "assistant";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isFact(value: unknown): value is Fact {
  if (typeof value !== "object" || value === null) return false;
  const { role, text, key, value: factValue } = value as Readonly<Record<string, unknown>>;
  return [role, text, key, factValue].every((each) => typeof each === "string");
}
