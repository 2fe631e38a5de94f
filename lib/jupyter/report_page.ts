import { createHash } from "node:crypto";
import { embedChinese } from "./chinese_font.ts";
import { darkFigureStyle, figureHtml, textWidth } from "@/lib/figures/mod.ts";

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
    const marked = `<div class="rows"${style}>\n${forPaper(table)}`;
    if (rows <= SHOWN_ROWS) return marked;
    return `<div class="fold">${marked}\n<label><input type="checkbox"> Show all ${rows} rows</label></div>`;
  });
}

/** The width of paper, and the padding of a cell, in pixels at the size of letters that tables have on paper. */
const [PAPER, PADDING, LETTER] = [660, 10, 10];

/** Lets the widest words of a table break on paper, as far as those of all its columns do not fit beside each other. */
function forPaper(table: string): string {
  const widthOf = (cell: string): number =>
    Math.max(0, ...cell.replaceAll(/<[^>]+>/g, "").split(/\s+/).map((word) => textWidth(word, LETTER)));
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => widthOf(cell!) + PADDING)
  );
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column] ?? 0)));
  let room = PAPER;
  let most = PAPER;
  for (const [at, width] of widths.toSorted((one, other) => one - other).entries()) {
    most = room / (widths.length - at);
    if (width > most) break;
    room -= width;
  }
  const stretch = new RegExp(`(?:&#?\\w+;|[^\\s&]){${Math.max(1, Math.floor(most / LETTER) - 1)}}`, "gu");
  const broken = (word: string): string => widthOf(word) + PADDING <= most ? word : word.replaceAll(stretch, "$&<wbr>");
  return table.replaceAll(/>[^<]+</g, (text) => `>${text.slice(1, -1).replaceAll(/\S+/g, broken)}<`);
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
