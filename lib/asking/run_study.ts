import { refuseOpenBatches } from "./batch_files.ts";
import {
  allowanceOf,
  type BenchmarkOptions,
  type Cell,
  checkRunName,
  describeRun,
  listSamples,
  type OpenedModel,
  type OpenStudy,
  openStudy,
  type Plan,
  planShard,
  planStudy,
  readManifest,
  type RunProgress,
  RUNS_FOLDER,
  shardText,
  type Study,
} from "@/lib/studies/mod.ts";
import { asRunBegan, checkWindow, measuresTemplate, type Preflight, preflight, serverChanges } from "./preflight.ts";
import {
  listRuns,
  openStore,
  placeKey,
  placeOf,
  readRun,
  type RecordedRun,
  type RecordedScores,
  type RunFolderOptions,
  type RunStore,
  scoreRecords,
  type ScoringOptions,
  type StoreOptions,
  withScores,
} from "@/lib/records/mod.ts";
import { openPurse, type SpendingLimit } from "./purse.ts";
import { type RunOptions, runPlan, type RunSummary } from "./run_plan.ts";
import { type Batching, runBatches } from "./run_batches.ts";
import type { Model, RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode runStudy}. */
export interface RunStudyOptions
  extends Omit<RunOptions, "store" | "onBegin" | "purse">, Omit<StoreOptions, "isGivenAddress">, ScoringOptions {
  readonly model: Model & Pick<OpenedModel, "destination">;
  /** The name of the run; the same name resumes it. */
  readonly name: string;
  /** Called before the first call, with what is planned and what the run has; may throw to call it off. */
  readonly onPlan?: (plan: Plan, store: RunStore) => void | Promise<void>;
  /**
   * Called before the first call with what one look at the model's server found, and with how it differs from what it was when
   * the run began. Without it nobody looks.
   */
  readonly onServer?: (look: Preflight, changes: readonly string[]) => void | Promise<void>;
  /** What the run may cost, all its sessions together; it stops before a call that could cost more. */
  readonly maxCost?: SpendingLimit | undefined;
  /** Chooses what to ask step by step; by default every sample of the plan is asked. */
  readonly choose?: ChooseSamples;
  /** Asks in batches of the model's server; by default by single calls. */
  readonly batching?: Batching | undefined;
  /** What a search that chooses them aims at, for the manifest: whoever resumes the run goes on with it. */
  readonly search?: SearchAim;
  /** The same study, where it is open already. */
  readonly opened?: OpenStudy;
}

/** A study that was run, with its records scored. */
export interface StudyRun extends RecordedScores {
  /** What this session did. */
  readonly summary: RunSummary;
  /** What was planned; `tooShort` lists what does not fit. */
  readonly plan: Plan;
  /** The scored records of the plan's samples; the run can have more. */
  readonly replies: readonly ScoredReply[];
}

/**
 * Runs a study on a model, from its tasks to scored records, for the shell and for notebooks.
 *
 * Everything is checked before the first call, every reply is recorded when it comes, and the same call again resumes the run.
 *
 * @throws {RangeError} If something is not what it should be, or the model cannot be asked; nothing is recorded then.
 * @throws {Error} If the run broke off, or not one reply came; what came before is recorded.
 *
 * @example The simulated reader's ideal, which forgets nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const { replies } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * deepEqual(replies.map(({ value }) => value), [1, 1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function runStudy(study: Study, given: RunStudyOptions): Promise<StudyRun> {
  const {
    name,
    shard,
    folder,
    benchmarks: chosen,
    scored,
    onPlan,
    onServer,
    choose,
    search,
    maxCost,
    anyAddress,
    batching,
    opened: open,
    ...asking
  } = given;
  const opened = open ?? await openStudy(study, { benchmarks: chosen });
  const { benchmarks } = opened;
  const { model, look } = await settleTemplate(opened, given);
  const whole = planStudy(opened, model);
  const plan = shard === undefined ? whole : planShard(whole, shard);
  if (choose !== undefined && shard !== undefined) {
    throw new RangeError(
      `Cannot choose samples step by step as the run must be whole for that: current value is shard ${
        shardText(shard)
      }`,
    );
  }
  if (batching !== undefined && shard !== undefined) {
    throw new RangeError(
      `Cannot ask a shard in batches as the run must be whole for that: current value is shard ${shardText(shard)}`,
    );
  }
  if (choose !== undefined && opened.study.samplesAt !== undefined) {
    throw new RangeError(
      `Cannot choose samples step by step as every length must have as many samples for that: current value is ${
        JSON.stringify(opened.study.samplesAt)
      }`,
    );
  }
  if (choose !== undefined && batching !== undefined) {
    throw new RangeError(
      "Cannot choose samples step by step as each must be a call of its own for that: current value is batches",
    );
  }
  if (choose !== undefined && (plan.repeats ?? 1) > 1) {
    throw new RangeError(
      `Cannot choose samples step by step as repeats must be 1 for that: current value is ${plan.repeats}`,
    );
  }
  const place = { benchmarks, ...(folder === undefined ? {} : { folder }) };
  const scoring = { benchmarks, scored };
  const header = {
    ...describeRun(opened, model),
    ...(search === undefined ? {} : { search }),
  };
  const store = await openStore(name, header, {
    ...{ ...place, anyAddress, shard },
    isGivenAddress: given.model.destination?.isGiven === true,
  });
  let summary: RunSummary;
  try {
    if (batching === undefined) await refuseOpenBatches(name, store.path);
    await onPlan?.(plan, store);
    const onBegin = onServer && lookOnce(plan, { ...asking, model, look, store, onServer });
    const purse = maxCost && openPurse(maxCost, {
      ...allowanceOf(model),
      records: await readRecords(name, { place, plan: shard && plan }),
      inBatches: batching !== undefined,
    });
    const plain = { ...asking, model, store, purse, ...(onBegin === undefined ? {} : { onBegin }) };
    summary = batching !== undefined
      ? await runBatches(plan, { ...plain, batching })
      : choose === undefined
      ? await runPlan(plan, plain)
      : await runChosen(plan, { ...plain, ...scoring, choose, records: await readRecords(name, { place, plan }) });
  } finally {
    await store.close();
  }
  if (summary.answered + summary.failed === 0) {
    if (summary.underWay !== undefined) throw new NothingCameYet(name, summary);
    const why = summary.trouble ?? summary.notMade[0] ?? "it was stopped before";
    throw new Error(`Cannot score run "${name}" as at least one reply must have come: current value is 0 (${why})`);
  }
  const run = await readRun(name, place);
  const records = pickPlanned(run, plan);
  const notes = [
    ...run.notes,
    ...explainUnsolved(records),
    ...explainCrowd(model.mostAtOnce?.()),
    ...(model.serverNotes?.() ?? []),
  ];
  return { ...withScores(run, scoreRecords(records, scoring)), notes, summary, plan };
}

/** All that was asked is still in batches of the server. */
export class NothingCameYet extends Error {
  /** What the session did. */
  readonly summary: RunSummary;

