import { type CellsRequest, type OpenCells, openCells, type SampleCell } from "./sample_cells.ts";

/** Some samples of a cell, which are made and written together. */
export interface Block {
  /** Which cell. */
  readonly cell: number;
  /** Samples of the cell from this one up to, not including, the other; from 0. */
  readonly from: number;
  readonly to: number;
}

/** The lines of a block, in UTF-8; they are written over once the next one is asked for. */
export interface MadeBlock extends Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes blocks, in this thread or in others. */
export interface BlockSource {
  readonly cells: readonly SampleCell[];
  /** Makes blocks and gives them in the order asked for, whoever made them. */
  make(blocks: readonly Block[]): AsyncIterable<MadeBlock>;
  /** Ends the other threads. */
  close(): void;
}

/** About the tokens of a block: two megabytes or so, made in a fraction of a second. */
const BLOCK_TOKENS = 500_000;

/** Cuts cells into blocks. */
export function planBlocks(cells: readonly SampleCell[]): readonly Block[] {
  return cells.flatMap(({ length, samples }, cell) => {
    const step = Math.max(1, Math.floor(BLOCK_TOKENS / length));
    return Array.from({ length: Math.ceil(samples / step) }, (_, block): Block => ({
      ...{ cell, from: block * step, to: Math.min(samples, (block + 1) * step) },
    }));
  });
}

/** Opens a source of blocks, with so many threads beside this one; with one, or where there are none, this thread makes them. */
export async function openBlocks(request: CellsRequest, workers: number): Promise<BlockSource> {
  if (workers > 1 && typeof Worker !== "undefined") return await openWorkers(request, workers);
  const opened = await openCells(request);
  return {
    cells: opened.cells,
    async *make(blocks): AsyncGenerator<MadeBlock> {
      let buffer: ArrayBuffer | undefined;
      for (const block of blocks) {
        const bytes = writeBlock(opened, block, buffer);
        yield { ...block, bytes };
        buffer = bytes.buffer;
      }
    },
    close(): void {},
  };
}

const encoder = new TextEncoder();

/** Writes the lines of a block, into a buffer that an earlier one was written in. */
export function writeBlock(
  opened: OpenCells,
  { cell, from, to }: Block,
  buffer = new ArrayBuffer(2 ** 16),
): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(buffer);
  let size = 0;
  const grow = (least: number): void => {
    if (least <= bytes.length) return;
    const more = new Uint8Array(Math.max(1.5 * bytes.length, least));
    more.set(bytes.subarray(0, size));
    bytes = more;
  };
  for (const line of opened.lines(cell, from, to)) {
    grow(size + line.length);
    let { read, written } = encoder.encodeInto(line, bytes.subarray(size));
    if (read < line.length) {
      // A UTF-16 unit is at most three bytes.
      grow(size + 3 * line.length);
      ({ read, written } = encoder.encodeInto(line, bytes.subarray(size)));
    }
    size += written;
  }
  return bytes.subarray(0, size);
}

/** What a thread is told: what to open, then block after block. */
export type ToWorker =
  | { readonly open: CellsRequest }
  | { readonly make: Block; readonly buffer: ArrayBuffer | undefined };

/** What a thread answers: the cells, or the lines of a block, or what went wrong. */
export type FromWorker =
  | { readonly cells: readonly SampleCell[] }
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: { readonly name: string; readonly message: string } };

/** A thread that answers one question at a time. */
interface Thread {
  ask(question: ToWorker, handedOver?: Transferable[]): Promise<FromWorker>;
  end(): void;
}

function startThread(): Thread {
  const worker = new Worker(new URL("./sample_worker.ts", import.meta.url), { type: "module" });
  return {
    ask: (question, handedOver = []) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) =>
          "failure" in data ? reject(errorOf(data.failure)) : resolve(data);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(`Cannot generate samples as a thread ended: ${event.message}`));
        };
        worker.postMessage(question, handedOver);
      }),
    end: () => worker.terminate(),
  };
}

/** An error of another thread, of the kind that it was there. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const kinds = { RangeError, TypeError, SyntaxError };
  return new (kinds[name as keyof typeof kinds] ?? Error)(message);
}

/** How many blocks a thread can be ahead of the one that is written next. */
const AHEAD = 2;

async function openWorkers(request: CellsRequest, count: number): Promise<BlockSource> {
  const threads = Array.from({ length: count }, startThread);
  const close = (): void => threads.forEach((thread) => thread.end());
  try {
    const answers = await Promise.all(threads.map((thread) => thread.ask({ open: request })));
    const [first] = answers;
    return { cells: "cells" in first! ? first.cells : [], make: (blocks) => shareBlocks(threads, blocks), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Gives each thread the next block as soon as it is free, and passes the blocks on in their order. */
async function* shareBlocks(threads: readonly Thread[], blocks: readonly Block[]): AsyncGenerator<MadeBlock> {
  const free = [...threads];
  const made = new Map<number, Promise<FromWorker>>();
  // Buffers go back to be written again, so that no more of them are held than blocks are under way.
  const emptied: ArrayBuffer[] = [];
  let [next, written] = [0, 0];
  const start = (): void => {
    while (free.length > 0 && next < blocks.length && next < written + AHEAD * threads.length) {
      const thread = free.pop()!;
      const buffer = emptied.pop();
      const answer = thread.ask({ make: blocks[next]!, buffer }, buffer === undefined ? [] : [buffer]);
      made.set(next++, answer);
      // A failure is thrown where the block is passed on.
      answer.then(() => {
        free.push(thread);
        start();
      }, () => {});
    }
  };
  for (; written < blocks.length; written++) {
    start();
    const answer = await made.get(written)!;
    made.delete(written);
    if (!("bytes" in answer)) continue;
    yield { ...blocks[written]!, bytes: answer.bytes };
    emptied.push(answer.bytes.buffer);
  }
}
