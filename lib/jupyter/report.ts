import type { Notebook } from "./notebook.ts";
import { fileOf, talk } from "./reproduce.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

/** Options for {@linkcode writeReport}. */
interface WriteReportOptions {
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

/** Options for {@linkcode exportReport}. */
interface ReportOptions {
  /** The Jupyter to export it with. */
  readonly jupyter: Jupyter;
  /** An absolute path to the folder that pictures named in the notebook are found from. */
  readonly folder: string;
  /** Title of the page. */
  readonly title: string;
  /** Name of the notebook that the page's last line gives. */
  readonly source: string;
}

/** Exports a notebook as one HTML page that holds its pictures, runs no script and asks no network. */
async function exportReport(notebook: Notebook, options: ReportOptions): Promise<string> {
  const { jupyter, folder, title, source } = options;
  let page: string | undefined;
  const templates = `${import.meta.dirname}/templates`;
  const settings = { action: "report", notebook: fileOf(notebook), folder, title, source, templates };
  await talk(jupyter, settings, (event) => {
    if (typeof event["html"] === "string") page = event["html"];
  });
  if (page === undefined) {
    throw new Error("Cannot export the report as Jupyter must give a page: current value is none");
  }
  return page;
}
