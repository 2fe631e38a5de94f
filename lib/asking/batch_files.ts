import { writeWhole } from "@/lib/studies/mod.ts";
import { readLines } from "@/lib/records/mod.ts";
import type { AskedRecord } from "./run_plan.ts";
import type { BatchLine, BatchRefusal, BatchServer, RunRecord, ServerBatch } from "@/lib/models/mod.ts";

/** A batch of a run, as the run's folder keeps it. */
export interface RunBatch {
  /** From 1. */
  readonly number: number;
  /** How many requests it has. */
  readonly questions: number;
  /** Tokens of all its prompts, by the run's tokenizer. */
  readonly promptTokens: number;
  /** The file of its requests at the server, once that is uploaded. */
  readonly file?: string;
  /** Batches with that file that the server refused, as its queue was full. */
  readonly refused?: readonly string[];
  /** The last state from the server, once it has begun. */
  readonly server?: Omit<ServerBatch, "file">;
  /** Whether it is completed: its replies are recorded, or the server refused it. */
  readonly isOver?: true;
}

/** The folder of a run's batches. */
function folderOf(runPath: string): string {
  return `${runPath}/batches`;
}

/** The files of a batch: what it asks, its requests, and what came back. */
export function batchFiles(runPath: string, { number }: Pick<RunBatch, "number">): BatchFiles {
  const begin = `${folderOf(runPath)}/${number}`;
  return { state: `${begin}.json`, asked: `${begin}.asked.jsonl`, requests: `${begin}.jsonl`, replies: `${begin}.out` };
}

interface BatchFiles {
  readonly state: string;
  /** The records, without what came back. */
  readonly asked: string;
  readonly requests: string;
  /** The beginning of the names of the files that came back. */
  readonly replies: string;
}

/**
 * Lists the batches of a run in their order; none where there are no such files.
 *
 * @throws {SyntaxError} If one of the files holds something else.
 */
export async function readBatches(runPath: string): Promise<RunBatch[]> {
  const folder = folderOf(runPath);
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  });
  const names = entries.map(({ name }) => name).filter((name) => /^\d+\.json$/.test(name));
  const batches = await Promise.all(names.map(async (name) => {
    const path = `${folder}/${name}`;
    try {
      return JSON.parse(await Deno.readTextFile(path)) as RunBatch;
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

/** Has the server end the batches of a run that are under way, and gives those; what they answered can be read back. */
export async function cancelBatches(runPath: string, server: BatchServer): Promise<RunBatch[]> {
  const open = (await readBatches(runPath)).filter((batch) => !batch.isOver && batch.server !== undefined);
  return await Promise.all(open.map(async (batch) => ({ ...batch, server: await server.cancel(batch.server!.id) })));
}

/** Keeps the state of a batch. */
export async function keepBatch(runPath: string, batch: RunBatch): Promise<void> {
  await writeWhole(batchFiles(runPath, batch).state, `${JSON.stringify(batch, null, 2)}\n`);
}

/** Removes what is no longer needed of a batch: what it asked and what came back, which the records hold, and with `all` its state. */
export async function clearBatch(
  runPath: string,
  batch: Pick<RunBatch, "number">,
  { all = false }: { readonly all?: boolean } = {},
): Promise<void> {
  const { state, asked, requests, replies } = batchFiles(runPath, batch);
  const outputs = [0, 1].map((number) => `${replies}${number}`);
  for (const path of [asked, requests, ...outputs, ...(all ? [state] : [])]) await removeFile(path);
}

export async function removeFile(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** A file of lines that is being written. */
export interface LinesFile extends AsyncDisposable {
  /** Its bytes, once another line is in it. */
  bytesWith(line: string): number;
  add(line: string): Promise<void>;
}

const encoder = new TextEncoder();

/** Opens a new file of lines. */
export async function openLines(path: string): Promise<LinesFile> {
  const file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = file.writable.getWriter();
  let bytes = 0;
  return {
    bytesWith: (line) => bytes + encoder.encode(line).length + 1,
    async add(line): Promise<void> {
      const encoded = encoder.encode(`${line}\n`);
      bytes += encoded.length;
      await writer.write(encoded);
    },
    [Symbol.asyncDispose]: () => writer.close(),
  };
}

/** Makes the folder of a run's batches. */
export async function makeBatchFolder(runPath: string): Promise<void> {
  await Deno.mkdir(folderOf(runPath), { recursive: true });
}

/** Returns the id of a request in a batch. */
export function requestId(
  { task, length, index, repeat = 0 }: Pick<RunRecord, "task" | "length" | "index" | "repeat">,
): string {
  return `${task}/${length}/${index}${repeat === 0 ? "" : `/${repeat}`}`;
}

/** Reads what a batch asks, by the names of its requests. */
export async function readAsked(runPath: string, batch: RunBatch): Promise<Map<string, AskedRecord>> {
  using file = await Deno.open(batchFiles(runPath, batch).asked);
  const asked = new Map<string, AskedRecord>();
  for await (const { text } of readLines(file)) {
    const record = JSON.parse(text) as AskedRecord;
    asked.set(requestId(record), record);
  }
  return asked;
}

/** Brings the replies of a batch here and reads them line by line; what is here already is not brought again. */
export async function* readReplies(
  runPath: string,
  { batch, outputs, server, signal }: {
    readonly batch: RunBatch;
    readonly outputs: readonly string[];
    readonly server: BatchServer;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<BatchLine> {
  const { replies } = batchFiles(runPath, batch);
  for (const [number, output] of outputs.entries()) {
    const path = `${replies}${number}`;
    const isHere = await Deno.stat(path).then(() => true, () => false);
    if (!isHere) await server.save(output, path, signal);
    using file = await Deno.open(path);
    for await (const { text } of readLines(file)) {
      const line = server.read(text);
      if (line !== undefined) yield line;
    }
  }
}

/** The error of a batch that the server refused for good. */
export function refusedBatch({ number }: Pick<RunBatch, "number">, { message }: BatchRefusal): RangeError {
  return new RangeError(
    `Cannot ask batch ${number} as its server must accept it: the server answered ${JSON.stringify(message)}`,
  );
}
