/** The worker of `sample_blocks.ts`: opens cells, then makes blocks of samples. */
import { parentPort, type TransferListItem } from "node:worker_threads";
import { type FromWorker, type ToWorker, writeBlock } from "./sample_blocks.ts";
import { type OpenCells, openCells } from "./sample_cells.ts";

let opened: OpenCells | undefined;

parentPort!.on("message", async (data: ToWorker): Promise<void> => {
  const answer = (message: FromWorker, transfer: TransferListItem[] = []): void =>
    parentPort!.postMessage(message, transfer);
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
});
