import { checkRunName, readManifest, type RunManifest, RUNS_FOLDER } from "./manifest.ts";
import { explainFileError, explainTornEnd, placeKey, readRecords } from "./records_file.ts";
import type { OpenRunOptions } from "./store.ts";
import { isPromptCut, replyOrigin, type RunRecord, type ScoredReply } from "@/lib/models/mod.ts";

/** A run as it was recorded. */
export interface RecordedRun {
  /** What decided its samples and answers. */
  readonly manifest: RunManifest;
  /** One record a sample, in the order of length, task and index: the answer, or the last failure where there is none. */
  readonly records: readonly RunRecord[];
  /** What the user should be told about the state of the files. */
  readonly notes: readonly string[];
}

/**
 * Reads a run back.
 *
 * @param name The run's name.
 * @param options Where the runs are.
 * @returns The run; the order of its records does not depend on the order in which replies came.
 * @throws {RangeError} If there is no run of that name; the message lists those there are.
 * @throws {SyntaxError} If a file of the run holds something else.
 *
 * @example A run that is not there
 * ```ts
 * import { rejects } from "node:assert/strict";
 *
 * await rejects(readRun("no-such-run"), RangeError);
 * ```
 */
export async function readRun(name: string, options: OpenRunOptions = {}): Promise<RecordedRun> {
  const { folder = RUNS_FOLDER } = options;
  const path = `${folder}/${checkRunName(name)}`;
  const manifest = await readManifest(path);
  if (manifest === undefined) throw await noSuchRun(name, folder);
  const recordsPath = `${path}/records.jsonl`;
  const latest = new Map<string, RunRecord>();
  const notes: string[] = [];
  using file = await openRecords(recordsPath);
  const onTorn = (end: Parameters<typeof explainTornEnd>[0]): void =>
    void notes.push(...explainTornEnd(end, recordsPath));
  for await (const record of readRecords(file, { path: recordsPath, onTorn })) {
    const key = placeKey(record);
    if (latest.get(key)?.reply.kind !== "answer") latest.set(key, record);
  }
  const records = [...latest.values()].sort(inOrderOf(manifest));
  notes.push(...explainMixture(records));
  return { manifest: { ...manifest, origin: originOf(manifest, records) }, records, notes };
}

/**
 * Lists the runs of a folder.
 *
 * @param options Where the runs are.
 * @returns Their names, sorted; none where there is no such folder.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(await listRuns({ folder: "no/such/folder" }), []);
 * ```
 */
export async function listRuns(options: OpenRunOptions = {}): Promise<string[]> {
  const { folder = RUNS_FOLDER } = options;
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    const names = entries.filter((entry) => entry.isDirectory).map(({ name }) => name).sort();
    const manifests = await Promise.all(names.map((name) => readManifest(`${folder}/${name}`).catch(() => null)));
    // A folder whose manifest cannot be read is listed: whoever names it is told what is wrong with it.
    return names.filter((_, place) => manifests[place] !== undefined);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** A run counts as simulated as soon as one of its answers is. */
function originOf({ origin }: RunManifest, records: readonly RunRecord[]): RunManifest["origin"] {
  return records.some(isSimulated) ? "simulated" : origin;
}

function isSimulated({ origin, reply }: RunRecord): boolean {
  return reply.kind === "answer" && replyOrigin({ origin }, reply) === "simulated";
}

function explainMixture(records: readonly RunRecord[]): string[] {
  const answers = records.filter(({ reply }) => reply.kind === "answer");
  const simulated = answers.filter(isSimulated).length;
  if (simulated === 0 || simulated === answers.length) return [];
  return [
    `${simulated} of ${answers.length} answers are the simulated reader's, so all of the run is called simulated`,
  ];
}

async function openRecords(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    throw new RangeError(`Cannot read "${path}" as records must stand beside the manifest: ${explainFileError(error)}`);
  }
}

async function noSuchRun(name: string, folder: string): Promise<RangeError> {
  const names = await listRuns({ folder });
  const known = names.length === 0 ? "none is recorded yet" : names.join(", ");
  return new RangeError(
    `Cannot read the run as its name must be that of a recorded run (${known}): current value is "${name}"`,
  );
}

/** By length, then by task as the manifest lists them, then by index. */
function inOrderOf({ tasks }: RunManifest): (left: RunRecord, right: RunRecord) => number {
  const places = new Map(Object.keys(tasks).map((task, place) => [task, place]));
  const placeOf = ({ task }: RunRecord): number => places.get(task) ?? places.size;
  return (left, right) => left.length - right.length || placeOf(left) - placeOf(right) || left.index - right.index;
}

/** One thing that decides the samples or the answers of a run. */
export interface OverviewLine {
  /** What it is. */
  readonly what: string;
  /** Its value in words. */
  readonly said: string;
}

