import project from "../../deno.json" with { type: "json" };
import { pathToFileURL } from "node:url";
import { isFile } from "@/lib/base/mod.ts";
import { listNotebooks } from "./lab.ts";
import type { JsonObject, Notebook } from "./notebook.ts";
import { withReportForms } from "./explore.ts";
import { originOf, questionOf } from "./report_facts.ts";
import { withAnswer, withLead } from "./report_lead.ts";
import { finishPage } from "./report_page.ts";
import { openReplies } from "./report_replies.ts";
import { lastWords, runProgram, runScript } from "./run_program.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { renderSvg, type Spec } from "@/lib/figures/mod.ts";

/** Options for {@linkcode writeReport}. */
interface WriteReportOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /** The notebook's name, without folder and extension. */
  readonly name: string;
  /** The page to write, as a path from the project's folder. */
  readonly report: string;
  /** A browser that prints a PDF in addition to the page. */
  readonly browser?: string | undefined;
}

/** Writes a report, one self-contained page and optionally a PDF; returns their paths from the project's folder. */
export async function writeReport(notebook: Notebook, options: WriteReportOptions): Promise<readonly string[]> {
  const { folder, jupyter, name, report, browser } = options;
  const shown = withLinksFromReports(await withPictures(withLead(withAnswer(withReportForms(notebook)))));
  let page: string | undefined;
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  const source = { name, version: project.version, commit: await commitOf(folder), made: new Date() };
  const settings = {
    action: "report",
    notebook: shown,
    templates: `${import.meta.dirname}/templates`,
    // Pictures in the notebook are relative to its folder.
    folder: `${folder}/notebooks`,
    title: questionOf(notebook) ?? name,
    origin: originOf(notebook, source),
  };
  await runScript(jupyter, settings, (event) => {
    if (typeof event["html"] === "string") page = event["html"];
  });
  if (page === undefined) {
    throw new Error("Cannot export the report as Jupyter must return a page: current value is none");
  }
  const replies = await openReplies(notebook, `${folder}/results/runs`);
  await Deno.writeTextFile(`${folder}/${report}`, await finishPage(page, replies));
  if (browser === undefined) return [report];
  const pdf = report.replace(/\.html$/, ".pdf");
  await printPdf(browser, { folder, page: `${folder}/${report}`, pdf: `${folder}/${pdf}` });
  return [report, pdf];
}

/** Draws charts that a cell shows without a picture; one that cannot be drawn says so. */
export async function withPictures(notebook: Notebook): Promise<Notebook> {
  const withPicture = async (output: JsonObject): Promise<JsonObject> => {
    const data = (output["data"] ?? {}) as JsonObject;
    const type = Object.keys(data).find((each) => /^application\/vnd\.vega(lite)?\.v[\d.]+\+json$/.test(each));
    if (type === undefined || ["image/svg+xml", "image/png", "text/html"].some((each) => each in data)) return output;
    const hasOwnData = !/"data":\{[^{}]*"url":/.test(JSON.stringify(data[type]));
    const picture =
      await (type.includes("lite") && hasOwnData ? renderSvg(data[type] as Spec, "Chart") : Promise.reject())
        .then((svg) => ({ "image/svg+xml": svg }))
        .catch(() => ({
          "text/plain": `Cannot draw this chart (${type}): it must be Vega-Lite that holds its own data`,
        }));
    return { ...output, data: { ...data, ...picture } };
  };
  const cells = notebook.cells.map(async (cell) => (
    { ...cell, outputs: await Promise.all(cell.outputs.map(withPicture)) }
  ));
  return { ...notebook, cells: await Promise.all(cells) };
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
  const args = ["describe", "--always", "--dirty=, changed since"];
  const end = await runProgram("git", { args, folder }).catch(() => undefined);
  return end?.code === 0 ? end.stdout.join("").trim() || undefined : undefined;
}

/** A notebook to export, with the base name of its report: a committed one, one that ran with parameters, or a working copy. */
interface NotebookFile {
  readonly name: string;
  readonly base: string;
  readonly file: string;
}

/** Finds notebooks by number or name, reports by name, and copies such as `own/mine`; all notebooks if none is named. */
export async function listReportSources(folder: string, wanted: readonly string[]): Promise<readonly NotebookFile[]> {
  const own: NotebookFile[] = [];
  const others: string[] = [];
  for (const text of wanted) {
    const named = text.replace(/\.(ipynb|html)$/, "");
    const copy = /^own\/(.+)$/.exec(named)?.[1];
    const base = copy === undefined ? named : `${copy}.own`;
    const file = copy === undefined ? `${folder}/results/reports/${named}.ipynb` : `${folder}/${named}.ipynb`;
    if (await isFile(file)) own.push({ name: copy === undefined ? base.split(".")[0]! : named, base, file });
    else others.push(text);
  }
  const names = own.length > 0 && others.length === 0 ? [] : await listNotebooks(folder, others);
  return [...names.map((name) => ({ name, base: name, file: `${folder}/notebooks/${name}.ipynb` })), ...own];
}

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const BROWSER_PLACES = [
  ...["/usr/bin", "/snap/bin", "/Applications/Chromium.app/Contents/MacOS/Chromium"],
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Finds a browser of the Chromium family, in the folders of a PATH, then in the usual places of such browsers. */
export async function findBrowser(path: string, places: readonly string[] = BROWSER_PLACES): Promise<string> {
  const folders = [...path.split(":"), ...places].filter((place) => place !== "");
  for (const file of folders.flatMap((place) => [place, ...BROWSERS.map((name) => `${place}/${name}`)])) {
    if (await isFile(file)) return file;
  }
  throw new Error(
    "Cannot print a PDF as Chromium, Chrome or Edge must be on the PATH: current value is none; install one (Debian: " +
      "apt install chromium; macOS: brew install chromium), or print the page from any browser",
  );
}

const PRINTING = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"];

/** Prints a page as a PDF with an outline. */
async function printPdf(browser: string, paths: Readonly<Record<"folder" | "page" | "pdf", string>>): Promise<void> {
  const { folder, page, pdf } = paths;
  // A temporary profile, so that a running browser is not affected.
  const profile = await Deno.makeTempDir({ dir: `${folder}/.jupyter`, prefix: "browser-" });
  // Chromium has no sandbox for root, the user of many containers; the page's policy allows only its own scripts.
  const sandbox = Deno.uid() === 0 ? ["--no-sandbox"] : [];
  const form = ["--no-pdf-header-footer", "--generate-pdf-document-outline", `--print-to-pdf=${pdf}`];
  const args = [...PRINTING, ...sandbox, ...form, `--user-data-dir=${profile}`, pathToFileURL(page).href];
  try {
    const end = await runProgram(browser, { args, folder });
    if (end.code === 0 && await isFile(pdf)) return;
    throw new Error(`Cannot print the PDF as ${browser} must print the page: current value is "${lastWords(end)}"`);
  } finally {
    // Helper processes of the browser may still be running.
    await Deno.remove(profile, { recursive: true }).catch(() => {});
  }
}
