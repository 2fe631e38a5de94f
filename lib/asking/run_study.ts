import { defined, plural } from "@/lib/base/mod.ts";
import { refuseOpenBatches } from "./batch_files.ts";
import { asRunBegan, type Preflight, preflight } from "./preflight.ts";
import { measuresTemplate, serverChanges } from "./server_findings.ts";
import { checkWindow } from "./window_fit.ts";
import { openSpending, type SpendingLimit } from "./spending.ts";
import type { RunSummary } from "./tally.ts";
import { type Batching, runBatches } from "./run_batches.ts";
import { isPending, type RunOptions, runPlan } from "./run_plan.ts";
import { type ChooseSamples, runChosen } from "./choose_samples.ts";
import {
  allowanceOf,
  type Cell,
  checkRunName,
  describeRun,
  isFolder,
  listSamples,
  type OpenedModel,
  type OpenStudy,
  openStudy,
  type Plan,
  type PlannedSample,
  planShard,
  planStudy,
  readManifest,
  RUNS_FOLDER,
  type Study,
} from "@/lib/studies/mod.ts";
import {
  openStore,
  placeKey,
  placeOf,
  type RecordedScores,
  type RunFolderOptions,
  type RunRecord,
  type RunStore,
  type ScoredReply,
  scoreRecords,
  type ScoringOptions,
  type StoreOptions,
  withScores,
} from "@/lib/records/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode runStudy}. */
export interface RunStudyOptions
  extends Omit<RunOptions, "store" | "onBegin" | "spending">, Omit<StoreOptions, "isGivenAddress">, ScoringOptions {
  readonly model: Model & Pick<OpenedModel, "destination">;
  /** The name of the run; the same name resumes it. */
  readonly name: string;
  /** Called before the first call with the plan and the run's folder; it may throw to call the run off. */
  readonly onPlan?: (plan: Plan, store: RunStore) => void | Promise<void>;
  /**
   * Called before the first call with the report on the model's server and its changes since the run began. Without it no preflight
   * is made.
   */
  readonly onServer?: (look: Preflight, changes: readonly string[]) => void | Promise<void>;
  /** The most that all sessions of the run may cost together; the run stops before a call that could exceed it. */
  readonly maxCost?: SpendingLimit | undefined;
  /** Chooses what to ask step by step; by default every sample of the plan is asked. */
  readonly choose?: ChooseSamples;
  /** Asks in batches of the model's server; by default by single calls. */
  readonly batching?: Batching | undefined;
  /** The aim of a search that chooses the samples, kept in the manifest for resuming. */
  readonly search?: SearchAim;
  readonly opened?: OpenStudy;
  /** Whether prompts that exceed the window are asked and counted as failed calls; by default they are refused before the first call. */
  readonly countsOverflow?: boolean;
}

/** A study that was run, with its records scored. */
export interface StudyRun extends RecordedScores {
  readonly summary: RunSummary;
  /** The plan; `tooShort` lists what does not fit. */
  readonly plan: Plan;
  /** The scored records of the plan's samples; the run can have more. */
  readonly replies: readonly ScoredReply[];
}

/**
 * Runs a study on a model, from its tasks to scored records, for the shell and for notebooks.
 *
 * Everything is checked before the first call, every reply is recorded when it comes, and the same call again resumes the run.
 *
 * @throws {RangeError} If an option is outside its range, or the model cannot be asked; nothing is recorded then.
 * @throws {Error} If the run broke off, or no reply came; earlier replies are recorded.
 *
 * @example The simulated reader's ideal, which forgets nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { simulatedModel } from "@/lib/simulated/mod.ts";
 * import { checkStudy } from "@/lib/studies/mod.ts";
 *
 * const folder = await mkdtemp("/tmp/fathom-");
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const { replies } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * deepEqual(replies.map(({ value }) => value), [1, 1]);
 * await rm(folder, { recursive: true });
 * ```
 */
export async function runStudy(study: Study, options: RunStudyOptions): Promise<StudyRun> {
  const { name, shard, search, scored, measure } = options;
  const opened = options.opened ?? await openStudy(study, { benchmarks: options.benchmarks });
  const { benchmarks } = opened;
  const { model, look } = await settleTemplate(opened, options);
  const whole = planStudy(opened, model);
  const plan = shard === undefined ? whole : planShard(whole, shard);
  checkCombined(plan, options);
  const header = { ...describeRun(opened, model), ...defined({ search }) };
  const isGivenAddress = options.model.destination?.isGiven === true;
  const store = await openStore(name, header, { ...options, isGivenAddress });
  let summary: RunSummary;
  try {
    if (options.batching === undefined && await isFolder(`${store.path}/batches`)) {
      await refuseOpenBatches(name, store.path);
    }
    await options.onPlan?.(plan, store);
    summary = await askPlan(plan, { ...options, benchmarks, model, look, store });
  } finally {
    await store.close();
  }
  if (summary.answered + summary.failed === 0) {
    if (summary.underWay !== undefined) throw new NothingCameYet(name, summary);
    const why = summary.trouble ?? summary.notMade[0] ?? "it was stopped before";
    throw new Error(`Cannot score run "${name}" as at least one reply must have come: current value is 0 (${why})`);
  }
  const run = await store.read(benchmarks);
  const records = recordsOfPlan(run.records, plan);
  const atOnce = model.mostAtOnce?.();
  const recorded = withScores(run, scoreRecords(records, { benchmarks, scored, measure }));
  const notes = [
    ...recorded.notes,
    ...(atOnce === undefined ? [] : [
      `the server could not hold all questions that were sent at a time, in the end ${atOnce}: a larger context at its start ` +
      "(llama-server -c) holds more, a lower concurrency saves the attempts",
    ]),
  ];
  return { ...recorded, notes, summary, plan };
}

