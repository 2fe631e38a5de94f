import { setImmediate } from "node:timers";
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

/** About the tokens of a block: a megabyte or so, made in a fraction of a second. */
const BLOCK_TOKENS = 250_000;

/** Cuts cells into blocks. */
export function planBlocks(cells: readonly SampleCell[]): readonly Block[] {
  return cells.flatMap(({ length, samples }, cell) => {
    const step = Math.max(1, Math.floor(BLOCK_TOKENS / length));
    return Array.from({ length: Math.ceil(samples / step) }, (_, block): Block => ({
      ...{ cell, from: block * step, to: Math.min(samples, (block + 1) * step) },
    }));
  });
}

/** Opens a source of blocks that so many threads make, this one among them. */
export async function openBlocks(request: CellsRequest, threads: number): Promise<BlockSource> {
  const others = typeof Worker === "undefined" ? [] : Array.from({ length: threads - 1 }, startThread);
  const close = (): void => others.forEach((thread) => thread.end());
  try {
    const [opened] = await Promise.all([openCells(request), ...others.map((thread) => thread.open(request))]);
    return { cells: opened.cells, make: (blocks) => shareBlocks([thisThread(opened), ...others], blocks), close };
  } catch (error) {
    close();
    throw error;
  }
}

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;

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
    // A break added to the text would make a copy of it.
    grow(size + line.length + 1);
    let { read, written } = encoder.encodeInto(line, bytes.subarray(size, -1));
    if (read < line.length) {
      // A UTF-16 unit is at most three bytes.
      grow(size + 3 * line.length + 1);
      ({ read, written } = encoder.encodeInto(line, bytes.subarray(size, -1)));
    }
    size += written;
    bytes[size++] = LINE_BREAK;
  }
  return bytes.subarray(0, size);
}

/** What a thread is told: what to open, then block after block. */
export type ToWorker =
  | { readonly open: CellsRequest }
  | { readonly make: Block; readonly buffer: ArrayBuffer | undefined };

/** What a thread answers: that it is open, or the lines of a block, or what went wrong. */
export type FromWorker =
  | { readonly isOpen: true }
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: { readonly name: string; readonly message: string } };

/** A thread that makes blocks one after another. */
interface Thread {
  /** How many blocks it is asked for before it has made the first, so that it need not wait for another thread. */
  readonly ahead: number;
  /** Makes a block, in a buffer that an earlier one was written in. */
  make(block: Block, buffer: ArrayBuffer | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

/** This thread, which hears of the others between two blocks. */
function thisThread(opened: OpenCells): Thread {
  return {
    ahead: 1,
    async make(block, buffer): Promise<Uint8Array<ArrayBuffer>> {
      // A timer would take 3 ms, a tenth of a block.
      await new Promise((resolve) => setImmediate(resolve));
      return writeBlock(opened, block, buffer);
    },
  };
}

/** Another thread, which has to be opened and ended. */
interface OtherThread extends Thread {
  open(request: CellsRequest): Promise<void>;
  end(): void;
}

function startThread(): OtherThread {
  const worker = new Worker(new URL("./sample_worker.ts", import.meta.url), { type: "module" });
  const asked: PromiseWithResolvers<FromWorker>[] = [];
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    const answer = asked.shift()!;
    if ("failure" in data) answer.reject(errorOf(data.failure));
    else answer.resolve(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const ended = new Error(`Cannot generate samples as a thread ended: ${event.message}`);
    for (const answer of asked.splice(0)) answer.reject(ended);
  };
  const ask = (question: ToWorker, handedOver: Transferable[] = []): Promise<FromWorker> => {
    const answer = Promise.withResolvers<FromWorker>();
    asked.push(answer);
    worker.postMessage(question, handedOver);
    return answer.promise;
  };
  return {
    ahead: 2,
    async open(request): Promise<void> {
      await ask({ open: request });
    },
    async make(block, buffer): Promise<Uint8Array<ArrayBuffer>> {
      const answer = await ask({ make: block, buffer }, buffer === undefined ? [] : [buffer]);
      if ("bytes" in answer) return answer.bytes;
      throw new Error("Cannot generate samples as a thread must be open before it is asked: current value is closed");
    },
    end: () => worker.terminate(),
  };
}

/** An error of another thread, of the kind that it was there. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const kinds = { RangeError, TypeError, SyntaxError };
  return new (kinds[name as keyof typeof kinds] ?? Error)(message);
}

/** Gives each thread the next block as soon as it is free, and passes the blocks on in their order. */
async function* shareBlocks(threads: readonly Thread[], blocks: readonly Block[]): AsyncGenerator<MadeBlock> {
  const free = threads.flatMap((thread) => Array.from({ length: thread.ahead }, () => thread));
  const most = free.length;
  const made = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  // Buffers go back to be written again, so that no more of them are held than blocks are under way.
  const emptied: ArrayBuffer[] = [];
  let [next, written] = [0, 0];
  const start = (): void => {
    while (free.length > 0 && next < blocks.length && next <= written + most) {
      const thread = free.shift()!;
      const bytes = thread.make(blocks[next]!, emptied.pop());
      made.set(next++, bytes);
      // A failure is thrown where the block is passed on.
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
