import { someOf } from "@/lib/base/mod.ts";
import {
  answeredSamples,
  type CheckedFile,
  fileStates,
  findChanges,
  renamedNotes,
  repairTexts,
  versionNotes,
} from "./marks.ts";
import { nominalLengthNotes } from "./nominal_lengths.ts";
import type { RunRecord, ScoredReply } from "./record.ts";
import { readKnown } from "./records_file.ts";
import { answerNotes } from "./cuts.ts";
import {
  filesOf,
  listMeasured,
  listRuns,
  measuredRunName,
  readMeasuredName,
  runFolder,
  type RunFolderOptions,
} from "./run_folders.ts";
import { scoreRecords, type ScoringOptions, servedModels } from "./score_records.ts";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { type ReplyOrigin, replyOrigin } from "@/lib/models/mod.ts";
import { editDistance } from "@/lib/scorers/mod.ts";
import { originMark } from "@/lib/statistics/mod.ts";
import {
  type BenchmarkOptions,
  checkRunFolder,
  hasOwnSamples,
  readManifestFile,
  type RunManifest,
} from "@/lib/studies/mod.ts";

/** A run as it was recorded. */
export interface RecordedRun {
  readonly manifest: RunManifest;
  /** One per sample, by length, task and index: the answer, or the last failure if there is none. */
  readonly records: readonly RunRecord[];
  readonly notes: readonly string[];
  readonly benchmarks: readonly Benchmark[];
}

/** A run that was read back, with its scores. */
export interface RecordedScores extends RecordedRun {
  readonly replies: readonly ScoredReply[];
}

/** The parts of a scored run that analyses use. */
export type ScoredRun = Pick<RecordedScores, "manifest" | "replies"> & BenchmarkOptions;

/** The folder that a run is read from, and the known benchmarks. */
export interface ReadRunOptions extends RunFolderOptions, BenchmarkOptions {}

/**
 * Reads a run back; the order of its records does not depend on the order of the replies.
 *
 * @param name A run of results/runs, a measured one that comes with Fathom, such as `measured/gemma-3-270m/ruler`, or the path of
 *   a run's folder, with a slash in it.
 * @throws {RangeError} If there is no run of that name, or its benchmark is not given; the message names it.
 * @throws {SyntaxError} If a file of the run has other content.
 */
export async function readRun(
  name: string,
  options: ReadRunOptions = {},
): Promise<RecordedRun> {
  const { benchmarks = BENCHMARKS } = options;
  const paths = filesOf(name, options);
  const manifest = await readManifestFile(paths.manifest);
  if (manifest === undefined) throw await noSuchRun(name, options);
  // Figures of a packed run have their own folder.
  if (readMeasuredName(name) !== undefined) await checkRunFolder(runFolder(name, options));
  checkBenchmarks(manifest, benchmarks);
  const files = await paths.records();
  const { latest, notes } = await readKnown(files);
  const states = await fileStates(manifest, files);
  const run = recordedRun(manifest, { name, latest, states, benchmarks });
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
  const notes = [
    ...explainMixture(records),
    ...repairTexts(manifest),
    ...renamedNotes(manifest, name),
    ...(hasOwnSamples(manifest) ? nominalLengthNotes(records, manifest.materials.tokenizer) : []),
    ...findChanges(manifest, { records, states }).map((change) =>
      `Warning: this is not the run that was recorded, as ${change}; \`fathom verify ${name}\` lists the details`
    ),
  ];
  const { records: _mark, ...rest } = manifest;
  const read = {
    ...rest,
    name: name.includes("/") ? manifest.name : name,
    origin: runOrigin(manifest.origin, records),
    // The manifest of a run that is under way, or that was killed, is older than its last records.
    samples: answeredSamples(records),
  };
  return { manifest: read, records, notes, benchmarks };
}

/** Reads a run back and scores it: {@linkcode readRun} and {@linkcode scoreRecords} in one. */
export async function readScoredRun(
  name: string,
  options: ReadRunOptions & ScoringOptions = {},
): Promise<RecordedScores> {
  const run = await readRun(name, options);
  if (options.measure !== undefined && !run.records.some(({ likelihood }) => likelihood !== undefined)) {
    throw new RangeError(
      `Cannot read the ${options.measure} of run "${name}" as it must have been measured when the run was asked: current value is none; \`fathom run --measure ${options.measure}\` measures it`,
    );
  }
  return withScores(run, scoreRecords(run.records, { ...options, benchmarks: run.benchmarks }));
}

