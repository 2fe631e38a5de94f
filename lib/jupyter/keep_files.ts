import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import type { OpenedOptions } from "@/lib/studies/mod.ts";
import { openReplyRows, writeRows } from "@/lib/exchange/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Options for {@linkcode keepFigure}. */
export interface KeepFigureOptions {
  /**
   * The folder, relative to the notebook's. `deno task reproduce` sets `FATHOM_FIGURES`, so that only it writes to the committed
   * `results/figures`.
   *
   * @default {FATHOM_FIGURES, or `../results/reports/figures`}
   */
  readonly folder?: string;
}

/**
 * Saves a figure of a notebook as a file, such as `03-needles.svg`; the file extension decides the format.
 *
 * @throws {RangeError} If the extension is unknown; nothing is written then.
 */
export async function keepFigure(figure: Figure, name: string, options: KeepFigureOptions = {}): Promise<void> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/reports/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
}

/** Options for {@linkcode saveReplyRows}. */
export interface SaveReplyRowsOptions extends OpenedOptions {
  /** The file, such as `../results/first.csv`; also `.parquet` or `.jsonl`. If empty, nothing is written. */
  readonly path: string;
}

/**
 * Writes the replies of a run to a file, one row per reply.
 *
 * @returns A sentence for the reader of the notebook.
 * @throws {RangeError} If {@linkcode writeRows} does not know the file extension.
 */
export async function saveReplyRows(run: ScoredRun, options: SaveReplyRowsOptions): Promise<string> {
  const { path, ...placing } = options;
  if (path === "") return "No file was written: the path is empty.";
  let columns = 0;
  const rows = Iterator.from(await openReplyRows(run, placing)).map((row) => {
    columns = Object.keys(row).length;
    return row;
  });
  const count = await writeRows(rows, path);
  return `${path}: ${count} rows of ${columns} columns`;
}
