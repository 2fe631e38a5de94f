import { defined, writeWhole } from "@/lib/base/mod.ts";
import type { BenchmarkOptions, MeasuredWith, RunManifest } from "@/lib/studies/mod.ts";
import { basename, dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { filesOf, type MeasuredName, measuredRunName } from "@/lib/records/run_folders.ts";
import {
  answeredSamples,
  placeKey,
  readRun,
  type RecordedRun,
  type RunFolderOptions,
  type RunRecord,
} from "@/lib/records/mod.ts";
import { inOrderOf } from "@/lib/records/read_run.ts";
import { findDifference, widenHeader } from "@/lib/records/settings.ts";

/** Options for {@linkcode packRuns}. */
export interface PackRunsOptions extends RunFolderOptions, BenchmarkOptions {
  /** What the runs were measured with; the server's own version replaces the one given here, where it gave one. */
  readonly measuredWith: Omit<MeasuredWith, "from" | "to">;
  /** The context window that the model's authors claim, in tokens. */
  readonly claimedWindow?: number;
}

/** What was packed. */
export interface PackedRuns {
  /** The name by which it is opened. */
  readonly name: string;
  /** How many it has. */
  readonly records: number;
  /** Bytes of the packed records. */
  readonly bytes: number;
}

/**
 * Packs the records of runs into one measured run, `MODEL/BENCHMARK.jsonl.gz` with its manifest: one record a sample, the
 * answer where there is one. The same runs give the same bytes.
 *
 * @param name The measured run to write.
 * @param runs The runs that it is made of; all must have been asked with the same settings.
 * @throws {RangeError} If there is no such run, one is simulated, or two of them differ in a setting.
 */
export async function packRuns(
  name: MeasuredName,
  runs: readonly string[],
  { measuredWith, claimedWindow, ...options }: PackRunsOptions,
): Promise<PackedRuns> {
  const read = await Promise.all(runs.map((run) => readRun(run, options)));
  for (const { manifest } of read) checkMeasured(manifest);
  const manifest = read.map((run) => run.manifest).reduce(mergeManifests);
  const records = mergeRecords(read).sort(inOrderOf(manifest));
  const times = records.map(({ time }) => time).sort();
  const { manifest: path, records: list } = filesOf(measuredRunName(name), options);
  const [file] = await list();
  const packed = packRecords(records);
  const server = read.map((run) => run.manifest.server).find((report) => report !== undefined);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(file!.path, packed);
  const whole: RunManifest = {
    ...manifest,
    name: measuredRunName(name),
    // A path of the machine that measured is of no use on another.
    ...(server?.weights === undefined
      ? defined({ server })
      : { server: { ...server, weights: basename(server.weights) } }),
    ...(claimedWindow === undefined ? {} : { claimedWindow }),
    samples: answeredSamples(records),
    measured: {
      ...measuredWith,
      server: { ...measuredWith.server, version: versionOf(records) ?? measuredWith.server.version },
      from: times[0] ?? manifest.started,
      to: times.at(-1) ?? manifest.started,
    },
  };
  await writeWhole(path, `${JSON.stringify(whole, null, 2)}\n`);
  return { name: measuredRunName(name), records: records.length, bytes: packed.length };
}

/** The byte for the system that wrote a gzip file; 255 means unknown, so that the same records give the same bytes anywhere. */
const SYSTEM = { at: 9, unknown: 255 } as const;

/** Compresses records, one a line; the same records give the same bytes. */
export function packRecords(records: readonly RunRecord[]): Uint8Array {
  const packed = gzipSync(records.map((record) => `${JSON.stringify(record)}\n`).join(""), { level: 9 });
  packed[SYSTEM.at] = SYSTEM.unknown;
  return packed;
}

function checkMeasured({ name, origin }: RunManifest): void {
  if (origin === "measured") return;
  throw new RangeError(`Cannot pack run "${name}" as its replies must be a real model's: current value is ${origin}`);
}

function mergeManifests(one: RunManifest, other: RunManifest): RunManifest {
  const difference = findDifference(one, other);
  if (difference === undefined) return widenHeader(one, other);
  const { name, before, now } = difference;
  throw new RangeError(
    `Cannot pack runs "${one.name}" and "${other.name}" into one as their ${name} must be the same: current value is ${before} and ${now}`,
  );
}

/** One record a sample: the first run's answer, or else another's. */
function mergeRecords(runs: readonly RecordedRun[]): RunRecord[] {
  const kept = new Map<string, RunRecord>();
  for (const record of runs.flatMap(({ records }) => records)) {
    const key = placeKey(record);
    if (kept.get(key)?.reply.kind !== "answer") kept.set(key, record);
  }
  return [...kept.values()];
}

/** What a build of llama.cpp that was made without git calls itself. */
const UNKNOWN_BUILD = "b0-unknown";

/** The server's own version, as its replies have it; `undefined` where it gave none. */
function versionOf(records: readonly RunRecord[]): string | undefined {
  const given = records.flatMap(({ reply }) => reply.kind === "answer" ? reply.fingerprint ?? [] : []);
  const versions = [...new Set(given)].filter((version) => version !== UNKNOWN_BUILD).sort();
  return versions.length === 0 ? undefined : versions.join(", ");
}
