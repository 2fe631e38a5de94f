import type { Notebook } from "./notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, talk } from "./_talk.ts";

/** Options for {@linkcode exportReport}. */
export interface ReportOptions {
  /** The Jupyter to export it with. */
  readonly jupyter: Jupyter;
  /** An absolute path to the folder that pictures named in the notebook are found from. */
  readonly folder: string;
  /** Title of the page. */
  readonly title: string;
  /** Name of the notebook that the page's last line gives. */
  readonly source: string;
}

/**
 * Exports a notebook as one HTML page that holds its pictures, runs no script and asks no network.
 *
 * @param notebook The notebook, with its outputs.
 * @param options The Jupyter, where pictures are found, and what the page calls itself.
 * @returns The page.
 * @throws {Error} If the export fails; the message is Jupyter's own.
 */
export async function exportReport(notebook: Notebook, options: ReportOptions): Promise<string> {
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