/**
 * Says what was asked in a run: whatever decides its samples and answers, and nothing that was found.
 *
 * @param manifest The run's manifest.
 * @returns A line a thing, the model first. The time of the run is left out, as it decides nothing.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1, seed: "7" });
 * const { manifest } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const lines = runOverview(manifest);
 * ok(lines.some(({ what, said }) => what === "Model" && said === "sim:ideal (simulated)"));
 * ok(lines.some(({ what, said }) => what === "Seed" && said === "7"));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function runOverview(manifest: RunManifest): OverviewLine[] {
  const { name, fathom, study, tasks, materials, model, origin, settings, frame, samples } = manifest;
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const last = study.first + study.samples - 1;
  return [
    { what: "Run", said: name },
    { what: "Model", said: `${model} (${origin})` },
    { what: "Settings", said: pairsText(settings) },
    { what: "Round each prompt", said: frame.name },
    { what: "Suite", said: suites.join(", ") },
    { what: "Variant", said: study.variant },
    { what: "Tasks", said: Object.keys(tasks).join(", ") },
    { what: "Lengths", said: `${study.lengths.join(", ")} tokens, answer room included` },
    {
      what: "Samples",
      said:
        `${study.samples} of each task at each length, numbers ${study.first} to ${last}; ${samples.count} answered`,
    },
    { what: "Hash of the answered samples", said: samples.sha256 },
    { what: "Seed", said: study.seed },
    { what: "Tokenizer", said: materials.tokenizer },
    { what: "Materials", said: `${materials.essays}, ${materials.oneHop}, ${materials.twoHop}` },
    { what: "Version", said: `Fathom ${fathom}` },
  ];
}

function pairsText(settings: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return pairs.length === 0 ? "none told" : pairs.join(", ");
}

/** How many replies came in one way. */
export interface ReplyOutcome {
  /** What befell them. */
  readonly outcome: string;
  /** What that does to the scores. */
  readonly means: string;
  /** Replies of which it is true; one reply can be in several lines. */
  readonly count: number;
  /** Those replies among all that were asked, in percent. */
  readonly share: number;
  /** Where they are: tasks and lengths with most of them first; empty where there are none. */
  readonly where: string;
}

/** Options for {@linkcode replyOutcomes}. */
export interface ReplyOutcomesOptions {
  /**
   * The share of the prompt's tokens that the server may count fewer before the prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

interface Kind {
  readonly outcome: string;
  readonly means: string;
  readonly isOne: (reply: ScoredReply) => boolean;
}

/**
 * Counts what came back before asking whether it was right: failed calls, prompts that the server cut, replies that were cut off
 * or empty or could not be read.
 *
 * @param replies The replies of a run.
 * @param options When a prompt counts as cut; see `isPromptCut`.
 * @returns A line for answers, one for each thing that can go wrong (those that never did included), in that order.
 * @throws {RangeError} If the tolerance is outside [0, 1).
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const reply = { kind: "answer", text: "", finishReason: "length", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 4096, references: ["A"], scoring: "all", promptTokens: 4000, reply };
 * const outcomes = replyOutcomes(scoreRecords([record as unknown as RunRecord]));
 * equal(outcomes.find(({ outcome }) => outcome === "cut off at the answer room")?.count, 1);
 * ```
 */
export function replyOutcomes(
  replies: readonly ScoredReply[],
  options: ReplyOutcomesOptions = {},
): readonly ReplyOutcome[] {
  const { cutTolerance: tolerance = 0.3 } = options;
  const kinds: readonly Kind[] = [
    { outcome: "answered", means: "in the scores", isOne: ({ failed }) => !failed },
    { outcome: "failed call", means: "in no score", isOne: ({ failed }) => failed },
    {
      outcome: "prompt cut by the server",
      means: "scored as if it had been read whole",
      isOne: ({ record }) =>
        record.reply.kind === "answer" && isPromptCut(record, record.reply, { tolerance, ...reservedOf(record) }),
    },
    {
      outcome: "cut off at the answer room",
      means: "scored as far as it goes",
      isOne: ({ record }) => record.reply.kind === "answer" && record.reply.finishReason === "length",
    },
    { outcome: "empty reply", means: "scores 0", isOne: ({ failed, noAnswer }) => !failed && noAnswer },
    { outcome: "could not be read", means: "scores 0", isOne: ({ unparsable }) => unparsable === true },
    {
      outcome: "nothing to score",
      means: "in no score",
      isOne: ({ failed, noAnswer, value }) => !failed && !noAnswer && value === null,
    },
  ];
  return kinds.map(({ outcome, means, isOne }): ReplyOutcome => {
    const found = replies.filter(isOne);
    const share = replies.length === 0 ? 0 : 100 * found.length / replies.length;
    const where = outcome === "answered" ? "" : placesText(found);
    return { outcome, means, count: found.length, share, where };
  });
}

/** A thinking allowance kept inside the length is counted with the prompt and never sent. */
function reservedOf({ settings }: ScoredReply["record"]): { readonly reservedTokens?: number } {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return thinkingInside === true && typeof thinkingTokens === "number" ? { reservedTokens: thinkingTokens } : {};
}

const SHOWN = 3;

function placesText(replies: readonly ScoredReply[]): string {
  const places = [...Map.groupBy(replies, ({ task, length }) => `${task} at ${length}`)]
    .map(([place, { length: count }]) => ({ place, count }))
    .toSorted((left, right) => right.count - left.count);
  const shown = places.slice(0, SHOWN).map(({ place, count }) => `${place} (${count})`);
  return [...shown, ...(places.length > SHOWN ? [`and ${places.length - SHOWN} more`] : [])].join(", ");
}
