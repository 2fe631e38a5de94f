import { createHash } from "node:crypto";
import { embedChinese } from "./chinese_font.ts";
import { darkFigureStyle, figureHtml } from "@/lib/figures/mod.ts";

/**
 * Completes a page of nbconvert: figures for wide and narrow pages, folded tables, a font for Chinese text, the page's script, and a
 * content security policy that blocks other scripts.
 */
export async function finishPage(page: string): Promise<string> {
  const drawn = foldTables(await withFigures(page));
  const scripts = [
    ...(drawn.includes(FIGURE) ? ["charts.js"] : []),
    ...(/<div class="rows"|<details class="section/.test(drawn) ? ["tables.js"] : []),
  ];
  const script = scripts.length === 0 ? undefined : (await readTemplates(scripts)).join("\n");
  // Outputs of the notebook are between these marks and the last one, and may contain the same texts.
  const headed = drawn
    .replace("<!-- policy -->", () => policyFor(script))
    .replace("/* fonts */", await embedChinese(page))
    .replace("/* dark figures */", darkFigureStyle);
  const end = headed.lastIndexOf(SCRIPTS);
  if (end < 0) return headed;
  const written = script === undefined ? "" : `<script>${script}</script>`;
  return `${headed.slice(0, end)}${written}${headed.slice(end + SCRIPTS.length)}`;
}

/** Returns the style of a page that shows figures. */
export async function pageStyle(): Promise<string> {
  return [...await readTemplates(["report.css", "figures.css"]), darkFigureStyle()].join("\n");
}

async function readTemplates(names: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(names.map((name) => Deno.readTextFile(`${import.meta.dirname}/templates/report/${name}`)));
}

const SCRIPTS = "<!-- scripts -->";

/** Returns a content security policy that allows only the page's own script, by its hash. */
function policyFor(script: string | undefined): string {
  const hash = (text: string): string => createHash("sha256").update(text).digest("base64");
  const scripts = script === undefined ? [] : [`script-src 'sha256-${hash(script)}'`];
  const rules = [
    ...["default-src 'none'", ...scripts, "style-src 'unsafe-inline'", "img-src data:", "font-src data:"],
    ...["base-uri 'none'", "form-action 'none'"],
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

/** Longer tables are folded to their first rows, by style alone. */
const SHOWN_ROWS = 10;

const TABLE = /<div( style="[^"]*")>\n(<table(?: class="sentences")?>\n<thead>.*?<\/table>\n<\/div>)/gs;

/** Marks each table, and adds a box under each long one that shows all of its rows; the style of the page folds the others. */
function foldTables(page: string): string {
  return page.replaceAll(TABLE, (_, style: string, table: string) => {
    const rows = table.split("<tr>").length - 2;
    const marked = `<div class="rows"${style}>\n${table}`;
    if (rows <= SHOWN_ROWS) return marked;
    return `<div class="fold">${marked}\n<label><input type="checkbox"> Show all ${rows} rows</label></div>`;
  });
}

const FIGURE = '<figure class="chart">';

const DRAWN =
  /(<figure class="chart">(?:(?!<\/figure>).)*?)\s*<script type="application\/vnd\.vegalite\.v5\+json">(.*?)<\/script><\/figure>/gs;

/** Draws each figure from its specification; a picture of another origin stays as it is. */
async function withFigures(page: string): Promise<string> {
  const figures: string[] = [];
  for (const [, picture, spec] of page.matchAll(DRAWN)) {
    const drawn = await figureHtml(JSON.parse(spec!)).catch(() => undefined);
    figures.push(drawn ?? `${picture}</figure>`);
  }
  return page.replaceAll(DRAWN, () => figures.shift()!);
}
