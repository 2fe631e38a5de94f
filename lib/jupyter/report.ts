import project from "../../deno.json" with { type: "json" };
import { runProgram } from "./find_jupyter.ts";
import type { Notebook } from "./notebook.ts";
import { questionOf, withHeadline } from "./report_facts.ts";
import { finishPage } from "./report_page.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, talk } from "./talk.ts";

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

/** Writes a notebook's report: one HTML page titled as the notebook is. */
export async function writeReport(notebook: Notebook, options: WriteReportOptions): Promise<void> {
  const { folder, jupyter, name, report } = options;
  const told = withHeadline(notebook);
  const title = questionOf(notebook) ?? name;
  const page = await exportReport(told, { jupyter, folder: `${folder}/notebooks`, title });
  const source = { name, version: project.version, commit: await commitOf(folder), made: new Date() };
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${report}`, finishPage(page, told, source));
}

/** The commit of the project's folder, `undefined` where it is in no repository or there is no git. */
async function commitOf(folder: string): Promise<string | undefined> {
  try {
    const end = await runProgram("git", { args: ["describe", "--always", "--dirty=, changed since"], folder, env: {} });
    return end.code === 0 ? end.stdout.join("").trim() || undefined : undefined;
  } catch {
    return undefined;
  }
}

interface ReportOptions {
  readonly jupyter: Jupyter;
  /** An absolute path to the folder that pictures named in the notebook are relative to. */
  readonly folder: string;
  readonly title: string;
}

/** Exports a notebook as one self-contained HTML page, without scripts or network access. */
async function exportReport(notebook: Notebook, options: ReportOptions): Promise<string> {
  const { jupyter, folder, title } = options;
  let page: string | undefined;
  const templates = `${import.meta.dirname}/templates`;
  const settings = { action: "report", notebook: fileOf(notebook), folder, title, templates };
  await talk(jupyter, settings, (event) => {
    if (typeof event["html"] === "string") page = event["html"];
  });
  if (page === undefined) {
    throw new Error("Cannot export the report as Jupyter must give a page: current value is none");
  }
  return page;
}