  /** Says so of a run. */
  constructor(name: string, summary: RunSummary) {
    const { underWay, isStopped } = summary;
    super(
      `${isStopped ? "Stopped: " : ""}${underWay} ${
        plural(underWay!, "question")
      } of run "${name}" are in batches under way; \`fathom batch fetch ${name}\` reads back what came, the same command waits for it`,
    );
    this.summary = summary;
  }
}

/** Who is asked, and what the look that settled it found. */
interface SettledModel extends Pick<RunOptions, "model"> {
  readonly look?: Preflight | undefined;
}

/**
 * Settles how many tokens lengths count for the chat template of the model's server, where nobody gave a number: those that a
 * run began with, and for a new run those that a first look measures.
 */
async function settleTemplate(opened: OpenStudy, options: RunStudyOptions): Promise<SettledModel> {
  const { name, signal, onServer, onProgress } = options;
  const model = await asInRun(options.model, name, options);
  if (!measuresTemplate(model) || onServer === undefined) return { model };
  const plan = planStudy(opened, model);
  const waiting = { done: 0, total: plan.questions, failed: 0, asked: 0, tokens: 0, elapsedMs: 0, leftMs: null };
  const onWait = (reason: string): void => onProgress?.({ ...waiting, waiting: reason, isOver: false });
  const look = await preflight(model, { plan, onWait, ...(signal === undefined ? {} : { signal }) });
  return { model: look?.model ?? model, look };
}

/** Gives a model with the lengths of a run, if it was begun already. */
export async function asInRun<M extends Model>(
  model: M,
  name: string,
  { folder = RUNS_FOLDER }: RunFolderOptions = {},
): Promise<M> {
  if (model.withTemplateTokens === undefined) return model;
  const began = await readManifest(`${folder}/${checkRunName(name)}`);
  return began === undefined ? model : asRunBegan(model, began);
}

interface LookOnceOptions extends SettledModel, Pick<RunOptions, "store" | "signal"> {
  readonly onServer: NonNullable<RunStudyOptions["onServer"]>;
}

/** Makes a function that looks at the model's server, once, and refuses what cannot be asked. */
function lookOnce(
  plan: Plan,
  { model, look: earlier, store, signal, onServer }: LookOnceOptions,
): NonNullable<RunOptions["onBegin"]> {
  let isDone = false;
  return async (onWait) => {
    if (isDone) return;
    isDone = true;
    const look = earlier ??
      await preflight(model, { plan, onWait, ...(signal === undefined ? {} : { signal }) });
    if (look === undefined) return;
    const { report, error } = look;
    // Where nothing answered there is nothing to show.
    if (error === undefined || report.served !== undefined) {
      await onServer(look, store.server === undefined ? [] : serverChanges(store.server, report));
    }
    if (error !== undefined) throw error;
    store.keepServer(report);
    const left = new Set(
      listSamples(plan).filter((sample) => store.outcome(placeOf(sample)) !== "answer")
        .map(({ task, length }) => `${task.name}/${length}`),
    );
    checkWindow(plan.cells.filter(({ task, length }) => left.has(`${task.name}/${length}`)), look, model);
  };
}