function checkCombined(
  { repeats = 1, samplesAt, measure }: Plan,
  { choose, batching, shard, model }: Pick<RunStudyOptions, "choose" | "batching" | "shard" | "model">,
): void {
  if (measure !== undefined && (model.weigh === undefined || batching !== undefined)) {
    const current = batching === undefined ? `model "${model.name}"` : "batches";
    throw new RangeError(
      `Cannot measure the ${measure} as the model must be asked by single calls of completions or chats, which have log-probabilities: current value is ${current}`,
    );
  }
  const doing = choose === undefined ? "ask a shard in batches" : "choose samples step by step";
  const refusals: readonly (readonly [isRefused: boolean, wanted: string, found: string])[] = [
    [shard !== undefined, "the run must be whole", `shard ${shard?.index}/${shard?.of}`],
    [samplesAt !== undefined, "every length must have the same number of samples", JSON.stringify(samplesAt)],
    [batching !== undefined, "each must be a call of its own", "batches"],
    [repeats > 1, "repeats must be 1", `${repeats}`],
  ];
  const checked = choose === undefined ? refusals.slice(0, batching === undefined ? 0 : 1) : refusals;
  const refusal = checked.find(([isRefused]) => isRefused);
  if (refusal === undefined) return;
  throw new RangeError(`Cannot ${doing} as ${refusal[1]}: current value is ${refusal[2]}`);
}

async function askPlan(plan: Plan, options: RunStudyOptions & LookOptions): Promise<RunSummary> {
  const { model, store, maxCost, batching, choose } = options;
  const known = recordsOfPlan(store.records(), plan);
  const spending = maxCost && openSpending(maxCost, {
    ...allowanceOf(model),
    records: plan.shard === undefined ? store.records() : known,
    inBatches: batching !== undefined,
  });
  const asking = { ...options, spending, ...defined({ onBegin: options.onServer && lookOnce(plan, options) }) };
  if (batching !== undefined) return await runBatches(plan, { ...asking, batching });
  if (choose !== undefined) return await runChosen(plan, { ...asking, choose, records: known });
  return await runPlan(plan, asking);
}

function recordsOfPlan(records: readonly RunRecord[], plan: Plan): readonly RunRecord[] {
  const own = new Set(listSamples(plan).map((sample) => placeKey(placeOf(sample))));
  return records.filter((record) => own.has(placeKey(record)));
}

/** Everything that was asked is still in batches of the server. */
export class NothingCameYet extends Error {
  /** Creates the error of a run from the result of its session. */
  constructor(name: string, readonly summary: RunSummary) {
    const { underWay, isStopped } = summary;
    super(
      `${isStopped ? "Stopped: " : ""}${underWay} ${
        plural(underWay!, "question")
      } of run "${name}" are in batches under way; \`fathom batch fetch ${name}\` reads back what came, the same command waits for it`,
    );
  }
}

/**
 * Settles how many tokens the chat template of the model's server adds, unless the user gave a number: those that the run began
 * with, or for a new run those that a preflight measures.
 */
async function settleTemplate(
  opened: OpenStudy,
  options: RunStudyOptions,
): Promise<Pick<LookOptions, "model" | "look">> {
  const { name, signal, onServer, onProgress } = options;
  const model = await asInRun(options.model, name, options);
  if (onServer === undefined || !measuresTemplate(model)) return { model };
  const plan = planStudy(opened, model);
  const waiting = { done: 0, total: plan.questions, failed: 0, asked: 0, tokens: 0, elapsedMs: 0, leftMs: null };
  const onWait = (reason: string): void => onProgress?.({ ...waiting, waiting: reason, isOver: false });
  const look = await preflight(model, { plan, onWait, ...defined({ signal }) });
  return { model: look?.model ?? model, look };
}

/** Returns a model with the template tokens of a run that was begun already. */
export async function asInRun<M extends Model>(
  model: M,
  name: string,
  { folder = RUNS_FOLDER }: RunFolderOptions = {},
): Promise<M> {
  if (model.withTemplateTokens === undefined) return model;
  const began = await readManifest(`${folder}/${checkRunName(name)}`);
  return began === undefined ? model : asRunBegan(model, began);
}

interface LookOptions
  extends Pick<RunStudyOptions, "signal" | "onServer" | "countsOverflow">, Pick<RunOptions, "model" | "store"> {
  /** The preflight that measured the model's template. */
  readonly look?: Preflight | undefined;
}

/** Returns a function that makes the preflight once, and refuses what cannot be asked. */
function lookOnce(
  plan: Plan,
  { model, look: earlier, store, signal, onServer, countsOverflow = false }: LookOptions,
): NonNullable<RunOptions["onBegin"]> {
  let isDone = false;
  return async (onWait) => {
    if (isDone) return;
    isDone = true;
    const look = earlier ?? await preflight(model, { plan, onWait, ...defined({ signal }) });
    if (look === undefined) return;
    const { report, error } = look;
    // Without an answer there is nothing to show.
    if (error === undefined || report.served !== undefined) {
      await onServer?.(look, store.server === undefined ? [] : serverChanges(store.server, report));
    }
    if (error !== undefined) throw error;
    store.keepServer(report);
    if (countsOverflow) return;
    const cellOf = ({ task, length }: Cell | PlannedSample): string => `${task.name}/${length}`;
    const remaining = new Set(listSamples(plan).filter((sample) => isPending(sample, { store })).map(cellOf));
    checkWindow(plan.cells.filter((cell) => remaining.has(cellOf(cell))), look, model);
  };
}
