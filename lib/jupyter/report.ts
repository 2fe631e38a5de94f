import project from "../../deno.json" with { type: "json" };
import { basename, dirname } from "node:path";
import { runProgram } from "./find_jupyter.ts";
import { listNotebooks } from "./lab.ts";
import type { Notebook } from "./notebook.ts";
import { printPdf } from "./print_pdf.ts";
import { questionOf, withHeadline } from "./report_facts.ts";
import { markdownReport } from "./report_markdown.ts";
import { finishPage } from "./report_page.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { keepCopy } from "./own_copies.ts";
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
  /**
   * Whether code is left out.
   *
   * @default {false}
   */
  readonly withoutCode?: boolean;
  /** The browser that prints the page as a PDF beside it; without one there is no PDF. */
  readonly browser?: string | undefined;
  /**
   * Whether the report is written as Markdown too, with its pictures beside it.
   *
   * @default {false}
   */
  readonly asMarkdown?: boolean;
}

/**
 * Writes a notebook's report: one HTML page titled as the notebook is, and beside it a PDF and Markdown where they are wanted.
 *
 * @returns The files that were written, as paths from the project's folder; pictures of the Markdown are left out.
 */
export async function writeReport(notebook: Notebook, options: WriteReportOptions): Promise<readonly string[]> {
  const { folder, jupyter, name, report, withoutCode = false, browser, asMarkdown = false } = options;
  const told = withLinksFrom(withHeadline(notebook));
  const title = questionOf(notebook) ?? name;
  const page = await exportReport(told, { jupyter, folder: `${folder}/notebooks`, title, withoutCode });
  const source = { name, version: project.version, commit: await commitOf(folder), made: new Date() };
  const base = report.replace(/\.html$/, "");
  const files = [report];
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${report}`, await finishPage(page, told, source));
  if (browser !== undefined) {
    await printPdf({ browser, folder, page: `${folder}/${report}`, pdf: `${folder}/${base}.pdf` });
    files.push(`${base}.pdf`);
  }
  if (asMarkdown) {
    const place = { folder: `${basename(base)}.files`, withoutCode };
    const { text, pictures } = markdownReport(told, { ...source, ...place });
    await Deno.mkdir(`${folder}/${base}.files`, { recursive: true });
    for (const [path, svg] of pictures) await Deno.writeTextFile(`${folder}/${dirname(base)}/${path}`, svg);
    await Deno.writeTextFile(`${folder}/${base}.md`, text);
    files.push(`${base}.md`);
  }
  return files;
}

/** Links from `notebooks/` to the project become links from `results/reports/`. */
function withLinksFrom(notebook: Notebook): Notebook {
  const cells = notebook.cells.map((cell) =>
    cell.kind === "markdown" ? { ...cell, source: cell.source.replaceAll("](../", "](../../") } : cell
  );
  return { ...notebook, cells };
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
  readonly withoutCode: boolean;
}

/** Exports a notebook as one HTML page that holds all it shows; {@linkcode finishPage} completes it. */
async function exportReport(notebook: Notebook, options: ReportOptions): Promise<string> {
  const { jupyter, folder, title, withoutCode } = options;
  let page: string | undefined;
  const templates = `${import.meta.dirname}/templates`;
  const settings = { action: "report", notebook: fileOf(notebook), folder, title, templates, withoutCode };
  await talk(jupyter, settings, (event) => {
    if (typeof event["html"] === "string") page = event["html"];
  });
  if (page === undefined) {
    throw new Error("Cannot export the report as Jupyter must give a page: current value is none");
  }
  return page;
}

/** A notebook that ran: a committed one, or one that ran with other parameters. */
interface NotebookFile {
  /** The notebook's name, without folder and ending. */
  readonly name: string;
  /** The name of its report. */
  readonly base: string;
  readonly file: string;
}

/**
 * Notebooks by number or name, runs of one's own by the names of their reports, and working copies such as
 * `own/01-ruler-leaderboard`; every committed notebook if none is named.
 */
export async function listReportSources(
  folder: string,
  wanted: readonly string[],
): Promise<readonly NotebookFile[]> {
  const own: NotebookFile[] = [];
  const others: string[] = [];
  for (const text of wanted) {
    const named = text.replace(/\.(ipynb|html)$/, "");
    const copy = /^own\/(.+)$/.exec(named)?.[1];
    const base = copy === undefined ? named : await keepCopy(folder, copy) ?? named;
    const file = `${folder}/results/reports/${base}.ipynb`;
    if (await isFile(file)) own.push({ name: base.split(".")[0]!, base, file });
    else if (await isFile(`${folder}/results/runs/${text}/manifest.json`)) {
      throw new RangeError(
        `Cannot export the notebook as its name must be one of notebooks/, and a run's report is by deno task fathom report ${text}: current value is "${text}"`,
      );
    } else others.push(text);
  }
  const names = own.length > 0 && others.length === 0 ? [] : await listNotebooks(folder, others);
  return [...names.map((name) => ({ name, base: name, file: `${folder}/notebooks/${name}.ipynb` })), ...own];
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await Deno.stat(file)).isFile;
  } catch {
    return false;
  }
}
