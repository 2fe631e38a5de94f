import { existsSync } from "node:fs";
import { type FileHandle, mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { defined, explainFileError, hashOf, realPath } from "@/lib/base/mod.ts";
import {
  checkRunName,
  FATHOM_VERSION,
  hasOwnSamples,
  type ModelChoice,
  readManifest,
  type RunHeader,
  type RunManifest,
  samplesOf,
  type Shard,
  type Study,
  type TaskHeader,
  userFolder,
  writeManifest,
} from "@/lib/studies/mod.ts";
import {
  answeredSamples,
  createManifest,
  explainState,
  filesOf,
  fileStates,
  markRecords,
  readMark,
  type RecordsFile,
  recordsPath,
  runFolder,
  type RunFolderOptions,
  writeShardMark,
} from "./run_files.ts";
import {
  explainTornEnd,
  findRecords,
  type KnownRecords,
  type LineWriter,
  noteRecord,
  placeKey,
  readRecords,
  type SamplePlace,
  writeLines,
} from "./records_file.ts";
import { type RecordedRun, recordedRun } from "./read_run.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import {
  defaultSettings,
  ENDPOINT_OPTIONS,
  type EndpointOption,
  isTemplatePath,
  type ModelSettings,
  type ServerReport,
} from "@/lib/models/mod.ts";
import type { RunRecord } from "./record.ts";

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
  let before = await readManifest(runPath);
  if (before) checkSame(name, before, header, options);
  const known: KnownRecords = { latest: new Map(), batches: new Map() };
  let records = await findRecords(path, { isNew: false, known });
  const files = await filesOf(name, options).records();
  const others = files.filter((file) => file.path !== path && existsSync(file.path));
  await noteOthers(others, known, shard !== undefined);
  if (!before && known.latest.size > 0) {
    before = await readBegun(runPath, name, header, options).catch(async (error) => {
      await records?.file.close();
      throw error;
    });
  }
  const originBefore = (before ?? header).origin;
  const own = { path, ...defined({ shard }) };
  const hasMark = before !== undefined && await readMark(own, before) !== undefined;
  const found = records === undefined
    ? [{ ...own, state: "cut" as const }]
    : await fileStates(before ?? {}, files.filter((file) => file.path === path));
  const states = hasMark ? found : [];
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
      manifest = (await readManifest(runPath))!;
      checkSame(name, manifest, header, options);
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
    const mark = isChanged ? manifest.records! : await markRecords(file);
    await (shard === undefined
      ? writeManifest(runPath, { ...manifest, samples, records: mark })
      : writeShardMark(path, mark));
  };
  return {
    name,
    path: runPath,
    notes: [
      ...(records?.torn ? explainTornEnd(records.torn, path) : []),
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

/** Reads the manifest of a run that another shard began meanwhile; it writes the manifest before its first record. */
async function readBegun(
  runPath: string,
  name: string,
  header: RunHeader,
  options: StoreOptions,
): Promise<RunManifest> {
  const begun = await readManifest(runPath);
  if (begun === undefined) {
    throw new RangeError(`Cannot resume run "${name}" as a manifest.json must be beside its records: there is none`);
  }
  checkSame(name, begun, header, options);
  return begun;
}

/** Notes the outcomes in a run's other files of records, which only a shard may leave to others to write meanwhile. */
async function noteOthers(files: readonly RecordsFile[], known: KnownRecords, isShard: boolean): Promise<void> {
  for (const { path, open } of files) {
    // A packed file is never written to.
    if (!isShard && !path.endsWith(".gz")) {
      await (await findRecords(path, { isNew: false, known }))?.file.close();
      continue;
    }
    await using file = await open();
    for await (const record of readRecords(file, { path })) noteRecord(known, record);
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
 * The options of an endpoint as the settings of a record have them, by their names; those at their defaults are left out, and so
 * is whatever could hold a key.
 */
export function recordedOptions(settings: ModelSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries<EndpointOption>(ENDPOINT_OPTIONS).flatMap(([name, option]): [string, unknown][] => {
      const { record = name, canHoldKeys = false, byDefault, read } = option;
      if (record === false || canHoldKeys || name === "headers") return [];
      const recorded = settings[record];
      const value = record === "stop" && typeof recorded === "string" ? JSON.parse(recorded) : recorded;
      // A record has the name of a template; as a path it would send a file of this machine.
      const isPath = record === "template" && typeof value === "string" && isTemplatePath(value);
      if (value === undefined || value === null || value === byDefault || isPath) return [];
      try {
        return read(value) === undefined ? [] : [[name, value]];
      } catch {
        // A record can have words, such as `answer room`.
        return [];
      }
    }),
  );
}

/**
 * The model of a run, to be opened again as it was asked: by its entry if it has one, with the address and the settings of the
 * records. Its key and headers come from the environment and the entry, as nothing records them. The address can be a stranger's:
 * pass the run to `openModel` as `recordedIn`, which checks it.
 */
export function recordedModel({ model, settings }: Pick<RunManifest, "model" | "settings">): ModelChoice {
  const { baseUrl } = settings;
  if (typeof baseUrl !== "string") return { model };
  // The tokens of the template are taken from the run.
  const { templateTokens: _, ...options } = recordedOptions(settings);
  return { ...options, model, baseUrl };
}

/**
 * Confirms the address of a run on this machine. The confirmation is in the user's state folder, where no run folder can forge it.
 * If that folder cannot be written, `fathom resume` asks for `--base-url` again.
 */
export async function confirmAddress(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<void> {
  const path = await confirmationPath(runPath, run);
  if (path === undefined) return;
  const { started, settings: { baseUrl } } = run;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${JSON.stringify({ run: runPath, started, baseUrl })}\n`, { mode: 0o600 });
  } catch {
    // Not fatal: the run itself is complete.
  }
}

/** Returns whether the recorded address of a run was confirmed on this machine. */
export async function isConfirmed(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<boolean> {
  const path = await confirmationPath(runPath, run);
  return path !== undefined && await realPath(path) !== undefined;
}

async function confirmationPath(
  runPath: string,
  { started, settings: { baseUrl } }: Pick<RunManifest, "started" | "settings">,
): Promise<string | undefined> {
  if (typeof baseUrl !== "string") return undefined;
  const [state, run] = [userFolder("state"), await realPath(runPath)];
  return state && run && `${state}/addresses/${hashOf([run, started, baseUrl])}.json`;
}

export const ADDRESS = "setting baseUrl";

/**
 * Finds the first setting in which two headers of one run differ and may not; tasks, lengths and samples may, and with
 * `anyAddress` where the model is served.
 */
export function findDifference(
  before: RunHeader,
  now: RunHeader,
  { anyAddress = false, isShard = false }: { readonly anyAddress?: boolean | undefined; readonly isShard?: boolean } =
    {},
): DifferingSetting | undefined {
  return differingSettings({ ...before, settings: fillSettings(before, now) }, now, { isShard })
    .find(({ name, before, now }) => name !== ADDRESS || !anyAddress || before === "none" || now === "none");
}

/** A setting in which two runs differ. */
export interface DifferingSetting {
  /** Such as `setting maxTokens`, `template name` or `material tokenizer`. */
  readonly name: string;
  /** Its value in the first, as JSON; `none` if it has none. */
  readonly before: string;
  readonly now: string;
}

/** Lists the settings in which two runs differ; which tasks, lengths and samples they were asked is none of them. */
export function differingSettings(
  before: RunHeader,
  now: RunHeader,
  { isShard = false }: { readonly isShard?: boolean } = {},
): readonly DifferingSetting[] {
  // A task that only one of them asks is no difference.
  const shared = Object.keys(before.tasks).filter((task) => Object.hasOwn(now.tasks, task));
  const left = listSettings(before, shared, isShard);
  const right = listSettings(now, shared, isShard);
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((name) => ({ name, before: left.get(name) ?? "none", now: right.get(name) ?? "none" }))
    .filter(({ name, before, now }) => before !== now && !(before === "none" && ADDED_FIELDS.has(name)));
}

/** Template fields that runs before prompts of several turns lack. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(["template turns", "template messageTokens", "template withSystem"]);

/** Returns the settings of a run, with the defaults of options that did not exist then. */
function fillSettings(before: RunHeader, now: RunHeader): ModelSettings {
  const defaults = Object.entries(defaultSettings()).filter(([name]) => Object.hasOwn(now.settings, name));
  return { ...Object.fromEntries(defaults), ...before.settings };
}

function listSettings(header: RunHeader, taskNames: readonly string[], isShard: boolean): ReadonlyMap<string, string> {
  const { study, tasks, materials, model, settings, template } = header;
  const { lengths, first, samples, repeats = 1 } = study;
  const named = (prefix: string, values: Readonly<Record<string, unknown>>): [string, string][] =>
    // Null means not set, as in runs from before an option existed.
    Object.entries(values).filter(([, value]) => value !== null)
      .map(([key, value]) => [`${prefix} ${key}`, JSON.stringify(value)]);
  return new Map([
    ["model", JSON.stringify(model)],
    ["seed", JSON.stringify(study.seed)],
    // The samples of an imported run are its own, wherever it is.
    ...named("study", {
      samplesFile: hasOwnSamples(header) || study.samplesFile === undefined ? null : relative("", study.samplesFile),
    }),
    // Which samples are a shard's depends on everything that the run asks.
    ...(isShard ? named("study", { tasks: study.tasks, lengths, first, samples, repeats }) : []),
    ...named("material", { ...materials }),
    ...named("setting", settings),
    ...named("template", { ...template }),
    ...taskNames.flatMap((name) => {
      const { suite, scoring, options } = tasks[name]!;
      return named(`task ${name}'s`, { suite, scoring, ...options });
    }),
  ]);
}

