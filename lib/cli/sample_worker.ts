/** The worker of `sample_blocks.ts`: opens cells, then makes blocks of samples. */
import { parentPort, type TransferListItem } from "node:worker_threads";
import { type FromWorker, type ToWorker, writeBlock } from "./sample_blocks.ts";
import { openCells, type SampleCell } from "./sample_cells.ts";

let cells: readonly SampleCell[] = [];

parentPort!.on("message", async (data: ToWorker): Promise<void> => {
  const answer = (message: FromWorker, transfer: TransferListItem[] = []): void =>
    parentPort!.postMessage(message, transfer);
  try {
    if ("open" in data) {
      cells = await openCells(data.open);
      return answer({ isOpen: true });
    }
    const bytes = writeBlock(cells, data.make, data.buffer);
    answer({ bytes }, [bytes.buffer]);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    answer({ failure: { name, message } });
  }
});
