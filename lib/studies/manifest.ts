import project from "../../deno.json" with { type: "json" };
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { MaterialNames } from "./materials.ts";
import { checkRunFolder, writeWhole } from "./files.ts";
import { checkStudy, type Study } from "./study.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";
import {
  explainFileError,
  isFields,
  isReplyOrigin,
  type ModelSettings,
  readRegularText,
  type ReplyOrigin,
  type ServerReport,
} from "@/lib/models/mod.ts";

/** The settings that decide the samples and answers of a run. All except tasks, lengths and samples are fixed when the run begins. */
export interface RunHeader {
  /** The study with all tasks, lengths and samples that were asked. */
  readonly study: Study;
  readonly tasks: Readonly<Record<string, TaskHeader>>;
  /** The materials of the samples, by name and hash. */
  readonly materials: MaterialNames;
  /** The files of the user's own benchmarks, by the benchmark's name; naming one here never runs it. */
  readonly benchmarks?: Readonly<Record<string, string>>;
  readonly model: string;
  /** Whether the replies are real; one simulated reply makes the run simulated, and one of unknown origin makes it unknown. */
  readonly origin: ReplyOrigin;
  /** Everything that shaped the replies. */
  readonly settings: ModelSettings;
  /** The chat template around each prompt. */
  readonly template: ChatTemplate;
  /** The model's short name in OpenCompass's files, if its entry has one. */
  readonly abbr?: string;
  /**
   * The context window that the model's authors claim, in tokens, if its entry has it; for a simulated reader, that of the model
   * it imitates.
   */
  readonly claimedWindow?: number;
  /** The aim of the search for the effective length that chose the samples, if one did. */
  readonly search?: SearchAim;
  /** The source of an imported run. */
  readonly imported?: ImportedFrom;
  /** The shard in this folder; only in runs of versions before 0.2, which wrote each shard to its own folder. */
  readonly shard?: Shard;
}

/** A part of a run. */
export interface Shard {
  /** The number of the shard, from 1. */
  readonly index: number;
  /** The number of shards. */
  readonly of: number;
}

/** Where a run was imported from. */
export interface ImportedFrom {
  /** The program, with its version if the files have it. */
  readonly from: string;
  /** When it was imported, in ISO 8601. */
  readonly time: string;
  /** The files that were read. */
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Facts that those files do not have. */
  readonly unknown: readonly string[];
}

/** A task as a manifest describes it. */
export interface TaskHeader {
  /** The suite and its version. */
  readonly suite: string;
  /** The scorer's name. */
  readonly scoring: string;
  /** Every knob with its value. */
  readonly options: Readonly<Record<string, string | number>>;
}

/** The `manifest.json` of a run. */
export interface RunManifest extends RunHeader {
  /** The version of the format of manifest and records. */
  readonly format: 1;
  readonly name: string;
  /** The version of Fathom that began the run. */
  readonly fathom: string;
  /** When it was begun, in ISO 8601. */
  readonly started: string;
  /** The answered samples: how many, and one hash of all their ids and texts, in any order. */
  readonly samples: { readonly count: number; readonly sha256: string };
  /** The file of records as it was when a session ended; in the file of a recorded run alone. */
  readonly records?: RecordsMark;
  /** Changes by `fathom verify --repair`. */
  readonly repairs?: readonly Repair[];
  /** The setup of a measured run that comes with Fathom. */
  readonly measured?: MeasuredWith;
  /** The preflight of the model's server when the run began, if there was one. */
  readonly server?: ServerReport;
  /** The number of shards of a run that a version before 0.2 merged. */
  readonly merged?: { readonly shards: number };
  /** `first` where the run was read back and first answers are scored; never in the file. */
  readonly scored?: "first";
}

/** Length and hash of a file of records, which distinguish added records from changed ones. */
export interface RecordsMark {
  /** Its length, up to the end of its last whole line. */
  readonly bytes: number;
  /** Of that part. */
  readonly sha256: string;
}

/** A repair of a run that was edited, or damaged by a crash. */
export interface Repair {
  /** When, in ISO 8601. */
  readonly time: string;
  /** The faults that were found. */
  readonly found: readonly string[];
  /** The files beside the run that keep what was replaced or cut. */
  readonly kept: readonly string[];
}

