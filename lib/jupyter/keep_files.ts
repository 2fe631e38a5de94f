import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import { csvText, type OpenStudy, replyRows, type ScoredRun } from "@/lib/runs/mod.ts";

/** Options for {@linkcode keepFigure}. */
export interface KeepFigureOptions {
  /**
   * The folder, from where the notebook runs. A run with other parameters is given one of its own, beside its report, by
   * the variable `FATHOM_FIGURES`, so that it leaves the committed figures as they are.
   *
   * @default {FATHOM_FIGURES, or `../results/figures`}
   */
  readonly folder?: string;
}

/**
 * Saves a notebook's figure as a file.
 *
 * @param figure The figure.
 * @param name The name of its file, such as `03-needles.svg`; its extension decides the format.
 * @param options Where to.
 * @throws {RangeError} If the name has no known ending; nothing is written then.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lineChart } from "@/lib/figures/mod.ts";
 *
 * const figure = lineChart([{ length: 4096, score: 90 }, { length: 8192, score: 80 }], {
 *   title: "Shorter is better",
 *   caption: "One task.",
 *   origin: "measured",
 *   n: 10,
 *   x: "length",
 *   y: "score",
 *   xTitle: "Context length (tokens)",
 *   yTitle: "Score (%)",
 * });
 * const folder = await Deno.makeTempDir();
 * await keepFigure(figure, "scores.svg", { folder });
 * match(await Deno.readTextFile(`${folder}/scores.svg`), /Shorter is better/);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function keepFigure(figure: Figure, name: string, options: KeepFigureOptions = {}): Promise<void> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
}

/** Options for {@linkcode saveReplyRows}. */
export interface SaveReplyRowsOptions {
  /** The path of the file, such as `../results/first.csv`; no file is written where it is empty. */
  readonly path: string;
  /** The tasks and materials of the run; opened from its manifest by default. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
}

/**
 * Writes the replies of a run as a CSV file, one row per reply.
 *
 * @param run The run.
 * @param options Where to write.
 * @returns What was done, as a sentence to show.
 * @throws {RangeError} If the path does not end in `.csv` or its folder is not there.
 *
 * @example Without a path nothing is written
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { ScoredRun } from "@/lib/runs/mod.ts";
 *
 * equal(await saveReplyRows({ replies: [] } as unknown as ScoredRun, { path: "" }), "No file is written, as none is named.");
 * ```
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
