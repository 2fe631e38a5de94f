import { isFields } from "@/lib/base/mod.ts";
import project from "../../deno.json" with { type: "json" };
import { v } from "./files.ts";
import type { MaterialNames } from "./materials.ts";
import type { Study } from "./study.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import { isReplyOrigin, type ModelSettings, type ReplyOrigin, type ServerReport } from "@/lib/models/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";

const TEXT = v.string("a text");

const OBJECT = v.custom<object>(isFields, "an object");

const TEXTS = v.custom<readonly string[]>(
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  "a list of texts",
);

/** A task as a manifest describes it: the suite with its version, the scorer's name, and every knob with its value. */
export type TaskHeader = Readonly<v.InferOutput<typeof TASK_HEADER>>;

const TASK_HEADER = v.object({
  suite: TEXT,
  scoring: TEXT,
  options: v.custom<Readonly<Record<string, string | number>>>(isFields, "an object"),
}, "an object with suite, scoring and options");

const IMPORTED_FROM = v.object({
  from: TEXT,
  time: TEXT,
  files: v.custom<readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]>(
    Array.isArray,
    "a list of files",
  ),
  // Facts that the files do not have.
  unknown: TEXTS,
}, "an object with from, time, files and unknown");

/** Length and hash of a file of records up to the end of its last whole line; distinguishes added records from changed ones. */
export type RecordsMark = Readonly<v.InferOutput<typeof RECORDS_MARK>>;

const RECORDS_MARK = v.object({ bytes: v.number("a number"), sha256: TEXT }, "an object with bytes and sha256");

/** A repair of a run that was edited, or damaged by a crash. */
export type Repair = Readonly<v.InferOutput<typeof REPAIR>>;

const REPAIR = v.object({
  time: TEXT,
  found: TEXTS,
  // What was replaced or cut.
  kept: v.custom<readonly string[]>(() => true),
}, "an object with time and found");

/** The names of runs: those of folders, and of the measured runs that come with Fathom. */
const RUN_NAMES = /^(?:measured\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The fields of a manifest that are checked, as it can come from elsewhere. */
export const MANIFEST: v.GenericSchema = v.object({
  format: v.literal(1, "1"),
  name: v.pipe(v.string("a run's name"), v.regex(RUN_NAMES, "a run's name")),
  fathom: TEXT,
  started: TEXT,
  model: TEXT,
  origin: v.custom(isReplyOrigin, "measured, simulated or unknown"),
  tasks: v.record(v.string(), TASK_HEADER, "an object of tasks"),
  materials: v.record(v.string(), TEXT, "an object of texts"),
  settings: OBJECT,
  template: OBJECT,
  search: v.optional(OBJECT),
  imported: v.optional(IMPORTED_FROM),
  samples: v.object({ count: v.number("a number"), sha256: TEXT }, "an object with count and sha256"),
  records: v.optional(RECORDS_MARK),
  repairs: v.optional(v.array(REPAIR, "a list of repairs")),
}, "an object");

/** The settings that decide the samples and answers of a run. All except tasks, lengths and samples are fixed when the run begins. */
export interface RunHeader {
  readonly study: Study;
  readonly tasks: Readonly<Record<string, TaskHeader>>;
  readonly materials: MaterialNames;
  /** The files of the user's own benchmarks, by the benchmark's name; naming one here never runs it. */
  readonly benchmarks?: Readonly<Record<string, string>>;
  readonly model: string;
  /** Whether the replies are real; one simulated reply makes the run simulated, and one of unknown origin makes it unknown. */
  readonly origin: ReplyOrigin;
  readonly settings: ModelSettings;
  readonly template: ChatTemplate;
  readonly abbr?: string;
  /** The context window that the model's authors claim, in tokens; of a simulated reader, that of the model it imitates. */
  readonly claimedWindow?: number;
  readonly search?: SearchAim;
  readonly imported?: Readonly<v.InferOutput<typeof IMPORTED_FROM>>;
  /** The shard in this folder; only in runs of versions before 0.2, which wrote each shard to its own folder. */
  readonly shard?: Shard;
}

/** A part of a run. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The `manifest.json` of a run. */
export interface RunManifest extends RunHeader {
  readonly format: 1;
  readonly name: string;
  readonly fathom: string;
  readonly started: string;
  /** The answered samples: how many, and one hash of all their ids and texts, in any order. */
  readonly samples: { readonly count: number; readonly sha256: string };
  /** The file of records as it was when a session ended; in the file of a recorded run alone. */
  readonly records?: RecordsMark;
  readonly repairs?: readonly Repair[];
  readonly measured?: MeasuredWith;
  readonly server?: ServerReport;
  /** `first` if the run was read back and first answers are scored; never in the file. */
  readonly scored?: "first";
}

/** The setup of a measurement, for reproducing it. */
export interface MeasuredWith {
  readonly weights: {
    readonly file: string;
    readonly sha256: string;
    readonly quantisation: string;
    readonly licence: string;
  };
  readonly server: {
    readonly name: string;
    readonly version: string;
    readonly flags: string;
  };
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly system: string;
    /** The accelerator that the server computed on, such as a GPU; absent for the processor alone. */
    readonly accelerator?: string;
  };
  /** When the first and the last reply came, in ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Returns the machine of a measured run as text. */
export function machineText({ accelerator, processor, cores, system }: MeasuredWith["machine"]): string {
  return `${accelerator === undefined ? "" : `${accelerator}; `}${processor}, ${cores} cores, ${system}`;
}

/** The version of Fathom in deno.json, which every record has. */
export const FATHOM_VERSION: string = (project as { readonly version?: string }).version ?? "unreleased";

/**
 * Names the suites of a run with their versions, the variant of their wording if they have several, and the scored part
 * if it is not the whole reply, such as `ruler-2, variant 2026, first answers`.
 */
export function suiteText({ tasks, scored }: Pick<RunManifest, "tasks" | "scored">): string {
  const variants = variantsOf({ tasks });
  return [
    ...new Set(Object.values(tasks).map(({ suite }) => suite)),
    ...(variants.length === 0 ? [] : [`variant ${variants.join(" and ")}`]),
    ...(scored === undefined ? [] : ["first answers"]),
  ].join(", ");
}

/** The variants of wording in a run; none if no suite of it has several. */
export function variantsOf({ tasks }: Pick<RunManifest, "tasks">): readonly (string | number)[] {
  return [...new Set(Object.values(tasks).flatMap(({ options }) => options["variant"] ?? []))];
}
