import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { openRegular } from "@/lib/base/mod.ts";
import { readChunks, readLines, type RunRecord } from "@/lib/records/mod.ts";
import type { AskedRecord } from "./run_plan.ts";
import type { BatchLine, BatchServer, ServerBatch } from "@/lib/models/mod.ts";

/** A batch of a run, as the run's folder keeps it. */
export interface RunBatch {
  /** From 1. */
  readonly number: number;
  readonly questions: number;
  /** Tokens of all its prompts, by the run's tokenizer. */
  readonly promptTokens: number;
  /** The file of its requests at the server, once that is uploaded. */
  readonly file?: string;
  /** The last state from the server, once it has begun. */
  readonly server?: ServerBatch;
  /** Whether it is completed: its replies are recorded, or the server refused it. */
  readonly isOver?: true;
}

/** The files of a batch: its state, the records without replies, the requests, or the beginning of the names of those of replies. */
const ENDINGS = { state: ".json", asked: ".asked.jsonl", requests: ".jsonl", replies: ".out" } as const;

/** Returns the path of a file of a batch. */
export function batchPath(runPath: string, { number }: Pick<RunBatch, "number">, file: keyof typeof ENDINGS): string {
  return `${runPath}/batches/${number}${ENDINGS[file]}`;
}

/**
 * Lists the batches of a run in their order; none if there are no such files.
 *
 * @throws {SyntaxError} If one of the files has other content.
 */
export async function readBatches(runPath: string): Promise<RunBatch[]> {
  const folder = `${runPath}/batches`;
  const files: string[] = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const names = files.filter((name) => /^\d+\.json$/.test(name));
  const batches = await Promise.all(names.map(async (name) => {
    const path = `${folder}/${name}`;
    try {
      return JSON.parse(await readFile(path, "utf8")) as RunBatch;
    } catch (error) {
      throw new SyntaxError(`Cannot read "${path}" as it must be the state of a batch: ${(error as Error).message}`);
    }
  }));
  return batches.sort((left, right) => left.number - right.number);
}

/** Whether a server has, or may have, a batch whose replies are not recorded yet. */
export function isOpen({ isOver, file }: RunBatch): boolean {
  return isOver !== true && file !== undefined;
}

/**
 * Refuses to ask a run by single calls while batches of it are under way: their questions would be asked and paid twice.
 *
 * @throws {RangeError} If there are such batches.
 */
export async function refuseOpenBatches(name: string, runPath: string): Promise<void> {
  const open = (await readBatches(runPath)).filter(isOpen).length;
  if (open === 0) return;
  throw new RangeError(
    `Cannot ask run "${name}" by single calls as its batches must be over: current value is ${open} under way; \`fathom batch fetch ${name}\` reads back what there is, \`fathom batch cancel ${name}\` ends them`,
  );
}

/**
 * Polls the server for the state of a run's batches.
 *
 * @returns All batches of the run, those that were over already too.
 */
export async function lookAtBatches(runPath: string, server: BatchServer): Promise<RunBatch[]> {
  const batches = await readBatches(runPath);
  return await Promise.all(batches.map(async (batch) => {
    if (batch.isOver || batch.server === undefined) return batch;
    return { ...batch, server: await server.look(batch.server.id) };
  }));
}

/** Cancels the batches of a run that are under way and returns them; replies that came can still be fetched. */
export async function cancelBatches(runPath: string, server: BatchServer): Promise<RunBatch[]> {
  const open = (await readBatches(runPath)).filter((batch) => !batch.isOver && batch.server !== undefined);
  return await Promise.all(open.map(async (batch) => ({ ...batch, server: await server.cancel(batch.server!.id) })));
}

/** Removes the files of a batch that are no longer needed: requests and replies, which are recorded. */
export async function clearBatch(runPath: string, batch: Pick<RunBatch, "number">): Promise<void> {
  const [asked, requests] = [batchPath(runPath, batch, "asked"), batchPath(runPath, batch, "requests")];
  const replies = batchPath(runPath, batch, "replies");
  for (const path of [asked, requests, `${replies}0`, `${replies}1`]) await rm(path, { force: true });
}

export function requestId(
  { task, length, index, repeat = 0 }: Pick<RunRecord, "task" | "length" | "index" | "repeat">,
): string {
  return `${task}/${length}/${index}${repeat === 0 ? "" : `/${repeat}`}`;
}

/** Writes the files of a new batch: its requests, and its records without replies. */
export async function writeBatch(
  runPath: string,
  batch: Pick<RunBatch, "number">,
  { requests, asked }: { readonly requests: readonly string[]; readonly asked: readonly AskedRecord[] },
): Promise<void> {
  await mkdir(`${runPath}/batches`, { recursive: true });
  await writeFile(batchPath(runPath, batch, "requests"), requests.values().map((line) => `${line}\n`));
  const records = asked.values().map((each) => `${JSON.stringify(each)}\n`);
  await writeFile(batchPath(runPath, batch, "asked"), records);
}

/** Reads what a batch asks, by the names of its requests. */
export async function readAsked(runPath: string, batch: Pick<RunBatch, "number">): Promise<Map<string, AskedRecord>> {
  await using file = await openRegular(batchPath(runPath, batch, "asked"));
  const records = await Array.fromAsync(readLines(readChunks(file)), ({ text }) => JSON.parse(text) as AskedRecord);
  return new Map(records.map((record) => [requestId(record), record]));
}

/** Downloads the replies of a batch and reads them line by line; downloaded files are reused. */
export async function* readReplies(
  runPath: string,
  batch: RunBatch,
  { server, signal }: { readonly server: BatchServer; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<BatchLine> {
  for (const [number, output] of batch.server!.outputs.entries()) {
    const path = `${batchPath(runPath, batch, "replies")}${number}`;
    const isHere = await stat(path).then(() => true, () => false);
    if (!isHere) await server.save(output, path, signal);
    await using file = await openRegular(path);
    for await (const { text } of readLines(readChunks(file))) {
      const line = server.read(text);
      if (line !== undefined) yield line;
    }
  }
}
