import {
  type BenchmarkOptions,
  checkRunFolder,
  readManifestFile,
  repairTexts,
  type RunManifest,
} from "@/lib/studies/mod.ts";
import { listMeasured, type MeasuredFolderOptions, measuredRunName, readMeasuredName } from "./measured_files.ts";
import { answeredSamples, type CheckedFile, explainChanges, fileStates } from "./integrity.ts";
import { answerCutNotes } from "./reply_cuts.ts";
import { explainTornEnd, type KnownRecords, noteRecord, readRecords } from "./records_file.ts";
import { filesOf, listRuns, runFolder, type RunFolderOptions } from "./run_files.ts";
import { type Benchmark, BENCHMARKS, findScorer } from "@/lib/benchmarks/mod.ts";
import {
  isBaseModel,
  type ReplyOrigin,
  replyOrigin,
  type RunRecord,
  type ScoredPart,
  type ScoredReply,
} from "@/lib/models/mod.ts";
import { editDistance, firstAnswer } from "@/lib/scorers/mod.ts";
import { findPromptCuts } from "@/lib/statistics/mod.ts";
import { someOf } from "@/lib/text/mod.ts";

/** A run as it was recorded. */
export interface RecordedRun {
  /** The settings that decided its samples and answers. */
  readonly manifest: RunManifest;
  /** One a sample, by length, task and index: the answer, or the last failure where there is none. */
  readonly records: readonly RunRecord[];
  /** Notes for the user on the state of the files. */
  readonly notes: readonly string[];
  /** The benchmarks in use. */
  readonly benchmarks: readonly Benchmark[];
}

/** A run that was read back, with its scores. */
export interface RecordedScores extends RecordedRun {
  /** The records with their scores, in the same order. */
  readonly replies: readonly ScoredReply[];
}

/** The parts of a scored run that analyses use. */
export type ScoredRun = Pick<RecordedScores, "manifest" | "replies"> & BenchmarkOptions;

/** Where a run is read from, and which benchmarks there are. */
export interface ReadRunOptions extends RunFolderOptions, MeasuredFolderOptions, BenchmarkOptions {}

/**
 * Reads a run back; the order of its records does not depend on the order of the replies.
 *
 * @param name A run of results/runs, a measured one that comes with Fathom, such as `measured/gemma-3-270m/ruler`, or the path of
 *   a run's folder, with a slash in it.
 * @throws {RangeError} If there is no run of that name, or its benchmark is not given; the message names it.
 * @throws {SyntaxError} If a file of the run holds something else.
 *
 * @example A run that is not there
 * ```ts
 * import { rejects } from "node:assert/strict";
 *
 * await rejects(readRun("no-such-run"), RangeError);
 * ```
 */
export async function readRun(
  name: string,
  options: ReadRunOptions = {},
): Promise<RecordedRun> {
  const { benchmarks = BENCHMARKS } = options;
  const paths = filesOf(name, options);
  const manifest = await readManifestFile(paths.manifest);
  if (manifest === undefined) throw await noSuchRun(name, options);
  // Figures of a packed run have a folder of their own.
  if (readMeasuredName(name) !== undefined) await checkRunFolder(runFolder(name, options));
  checkBenchmarks(manifest, benchmarks);
  const known: KnownRecords = { latest: new Map(), batches: new Map() };
  const notes: string[] = [];
  const files = await paths.records();
  for (const { path, open } of files) {
    using file = await open();
    const onTorn = (end: Parameters<typeof explainTornEnd>[0]): void => void notes.push(...explainTornEnd(end, path));
    for await (const record of readRecords(file, { path, onTorn })) noteRecord(known, record);
  }
  const run = recordedRun(manifest, {
    name,
    latest: known.latest,
    states: await fileStates(manifest, files),
    benchmarks,
  });
  return { ...run, notes: [...notes, ...run.notes] };
}

/** Returns a run from its manifest and the records of its files. */
export function recordedRun(
  manifest: RunManifest,
  { name, latest, states, benchmarks }: {
    readonly name: string;
    readonly latest: ReadonlyMap<string, RunRecord>;
    readonly states: readonly CheckedFile[];
    readonly benchmarks: readonly Benchmark[];
  },
): RecordedRun {
  const records = [...latest.values()].sort(inOrderOf(manifest));
  const samples = answeredSamples(records);
  const notes = [
    ...explainMixture(records),
    ...repairTexts(manifest),
    ...explainChanges(manifest, { name, records, states }),
  ];
  // The manifest of a run that is under way, or that was killed, is older than its last records.
  const { records: _mark, ...rest } = manifest;
  const read = {
    ...rest,
    name: name.includes("/") ? manifest.name : name,
    origin: runOrigin(manifest.origin, records),
    samples,
  };
  return { manifest: read, records, notes, benchmarks };
}

