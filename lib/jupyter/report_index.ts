import { escapeHtml, plural } from "@/lib/base/mod.ts";
import { type Notebook, parseNotebook } from "./notebook.ts";
import { answerOf, questionOf } from "./report_facts.ts";
import { factsHtml, withAnswer } from "./report_lead.ts";
import { finishPage } from "./report_page.ts";

/** A report as listed in the index. */
interface ListedReport {
  /** The report's file. */
  readonly file: string;
  readonly notebook: Notebook;
  /** Whether there is the same report as a PDF. */
  readonly hasPdf: boolean;
}

/** Writes `results/reports/index.html`, a list of all reports in the folder. */
export async function writeIndex(folder: string): Promise<void> {
  const reports = `${folder}/results/reports`;
  const files = (await Array.fromAsync(Deno.readDir(reports))).map(({ name }) => name);
  const names = files.flatMap((file) => /^(?!index\.)(.*)(?<!\.failed|\.replies)\.html$/.exec(file)?.[1] ?? []).sort();
  const listed: ListedReport[] = [];
  for (const name of names) {
    // A notebook with other parameters is in the folder of its report, and a working copy in own/.
    const own = /^(.*)\.own$/.exec(name)?.[1];
    const place = files.includes(`${name}.ipynb`) ? `${reports}/${name}` : `${folder}/notebooks/${name}`;
    const file = own === undefined ? place : `${folder}/own/${own}`;
    const text = await Deno.readTextFile(`${file}.ipynb`).catch(() => undefined);
    if (text === undefined) continue;
    const notebook = withAnswer(parseNotebook(text));
    listed.push({ file: `${name}.html`, notebook, hasPdf: files.includes(`${name}.pdf`) });
  }
  await Deno.writeTextFile(`${reports}/index.html`, await indexPage(listed));
}

/** Returns the index page, which has no script and needs no network. */
export async function indexPage(reports: readonly ListedReport[]): Promise<string> {
  const style = await Deno.readTextFile(`${import.meta.dirname}/templates/report/report.css`);
  const count = `${reports.length} ${plural(reports.length, "report")}`;
  return await finishPage(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<!-- policy -->
<title>Fathom's reports</title>
<style>
/* fonts */
${style}
</style>
</head>
<body>
<main>
<h1>How deep does a language model really read?</h1>
<p>${count}, each a notebook run from top to bottom. How many of their statements hold, by where the numbers come from:</p>
${factsHtml(reports.map(({ notebook }) => notebook))}
${reports.map(entryOf).join("\n")}
</main>
</body>
</html>
`);
}

function entryOf({ file, notebook, hasPdf }: ListedReport): string {
  const [name = "", ...parameters] = file.replace(/\.html$/, "").split(".");
  const answer = plainOf(answerOf(notebook) ?? "");
  const pdf = encodeURIComponent(file.replace(/html$/, "pdf"));
  return `<article class="prose">
<h2><a href="${encodeURIComponent(file)}">${escapeHtml(questionOf(notebook) ?? name)}</a></h2>
${parameters.length === 0 ? "" : `<p><code>${escapeHtml(parameters.join("."))}</code></p>`}
${answer === "" ? "" : `<p>${escapeHtml(answer).replaceAll("\n- ", "<br>")}</p>`}
${factsHtml([notebook])}
${hasPdf ? `<p class="facts">Also as <a href="${pdf}">PDF</a></p>` : ""}
</article>`;
}

/** Removes Markdown from an answer; its list items keep their line breaks. */
function plainOf(markdown: string): string {
  return markdown.replace(/^- /, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\\([!-/:-@[-`{-~])|[*_`]/g, "$1");
}
