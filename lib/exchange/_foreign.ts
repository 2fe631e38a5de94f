import type { Fields } from "@/lib/base/mod.ts";
import { type FilePlace, numberOrNone, readIndex, readTexts } from "./_fields.ts";
import { type Benchmark, listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Prompt, Sample } from "@/lib/generators/mod.ts";
import type { ModelSettings, Reply, ReplyOrigin } from "@/lib/models/mod.ts";
import type { RunFolderOptions, ScoredPart } from "@/lib/records/mod.ts";
import type { BenchmarkOptions, MaterialsOptions } from "@/lib/studies/mod.ts";

type Lacking<Name extends keyof Sample> = { readonly [Each in Name]?: Sample[Each] | undefined };

/** One reply in another program's files. Without an index, samples of a task and length are numbered as they come. */
export interface ForeignReply
  extends
    Pick<Sample, "task" | "length" | "references">,
    Lacking<"index" | "distractors" | "paths" | "depth" | "cluster" | "facts"> {
  /** The sample's id and the hash of its prompt, if Fathom made it; the id counts if the prompt has that hash. */
  readonly made?: Pick<Sample, "id" | "sha256"> | undefined;
  /** What repeats of a sample without an index have in common. */
  readonly name?: string | undefined;
  readonly repeat?: number | undefined;
  readonly prompt: Prompt | null;
  readonly targetDepth?: number | undefined;
  readonly reply: Reply;
  readonly origin?: ReplyOrigin | undefined;
  readonly time?: string | undefined;
  /** Name of the scorer that computes the other program's score, if it is not the task's own. */
  readonly scoring?: string | undefined;
  readonly theirs?: number | undefined;
}

export interface ForeignRun {
  readonly from: string;
  /** The model's names in the files; `--model` has precedence. */
  readonly models: readonly string[];
  /** Follows the model's name, such as a compression of its cache. */
  readonly variant?: string;
  /** Origin of the replies that record none; by default `unknown`, unless the files prove that a real model answered. */
  readonly origin?: ReplyOrigin;
  readonly settings?: ModelSettings;
  /** Facts that the files do not contain, each in a few words, beside those that records show. */
  readonly unknown?: readonly string[];
  readonly notes?: readonly string[];
  /** The scored part of the replies, for the comparison of scores. Default: whole. */
  readonly scored?: ScoredPart | undefined;
  readonly parts: readonly ForeignPart[];
}

/** Files that hold whole tasks and lengths. */
export interface ForeignPart {
  readonly files: readonly string[];
  /** The task that must have a scorer, or the part is skipped; left out if each reply names its own. */
  readonly task?: string;
  replies(): AsyncIterable<ForeignReply> | Iterable<ForeignReply>;
}

/** Options for {@linkcode importRun}; the model, task and length count if the files lack them. */
export interface ImportRunOptions extends RunFolderOptions, BenchmarkOptions, MaterialsOptions {
  /** Name of the new run; by default the model's name. */
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly task?: string | undefined;
  readonly length?: number | undefined;
}

export interface ForeignOptions extends ImportRunOptions {
  readonly benchmarks: readonly Benchmark[];
}

export interface Importer {
  /** Returns the files that the importer reads; `fields` are those of the first line of a single file. */
  recognises(paths: readonly string[], fields: Fields | undefined): readonly string[];
  read(paths: readonly string[], options: ForeignOptions): ForeignRun | Promise<ForeignRun>;
}

/** Returns Fathom's name of a task that another program calls after RULER's, such as `ruler_qa_squad`. */
export function plainTask(name: string): string {
  return name.replace(/^ruler_/, "").replace(/^qa_squad$/, "qa_1").replace(/^qa_hotpot(?:qa)?$/, "qa_2");
}

/** Reads the fields that Fathom writes beside the samples that other programs ask. */
export function readOwnFields(
  fields: Fields,
  place: FilePlace,
  { benchmarks }: BenchmarkOptions,
): Pick<ForeignReply, "index" | "made" | "scoring" | "distractors" | "paths" | "depth"> {
  const { sample: id, sha256, distractors, paths } = fields;
  const scorers = listFamilies(benchmarks).flatMap((family) => family.scorers);
  return {
    index: readIndex(fields["index"], place),
    made: typeof id === "string" && typeof sha256 === "string" ? { id, sha256 } : undefined,
    scoring: scorers.find(({ name }) => name === fields["scorer"])?.name,
    distractors: Array.isArray(distractors) ? readTexts(distractors, "distractors", place) : undefined,
    paths: Array.isArray(paths) ? paths : undefined,
    depth: numberOrNone(fields["depth"]),
  };
}

export function versionText(program: string, version: unknown): string {
  return typeof version === "string" ? `${program} ${version}` : program;
}
