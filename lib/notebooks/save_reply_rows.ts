import { csvText, replyRows, type ScoredRun } from "@/lib/analysis/mod.ts";
import type { OpenStudy } from "@/lib/runs/mod.ts";

/** Options for {@linkcode saveReplyRows}. */
export interface SaveReplyRowsOptions {
  /** The path of the file, such as `../results/first.csv`; no file is written where it is empty. */
  readonly path: string;
  /** The tasks and materials of the run; opened from its manifest unless given. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
}

/**
 * Writes the replies of a run as a CSV file, a row a reply, to go on with elsewhere.
 *
 * @param run The run.
 * @param options Where to write.
 * @returns What was done, as a sentence to show.
 * @throws {RangeError} If the path does not end in `.csv` or its folder is not there.
 *
 * @example Nothing is written unasked
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { ScoredRun } from "@/lib/analysis/mod.ts";
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