/** Says that fewer questions were sent at a time than was asked for, and what would help. */
function explainCrowd(atOnce: number | undefined): string[] {
  if (atOnce === undefined) return [];
  return [
    `the server could not hold as many questions at a time as were sent, so ${atOnce} ${
      atOnce === 1 ? "was" : "were"
    } in the end: a larger context at its start (llama-server -c) holds more, a lower concurrency saves the attempts`,
  ];
}

/** Names the tasks with samples that the simulated reader cannot solve, and says why. */
function explainUnsolved(records: readonly RunRecord[]): string[] {
  return [...Map.groupBy(records, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const said = ofTask.flatMap(({ reply }) =>
      reply.kind === "failure" && reply.failure === "unsolved" ? [reply.message] : []
    );
    if (said.length === 0) return [];
    return [`${task}, ${said.length} of ${ofTask.length} samples: ${[...new Set(said)].join("; ")}`];
  });
}

/** Reads the records that a run has, of a plan alone where one is given; none where there is no such run yet. */
async function readRecords(
  name: string,
  { place, plan }: { readonly place: RunFolderOptions & BenchmarkOptions; readonly plan?: Plan | undefined },
): Promise<readonly RunRecord[]> {
  const isThere = (await listRuns(place)).includes(name);
  if (!isThere) return [];
  const run = await readRun(name, place);
  return plan === undefined ? run.records : pickPlanned(run, plan);
}

function pickPlanned({ records }: RecordedRun, plan: Plan): readonly RunRecord[] {
  if (plan.shard !== undefined) {
    const own = new Set([...listSamples(plan)].map((sample) => placeKey(placeOf(sample))));
    return records.filter((record) => own.has(placeKey(record)));
  }
  const findCell = cellFinder(plan);
  return records.filter((record) => findCell(record) !== undefined);
}

/** One sample of a plan. */
export type SampleName = Pick<RunRecord, "task" | "length" | "index" | "repeat">;

/** Makes a function that gives the cell of a plan that has a sample. */
function cellFinder({ cells, first, samples, repeats = 1 }: Plan): (name: SampleName) => Cell | undefined {
  const known = new Map(cells.map((cell) => [`${cell.task.name}/${cell.length}`, cell]));
  return ({ task, length, index, repeat = 0 }) =>
    index >= first && index < first + samples && repeat < repeats ? known.get(`${task}/${length}`) : undefined;
}

/** A sample that was asked, for whoever chooses the next ones. */
export interface AskedSample extends SampleName {
  /** Its score in [0, 1]; `null` where the call failed in this session or there was nothing to score. */
  readonly value: number | null;
  /** The question or text that it shares with others. */
  readonly cluster?: string | undefined;
}

/** Chooses what to ask next from what was asked so far; an empty list ends the run. */
export type ChooseSamples = (asked: readonly AskedSample[], plan: Plan) => readonly SampleName[];

interface RunChosenOptions extends RunOptions, ScoringOptions {
  readonly choose: ChooseSamples;
  /** The records that the run already has. */
  readonly records: readonly RunRecord[];
}

/**
 * Asks samples of a plan step by step, each step chosen by the scores of those before.
 *
 * Nothing but the records is needed to resume: the same choices follow from them. A sample whose call failed in an earlier
 * session counts as not asked.
 */
async function runChosen(plan: Plan, options: RunChosenOptions): Promise<RunSummary> {
  const { choose, records, benchmarks, scored, onProgress, ...asking } = options;
  const asked = new Map<string, AskedSample>();
  const note = (record: RunRecord): void => {
    const { task, length, index } = record;
    const { value, cluster } = scoreRecords([record], { benchmarks, scored })[0]!;
    asked.set(nameOf(record), { task, length, index, value, cluster });
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
    // Subtle: a sample that could not be made has no record, and would be chosen forever.
    for (const name of names) if (!asked.has(nameOf(name))) asked.set(nameOf(name), { ...name, value: null });
  }
  if (last !== undefined) onProgress?.({ ...last, isOver: true });
  return total;
}

function nameOf({ task, length, index }: SampleName): string {
  return `${length}/${index}/${task}`;
}

/** The summary of a session that found earlier answers and has asked nothing yet. */
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
    ...(right.trouble === undefined ? {} : { trouble: right.trouble }),
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

/** A plan that asks only the named samples, in that order. */
function pickSamples(plan: Plan, names: readonly SampleName[]): Plan {
  const findCell = cellFinder(plan);
  const picked = names.map((name) => {
    const { task, length, index } = name;
    const cell = findCell(name);
    if (cell === undefined) {
      throw new RangeError(
        `Cannot pick the sample as it must be one of the plan: current value is ${task}, ${length} tokens, number ${index}`,
      );
    }
    return { task: cell.task, length, index };
  });
  return { ...plan, picked, questions: picked.length };
}