/** Reads a run back and scores it: {@linkcode readRun} and {@linkcode scoreRecords} in one. */
export async function readScoredRun(
  name: string,
  options: ReadRunOptions & ScoringOptions = {},
): Promise<RecordedScores> {
  const run = await readRun(name, options);
  return withScores(run, scoreRecords(run.records, { ...options, benchmarks: run.benchmarks }));
}

/** Returns a run with its scored replies. If first answers are scored, the manifest has `scored` and a note warns of cut answers. */
export function withScores<Run extends RecordedRun>(
  run: Run,
  replies: readonly ScoredReply[],
): Run & { readonly replies: readonly ScoredReply[] } {
  const isFirst = replies.some(({ scored }) => scored === "first");
  if (!isFirst) return { ...run, replies };
  const notes = [...run.notes, ...answerCutNotes(replies)];
  return { ...run, replies, notes, manifest: { ...run.manifest, scored: "first" } };
}

/** How records are scored. */
export interface ScoringOptions extends BenchmarkOptions {
  /**
   * Which part of a reply is scored. By default the first answer of a base model, which rambles on after it, and the whole
   * reply of any other, as RULER's code scores both.
   */
  readonly scored?: ScoredPart | undefined;
}

/**
 * Gives a part of a reply back, or refuses it; the default, for no text or an empty one, is `undefined`.
 *
 * @throws {RangeError} If it is neither `whole` nor `first`.
 */
export function checkScored(part: string | undefined): ScoredPart | undefined {
  if (part === undefined || part === "") return undefined;
  if (part === "whole" || part === "first") return part;
  throw new RangeError(`Cannot score the run as scored must be whole or first: current value is "${part}"`);
}

/**
 * Which part of a record's reply is scored by default: the first answer where a bare prompt was completed, as a base model
 * does, which does not know when to stop.
 */
function defaultPart({ settings }: RunRecord): ScoredPart {
  return isBaseModel(settings ?? {}) ? "first" : "whole";
}

/**
 * Scores records by the references in them; nothing is asked or made again, so a run can be scored again at any time.
 *
 * The score of a base model is of its first answer, {@linkcode firstAnswer}, with that of the whole reply beside it. A failed call
 * has no score, and neither has a reply that the provider's content filter stopped; an empty reply of the model is an answer.
 *
 * @throws {RangeError} If a record names a scorer that no benchmark has.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { RunRecord } from "@/lib/models/mod.ts";
 *
 * const reply = { kind: "answer", text: "It is 17.", finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: ["17"], scoring: "all", reply } as unknown as RunRecord;
 * equal(scoreRecords([record])[0]?.score?.value, 1);
 * ```
 */
export function scoreRecords(records: readonly RunRecord[], options: ScoringOptions = {}): ScoredReply[] {
  const { benchmarks = BENCHMARKS } = options;
  const cuts = findPromptCuts(records);
  return records.map((record) => {
    const { task, length, reply, scoring } = record;
    const cluster = clusterOf(record, benchmarks);
    const shared = cluster === undefined ? {} : { cluster };
    if (reply.kind === "failure") {
      const refused = reply.failure === "context_length" ? { refused: true } : {};
      const none = { value: null, score: null, penalised: null };
      return { record, task, length, ...shared, failed: true, noAnswer: false, ...none, ...refused };
    }
    const scored = options.scored ?? defaultPart(record);
    const scorer = findScorer(scoring, benchmarks);
    const first = firstAnswer(reply.text, record.references, scorer);
    const scores = scorer.grade(scored === "first" ? first.text : reply.text, record);
    const { value, answer } = scores.score;
    // The provider ended it, not the model: neither right nor wrong.
    const isFiltered = reply.finishReason === "content_filter";
    const filtered = isFiltered
      ? {
        value: null,
        noAnswer: false,
        unparsable: false,
        score: { value: null, answer, why: FILTERED },
        penalised: null,
      }
      : {};
    const whole = scored === "first" && !isFiltered ? { whole: scorer.grade(reply.text, record).score } : {};
    const promptCut = cuts.get(record);
    const about = { scored, first, ...whole, ...(promptCut === undefined ? {} : { promptCut }) };
    return {
      record,
      task,
      length,
      ...shared,
      value,
      failed: false,
      noAnswer: answer === "",
      ...scores,
      ...about,
      ...filtered,
    };
  });
}

