/// <reference lib="webworker" />
/** A thread that makes blocks of samples: started by `sample_blocks.ts`, it is told what to open and then block after block. */
import { type FromWorker, type ToWorker, writeBlock } from "./sample_blocks.ts";
import { type OpenCells, openCells } from "./sample_cells.ts";

declare const self: DedicatedWorkerGlobalScope;

let opened: OpenCells | undefined;

self.onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
  const answer = (said: FromWorker, handedOver: Transferable[] = []): void => self.postMessage(said, handedOver);
  try {
    if ("open" in data) {
      opened = await openCells(data.open);
      return answer({ isOpen: true });
    }
    const bytes = writeBlock(opened!, data.make, data.buffer);
    answer({ bytes }, [bytes.buffer]);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    answer({ failure: { name, message } });
  }
};
