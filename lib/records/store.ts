import { existsSync } from "node:fs";
import { type FileHandle, link, mkdir, rename, unlink, writeFile } from "node:fs/promises";
import { defined, explainFileError } from "@/lib/base/mod.ts";
import { confirmAddress } from "./addresses.ts";
import { type LineWriter, readChunks, writeLines } from "./line_files.ts";
import { answeredSamples, explainState, fileStates, markRecords, writeShardMark } from "./marks.ts";
import { type RecordedRun, recordedRun } from "./read_run.ts";
import { placeKey, type RunRecord, type SamplePlace } from "./record.ts";
import { explainTornEnd, findRecords, type KnownRecords, noRecords, noteRecord, noteRecords } from "./records_file.ts";
import { filesOf, type RecordsFile, recordsPath, runFolder, type RunFolderOptions } from "./run_folders.ts";
import { ADDRESS, findDifference, widenHeader } from "./settings.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import type { ServerReport } from "@/lib/models/mod.ts";
import {
  checkRunName,
  FATHOM_VERSION,
  manifestText,
  readManifest,
  type RunHeader,
  type RunManifest,
  type Shard,
  writeManifest,
} from "@/lib/studies/mod.ts";

/** Options for {@linkcode openStore}. */
export interface StoreOptions extends RunFolderOptions {
  /** Whether a run that was begun at another address may be resumed at this one. */
  readonly anyAddress?: boolean | undefined;
  /** Whether the user gave the address that is asked, so that the run can be resumed there. */
  readonly isGivenAddress?: boolean;
  /** The shard that is asked: its records go to its own file, and the manifest is written once by the first shard. */
  readonly shard?: Shard | undefined;
}

/** A run's folder, open for more records. */
export interface RunStore {
  readonly name: string;
  readonly path: string;
  readonly notes: readonly string[];
  /** The report on the model's server from the session that began the run, if there is one. */
  readonly server: ServerReport | undefined;
  /** Returns the outcome of a sample so far; `undefined` if it was not asked. */
  outcome(place: SamplePlace): "answer" | "failure" | undefined;
  /** Returns the records so far: the answer of each sample, or its last failure. */
  records(): readonly RunRecord[];
  /** Keeps the report on the server, unless an earlier session has kept one. */
  keepServer(report: ServerReport): void;
  /** Whether the reply to a sample in a batch is recorded. */
  isOfBatch(batch: string, place: SamplePlace): boolean;
  /** Creates the folder and the manifest before the first record. */
  begin(): Promise<void>;
  /** Syncs added records to the disk. */
  sync(): Promise<void>;
  /** Adds one record; the first creates the folder and the manifest. */
  append(record: RunRecord): Promise<void>;
  /** Completes the manifest and closes the files. */
  close(): Promise<void>;
  /** Returns the run with its records, after {@linkcode RunStore.close}. */
  read(benchmarks: readonly Benchmark[]): Promise<RecordedRun>;
}

/**
 * Opens a run's folder to begin or resume it; nothing is written before the first record.
 *
 * A run resumes only with the settings it began with. More tasks, lengths and samples may be asked; its manifest then lists all of
 * them. A shard resumes only with the same tasks, lengths and samples, as they decide which samples are its own.
 *
 * @throws {RangeError} If the name cannot be a run's, or the run exists with other settings, which the message names.
 * @throws {SyntaxError} If a file of the run has other content.
 * @throws {Error} If another process is adding to the run, or to the same shard.
 */
