import { exportReport } from "./export_report.ts";
import type { Notebook } from "./notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

/** Options for {@linkcode writeReport}. */
export interface WriteReportOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** The Jupyter to export it with. */
  readonly jupyter: Jupyter;
  /** Name of the notebook, without folder and ending. */
  readonly name: string;
  /** Where the page goes, as a path from the project's folder. */
  readonly report: string;
}

/**
 * Writes a notebook's report: one HTML page titled as the notebook is.
 *
 * @param notebook The notebook, with its outputs.
 * @param options The project's folder, the Jupyter, and names.
 * @throws {Error} If the export fails; the message is Jupyter's own.
 */
export async function writeReport(notebook: Notebook, options: WriteReportOptions): Promise<void> {
  const { folder, jupyter, name, report } = options;
  const title = /^# (.+)$/m.exec(notebook.cells[0]?.source ?? "")?.[1]?.trim() ?? name;
  const page = await exportReport(notebook, {
    jupyter,
    folder: `${folder}/notebooks`,
    title,
    source: `notebooks/${name}.ipynb`,
  });
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${report}`, page);
}
