import { stat } from "node:fs/promises";
import { grouped, plural, sum } from "@/lib/base/mod.ts";
import { modelName, readRun, type ReadRunOptions } from "./read_run.ts";
import type { RunRecord } from "./record.ts";
import { readKnown } from "./records_file.ts";
import { filesOf, listRuns } from "./run_folders.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { Model, ReplyOrigin } from "@/lib/models/mod.ts";
import { type AskingPace, paceOfRecords, readManifestFile, type RunManifest, samplesOf } from "@/lib/studies/mod.ts";

/**
 * Returns the pace of the latest measured run of a model, the runs that come with Fathom included; `undefined` if there is none.
 */
export async function findEarlierPace(
  model: Pick<Model, "name">,
  options: ReadRunOptions = {},
): Promise<AskingPace | undefined> {
  const found: { readonly run: string; readonly began: string }[] = [];
  for (const run of await listRuns(options)) {
    const files = filesOf(run, options);
    // A run that cannot be read is no reason not to plan another.
    const manifest = await readManifestFile(files.manifest).catch(() => undefined);
    if (manifest?.model !== model.name) continue;
    // An imported run has the times of the program that asked, if any.
    if (manifest.origin !== "measured" || manifest.imported !== undefined) continue;
    const isEmpty = manifest.samples.count === 0 && (await files.records()).every(({ shard }) => shard === undefined);
    if (!isEmpty) found.push({ run, began: manifest.measured?.from ?? manifest.started });
  }
  const latest = found.toSorted((left, right) => left.began < right.began ? 1 : -1)[0];
  return latest && paceOfRecords((await readRun(latest.run, options)).records, latest.run);
}

/** A recorded run in a list. */
export interface ListedRun {
  readonly run: string;
  readonly model: string;
  readonly origin: ReplyOrigin;
  /** The day it was begun, in ISO 8601; of a measured run that comes with Fathom, the day of its first reply. */
  readonly begun: string;
  readonly questions: number;
  readonly answered: number;
  /** Questions whose calls failed and that have no answer. */
  readonly failed: number;
  /** Whether nothing is left to ask: every question has an answer or a failed call. */
  readonly isDone: boolean;
  /** The size of its records. */
  readonly bytes: number;
}

/**
 * Lists the recorded runs with their model, date, state and size, in the order of {@linkcode listRuns}. Records are read, and
 * nothing is scored.
 */
export async function describeRuns(
  options: ReadRunOptions = {},
): Promise<{
  readonly runs: readonly ListedRun[];
  readonly unreadable: readonly Readonly<Record<"run" | "problem", string>>[];
}> {
  const runs: ListedRun[] = [];
  const unreadable: Record<"run" | "problem", string>[] = [];
  for (const run of await listRuns(options)) {
    try {
      runs.push(await describeRun(run, options));
    } catch (error) {
      unreadable.push({ run, problem: (error as Error).message });
    }
  }
  return { runs, unreadable };
}

async function describeRun(run: string, options: ReadRunOptions): Promise<ListedRun> {
  const paths = filesOf(run, options);
  const manifest = (await readManifestFile(paths.manifest))!;
  const files = await paths.records();
  const { latest } = await readKnown(files);
  const sizes = await Promise.all(files.map(({ path }) => stat(path)));
  const records = [...latest.values()];
  const answered = records.filter(({ reply }) => reply.kind === "answer").length;
  const questions = countQuestions(manifest, records);
  const { model, origin, started, measured } = manifest;
  return {
    run,
    model,
    origin,
    begun: (measured?.from ?? started).slice(0, 10),
    questions,
    answered,
    failed: records.length - answered,
    isDone: records.length >= questions,
    bytes: sum(sizes.map(({ size }) => size)),
  };
}

/**
 * Counts the questions of a run. They are asked in the order of the plan, so a task at a length without any record before the
 * last that has some was left out, as the length is too short for it.
 */
function countQuestions({ study, tasks, measured, shard }: RunManifest, records: readonly RunRecord[]): number {
  // A measured run is a part of its study: it has fewer samples at expensive lengths.
  if (measured !== undefined || study.samplesFile !== undefined) return records.length;
  const keyOf = ({ task, length }: Pick<RunRecord, "task" | "length">): string => `${task}/${length}`;
  const cells = new Set(records.map(keyOf));
  const planned = study.lengths.toSorted((left, right) => left - right)
    .flatMap((length) => Object.keys(tasks).map((task) => ({ task, length })));
  const last = planned.findLastIndex((cell) => cells.has(keyOf(cell)));
  const asked = planned.filter((cell, at) => at > last || cells.has(keyOf(cell)));
  const samples = sum(asked.map(({ length }) => samplesOf(study, length)));
  // Samples are dealt to shards one after another.
  const dealt = shard === undefined ? samples : Math.ceil((samples - shard.index + 1) / shard.of);
  return dealt * (study.repeats ?? 1);
}

/** Makes a table of recorded runs; `null` if there are none. */
export function runListTable(runs: readonly ListedRun[]): Table | null {
  if (runs.length === 0) return null;
  const done = runs.filter(({ isDone }) => isDone).length;
  const rows = runs.map((run) => {
    const { questions, answered, failed, isDone, bytes } = run;
    const calls = failed === 0 ? "" : `, ${failed} failed`;
    return {
      ...run,
      model: modelName(run),
      state: `${isDone ? "done" : `${answered + failed} of ${questions}`}${calls}`,
      size: bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`,
    };
  });
  return table(rows, {
    title: `${runs.length} recorded ${plural(runs.length, "run")}, ${done} done`,
    caption:
      "A run that is not done is resumed by the command that began it; it asks failed calls again, and nothing twice.",
    origin: [...new Set(runs.map(({ origin }) => origin))].length === 1
      ? runs[0]!.origin
      : Object.fromEntries(runs.map(({ run, origin }) => [run, origin])),
    n: `${grouped(sum(runs.map(({ answered }) => answered)))} replies`,
    columns: [
      { field: "run", label: "Run" },
      { field: "model", label: "Model" },
      { field: "begun", label: "Begun" },
      { field: "answered", label: "Answered" },
      { field: "state", label: "State", tone: toneOf },
      { field: "size", label: "Size", align: "right" },
    ],
  });
}

function toneOf(state: unknown): "good" | "bad" | "open" {
  if (state === "done") return "good";
  return String(state).startsWith("done") ? "bad" : "open";
}
