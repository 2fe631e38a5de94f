import {
  depthMap,
  depthTable,
  failureChart,
  type Figure,
  saveFigure,
  type Table,
  table,
  thirdsTable,
} from "@/lib/figures/mod.ts";
import {
  csvText,
  type ExplainedRecord,
  explainRun,
  type ExplainRunOptions,
  failedReplies,
  failedReplyTable,
  type OpenStudy,
  type PlacedReply,
  placeReplies,
  type PlaceRepliesOptions,
  replyRows,
  type ScoredRun,
} from "@/lib/runs/mod.ts";
import {
  compareThirds,
  type DepthCell,
  depthCells,
  failureFinding,
  type FailureRow,
  failureRows,
  type Origin,
  type ThirdsCompared,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode depthFigure}. */
export interface DepthFigureOptions extends PlaceRepliesOptions {
  /**
   * How many depth bins. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly stretches?: number;
}

/** Where in the context a run loses its targets, as parts that a notebook can show. */
export interface DepthFigure {
  /** A heatmap of lengths and depths for each task with one target; `null` where there is none with a score. */
  readonly figure: Figure | null;
  /** The same with n and interval; `null` as well. */
  readonly table: Table | null;
  /** The comparison of the thirds as a table. */
  readonly thirdsTable: Table;
  /** The comparison itself. */
  readonly thirds: ThirdsCompared;
  /** The numbers behind figure and table. */
  readonly rows: readonly DepthCell[];
  /** The replies with the depths of their targets. */
  readonly replies: readonly PlacedReply[];
  /** Which tasks are left out and why, and which samples could not be rebuilt. */
  readonly notes: readonly string[];
}

/**
 * Shows where in the context a model loses what it is asked for: heatmaps of lengths and depths, and a test of the thirds.
 *
 * @param run The run, from `openRuns`.
 * @param options The opened study, if there is one, and the number of depth bins.
 * @returns Figure and tables; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run's study is not what it should be, or `stretches` is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 3 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const { figure, thirds, notes } = await depthFigure(run);
 * equal(figure?.title, "No difference between the thirds of the context is shown");
 * equal(thirds.lost, null);
 * deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function depthFigure(run: ScoredRun, options: DepthFigureOptions = {}): Promise<DepthFigure> {
  const { stretches = 5, ...placing } = options;
  const { origin } = run.manifest;
  const { replies, left, notes } = await placeReplies(run, placing);
  const rows = depthCells(replies, { stretches });
  const thirds = compareThirds(replies);
  const isShown = rows.some(({ score }) => score !== null);
  return {
    figure: isShown ? depthMap(rows, { title: thirds.finding, origin }) : null,
    table: isShown ? depthTable(rows, { origin }) : null,
    thirdsTable: thirdsTable(thirds, { origin }),
    ...{ thirds, rows, replies },
    notes: [...left.map(({ task, why }) => `${task} is left out as ${why}`), ...notes],
  };
}

/** Options for {@linkcode failureFigure}. */
export interface FailureFigureOptions extends ExplainRunOptions {
  /**
   * What a bar of the figure stands for.
   *
   * @default {"length"}
   */
  readonly by?: "length" | "task";
  /**
   * How many replies to show for each failure class. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
}

/** How the replies of a run failed, as parts that a notebook can show. */
export interface FailureFigure {
  /** The failures as stacked bars. */
  readonly figure: Figure;
  /** Example replies for each failure class; one line if no reply failed. */
  readonly table: Table;
  /** The counts behind the figure. */
  readonly rows: readonly FailureRow[];
  /** Every reply with its ways of failing. */
  readonly replies: readonly ExplainedRecord[];
  /** Which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Shows how the replies of a run failed: a stacked bar for each length, and example replies for each failure class.
 *
 * @param run The run, from `openRuns`.
 * @param options What a bar stands for, how many replies to show, and the closed-book answers.
 * @returns The figure and the table; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run has no reply, or its study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { figure, table } = await failureFigure(run);
 * equal(figure.title, "2 of 2 replies failed wholly or in part, most of them by empty (2)");
 * equal(table.title, "What came instead of an answer");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function failureFigure(run: ScoredRun, options: FailureFigureOptions = {}): Promise<FailureFigure> {
  const { by = "length", each = 2, ...explaining } = options;
  const { replies, notes } = await explainRun(run, explaining);
  const rows = failureRows(replies);
  const { origin } = run.manifest;
  const shown = failedReplies(replies, { each });
  const common = { origin, n: failureFinding(rows) };
  const replyTable = shown.length === 0
    ? noneTable(common)
    : failedReplyTable(shown, { title: "What came instead of an answer", ...common });
  return { figure: failureChart(rows, { origin, by }), table: replyTable, rows, replies, notes };
}

function noneTable({ origin, n }: { readonly origin: Origin; readonly n: string }): Table {
  return table([{ replies: n }], {
    title: "There is no failed reply to look at",
    caption: "With more samples, or at longer contexts, there may be.",
    origin,
    n,
    columns: [{ field: "replies", label: "Replies" }],
  });
}

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