/** The setup of a measurement, for reproducing it. */
export interface MeasuredWith {
  readonly weights: {
    /** The file's name. */
    readonly file: string;
    readonly sha256: string;
    readonly quantisation: string;
    readonly licence: string;
  };
  readonly server: {
    readonly name: string;
    readonly version: string;
    /** Its flags, except weights and address. */
    readonly flags: string;
  };
  readonly machine: {
    readonly processor: string;
    /** Logical cores. */
    readonly cores: number;
    readonly system: string;
  };
  /** When the first and the last reply came, in ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Reads the manifest in a run's folder; `undefined` if there is none. */
export async function readManifest(runPath: string): Promise<RunManifest | undefined> {
  return await readManifestFile(`${runPath}/manifest.json`);
}

/** The most bytes of a manifest. */
export const MAX_MANIFEST_BYTES: number = 64 * 2 ** 20;

/**
 * Reads a manifest; `undefined` if there is none.
 *
 * @throws {RangeError} If it cannot be read, or its folder is a run's and holds a link.
 */
export async function readManifestFile(path: string): Promise<RunManifest | undefined> {
  // Manifests of packed runs have the benchmark's name, and others' files beside them.
  if (basename(path) === "manifest.json") await checkRunFolder(dirname(path));
  let text: string;
  try {
    text = await readRegularText(path, MAX_MANIFEST_BYTES);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  try {
    // Runs of version 0.1.0 call the template "frame".
    const { frame, ...rest } = JSON.parse(text) as RunManifest & { readonly frame?: ChatTemplate };
    const manifest = frame === undefined ? rest : { ...rest, template: rest.template ?? frame };
    checkFields(manifest);
    const study = nameFamilies(checkStudy(manifest.study, { where: `"${path}"` }), manifest.tasks);
    return { ...manifest, study: hasOwnSamples(manifest) ? withOwnSamples(study, dirname(path)) : study };
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be the manifest of a run: ${(error as Error).message}`);
  }
}

/** The type of each field of a manifest, which can come from elsewhere. */
const FIELDS: readonly (readonly [name: string, wanted: string, isWanted: (value: unknown) => boolean])[] = [
  ["format", "1", (value) => value === 1],
  ["name", "a run's name", (value) => isText(value) && isRunName(value)],
  ["fathom", "a text", isText],
  ["started", "a text", isText],
  ["model", "a text", isText],
  ["origin", "measured, simulated or unknown", isReplyOrigin],
  ["tasks", "an object of tasks, each with suite, scoring and options", areTasks],
  ["materials", "an object of texts", (value) => isFields(value) && Object.values(value).every(isText)],
  ["settings", "an object", isFields],
  ["template", "an object", isFields],
  ["search", "left out, or an object", (value) => value === undefined || isFields(value)],
  [
    "imported",
    "left out, or an object with from, time, and lists of files and of what is unknown",
    (value) => value === undefined || isImported(value),
  ],
  ["samples", "an object with count and sha256", (value) => hasFields(value, { count: "number", sha256: "string" })],
  [
    "records",
    "left out, or an object with bytes and sha256",
    (value) => value === undefined || hasFields(value, { bytes: "number", sha256: "string" }),
  ],
  [
    "repairs",
    "left out, or a list of objects with time and found",
    (value) => value === undefined || areRepairs(value),
  ],
];

function checkFields(manifest: Readonly<Partial<Record<string, unknown>>>): void {
  const wrong = FIELDS.find(([name, , isWanted]) => !isWanted(manifest[name]));
  if (wrong === undefined) return;
  const [name, wanted] = wrong;
  throw new TypeError(`${name} must be ${wanted}: current value is ${JSON.stringify(manifest[name]) ?? "none"}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function hasFields(value: unknown, kinds: Readonly<Record<string, "number" | "string" | "object">>): boolean {
  return isFields(value) && Object.entries(kinds).every(([name, kind]) => typeof value[name] === kind);
}

function areTasks(tasks: unknown): boolean {
  return isFields(tasks) &&
    Object.values(tasks).every((task) => hasFields(task, { suite: "string", scoring: "string", options: "object" }));
}

function isImported(value: unknown): boolean {
  return isFields(value) && isText(value["from"]) && isText(value["time"]) && Array.isArray(value["files"]) &&
    Array.isArray(value["unknown"]) && value["unknown"].every(isText);
}

function areRepairs(value: unknown): boolean {
  const isRepair = (one: unknown): boolean =>
    isFields(one) && isText(one["time"]) && Array.isArray(one["found"]) && one["found"].every(isText);
  return Array.isArray(value) && value.every(isRepair);
}

/** Returns a line for each repair of a run. */
export function repairTexts({ repairs = [] }: Pick<RunManifest, "repairs">): readonly string[] {
  return repairs.map(({ time, found }) => `repaired ${time.slice(0, 10)}: ${found.join("; ")}`);
}

/** The name of a run, or of a measured one. */
function isRunName(name: string): boolean {
  const [first, ...rest] = name.split("/");
  return RUN_NAME.test(name) || first === "measured" && rest.length === 2 && rest.every((part) => RUN_NAME.test(part));
}

/** The folder of the prompts of an imported run, beside its manifest. */
export const OWN_SAMPLES = "samples";

/** The program that an imported bundle is from. */
export const FROM_BUNDLE = "a bundle of Fathom's";

/** Returns whether the prompts of a run are in its folder, as another program asked it. */
export function hasOwnSamples({ imported }: Pick<RunManifest, "imported">): boolean {
  return imported !== undefined && imported.from !== FROM_BUNDLE;
}

/** Returns a study with the prompts beside the manifest. */
function withOwnSamples(study: Study, folder: string): Study {
  return { ...study, samplesFile: `${folder}/${OWN_SAMPLES}` };
}

/** Names families for what they are in older runs, where `cdme` was the family and not the benchmark. */
function nameFamilies(study: Study, asked: RunManifest["tasks"]): Study {
  const isFamily = (name: string): boolean => name in asked && BENCHMARKS.some((benchmark) => benchmark.name === name);
  return {
    ...study,
    tasks: study.tasks.map((choice) => isFamily(choice.task) ? { name: choice.task, ...choice } : choice),
  };
}

/** Writes the manifest of a run, whole or not at all. */
export async function writeManifest(runPath: string, manifest: RunManifest): Promise<void> {
  await writeManifestFile(`${runPath}/manifest.json`, manifest);
}

/** Writes a manifest, whole or not at all. */
export async function writeManifestFile(path: string, manifest: RunManifest): Promise<void> {
  await writeWhole(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns a run's name if it can be the name of a folder. */
export function checkRunName(name: string): string {
  if (RUN_NAME.test(name)) return name;
  throw new RangeError(
    `Cannot name the run as its name must be 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", beginning with a letter or digit: current value is ${
      JSON.stringify(name)
    }`,
  );
}

/** The folder of runs by default: `results/runs` of this project; of the folder one is in, where the library is a package. */
export const RUNS_FOLDER: string = import.meta.url.endsWith(".ts")
  ? fileURLToPath(new URL("../../results/runs", import.meta.url))
  : "results/runs";

/** The version of Fathom in deno.json, which every record has. */
export const FATHOM_VERSION: string = (project as { readonly version?: string }).version ?? "unreleased";

/**
 * Names the suites of a run with their versions, the variant of their wording where they have several, and what is scored
 * where it is not the whole reply, such as `ruler-2, variant 2026, first answers`.
 */
export function suiteText({ tasks, scored }: Pick<RunManifest, "tasks" | "scored">): string {
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const variants = variantsOf({ tasks });
  return [
    ...suites,
    ...(variants.length === 0 ? [] : [`variant ${variants.join(" and ")}`]),
    ...(scored === undefined ? [] : ["first answers"]),
  ].join(", ");
}

/** The variants of wording in a run; none where no suite of it has several. */
export function variantsOf({ tasks }: Pick<RunManifest, "tasks">): readonly (string | number)[] {
  return [...new Set(Object.values(tasks).flatMap(({ options }) => options["variant"] ?? []))];
}
