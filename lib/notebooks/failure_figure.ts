import {
  type ExplainedRecord,
  explainRun,
  type ExplainRunOptions,
  failedReplies,
  failureFinding,
  type FailureRow,
  failureRows,
  type Origin,
  type ScoredRun,
} from "@/lib/analysis/mod.ts";
import { failedReplyTable, failureChart, type Figure, type Table, table } from "@/lib/charts/mod.ts";

/** Options for {@linkcode failureFigure}. */
export interface FailureFigureOptions extends ExplainRunOptions {
  /**
   * What a bar of the figure stands for.
   *
   * @default {"length"}
   */
  readonly by?: "length" | "task";
  /**
   * How many replies to show for each way of failing. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
}

/** How the replies of a run failed, for a notebook to show part by part. */
export interface FailureFigure {
  /** The ways of failing as stacked bars. */
  readonly figure: Figure;
  /** Replies to look at for each way; a line that says so where no reply failed. */
  readonly table: Table;
  /** The counts behind the figure. */
  readonly rows: readonly FailureRow[];
  /** Every reply with its ways of failing. */
  readonly replies: readonly ExplainedRecord[];
  /** Which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Shows how the replies of a run failed: a stacked bar for each length, and replies to look at for each way of failing.
 *
 * @param run The run, from `askModel`.
 * @param options What a bar stands for, how many replies to show, and what the model says without context.
 * @returns The figure and the table; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run has no reply, or its study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
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
