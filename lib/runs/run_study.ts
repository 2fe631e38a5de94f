import { type BenchmarkOptions, describeRun, type OpenStudy, openStudy, planStudy } from "./open_study.ts";
import type { Cell, Plan } from "./plan.ts";
import type { RunProgress } from "./progress.ts";
import { listRuns, readRun, type RecordedRun, scoreRecords } from "./read_run.ts";
import { type RunOptions, runPlan, type RunSummary } from "./run_plan.ts";
import { openRun, type OpenRunOptions, type RunStore } from "./store.ts";
import type { Study } from "./study.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Model, RunRecord, ScoredReply } from "@/lib/models/mod.ts";

/** Options for {@linkcode runStudy}. */
export interface RunStudyOptions extends Omit<RunOptions, "model" | "store">, OpenRunOptions, BenchmarkOptions {
  /** Who is asked. */
  readonly model: Model;
  /** The name of the run; the same name resumes it. */
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
 * Everything is checked before the first call, every reply is recorded when it comes, and the same call again resumes
 * the run.
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
 * import { simulatedModel } from "@/lib/runs/mod.ts";
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
  const { name, model, folder, benchmarks: chosen, onPlan, choose, opened: given, ...asking } = options;
  const opened = given ?? await openStudy(study, { benchmarks: chosen });
  const { benchmarks } = opened;
  const plan = planStudy(opened, model);
  const place = { benchmarks, ...(folder === undefined ? {} : { folder }) };
  const store = await openRun(name, describeRun(opened, model), place);
  let summary: RunSummary;
  try {
    await onPlan?.(plan, store);
    const plain = { ...asking, model, store };
    summary = choose === undefined
      ? await runPlan(plan, plain)
      : await runChosen(plan, { ...plain, choose, benchmarks, records: await readRecords(name, { place, plan }) });
  } finally {
    await store.close();
  }
  if (summary.answered + summary.failed === 0) {
    const why = summary.notMade[0] ?? "it was stopped before";
    throw new Error(`Cannot score run "${name}" as at least one reply must have come: current value is 0 (${why})`);
  }
  const run = await readRun(name, place);
  const notes = model.origin === "simulated" ? [...run.notes, ...explainUnread(opened)] : run.notes;
  return { ...run, notes, summary, plan, replies: scoreRecords(pickPlanned(run, plan), benchmarks) };
}

/** Says which tasks the simulated reader cannot read, as their family has no reader. */
function explainUnread({ tasks, benchmarks }: OpenStudy): string[] {
  return listFamilies(benchmarks)
    .filter(({ suite, readers }) => readers.length === 0 && tasks.some((task) => task.suite === suite))
    .map(({ name }) => `${name} has no reader, so the simulated reader answers "I do not know." to its tasks`);
}

/** Reads what a run has of a plan; nothing where there is no such run yet. */
async function readRecords(
  name: string,
  { place, plan }: { readonly place: OpenRunOptions & BenchmarkOptions; readonly plan: Plan },
): Promise<readonly RunRecord[]> {
  const isThere = (await listRuns(place)).includes(name);
  return isThere ? pickPlanned(await readRun(name, place), plan) : [];
}

function pickPlanned({ records }: RecordedRun, plan: Plan): RecordedRun["records"] {
  const cells = new Set(plan.cells.map(({ task, length }) => `${task.name}/${length}`));
  const isPlanned = (index: number): boolean => index >= plan.first && index < plan.first + plan.samples;
  return records.filter(({ task, length, index }) => cells.has(`${task}/${length}`) && isPlanned(index));
}

/** A sample that was asked, for whoever chooses the next ones. */
export interface AskedSample extends SampleName {
  /** Its score in [0, 1]; `null` where the call failed in this session or there was nothing to score. */
  readonly value: number | null;
}

/** Chooses what to ask next from what was asked so far; none ends the run. */
export type ChooseSamples = (asked: readonly AskedSample[], plan: Plan) => readonly SampleName[];

/** Options for {@linkcode runChosen}. */
interface RunChosenOptions extends RunOptions, BenchmarkOptions {
  /** Chooses the next samples each time the last ones are done. */
  readonly choose: ChooseSamples;
  /** The records that the run has already. */
  readonly records: readonly RunRecord[];
}

