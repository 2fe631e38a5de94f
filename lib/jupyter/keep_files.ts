import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import { csvText, type OpenedOptions, replyRows, type ScoredRun } from "@/lib/runs/mod.ts";

/** Options for {@linkcode keepFigure}. */
export interface KeepFigureOptions {
  /**
   * The folder, relative to the notebook's. A run with other parameters gets its own by `FATHOM_FIGURES`, so that the
   * committed figures stay as they are.
   *
   * @default {FATHOM_FIGURES, or `../results/figures`}
   */
  readonly folder?: string;
}

/**
 * Saves a notebook's figure as a file, such as `03-needles.svg`; the ending decides the format.
 *
 * @throws {RangeError} If the ending is unknown; nothing is written then.
 */
export async function keepFigure(figure: Figure, name: string, options: KeepFigureOptions = {}): Promise<void> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
}

/** Options for {@linkcode saveReplyRows}. */
export interface SaveReplyRowsOptions extends OpenedOptions {
  /** The file, such as `../results/first.csv`; nothing is written where it is empty. */
  readonly path: string;
}

/**
 * Writes the replies of a run as a CSV file, one row per reply, and says in a sentence what was written.
 *
 * @throws {RangeError} If the path does not end in `.csv` or its folder does not exist.
 */
export async function saveReplyRows(run: ScoredRun, options: SaveReplyRowsOptions): Promise<string> {
  const { path, ...placing } = options;
  if (path === "") return "No file is written, as none is named.";
  if (!/\.csv$/i.test(path)) {
    throw new RangeError(`Cannot write the rows as the path must end in .csv: current value is "${path}"`);
  }
  const rows = await replyRows(run, placing);
  try {
    await Deno.writeTextFile(path, csvText(rows));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new RangeError(
      `Cannot write the rows as their folder must be there and be writable: current value is "${path}"`,
    );
  }
  return `${path}: ${rows.length} rows of ${Object.keys(rows[0] ?? {}).length} columns`;
}
