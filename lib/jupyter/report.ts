import project from "../../deno.json" with { type: "json" };
import { basename, dirname } from "node:path";
import { runProgram } from "./find_jupyter.ts";
import { keepCopy, listNotebooks } from "./lab.ts";
import type { Notebook } from "./notebook.ts";
import { printPdf } from "./print_pdf.ts";
import { questionOf, withHeadline } from "./report_facts.ts";
import { markdownReport } from "./report_markdown.ts";
import { finishPage } from "./report_page.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, runScript } from "./run_script.ts";

/** Options for {@linkcode writeReport}. */
interface WriteReportOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /** Name of the notebook, without folder and extension. */
  readonly name: string;
  /** The page to write, as a path from the project's folder. */
  readonly report: string;
  /**
   * Whether to omit code.
   *
   * @default {false}
   */
  readonly withoutCode?: boolean;
  /** A browser, to print a PDF beside the page. */
  readonly browser?: string | undefined;
  /**
   * Whether to write Markdown and its pictures beside the page.
   *
   * @default {false}
   */
  readonly asMarkdown?: boolean;
}

/**
 * Writes a notebook's report: one HTML page and, if wanted, a PDF and Markdown beside it.
 *
 * @returns The written files, as paths from the project's folder, without pictures of the Markdown.
 */
export async function writeReport(notebook: Notebook, options: WriteReportOptions): Promise<readonly string[]> {
  const { folder, jupyter, name, report, withoutCode = false, browser, asMarkdown = false } = options;
  const shown = withLinksFromReports(withHeadline(notebook));
  const title = questionOf(notebook) ?? name;
  const page = await exportReport(shown, { jupyter, folder: `${folder}/notebooks`, title, withoutCode });
  const source = { name, version: project.version, commit: await commitOf(folder), made: new Date() };
  const base = report.replace(/\.html$/, "");
  const files = [report];
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${report}`, await finishPage(page, shown, source));
  if (browser !== undefined) {
    await printPdf({ browser, folder, page: `${folder}/${report}`, pdf: `${folder}/${base}.pdf` });
    files.push(`${base}.pdf`);
  }
  if (asMarkdown) {
    const place = { folder: `${basename(base)}.files`, withoutCode };
    const { text, pictures } = markdownReport(shown, { ...source, ...place });
    await Deno.mkdir(`${folder}/${base}.files`, { recursive: true });
    for (const [path, svg] of pictures) await Deno.writeTextFile(`${folder}/${dirname(base)}/${path}`, svg);
    await Deno.writeTextFile(`${folder}/${base}.md`, text);
    files.push(`${base}.md`);
  }
  return files;
}

/** Changes links relative to `notebooks/` into links relative to `results/reports/`. */
function withLinksFromReports(notebook: Notebook): Notebook {
  const cells = notebook.cells.map((cell) =>
    cell.kind === "markdown" ? { ...cell, source: cell.source.replaceAll("](../", "](../../") } : cell
  );
  return { ...notebook, cells };
}

/** Returns the commit of the project's folder; `undefined` without git or outside a repository. */
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
  /** An absolute path to the folder to which pictures in the notebook are relative. */
  readonly folder: string;
  readonly title: string;
  readonly withoutCode: boolean;
}

/** Exports a notebook as one self-contained HTML page, which {@linkcode finishPage} completes. */
async function exportReport(notebook: Notebook, options: ReportOptions): Promise<string> {
  const { jupyter, folder, title, withoutCode } = options;
  let page: string | undefined;
  const templates = `${import.meta.dirname}/templates`;
  const settings = { action: "report", notebook: fileOf(notebook), folder, title, templates, withoutCode };
  await runScript(jupyter, settings, (event) => {
    if (typeof event["html"] === "string") page = event["html"];
  });
  if (page === undefined) {
    throw new Error("Cannot export the report as Jupyter must return a page: current value is none");
  }
  return page;
}

/** A notebook to export: a committed one, one that ran with parameters, or a working copy. */
interface NotebookFile {
  /** The notebook's name, without folder and extension. */
  readonly name: string;
  /** The name of its report. */
  readonly base: string;
  readonly file: string;
}

/**
 * Finds notebooks by number or name, reports with parameters by the name of the report, and working copies such as
 * `own/01-ruler-leaderboard`; all committed notebooks if none is named.
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
        `Cannot export the notebook as its name must be one of notebooks/: current value is "${text}", a run; its report is made by deno task fathom report ${text}`,
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