/** Widens a header by another of the same run: to every task, length and sample that either asks. */
export function widenHeader<Header extends RunHeader>(before: Header, now: RunHeader): Header {
  const [old, asked] = [before.study, now.study];
  const names = new Set(old.tasks.map((choice) => JSON.stringify(choice)));
  const first = Math.min(old.first, asked.first);
  const end = Math.max(old.first + old.samples, asked.first + asked.samples);
  const lengths = [...new Set([...old.lengths, ...asked.lengths])].sort((left, right) => left - right);
  const repeats = Math.max(old.repeats ?? 1, asked.repeats ?? 1);
  const { samplesAt: _fewer, ...kept } = old;
  return {
    ...before,
    tasks: { ...before.tasks, ...now.tasks },
    ...(now.benchmarks === undefined ? {} : { benchmarks: { ...before.benchmarks, ...now.benchmarks } }),
    study: {
      ...kept,
      tasks: [...old.tasks, ...asked.tasks.filter((choice) => !names.has(JSON.stringify(choice)))],
      lengths,
      first,
      samples: end - first,
      ...fewerSamples([old, asked], { lengths, samples: end - first }),
      ...(repeats === 1 ? {} : { repeats }),
    },
  };
}

function fewerSamples(
  studies: readonly Study[],
  { lengths, samples }: Pick<Study, "lengths" | "samples">,
): Pick<Study, "samplesAt"> {
  if (studies.every(({ samplesAt }) => samplesAt === undefined)) return {};
  const counts = lengths.map((length): [number, number] => {
    const asking = studies.filter((study) => study.lengths.includes(length));
    return [length, Math.max(...asking.map((study) => samplesOf(study, length)))];
  });
  const fewer = counts.filter(([, count]) => count < samples);
  return fewer.length === 0 ? {} : { samplesAt: Object.fromEntries(fewer) };
}

/**
 * Whether two tasks ask the same. A knob at its default can be left out of a manifest, so one that only one of them has was set.
 */
export function isSameTask(one: TaskHeader, other: TaskHeader): boolean {
  const knobs = new Set([...Object.keys(one.options), ...Object.keys(other.options)]);
  return one.suite === other.suite && one.scoring === other.scoring &&
    [...knobs].every((knob) => one.options[knob] === other.options[knob]);
}
