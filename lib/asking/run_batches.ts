import { Buffer } from "node:buffer";
import { rm } from "node:fs/promises";
import { setTimeout as timer } from "node:timers/promises";
import { defined, plural, sum, writeWhole } from "@/lib/base/mod.ts";
import type { PaidCall } from "./spending.ts";
import { type RunSummary, startTally, type Tally } from "./tally.ts";
import {
  batchPath,
  clearBatch,
  isOpen,
  readAsked,
  readBatches,
  readReplies,
  requestId,
  type RunBatch,
  writeBatch,
} from "./batch_files.ts";
import { type AskedRecord, completeRecord, describeAsked, isPending, type RunOptions } from "./run_plan.ts";
import { makeSample } from "./make_sample.ts";
import { answerRoomAt, type Sample } from "@/lib/generators/mod.ts";
import { BatchError, type BatchServer, withoutPrompt } from "@/lib/models/mod.ts";
import { listSamples, type Plan, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";

/** Options for asking a run in batches. */
export interface Batching {
  /** Whether pending samples are submitted, by default; otherwise only replies are fetched. */
  readonly submits?: boolean;
  /** Whether to wait until all batches are over, by default. */
  readonly waits?: boolean;
  /** The interval between requests for the status of the batches, in milliseconds; by default, a minute. */
  readonly pollMs?: number;
  /** The limit of requests in a batch; 50,000 by default. */
  readonly mostRequests?: number;
}

interface RunBatchesOptions
  extends Pick<RunOptions, "model" | "store" | "spending" | "stop" | "signal" | "onBegin" | "onProgress"> {
  readonly batching: Batching;
}

/** OpenAI accepts this number of requests and files four times as large; a file is held in memory while it is sent. */
const LIMITS = { mostRequests: 50_000, mostBytes: 50_000_000, pollMs: 60_000 } as const;

/** Failed polls in a row before a session ends; its batches continue. */
const MAX_MISSES = 30;

/** Polls that a batch waits after the queue was full, unless one of the run's own batches ends before. */
const FULL_POLLS = 10;

/** The share of a queue that batches fill, as servers count prompts slightly differently. */
const QUEUE_SHARE = 0.9;

/** Only a reply with at least a character for so many tokens of its prompt can repeat it; samples are made again for those alone. */
const ANSWER_SHARE = 8;

interface Session extends RunBatchesOptions {
  readonly plan: Plan;
  /** The samples of the plan by the ids of their requests, as are those held. */
  readonly planned: ReadonlyMap<string, PlannedSample>;
  readonly server: BatchServer;
  readonly ends: AbortSignal;
  /** All batches of the run by number, including completed ones. */
  readonly batches: Map<number, RunBatch>;
  readonly held: Map<string, HeldCall>;
  /** Requests that this session does not repeat: they failed or could not be made. */
  readonly passed: Set<string>;
  readonly tally: Tally;
  /** The limit of prompt tokens in open batches is learned from the server's refusals. */
  readonly limits: { mostTokens: number; readonly mostRequests: number };
  /** Polls until the next submission, after the queue was full. */
  fullFor: number;
  trouble: string | undefined;
}

interface HeldCall extends PaidCall {
  readonly batch: number;
}

/**
 * Asks the pending samples of a plan in batches of the model's server, waits for them and records every reply.
 *
 * Each step is saved in the run's folder before the next, so that a session can be resumed from any point and nothing is submitted
 * twice. Requests that an expired batch left out are submitted again.
 *
 * @throws {RangeError} If the model has no server, or the server refuses a batch; earlier replies are recorded.
 * @throws {BatchError} If the server has no batches, refuses the key or cannot be reached.
 */
export async function runBatches(plan: Plan, options: RunBatchesOptions): Promise<RunSummary> {
  const { store, stop, signal, batching, onProgress } = options;
  const server = checkAskable(plan, options);
  const signals = [stop, signal].filter((each) => each !== undefined);
  const session: Session = {
    ...options,
    plan,
    server,
    ends: AbortSignal.any(signals),
    planned: new Map(listSamples(plan).map((each) => [requestId({ ...each, task: each.task.name }), each])),
    batches: new Map((await readBatches(store.path)).map((batch) => [batch.number, batch])),
    held: new Map(),
    passed: new Set(),
    trouble: undefined,
    fullFor: 0,
    tally: startTally(listSamples(plan), (planned) => isPending(planned, options)),
    limits: { mostTokens: Infinity, mostRequests: batching.mostRequests ?? LIMITS.mostRequests },
  };
  const { tally, ends } = session;
  try {
    await server.check(ends);
    const submits = batching.submits ?? true;
    if (submits && tally.summary(false).answered < plan.questions) {
      await options.onBegin?.((waiting) => report(session, waiting));
      await store.begin();
    }
    await restore(session);
    report(session);
    await work(session);
  } catch (error) {
    if (!ends.aborted) throw error;
  }
  const trouble = session.trouble ?? session.spending?.trouble();
  onProgress?.({ ...progressOf(session), isOver: true });
  return { ...tally.summary(ends.aborted), ...defined({ trouble, underWay: session.held.size || undefined }) };
}

function checkAskable({ fitsServer }: Plan, { model }: RunBatchesOptions): BatchServer {
  const refuse = (wanted: string, found: string): RangeError =>
    new RangeError(`Cannot ask in batches as ${wanted}: current value is "${found}"`);
  if (model.batches === undefined) throw refuse("the model must be one of a server with batches", model.name);
  if (fitsServer) throw refuse("the tokenizer must be one that counts without the server", "server");
  return model.batches;
}

/** Restores the batches of earlier sessions; those that were not uploaded are made again. */
async function restore(session: Session): Promise<void> {
  const { plan, store, batches, held, spending } = session;
  const rooms = new Map(plan.cells.map(({ task, length }) => [`${task.name}/${length}`, answerRoomAt(task, length)]));
  for (const batch of [...batches.values()]) {
    if (batch.isOver) continue;
    if (!isOpen(batch)) {
      await clearBatch(store.path, batch);
      await rm(batchPath(store.path, batch, "state"), { force: true });
      batches.delete(batch.number);
      continue;
    }
    for (const [id, { task, length, promptTokens }] of await readAsked(store.path, batch)) {
      const call = { batch: batch.number, promptTokens, answerRoom: rooms.get(`${task}/${length}`) ?? 0 };
      held.set(id, call);
      spending?.hold(call);
    }
  }
}

/** Submits, polls and fetches until no batch is open, or once without waiting. */
async function work(session: Session): Promise<void> {
  const { batching: { waits = true, pollMs = LIMITS.pollMs }, ends } = session;
  for (let misses = 0;;) {
    try {
      await submit(session);
      const isAnyOver = await pollAll(session);
      misses = 0;
      if (isAnyOver) continue;
      if (!waits || notOver(session).length === 0) return;
      report(session, waitingText(session));
    } catch (error) {
      const isPassing = error instanceof BatchError && error.isPassing;
      if (!isPassing || !waits || ++misses >= MAX_MISSES) throw error;
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
  await writeWhole(batchPath(session.store.path, batch, "state"), `${JSON.stringify(batch, null, 2)}\n`);
  return batch;
}

/** Submits pending samples; batches that are prepared already go first. */
async function submit(session: Session): Promise<void> {
  const { batching, ends } = session;
  for (const batch of notOver(session)) {
    if (batch.server !== undefined || session.fullFor > 0) continue;
    await begin(session, batch);
  }
  while ((batching.submits ?? true) && session.trouble === undefined && session.fullFor === 0 && !ends.aborted) {
    const batch = await writeNext(session);
    if (batch === undefined) return;
    await begin(session, batch);
    report(session, waitingText(session));
  }
}

/** Submits a batch to the server, and saves the result of each step before the next. */
async function begin(session: Session, prepared: RunBatch): Promise<void> {
  const { server, store, signal } = session;
  const requests = batchPath(store.path, prepared, "requests");
  const isTried = prepared.file !== undefined;
  const file = prepared.file ?? await server.upload(requests, signal);
  const batch = await keep(session, { ...prepared, file });
  const labels = { "fathom_run": store.name, "fathom_batch": String(batch.number) };
  const begun = await server.begin(file, labels, { signal, isTried });
  await keep(session, { ...batch, server: begun });
  await rm(requests, { force: true });
}

/** Writes the next batch of pending samples; `undefined` if there is none, or no room or budget for it now. */
async function writeNext(session: Session): Promise<RunBatch | undefined> {
  const { store, batches, limits, plan, model } = session;
  const number = 1 + Math.max(0, ...batches.keys());
  const queued = sum(notOver(session).map(({ promptTokens }) => promptTokens));
  const requests: string[] = [];
  const asked: AskedRecord[] = [];
  let [promptTokens, bytes] = [0, 0];
  for (const { id, planned, sample } of makePending(session)) {
    const line = session.server.lineOf(id, sample);
    bytes += Buffer.byteLength(line) + 1;
    const isAlone = requests.length === 0 && queued === 0;
    const hasRoom = requests.length < limits.mostRequests && bytes <= LIMITS.mostBytes &&
      queued + promptTokens + sample.promptTokens <= limits.mostTokens;
    if (!hasRoom && !isAlone) break;
    const call = { batch: number, promptTokens: sample.promptTokens, answerRoom: sample.answerRoom };
    if (session.spending?.tryReserve(call) === false) break;
    session.held.set(id, call);
    requests.push(line);
    asked.push(describeAsked(sample, { plan, planned, model }));
    promptTokens += sample.promptTokens;
  }
  if (requests.length > 0 && !session.ends.aborted) {
    await writeBatch(store.path, { number }, { requests, asked });
    return await keep(session, { number, questions: requests.length, promptTokens });
  }
  release(session, number);
  return undefined;
}

function* makePending(
  session: Session,
): Generator<{ readonly id: string; readonly planned: PlannedSample; readonly sample: Sample }> {
  const { plan, held, passed, tally, ends } = session;
  for (const [id, planned] of session.planned) {
    if (ends.aborted) return;
    if (!isPending(planned, session) || held.has(id) || passed.has(id)) continue;
    const sample = makeSample(plan, planned);
    if (!(sample instanceof RangeError)) yield { id, planned, sample };
    else {
      passed.add(id);
      tally.noteNotMade(planned, sample.message);
    }
  }
}

/** Releases the budget of the calls of a batch that were not answered. */
function release({ held, spending }: Session, batch: number): void {
  for (const [id, call] of [...held].filter(([, { batch: of }]) => of === batch)) {
    spending?.settle(call, undefined);
    held.delete(id);
  }
}

const FINAL: readonly string[] = ["completed", "failed", "expired", "cancelled"];

/** Polls each batch and fetches those that are over; returns whether any is. */
async function pollAll(session: Session): Promise<boolean> {
  let isAnyOver = false;
  for (const before of notOver(session)) {
    if (before.server === undefined || session.ends.aborted) continue;
    const status = await session.server.look(before.server.id, session.signal);
    const isSame = JSON.stringify(status) === JSON.stringify(before.server);
    const batch = isSame ? before : await keep(session, { ...before, server: status });
    if (!FINAL.includes(status.status)) continue;
    isAnyOver = true;
    await (status.refusal === undefined ? readBack(session, batch) : takeRefusal(session, batch));
  }
  return isAnyOver;
}

/** Waits if the server's queue is full, and makes smaller batches if it can never hold one. */
async function takeRefusal(session: Session, batch: RunBatch): Promise<void> {
  const { store, limits } = session;
  const { server, ...rest } = batch;
  const { isFull, message, mostTokens = Infinity } = server!.refusal!;
  const isTooLarge = batch.promptTokens > QUEUE_SHARE * mostTokens;
  limits.mostTokens = Math.min(limits.mostTokens, QUEUE_SHARE * mostTokens);
  if (isFull && !isTooLarge) {
    await keep(session, rest);
    session.fullFor = FULL_POLLS;
    return;
  }
  release(session, batch.number);
  await keep(session, { ...batch, isOver: true });
  await clearBatch(store.path, batch);
  if (isFull && batch.questions > 1) return;
  throw new RangeError(
    `Cannot ask batch ${batch.number} as its server must accept it: the server answered ${JSON.stringify(message)}`,
  );
}

async function readBack(session: Session, batch: RunBatch): Promise<void> {
  const { plan, planned, store, server, signal, model, tally, held, spending, passed } = session;
  const { id: batchId, status } = batch.server!;
  const asked = await readAsked(store.path, batch);
  let came = 0;
  for await (const { id, reply: given, time } of readReplies(store.path, batch, { server, signal })) {
    const sample = asked.get(id);
    if (sample === undefined || given === undefined) continue;
    came++;
    if (given.kind === "failure") passed.add(id);
    // An earlier session can have been interrupted here.
    if (store.isOfBatch(batchId, sample)) {
      if (given.kind === "failure") tally.noteEarlierFailure();
      continue;
    }
    const isLong = given.kind === "answer" && given.text.length > sample.promptTokens / ANSWER_SHARE;
    const made = isLong ? makeSample(plan, planned.get(id)!) : undefined;
    const reply = made === undefined || made instanceof RangeError ? given : withoutPrompt(given, made.prompt);
    const record = completeRecord(sample, { model, reply, batch: batchId, time });
    await store.append(record);
    if (held.has(id)) spending?.settle(held.get(id)!, record);
    held.delete(id);
    tally.note(sample, sample.promptTokens, reply);
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
  session.onProgress?.({ ...progressOf(session), ...defined({ waiting }) });
}

function progressOf(session: Session): RunProgress {
  const progress = session.tally.progress(false);
  const atServer = sum(notOver(session).map(({ server }) => (server?.answered ?? 0) + (server?.failed ?? 0)));
  return { ...progress, done: Math.min(progress.total, progress.done + atServer), leftMs: null };
}