export async function openStore(name: string, header: RunHeader, options: StoreOptions = {}): Promise<RunStore> {
  const { shard } = options;
  const runPath = runFolder(checkRunName(name), options);
  const path = recordsPath(runPath, shard);
  const readBegun = async (): Promise<RunManifest | undefined> => {
    const begun = await readManifest(runPath);
    if (begun !== undefined) checkSame(name, begun, header, options);
    return begun;
  };
  let before = await readBegun();
  const known = noRecords();
  let records = await findRecords(path, { isNew: false, known });
  try {
    await noteOthers((await filesOf(name, options).records()).filter((file) => file.path !== path), known, options);
    // Another shard can have begun meanwhile; it writes the manifest before its first record.
    if (known.latest.size > 0) before ??= await readBegun();
    if (known.latest.size > 0 && before === undefined) {
      throw new RangeError(`Cannot resume run "${name}" as a manifest.json must be beside its records: there is none`);
    }
  } catch (error) {
    await records?.file.close();
    throw error;
  }
  const originBefore = (before ?? header).origin;
  const own = { path, ...defined({ shard }), read: () => records === undefined ? [] : readChunks(records.file) };
  const states = before === undefined ? [] : await fileStates(before, [own]);
  const hasMark = states.some(({ state }) => state !== undefined);
  // Edited records keep their old mark, so every read warns until `fathom verify --repair`.
  const isChanged = states.some(({ state }) => state === "cut" || state === "changed");
  let manifest: RunManifest = before
    ? { ...before, ...widenHeader(before, header), name }
    : { format: 1, name, fathom: FATHOM_VERSION, started: "", ...header, samples: answeredSamples([]) };
  let writer: Promise<LineWriter> | undefined;
  const begin = async (): Promise<LineWriter> => {
    await mkdir(runPath, { recursive: true }).catch((error) => {
      throw new Error(`Cannot make the folder "${runPath}" as the system must permit it: ${explainFileError(error)}`);
    });
    records ??= (await findRecords(path, { isNew: true, known }))!;
    manifest = { ...manifest, started: manifest.started || new Date().toISOString() };
    if (shard === undefined) await writeManifest(runPath, manifest);
    else if (before === undefined && !await createManifest(runPath, manifest)) {
      // Another shard began meanwhile.
      manifest = (await readBegun())!;
    }
    // A run that is resumed elsewhere keeps the address that it began at.
    const isHere = manifest.settings["baseUrl"] === header.settings["baseUrl"];
    if (options.isGivenAddress && isHere) await confirmAddress(runPath, manifest);
    return await writeLines(records.file, path, records.torn);
  };
  const complete = async (file: FileHandle): Promise<void> => {
    // The manifest of a run that was killed is older than its last records.
    const samples = answeredSamples([...known.latest.values()]);
    const isComplete = writer === undefined &&
      (shard === undefined ? samples.sha256 === manifest.samples.sha256 && manifest.origin === originBefore : hasMark);
    if (isComplete || (isChanged && shard !== undefined)) return;
    const mark = isChanged ? manifest.records! : await markRecords(readChunks(file));
    await (shard === undefined
      ? writeManifest(runPath, { ...manifest, samples, records: mark })
      : writeShardMark(path, mark));
  };
  return {
    name,
    path: runPath,
    notes: [
      ...explainTornEnd(records?.torn, path),
      ...states.flatMap(explainState).map((change) => `Warning: ${change}; see \`fathom verify ${name}\``),
    ],
    server: before?.server,
    keepServer(report): void {
      manifest = { ...manifest, server: manifest.server ?? report };
    },
    records: () => [...known.latest.values()],
    outcome: (place) => known.latest.get(placeKey(place))?.reply.kind,
    isOfBatch: (batch, place) => known.batches.get(batch)?.has(placeKey(place)) ?? false,
    async begin(): Promise<void> {
      writer ??= begin();
      await writer;
    },
    sync: async () => await (await writer)?.finish(),
    async append(record): Promise<void> {
      if (record.origin === "simulated") manifest = { ...manifest, origin: "simulated" };
      writer ??= begin();
      const line = JSON.stringify(record);
      await (await writer).append(line);
      // As it reads from the file.
      noteRecord(known, JSON.parse(line));
    },
    async close(): Promise<void> {
      if (records === undefined) return;
      await (await writer?.catch(() => undefined))?.finish();
      await complete(records.file);
      await records.file.close();
    },
    async read(benchmarks): Promise<RecordedRun> {
      const written = await readManifest(runPath) ?? manifest;
      return recordedRun(written, { name, latest: known.latest, states: isChanged ? states : [], benchmarks });
    },
  };
}

/** Notes the outcomes in a run's other files of records, which only a shard may leave to others to write meanwhile. */
async function noteOthers(files: readonly RecordsFile[], known: KnownRecords, { shard }: StoreOptions): Promise<void> {
  for (const { path, read } of files.filter((file) => existsSync(file.path))) {
    // A packed file is never written to.
    const isRead = shard !== undefined || path.endsWith(".gz");
    if (isRead) await noteRecords(known, read(), path);
    else await (await findRecords(path, { isNew: false, known }))?.file.close();
  }
}

function checkSame(name: string, before: RunManifest, header: RunHeader, options: StoreOptions): void {
  if (before.shard !== undefined) {
    throw new RangeError(
      `Cannot resume run "${name}" as its shards must be files of one folder: current value is a folder of shard ${before.shard.index}/${before.shard.of}, as versions before 0.2 wrote; another name asks the study again`,
    );
  }
  const difference = findDifference(before, header, { ...options, isShard: options.shard !== undefined });
  if (difference === undefined) return;
  if (difference.name === ADDRESS) {
    throw new RangeError(
      `Cannot resume run "${name}" as its ${ADDRESS} must be ${difference.before}, unless --name names it or \`fathom resume ${name} --base-url\` gives another: current value is ${difference.now}`,
    );
  }
  // The text of a named template changes only between versions of Fathom.
  const isOurs = /^template (before|after|singular)$/.test(difference.name) &&
    before.template.name === header.template.name;
  throw new RangeError(
    `Cannot resume run "${name}" as its ${difference.name} must be ${difference.before}: current value is ${difference.now}. ${
      isOurs
        ? "The text of that chat template has changed since: the run can be read as before, and asked on under another name"
        : "Use the settings it began with, or another run name"
    }`,
  );
}

/**
 * Creates the manifest of a run unless another process has created it: several jobs can begin the shards of a run at once.
 *
 * @returns Whether this call created it.
 */
async function createManifest(runPath: string, manifest: RunManifest): Promise<boolean> {
  const path = `${runPath}/manifest.json`;
  const unfinished = `${path}.${crypto.randomUUID()}`;
  await writeFile(unfinished, manifestText(runPath, manifest), { flag: "wx", flush: true });
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "EEXIST") return false;
    // Some file systems have no hard links.
    await rename(unfinished, path);
  } finally {
    await unlink(unfinished).catch(() => {});
  }
  return true;
}
