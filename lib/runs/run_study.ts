import type { Model } from "@/lib/models/mod.ts";
import { describeRun, type OpenStudy, openStudy, planStudy } from "./open_study.ts";
import type { Plan } from "./plan.ts";
import { listRuns, readRun, type RecordedRun } from "./read_run.ts";
import { type ChooseSamples, runChosen } from "./run_chosen.ts";
import type { RunRecord } from "./record.ts";
import { type RunOptions, runPlan } from "./run_plan.ts";
import type { RunSummary } from "./run_summary.ts";
import { type ScoredReply, scoreRecords } from "./score_records.ts";
import { openRun, type OpenRunOptions, type RunStore } from "./store.ts";
import type { Study } from "./study.ts";

/** Options for {@linkcode runStudy}. */
export interface RunStudyOptions extends Omit<RunOptions, "model" | "store">, OpenRunOptions {
  /** Who is asked. */
  readonly model: Model;
  /** The name of the run; the same name goes on with it. */
  readonly name: string;
  /** Told what was found before the first call: what is planned, what is left to ask, what is odd. May throw to call it off. */
  readonly onPlan?: (plan: Plan, store: RunStore) => void | Promise<void>;
  /** Chooses what to ask step by step; without it every sample of the plan is asked. */
  readonly choose?: ChooseSamples;
  /** The same study, where it is open already. */
  readonly opened?: OpenStudy;
}

/** A study that was run, with its records scored. */
export interface StudyRun extends RecordedRun {
  /** What this session did. */
  readonly summary: RunSummary;
  /** What was planned; `tooShort` lists what does not fit. */
  readonly plan: Plan;
  /** The records of the plan's samples with their scores; what the run has beside them is left out. */
  readonly replies: readonly ScoredReply[];
}

/**
 * Runs a study on a model, from its tasks to scored records: the one way, for the shell and for notebooks.
 *
 * Everything is checked before the first call, every reply is recorded when it comes, and the same call again goes on
 * where the last one stopped.
 *
 * @param study What to ask.
 * @param options Whom to ask, the run's name, and how.
 * @returns What was recorded, read back from its files and scored.
 * @throws {RangeError} If something is not what it should be, or the model cannot be asked; nothing is recorded then.
 * @throws {Error} If the run had to end before its end, or before a first reply; what came before is recorded.
 *
 * @example The simulated reader's ideal, which forgets nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const { replies } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * deepEqual(replies.map(({ value }) => value), [1, 1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function runStudy(study: Study, options: RunStudyOptions): Promise<StudyRun> {
  const { name, model, folder, onPlan, choose, opened: given, ...asking } = options;
  const opened = given ?? await openStudy(study);
  const plan = planStudy(opened, model);
  const place = folder === undefined ? {} : { folder };
  const store = await openRun(name, describeRun(opened, model), place);
  let summary: RunSummary;
  try {
    await onPlan?.(plan, store);
    const plain = { ...asking, model, store };
    summary = choose === undefined
      ? await runPlan(plan, plain)
      : await runChosen(plan, { ...plain, choose, records: await readRecords(name, { place, plan }) });
  } finally {
    await store.close();
  }
  if (summary.answered + summary.failed === 0) {
    const why = summary.notMade[0] ?? "it was stopped before";
    throw new Error(`Cannot score run "${name}" as at least one reply must have come: current value is 0 (${why})`);
  }
  const run = await readRun(name, place);
  return { ...run, summary, plan, replies: scoreRecords(pickPlanned(run, plan)) };
}

/** Reads what a run has of a plan; nothing where there is no such run yet. */
async function readRecords(
  name: string,
  { place, plan }: { readonly place: OpenRunOptions; readonly plan: Plan },
): Promise<readonly RunRecord[]> {
  const isThere = (await listRuns(place)).includes(name);
  return isThere ? pickPlanned(await readRun(name, place), plan) : [];
}

function pickPlanned({ records }: RecordedRun, plan: Plan): RecordedRun["records"] {
  const cells = new Set(plan.cells.map(({ task, length }) => `${task.name}/${length}`));
  const isPlanned = (index: number): boolean => index >= plan.first && index < plan.first + plan.samples;
  return records.filter(({ task, length, index }) => cells.has(`${task}/${length}`) && isPlanned(index));
}
