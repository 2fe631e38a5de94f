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
  /** The same report as a PDF, if there is one. */
  readonly pdf: string | undefined;
}

/** Writes `results/reports/index.html`, a list of all reports in the folder. */
export async function writeIndex(folder: string): Promise<void> {
  const reports = `${folder}/results/reports`;
  const files = (await Array.fromAsync(Deno.readDir(reports))).map(({ name }) => name);
  const pages = files.filter((file) => /(?<!\.failed)\.html$/.test(file) && file !== "index.html");
  const listed: ListedReport[] = [];
  for (const file of pages.sort()) {
    const name = file.replace(/\.html$/, "");
    // A notebook with other parameters is in the folder of its report, and a working copy in own/.
    const places = [`${reports}/${name}`, `${folder}/own/${name.replace(/\.own$/, "")}`, `${folder}/notebooks/${name}`];
    const place = name.endsWith(".own") ? places[1]! : places[files.includes(`${name}.ipynb`) ? 0 : 2]!;
    const text = await Deno.readTextFile(`${place}.ipynb`).catch(() => undefined);
    if (text === undefined) continue;
    listed.push({
      file,
      notebook: withAnswer(parseNotebook(text)),
      pdf: files.find((other) => other === `${name}.pdf`),
    });
  }
  await Deno.writeTextFile(`${reports}/index.html`, await indexPage(listed));
}

/** Returns the index page, which has no script and needs no network. */
export async function indexPage(reports: readonly ListedReport[]): Promise<string> {
  const style = await Deno.readTextFile(`${import.meta.dirname}/templates/report/report.css`);
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
<p>${reports.length} ${
    plural(reports.length, "report")
  }, each a notebook run from top to bottom. How many of their statements hold, by where the numbers come from:</p>
${factsHtml(reports.map(({ notebook }) => notebook))}
${reports.map(entryOf).join("\n")}
</main>
</body>
</html>
`);
}

function entryOf({ file, notebook, pdf }: ListedReport): string {
  const [name = "", ...parameters] = file.replace(/\.html$/, "").split(".");
  const answer = answerOf(notebook);
  const lines = [
    `<h2><a href="${encodeURIComponent(file)}">${escapeHtml(questionOf(notebook) ?? name)}</a></h2>`,
    ...(parameters.length === 0 ? [] : [`<p><code>${escapeHtml(parameters.join("."))}</code></p>`]),
    ...(answer === undefined ? [] : [`<p>${escapeHtml(plainOf(answer)).replaceAll("\n- ", "<br>")}</p>`]),
    factsHtml([notebook]),
    ...(pdf === undefined ? [] : [`<p class="facts">Also as <a href="${encodeURIComponent(pdf)}">PDF</a></p>`]),
  ];
  return `<article class="prose">\n${lines.join("\n")}\n</article>`;
}

/** Removes Markdown from an answer; its list items keep their line breaks. */
function plainOf(markdown: string): string {
  return markdown.replace(/^- /, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\\([!-/:-@[-`{-~])|[*_`]/g, "$1");
}
