import { extname } from "node:path";
import { setImmediate } from "node:timers";
import { type TransferListItem, Worker } from "node:worker_threads";
import { type CellsRequest, openCells, type SampleCell } from "./sample_cells.ts";

/** A range of samples of a cell, made and written together. */
export interface Block {
  readonly cell: number;
  /** First sample, and the sample after the last; from 0. */
  readonly from: number;
  readonly to: number;
}

/** The lines of a block, in UTF-8. Its buffer is reused after the next block is requested. */
export interface MadeBlock extends Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes blocks, in the main thread and in workers. */
export interface BlockSource {
  readonly cells: readonly SampleCell[];
  /** Makes blocks and yields them in the order of the request. */
  make(blocks: readonly Block[]): AsyncIterable<MadeBlock>;
  close(): void;
}

/** Approximate tokens of a block: about a megabyte, made in a fraction of a second. */
const BLOCK_TOKENS = 250_000;

export function planBlocks(cells: readonly SampleCell[]): readonly Block[] {
  return cells.flatMap(({ length, count }, cell) => {
    const step = Math.max(1, Math.floor(BLOCK_TOKENS / length));
    return Array.from({ length: Math.ceil(count / step) }, (_, block): Block => ({
      cell,
      from: block * step,
      to: Math.min(count, (block + 1) * step),
    }));
  });
}

/** Opens a source of blocks with this number of threads, the main thread included. */
export async function openBlocks(request: CellsRequest, threads: number): Promise<BlockSource> {
  const others = Array.from({ length: threads - 1 }, startThread);
  const close = (): void => others.forEach((thread) => thread.end());
  try {
    const [cells] = await Promise.all([openCells(request), ...others.map((thread) => thread.open(request))]);
    return { cells, make: (blocks) => shareBlocks([thisThread(cells), ...others], blocks), close };
  } catch (error) {
    close();
    throw error;
  }
}

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;

/** Writes the lines of a block to a buffer, which may be that of an earlier block. */
export function writeBlock(
  cells: readonly SampleCell[],
  { cell, from, to }: Block,
  buffer = new ArrayBuffer(2 ** 16),
): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(buffer);
  let size = 0;
  const grow = (min: number): void => {
    if (min <= bytes.length) return;
    const more = new Uint8Array(Math.max(1.5 * bytes.length, min));
    more.set(bytes.subarray(0, size));
    bytes = more;
  };
  for (const line of cells[cell]!.lines(from, to)) {
    // Appending the line break to the text would copy it.
    grow(size + line.length + 1);
    let { read, written } = encoder.encodeInto(line, bytes.subarray(size, -1));
    if (read < line.length) {
      // A UTF-16 code unit takes at most three bytes.
      grow(size + 3 * line.length + 1);
      ({ read, written } = encoder.encodeInto(line, bytes.subarray(size, -1)));
    }
    size += written;
    bytes[size++] = LINE_BREAK;
  }
  return bytes.subarray(0, size);
}

/** A message to a worker: the cells to open, then one block after another. */
export type ToWorker =
  | { readonly open: CellsRequest }
  | { readonly make: Block; readonly buffer: ArrayBuffer | undefined };

/** A message from a worker: it is open, the lines of a block, or an error. */
export type FromWorker =
  | { readonly isOpen: true }
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: { readonly name: string; readonly message: string } };

/** A thread that makes one block after another. */
interface Thread {
  /** Number of blocks that are requested at once, so that it never waits for another thread. */
  readonly ahead: number;
  make(block: Block, buffer: ArrayBuffer | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

/** The main thread; it handles worker messages between blocks. */
function thisThread(cells: readonly SampleCell[]): Thread {
  return {
    ahead: 1,
    async make(block, buffer): Promise<Uint8Array<ArrayBuffer>> {
      // A timer takes 3 ms, a tenth of a block.
      await new Promise((resolve) => setImmediate(resolve));
      return writeBlock(cells, block, buffer);
    },
  };
}

interface OtherThread extends Thread {
  open(request: CellsRequest): Promise<unknown>;
  end(): void;
}

function startThread(): OtherThread {
  // The package has the worker as JavaScript.
  const worker = new Worker(new URL(`./sample_worker${extname(import.meta.url)}`, import.meta.url));
  const asked: PromiseWithResolvers<FromWorker>[] = [];
  worker.on("message", (data: FromWorker) => {
    const answer = asked.shift()!;
    if ("failure" in data) answer.reject(errorOf(data.failure));
    else answer.resolve(data);
  });
  worker.on("error", ({ message }) => {
    const ended = new Error(`Cannot generate samples as a thread ended: ${message}`);
    for (const answer of asked.splice(0)) answer.reject(ended);
  });
  const ask = (question: ToWorker, handedOver: TransferListItem[] = []): Promise<FromWorker> => {
    const answer = Promise.withResolvers<FromWorker>();
    asked.push(answer);
    worker.postMessage(question, handedOver);
    return answer.promise;
  };
  return {
    ahead: 2,
    open: (request) => ask({ open: request }),
    async make(block, buffer): Promise<Uint8Array<ArrayBuffer>> {
      const answer = await ask({ make: block, buffer }, buffer === undefined ? [] : [buffer]);
      if ("bytes" in answer) return answer.bytes;
      throw new Error("Cannot generate samples as a thread must be open before it is asked: current value is closed");
    },
    end: () => void worker.terminate(),
  };
}

/** Recreates an error of a worker with its class. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const kinds = { RangeError, TypeError, SyntaxError };
  return new (kinds[name as keyof typeof kinds] ?? Error)(message);
}

/** Assigns the next block to each free thread, and yields the blocks in order. */
async function* shareBlocks(threads: readonly Thread[], blocks: readonly Block[]): AsyncGenerator<MadeBlock> {
  const free = threads.flatMap((thread) => Array.from({ length: thread.ahead }, () => thread));
  const limit = free.length;
  const made = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  // Reused, so that memory holds one buffer per block in progress.
  const emptied: ArrayBuffer[] = [];
  let [next, written] = [0, 0];
  const start = (): void => {
    while (free.length > 0 && next < blocks.length && next <= written + limit) {
      const thread = free.shift()!;
      const bytes = thread.make(blocks[next]!, emptied.pop());
      made.set(next++, bytes);
      // A failure is thrown when the block is yielded.
      bytes.then(() => {
        free.push(thread);
        start();
      }, () => {});
    }
  };
  for (; written < blocks.length; written++) {
    start();
    const bytes = await made.get(written)!;
    made.delete(written);
    yield { ...blocks[written]!, bytes };
    emptied.push(bytes.buffer);
  }
}