/**
 * Asks samples of a plan step by step, each step chosen by the scores of those before.
 *
 * Nothing but the records is needed to go on: the same choice is made again from them. A sample whose call failed in an
 * earlier session is as if it had not been asked.
 *
 * @param plan All the samples among which to choose.
 * @param options Who chooses, whom to ask, where to keep the records.
 * @returns What was done; `total` counts the samples that were chosen.
 * @throws {RangeError} If a sample is chosen that the plan does not have, or the endpoint cannot be asked.
 * @throws {Error} If too many calls failed, or a record could not be written. What came before is recorded.
 *
 * @example Two samples, then one more where both were right
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { openMaterials, type RunStore } from "@/lib/runs/mod.ts";
 * import { planRun } from "@/lib/runs/plan.ts";
 *
 * const tasks = [NIAH.make({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 9, seed: "42" }, await openMaterials());
 * const store = { append: () => Promise.resolve(), outcome: () => undefined } as unknown as RunStore;
 * const sample = (index: number) => ({ task: "niah", length: 512, index });
 * const { answered } = await runChosen(plan, {
 *   model: simulatedModel("ideal"),
 *   store,
 *   records: [],
 *   choose: (asked) => asked.length === 0 ? [0, 1].map(sample) : asked.length === 2 ? [sample(2)] : [],
 * });
 * equal(answered, 3);
 * ```
 */
export async function runChosen(plan: Plan, options: RunChosenOptions): Promise<RunSummary> {
  const { choose, records, benchmarks, onProgress, ...asking } = options;
  const asked = new Map<string, AskedSample>();
  const note = (record: RunRecord): void => {
    const { task, length, index } = record;
    const value = scoreRecords([record], benchmarks)[0]!.value;
    asked.set(nameOf(record), { task, length, index, value });
  };
  for (const record of records) if (record.reply.kind === "answer") note(record);
  const store: RunStore = {
    ...asking.store,
    append: async (record) => {
      await asking.store.append(record);
      note(record);
    },
  };
  let total = noneOf(asked);
  let last: RunProgress | undefined;
  for (;;) {
    const names = choose([...asked.values()], plan).filter((name) => !asked.has(nameOf(name)));
    if (names.length === 0 || total.isStopped) break;
    const [before, elapsedMs] = [total, last?.elapsedMs ?? 0];
    const step = await runPlan(pickSamples(plan, names), {
      ...asking,
      store,
      onProgress: (progress) => onProgress?.(last = addProgress(progress, { before, elapsedMs })),
    });
    total = add(total, step);
    // Subtle: a sample that could not be made has no record, and would be chosen for ever.
    for (const name of names) if (!asked.has(nameOf(name))) asked.set(nameOf(name), { ...name, value: null });
  }
  if (last !== undefined) onProgress?.({ ...last, isOver: true });
  return total;
}

function nameOf({ task, length, index }: SampleName): string {
  return `${length}/${index}/${task}`;
}

/** The summary of a session that has found earlier answers and asked nothing yet. */
function noneOf({ size }: { readonly size: number }): RunSummary {
  return { total: size, answered: size, failed: 0, asked: 0, promptTokens: 0, isStopped: false, notMade: [] };
}

function add(left: RunSummary, right: RunSummary): RunSummary {
  return {
    total: left.total + right.total,
    answered: left.answered + right.answered,
    failed: left.failed + right.failed,
    asked: left.asked + right.asked,
    promptTokens: left.promptTokens + right.promptTokens,
    isStopped: right.isStopped,
    notMade: [...left.notMade, ...right.notMade],
  };
}

function addProgress(
  progress: RunProgress,
  { before, elapsedMs }: { readonly before: RunSummary; readonly elapsedMs: number },
): RunProgress {
  return {
    ...progress,
    done: progress.done + before.answered + before.failed + before.notMade.length,
    total: progress.total + before.total,
    failed: progress.failed + before.failed,
    asked: progress.asked + before.asked,
    tokens: progress.tokens + before.promptTokens,
    elapsedMs: progress.elapsedMs + elapsedMs,
    isOver: false,
  };
}

/** Names one sample of a plan. */
export interface SampleName {
  /** The task's name. */
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
}

/**
 * Makes a plan of some of another's samples.
 *
 * @param plan The plan.
 * @param names Which of its samples, in the order in which they are to be asked.
 * @returns A plan that asks these alone.
 * @throws {RangeError} If the plan has no such sample.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 * import { listSamples, planRun } from "@/lib/runs/plan.ts";
 *
 * const tasks = [NIAH.make({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 100, seed: "42" }, await openMaterials());
 * const picked = pickSamples(plan, [{ task: "niah", length: 512, index: 17 }]);
 * deepEqual([...listSamples(picked)].map(({ index }) => index), [17]);
 * ```
 */
export function pickSamples(plan: Plan, names: readonly SampleName[]): Plan {
  const cells = new Map<string, Cell>(plan.cells.map((cell) => [cellName(cell.task.name, cell.length), cell]));
  const picked = names.map(({ task, length, index }) => {
    const cell = cells.get(cellName(task, length));
    if (cell === undefined || index < plan.first || index >= plan.first + plan.samples) {
      throw new RangeError(
        `Cannot pick the sample as it must be one of the plan: current value is ${task}, ${length} tokens, number ${index}`,
      );
    }
    return { task: cell.task, length, index };
  });
  return { ...plan, picked, questions: picked.length };
}

function cellName(task: string, length: number): string {
  return `${length} ${task}`;
}
