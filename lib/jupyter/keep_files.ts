import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import type { OpenedOptions } from "@/lib/studies/mod.ts";
import { openReplyRows, writeRows } from "@/lib/exchange/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Options for {@linkcode keepFigure}. */
export interface KeepFigureOptions {
  /**
   * The folder, relative to the notebook's. `deno task reproduce` names it by `FATHOM_FIGURES`: only its runs without parameters
   * write to `results/figures`, so that nobody else changes the committed figures.
   *
   * @default {FATHOM_FIGURES, or `../results/reports/figures`}
   */
  readonly folder?: string;
}

/**
 * Saves a notebook's figure as a file, such as `03-needles.svg`; the ending decides the format.
 *
 * @throws {RangeError} If the ending is unknown; nothing is written then.
 */
export async function keepFigure(figure: Figure, name: string, options: KeepFigureOptions = {}): Promise<void> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/reports/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
}

/** Options for {@linkcode saveReplyRows}. */
export interface SaveReplyRowsOptions extends OpenedOptions {
  /** The file, such as `../results/first.csv`; `.parquet` and `.jsonl` too. Nothing is written where it is empty. */
  readonly path: string;
}

/**
 * Writes the replies of a run as a file, one row per reply, and says in a sentence what was written.
 *
 * @throws {RangeError} If the path has an ending that {@linkcode writeRows} does not know.
 */
export async function saveReplyRows(run: ScoredRun, options: SaveReplyRowsOptions): Promise<string> {
  const { path, ...placing } = options;
  if (path === "") return "No file is written, as none is named.";
  let columns = 0;
  const rows = Iterator.from(await openReplyRows(run, placing)).map((row) => {
    columns = Object.keys(row).length;
    return row;
  });
  const count = await writeRows(rows, path);
  return `${path}: ${count} rows of ${columns} columns`;
}
