import { escapeHtml, plural } from "@/lib/base/mod.ts";
import { embedChinese } from "./chinese_font.ts";
import { parseNotebook } from "./notebook.ts";
import { answerOf, type ClaimCount, claimCounts, originsIn, questionOf } from "./report_facts.ts";
import { claimLines, leadPicture, originLine, withAnswer } from "./report_lead.ts";
import { pageStyle } from "./report_page.ts";

/** A report as shown in the index. */
interface ReportCard {
  /** The report's file. */
  readonly file: string;
  readonly question: string;
  /** The answer in a few sentences, if the notebook has one. */
  readonly answer: string | undefined;
  readonly claims: readonly ClaimCount[];
  readonly origins: readonly string[];
  /** Its first figure, as SVG. */
  readonly picture: string | undefined;
  /** The same report as a PDF, if there is one. */
  readonly pdf: string | undefined;
}

/** Writes `results/reports/index.html`, a list of all reports in the folder. */
export async function writeIndex(folder: string): Promise<void> {
  const reports = `${folder}/results/reports`;
  const files = (await Array.fromAsync(Deno.readDir(reports))).map(({ name }) => name);
  const pages = files.filter((file) => /(?<!\.failed)\.html$/.test(file) && file !== "index.html");
  const cards: ReportCard[] = [];
  for (const file of pages.sort()) {
    const name = file.replace(/\.html$/, "");
    // A notebook with other parameters is in the folder of its report, and a working copy in own/.
    const places = [`${reports}/${name}`, `${folder}/own/${name.replace(/\.own$/, "")}`, `${folder}/notebooks/${name}`];
    const place = name.endsWith(".own") ? places[1]! : places[files.includes(`${name}.ipynb`) ? 0 : 2]!;
    const text = await Deno.readTextFile(`${place}.ipynb`).catch(() => undefined);
    if (text === undefined) continue;
    const notebook = withAnswer(parseNotebook(text));
    cards.push({
      file,
      question: questionOf(notebook) ?? name,
      answer: answerOf(notebook),
      claims: claimCounts(notebook),
      origins: originsIn(notebook),
      picture: leadPicture(notebook),
      pdf: files.find((other) => other === `${name}.pdf`),
    });
  }
  const fonts = await embedChinese(indexPage(cards, ""));
  await Deno.writeTextFile(`${reports}/index.html`, indexPage(cards, `${fonts}\n${await pageStyle()}`));
}

/** Returns the index page, which has no script and needs no network. */
export function indexPage(cards: readonly ReportCard[], style: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<title>Fathom's reports</title>
<style>
${style}
</style>
</head>
<body>
<main class="index">
<h1>How deep does a language model really read?</h1>
<p>${cards.length} ${
    plural(cards.length, "report")
  }, each a notebook run from top to bottom. How many of their statements hold, by where the numbers come from:</p>
<p class="facts">${claimLines(cards.flatMap(({ claims }) => claims)).join("<br>")}</p>
${cards.map(cardOf).join("\n")}
</main>
</body>
</html>
`;
}

function cardOf({ file, question, answer, claims, origins, picture, pdf }: ReportCard): string {
  const parameters = file.replace(/\.html$/, "").split(".").slice(1).join(".");
  const also = pdf === undefined ? [] : [`Also as <a href="${encodeURIComponent(pdf)}">PDF</a>`];
  const lines = [
    `<h2><a href="${encodeURIComponent(file)}">${escapeHtml(question)}</a></h2>`,
    ...(parameters === "" ? [] : [`<p><code>${escapeHtml(parameters)}</code></p>`]),
    ...(answer === undefined ? [] : [`<p>${escapeHtml(plainOf(answer)).replaceAll("\n- ", "<br>")}</p>`]),
    `<p class="facts">${
      [...claimLines(claims), originLine(origins), ...also].filter((line) => line !== "").join("<br>")
    }</p>`,
  ];
  const thumbnail = picture === undefined ? "" : `<div class="thumbnail" aria-hidden="true">${picture}</div>`;
  return `<article>\n${thumbnail}\n<div>\n${lines.join("\n")}\n</div>\n</article>`;
}

/** Removes Markdown from an answer; its list items keep their line breaks. */
function plainOf(markdown: string): string {
  return markdown.replace(/^- /, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\\([!-/:-@[-`{-~])|[*_`]/g, "$1");
}