/** A suite without its version; that of samples from a file ends with `-file`. */
export function bareSuite(suite = ""): string {
  return suite.replace(/-(\d+|file)$/, "");
}

/** The cluster of a record: its own, or what its benchmark reads from its id, as older records and imported ones have none. */
function clusterOf(record: RunRecord, benchmarks: readonly Benchmark[]): string | undefined {
  if (record.cluster !== undefined) return record.cluster;
  for (const { families } of benchmarks) {
    for (const family of families) {
      const cluster = bareSuite(family.suite) === bareSuite(record.suite) ? family.clusterOf?.(record) : undefined;
      if (cluster !== undefined) return cluster;
    }
  }
  return undefined;
}

/** Why a reply that was filtered has no score. */
const FILTERED = "the provider's content filter stopped the reply";

function checkBenchmarks(manifest: RunManifest, benchmarks: readonly Benchmark[]): void {
  for (const [name, file] of Object.entries(manifest.benchmarks ?? {})) {
    if (benchmarks.some((benchmark) => benchmark.name === name)) continue;
    throw new RangeError(
      `Cannot read run "${manifest.name}" as its benchmark must be given, by --benchmark ${file} or openBenchmark("${file}"): current value is none called "${name}"`,
    );
  }
}

/** A run counts as simulated, or of unknown origin, as soon as one of its answers is. */
export function runOrigin(origin: ReplyOrigin, records: readonly RunRecord[]): ReplyOrigin {
  const origins = new Set(records.map(answerOrigin));
  return LESS_THAN_MEASURED.find((each) => origins.has(each)) ?? origin;
}

const LESS_THAN_MEASURED = ["simulated", "unknown"] as const;

/** The origin of an answer; `undefined` for a failed call. */
function answerOrigin({ origin, reply }: RunRecord): ReplyOrigin | undefined {
  return reply.kind === "answer" ? replyOrigin({ origin }, reply) : undefined;
}

function explainMixture(records: readonly RunRecord[]): string[] {
  const answers = records.filter(({ reply }) => reply.kind === "answer");
  const [simulated, unknown] = LESS_THAN_MEASURED.map((origin) =>
    answers.filter((record) => answerOrigin(record) === origin).length
  ) as [number, number];
  const versions = [...Map.groupBy(records, ({ fathom }) => fathom)];
  return [
    ...(simulated === 0 || simulated === answers.length ? [] : [
      `${simulated} of ${answers.length} answers are the simulated reader's, so all of the run is called simulated`,
    ]),
    ...(simulated > 0 || unknown === 0 || unknown === answers.length ? [] : [
      `the origin of ${unknown} of ${answers.length} answers is unknown, so that of the run is too`,
    ]),
    ...(versions.length < 2 ? [] : [
      `several versions of Fathom asked: ${
        versions.map(([version, { length }]) => `${version ?? "unknown"} ${length}`).join(", ")
      } of ${records.length} samples`,
    ]),
  ];
}

/** How many of the runs an error names. */
const MAX_NAMED = 8;

async function noSuchRun(name: string, options: ReadRunOptions): Promise<RangeError> {
  const isMeasured = readMeasuredName(name) !== undefined;
  if (!isMeasured && name.includes("/")) {
    return new RangeError(
      `Cannot read the run as a path must be that of a folder with a manifest.json: current value is "${name}"`,
    );
  }
  const names = isMeasured ? (await listMeasured(options)).map(measuredRunName) : await listRuns(options);
  // The nearest come first, as the name is likely misspelt.
  const near = names.toSorted((left, right) => editDistance(left, name) - editDistance(right, name));
  const known = names.length === 0 ? "none is recorded yet" : someOf(near, MAX_NAMED);
  return new RangeError(
    `Cannot read the run as its name must be that of a recorded run (${known}): current value is "${name}"`,
  );
}

/** By length, then by task as the manifest lists them, then by index. */
export function inOrderOf({ tasks }: Pick<RunManifest, "tasks">): (left: RunRecord, right: RunRecord) => number {
  const places = new Map(Object.keys(tasks).map((task, place) => [task, place]));
  const placeOf = ({ task }: RunRecord): number => places.get(task) ?? places.size;
  return (left, right) =>
    left.length - right.length || placeOf(left) - placeOf(right) || left.index - right.index ||
    (left.repeat ?? 0) - (right.repeat ?? 0);
}
