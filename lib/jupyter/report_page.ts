import { createHash } from "node:crypto";
import { embedChinese } from "./chinese_font.ts";
import { darkFigureStyle, figureHtml } from "@/lib/figures/mod.ts";

/**
 * Completes a page: figures for wide and narrow pages, folded tables, a font for Chinese text, its script if it has a mark for one, and a
 * content security policy that blocks other scripts.
 */
export async function finishPage(page: string): Promise<string> {
  const drawn = foldTables(await withFigures(page));
  const files = ["charts.js", "tables.js"].map((name) => `${import.meta.dirname}/templates/report/${name}`);
  const script = (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join("\n");
  const fonts = await embedChinese(page);
  // Outputs of the notebook come after these marks, and may contain the same texts.
  return drawn
    .replace(/<!-- (policy|script) -->/, (_, kind) => kind === "script" ? policyOf(script) : policyOf())
    .replace("/* fonts */", fonts)
    .replace("/* dark figures */", darkFigureStyle);
}

/** Returns the policy that allows only the page's own script, by its hash, and the script. */
function policyOf(script?: string): string {
  const hash = createHash("sha256").update(script ?? "").digest("base64");
  const rules = [
    "default-src 'none'",
    script === undefined ? "script-src 'none'" : `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const policy = `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
  return script === undefined ? policy : `${policy}<script type="module">${script}</script>`;
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