/** Returns a run with its scored replies, and notes of what may not be an answer. If first answers are scored, the manifest has `scored`. */
export function withScores(run: RecordedRun, replies: readonly ScoredReply[]): RecordedScores {
  const served = servedModels(replies.map(({ record }) => record)).notes;
  const notes = [...run.notes, ...served, ...answerNotes(replies)];
  const isFirst = replies.some(({ scored }) => scored === "first");
  return { ...run, replies, notes, ...(isFirst && { manifest: { ...run.manifest, scored: "first" as const } }) };
}

function checkBenchmarks(manifest: RunManifest, benchmarks: readonly Benchmark[]): void {
  for (const [name, file] of Object.entries(manifest.benchmarks ?? {})) {
    if (benchmarks.some((benchmark) => benchmark.name === name)) continue;
    throw new RangeError(
      `Cannot read run "${manifest.name}" as its benchmark must be given, by --benchmark ${file} or openBenchmark("${file}"): current value is none called "${name}"`,
    );
  }
}

const LESS_THAN_MEASURED = ["simulated", "unknown"] as const;

/** Returns the origin of a run: simulated or unknown as soon as one of its answers is. */
export function runOrigin(origin: ReplyOrigin, records: readonly RunRecord[]): ReplyOrigin {
  const origins = answerOrigins(records);
  return LESS_THAN_MEASURED.find((each) => origins.includes(each)) ?? origin;
}

function answerOrigins(records: readonly RunRecord[]): readonly ReplyOrigin[] {
  return records.flatMap(({ origin, reply }) => reply.kind === "answer" ? [replyOrigin({ origin }, reply)] : []);
}

/** Notes that answers are of several origins, or were asked by several versions. */
function explainMixture(records: readonly RunRecord[]): readonly string[] {
  const origins = answerOrigins(records);
  const least = LESS_THAN_MEASURED.find((each) => origins.includes(each));
  const count = origins.filter((origin) => origin === least).length;
  return [
    ...(count === 0 || count === origins.length
      ? []
      : [`the origin of ${count} of ${origins.length} answers is ${least}, so that of the run is too`]),
    ...versionNotes(records),
  ];
}

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

/** Compares records by length, then by task in the order of the manifest, then by index. */
export function inOrderOf({ tasks }: Pick<RunManifest, "tasks">): (left: RunRecord, right: RunRecord) => number {
  const places = new Map(Object.keys(tasks).map((task, place) => [task, place]));
  const placeOf = ({ task }: RunRecord): number => places.get(task) ?? places.size;
  return (left, right) =>
    left.length - right.length || placeOf(left) - placeOf(right) || left.index - right.index ||
    (left.repeat ?? 0) - (right.repeat ?? 0);
}

/**
 * Opens the measured runs that come with Fathom, of a benchmark or all: a run for each model, scored, with its manifest.
 *
 * @throws {RangeError} If no model was measured on that benchmark; the message lists what there is.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const [run] = await openMeasured({ benchmark: "ruler" });
 * equal(run?.manifest.origin, "measured");
 * ```
 */
export async function openMeasured(
  { benchmark, model, ...reading }: ReadRunOptions & { readonly benchmark?: string; readonly model?: string } = {},
): Promise<readonly RecordedScores[]> {
  const known = await listMeasured(reading);
  const wanted = known.filter((name) =>
    (benchmark ?? name.benchmark) === name.benchmark && (model ?? name.model) === name.model
  );
  if (wanted.length > 0) return await Promise.all(wanted.map((name) => readScoredRun(measuredRunName(name), reading)));
  throw new RangeError(
    `Cannot open measured runs as there must be some of that benchmark and model (${
      known.map(measuredRunName).join(", ")
    }): current value is "${benchmark}"${model === undefined ? "" : ` and "${model}"`}`,
  );
}

/** Returns the model of a run for readers, marked if its replies are simulated or of unknown origin and its name does not show it. */
export function modelName({ model, origin }: Pick<RunManifest, "model" | "origin">): string {
  return model.startsWith("sim:") ? model : model + originMark(model, origin);
}

/** Names runs by model where these differ, else by name, else by both. */
export function nameRuns(runs: readonly Pick<ScoredRun, "manifest">[]): readonly string[] {
  const ways: ((run: Pick<ScoredRun, "manifest">) => string)[] = [
    ({ manifest }) => modelName(manifest),
    ({ manifest }) => manifest.name + modelName(manifest).slice(manifest.model.length),
    ({ manifest }) => `${modelName(manifest)}, run ${manifest.name}`,
  ];
  const named = ways.map((nameOf) => runs.map(nameOf));
  return named.find((names) => new Set(names).size === names.length) ??
    named.at(-1)!.map((name, at) => `${name} (${at + 1})`);
}
