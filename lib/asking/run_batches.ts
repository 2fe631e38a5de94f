import { setTimeout as timer } from "node:timers/promises";
import {
  batchFiles,
  clearBatch,
  isOpen,
  keepBatch,
  makeBatchFolder,
  openLines,
  readAsked,
  readBatches,
  readReplies,
  refusedBatch,
  removeFile,
  requestId,
  type RunBatch,
} from "./batch_files.ts";
import { listSamples, type Plan, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";
import type { PaidCall } from "./purse.ts";
import { completeRecord, describeAsked, makeSample, type RunOptions, type RunSummary } from "./run_plan.ts";
import { placeOf } from "@/lib/records/mod.ts";
import { BatchError, type BatchServer } from "@/lib/models/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** How a run is asked in batches. */
export interface Batching {
  /**
   * Whether what is left is submitted; otherwise only what came back is read.
   *
   * @default {true}
   */
  readonly submits?: boolean;
  /**
   * Whether to wait until all batches are over.
   *
   * @default {true}
   */
  readonly waits?: boolean;
  /**
   * How often the server is asked how far it is, in milliseconds.
   *
   * @default {60_000}
   */
  readonly pollMs?: number;
  /** The most prompt tokens that are under way together; as many as the server takes by default. */
  readonly mostTokens?: number;
  /**
   * The most requests of a batch.
   *
   * @default {50_000}
   */
  readonly mostRequests?: number;
  /**
   * The most bytes of its file.
   *
   * @default {50_000_000}
   */
  readonly mostBytes?: number;
}

/** How {@linkcode runBatches} asks. */
export interface RunBatchesOptions
  extends Pick<RunOptions, "model" | "store" | "purse" | "stop" | "signal" | "onBegin" | "onProgress"> {
  readonly batching: Batching;
}

/** OpenAI takes as many requests, and files four times as large; a file is held whole while it is sent. */
const LIMITS = { mostRequests: 50_000, mostBytes: 50_000_000, pollMs: 60_000 };

/** How often in a row the server may not be reached before a session ends; its batches go on. */
const MOST_MISSES = 30;

/** How many looks a batch waits that found the queue full, if none of the run's own ends before. */
const FULL_LOOKS = 10;

/** The share of a queue that batches fill, as servers count prompts a little differently. */
const QUEUE_SHARE = 0.9;

/** What a session knows beside its options. */
interface Session extends RunBatchesOptions {
  readonly plan: Plan;
  readonly server: BatchServer;
  readonly ends: AbortSignal;
  /** All batches of the run, by number; those that are over too. */
  readonly batches: Map<number, RunBatch>;
  /** The calls that are in a batch whose replies are not recorded yet, by the names of their requests. */
  readonly held: Map<string, HeldCall>;
  /** What is not asked again in this session: what failed or could not be made. */
  readonly passed: Set<string>;
  readonly tally: { answered: number; failed: number; asked: number; promptTokens: number; readonly notMade: string[] };
  readonly limits: { mostTokens: number; readonly mostRequests: number; readonly mostBytes: number };
  /** For how many more looks nothing is submitted, as the queue is full. */
  fullFor: number;
  /** Why nothing more is submitted. */
  trouble: string | undefined;
  readonly startMs: number;
}

interface HeldCall extends PaidCall {
  readonly batch: number;
}

/**
 * Asks what a plan has left to ask in batches of the model's server, waits for them and records every reply.
 *
 * Each step is kept in the run's folder before the next, so that a session that was ended at any moment is gone on with and nothing
 * is submitted twice. What a batch that expired left untried is submitted again; what failed is counted under its cause.
 *
 * @throws {RangeError} If the model has no server, or that refuses a batch; what came before is recorded.
 * @throws {BatchError} If the server has no batches, refuses the key or cannot be reached.
 */
export async function runBatches(plan: Plan, options: RunBatchesOptions): Promise<RunSummary> {
  const { store, stop, signal, batching, onProgress } = options;
  const server = checkAskable(plan, options);
  const signals = [stop, signal].filter((each) => each !== undefined);
  const session: Session = {
    ...options,
    ...{ plan, server, ends: AbortSignal.any(signals) },
    batches: new Map((await readBatches(store.path)).map((batch) => [batch.number, batch])),
    ...{ held: new Map(), passed: new Set(), trouble: undefined, fullFor: 0, startMs: performance.now() },
    tally: { answered: 0, failed: 0, asked: 0, promptTokens: 0, notMade: [] },
    limits: { ...LIMITS, mostTokens: Infinity, ...batching },
  };
  const { tally, ends } = session;
  for (const planned of listSamples(plan)) if (!isLeft(planned, session)) tally.answered++;
  try {
    await server.check(ends);
    const submits = batching.submits ?? true;
    if (submits && tally.answered < plan.questions) {
      await options.onBegin?.((waiting) => report(session, waiting));
      await store.begin();
    }
    await makeBatchFolder(store.path);
    await takeUp(session);
    report(session);
    await goOn(session);
  } catch (error) {
    if (!ends.aborted) throw error;
  }
  const { answered, failed, asked, promptTokens, notMade } = tally;
  const trouble = session.trouble ?? session.purse?.trouble();
  onProgress?.({ ...progressOf(session), isOver: true });
  return {
    ...{ total: plan.questions, answered, failed, asked, promptTokens, notMade, isStopped: ends.aborted },
    ...(trouble === undefined ? {} : { trouble }),
    ...(session.held.size === 0 ? {} : { underWay: session.held.size }),
  };
}

function checkAskable({ fitsServer }: Plan, { model }: RunBatchesOptions): BatchServer {
  if (model.batches === undefined) {
    throw new RangeError(
      `Cannot ask in batches as the model must be one of a server with batches: current value is "${model.name}"`,
    );
  }
  if (fitsServer) {
    throw new RangeError(
      `Cannot ask in batches as the tokenizer must be one that counts without the server: current value is "server"`,
    );
  }
  return model.batches;
}

function isLeft(planned: PlannedSample, { store }: Pick<Session, "store">): boolean {
  return store.outcome(placeOf(planned)) !== "answer";
}

/** Takes up what an earlier session left: what was not given to the server is made again, the rest counts as under way. */
async function takeUp(session: Session): Promise<void> {
  const { plan, store, batches, held, purse } = session;
  const rooms = new Map(plan.cells.map(({ task }) => [task.name, task.answerRoom]));
  for (const batch of [...batches.values()]) {
    if (batch.isOver) continue;
    if (!isOpen(batch)) {
      await clearBatch(store.path, batch, { all: true });
      batches.delete(batch.number);
      continue;
    }
    for (const [id, { task, promptTokens }] of await readAsked(store.path, batch)) {
      const call = { batch: batch.number, promptTokens, answerRoom: rooms.get(task) ?? 0 };
      held.set(id, call);
      purse?.hold(call);
    }
  }
}

/** Submits, looks and reads back until nothing is under way, or as long as it is wanted. */
async function goOn(session: Session): Promise<void> {
  const { batching, ends } = session;
  const { waits = true, pollMs = LIMITS.pollMs } = batching;
  for (let misses = 0;;) {
    try {
      await submit(session);
      const isAnyOver = await lookAtAll(session);
      misses = 0;
      if (isAnyOver) continue;
      if (!waits || notOver(session).length === 0) return;
      report(session, waitingText(session));
    } catch (error) {
      const isPassing = error instanceof BatchError && error.isPassing;
      if (!isPassing || !waits || ++misses >= MOST_MISSES) throw error;
      report(session, error.message);
    }
    session.fullFor = Math.max(0, session.fullFor - 1);
    await timer(pollMs, undefined, { signal: ends });
  }
}

function notOver({ batches }: Session): readonly RunBatch[] {
  return [...batches.values()].filter(({ isOver }) => !isOver);
}

async function keep(session: Session, batch: RunBatch): Promise<RunBatch> {
  session.batches.set(batch.number, batch);
  await keepBatch(session.store.path, batch);
  return batch;
}

/** Submits what is left: first what an earlier try has prepared, or the server had no room for. */
async function submit(session: Session): Promise<void> {
  const { batching, ends } = session;
  for (const batch of notOver(session)) {
    if (batch.server !== undefined || (batch.refused !== undefined && session.fullFor > 0)) continue;
    await begin(session, batch);
  }
  while ((batching.submits ?? true) && session.trouble === undefined && session.fullFor === 0 && !ends.aborted) {
    const batch = await writeNext(session);
    if (batch === undefined) return;
    await begin(session, batch);
    report(session, waitingText(session));
  }
}

/** Gives a batch to the server. What came of each step is kept before the next. */
async function begin(session: Session, prepared: RunBatch): Promise<void> {
  const { server, store, signal } = session;
  const { requests } = batchFiles(store.path, prepared);
  const isTried = prepared.file !== undefined;
  const file = prepared.file ?? await server.upload(requests, signal);
  const batch = await keep(session, { ...prepared, file });
  const labels = { "fathom_run": store.name, "fathom_batch": String(batch.number) };
  const { refused = [] } = batch;
  const { file: _file, ...begun } = await server.begin(file, labels, { signal, isTried, refused });
  await keep(session, { ...batch, server: begun });
  await removeFile(requests);
}

/** Writes the next batch of what is left; `undefined` where nothing is, or there is no room or money for it now. */
async function writeNext(session: Session): Promise<RunBatch | undefined> {
  const { store, batches, limits } = session;
  const number = 1 + Math.max(0, ...batches.keys());
  const paths = batchFiles(store.path, { number });
  const queued = sum(notOver(session).map(({ promptTokens }) => promptTokens));
  let [questions, promptTokens] = [0, 0];
  {
    await using requests = await openLines(paths.requests);
    await using asked = await openLines(paths.asked);
    for (const { id, planned, sample } of makeLeft(session)) {
      const line = session.server.lineOf(id, sample);
      const isAlone = questions === 0 && queued === 0;
      const hasRoom = questions < limits.mostRequests && requests.bytesWith(line) <= limits.mostBytes &&
        queued + promptTokens + sample.promptTokens <= limits.mostTokens;
      if (!hasRoom && !isAlone) break;
      const call = { batch: number, promptTokens: sample.promptTokens, answerRoom: sample.answerRoom };
      if (session.purse?.tryTake(call) === false) break;
      session.held.set(id, call);
      await requests.add(line);
      await asked.add(JSON.stringify(describeAsked(sample, { plan: session.plan, planned, model: session.model })));
      questions++;
      promptTokens += sample.promptTokens;
    }
  }
  if (questions > 0 && !session.ends.aborted) return await keep(session, { number, questions, promptTokens });
  release(session, number);
  await clearBatch(store.path, { number });
  return undefined;
}

/** Makes the samples that are left, one by one. */
function* makeLeft(session: Session): Generator<LeftSample> {
  const { plan, held, passed, tally, ends } = session;
  for (const planned of listSamples(plan)) {
    const id = requestId({ ...planned, task: planned.task.name });
    if (ends.aborted) return;
    if (!isLeft(planned, session) || held.has(id) || passed.has(id)) continue;
    const sample = makeSample(plan, planned);
    if (!(sample instanceof RangeError)) yield { id, planned, sample };
    else {
      passed.add(id);
      tally.notMade.push(sample.message);
    }
  }
}

interface LeftSample {
  readonly id: string;
  readonly planned: PlannedSample;
  readonly sample: Sample;
}

/** Gives back what the calls of a batch took that were not answered. */
function release({ held, purse }: Session, batch: number): void {
  for (const [id, call] of [...held].filter(([, { batch: of }]) => of === batch)) {
    purse?.settle(call, undefined);
    held.delete(id);
  }
}

/** The ends of a batch. */
const OVER: readonly string[] = ["completed", "failed", "expired", "cancelled"];

/** Asks the server about each batch and reads back those that are over; gives whether any is. */
async function lookAtAll(session: Session): Promise<boolean> {
  let isAnyOver = false;
  for (const before of notOver(session)) {
    if (before.server === undefined || session.ends.aborted) continue;
    const { file: _file, ...told } = await session.server.look(before.server.id, session.signal);
    const isSame = JSON.stringify(told) === JSON.stringify(before.server);
    const batch = isSame ? before : await keep(session, { ...before, server: told });
    if (!OVER.includes(told.status)) continue;
    isAnyOver = true;
    await (told.refusal === undefined ? readBack(session, batch) : takeRefusal(session, batch));
  }
  return isAnyOver;
}

/** Waits where the server's queue is full, and makes smaller batches where it can never hold one. */
async function takeRefusal(session: Session, batch: RunBatch): Promise<void> {
  const { store, limits } = session;
  const { server, refused = [], ...rest } = batch;
  const { isFull, mostTokens = Infinity } = server!.refusal!;
  const isTooLarge = batch.promptTokens > QUEUE_SHARE * mostTokens;
  limits.mostTokens = Math.min(limits.mostTokens, QUEUE_SHARE * mostTokens);
  if (isFull && !isTooLarge) {
    await keep(session, { ...rest, refused: [...refused, server!.id] });
    session.fullFor = FULL_LOOKS;
    return;
  }
  release(session, batch.number);
  await keep(session, { ...batch, isOver: true });
  await clearBatch(store.path, batch);
  if (!isFull || batch.questions === 1) throw refusedBatch(batch, server!.refusal!);
}

/** Records what came back in a batch. */
async function readBack(session: Session, batch: RunBatch): Promise<void> {
  const { store, server, signal, model, tally, held, purse, passed } = session;
  const { id: batchId, status, outputs } = batch.server!;
  const asked = await readAsked(store.path, batch);
  let came = 0;
  for await (const { id, reply, time } of readReplies(store.path, { batch, outputs, server, signal })) {
    const sample = asked.get(id);
    if (sample === undefined || reply === undefined) continue;
    came++;
    if (reply.kind === "failure") passed.add(id);
    // An earlier session can have ended in the midst of this.
    if (store.isOfBatch(batchId, sample)) {
      if (reply.kind === "failure") tally.failed++;
      continue;
    }
    const record = completeRecord(sample, { model, reply, batch: batchId, time });
    await store.append(record);
    if (held.has(id)) purse?.settle(held.get(id)!, record);
    held.delete(id);
    tally.asked++;
    tally.promptTokens += sample.promptTokens;
    tally[reply.kind === "answer" ? "answered" : "failed"]++;
    report(session);
  }
  await store.sync();
  release(session, batch.number);
  await keep(session, { ...batch, isOver: true });
  await clearBatch(store.path, batch);
  if (status !== "cancelled" && came > 0) return;
  session.trouble = `Batch ${batch.number} was ${status} with ${came} of ${batch.questions} ${
    plural(batch.questions, "reply")
  }: the same command submits the rest again, \`fathom resume\` asks it by single calls`;
}

/** How far the batches are that are under way. */
function waitingText(session: Session): string {
  const open = notOver(session);
  const states = open.slice(0, 3).map(({ number, questions, server }) => {
    if (server === undefined) return `${number} waits for room in the server's queue`;
    const { status, answered, failed } = server;
    return `${number} ${status.replaceAll("_", " ")}, ${answered + failed} of ${questions} done`;
  });
  const more = open.length > states.length ? `; ${open.length - states.length} more` : "";
  return `batch ${states.join("; ")}${more}`;
}

function report(session: Session, waiting?: string): void {
  session.onProgress?.({ ...progressOf(session), ...(waiting === undefined ? {} : { waiting }) });
}

function progressOf(session: Session): RunProgress {
  const { plan, tally: { answered, failed, asked, promptTokens, notMade }, startMs } = session;
  const atServer = sum(notOver(session).map(({ server }) => (server?.answered ?? 0) + (server?.failed ?? 0)));
  return {
    done: Math.min(plan.questions, answered + failed + notMade.length + atServer),
    total: plan.questions,
    ...{ failed, asked, tokens: promptTokens, elapsedMs: performance.now() - startMs, leftMs: null, isOver: false },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
