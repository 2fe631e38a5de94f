import { createHash } from "node:crypto";
import { embedChinese } from "./chinese_font.ts";
import { NO_REPLIES, type ReportReplies } from "./report_replies.ts";
import { darkFigureStyle, figureHtml, textWidth } from "@/lib/figures/mod.ts";
import { thresholdScript } from "@/lib/reports/mod.ts";

/**
 * Completes a page: figures for wide and narrow pages, folded tables, a font for Chinese text, the replies of its runs at its last mark
 * for them, its script if it has a mark for one, and a content security policy that blocks other scripts.
 */
export async function finishPage(page: string, replies = NO_REPLIES): Promise<string> {
  const drawn = foldTables(await withFigures(page, replies.hrefOf));
  const fonts = await embedChinese(page);
  const scripts = [
    await Deno.readTextFile(`${import.meta.dirname}/templates/report/report.min.js`),
    ...(page.includes('class="thresholds"') ? [await thresholdScript()] : []),
  ];
  const at = drawn.lastIndexOf(REPLIES);
  const whole = at < 0 ? drawn : drawn.slice(0, at) + replies.html + drawn.slice(at + REPLIES.length);
  // Outputs of the notebook come after these marks, and may contain the same texts.
  return whole
    .replace(/<!-- (policy|script) -->/, (_, kind) => policyOf(kind === "script" ? scripts : [], replies.scripts))
    .replace("/* fonts */", fonts)
    .replace("/* dark figures */", darkFigureStyle);
}

const REPLIES = "<!-- replies -->";

/** Returns scripts with the policy that allows only them, by their hashes, and those of other sources. */
export function policyOf(scripts: readonly string[], sources = ""): string {
  const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const rules = [
    "default-src 'none'",
    `script-src ${[...hashes, sources].join(" ").trim() || "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const policy = `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
  return policy + scripts.map((script) => `<script type="module">${script}</script>`).join("");
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

/** The width of paper, the padding of a cell and the width of a letter in a table on paper, in pixels. */
const [PAPER, PADDING, LETTER] = [660, 10, 10];

/** Lets the widest words of a table break on paper, as far as those of all its columns do not fit beside each other. */
function forPaper(table: string): string {
  const widthOf = (cell: string): number =>
    Math.max(0, ...cell.replaceAll(/<[^>]+>/g, "").split(/\s+/).map((word) => textWidth(word, LETTER))) + PADDING;
  const rows = table.split("<tr>").slice(1).map((row) =>
    row.split(/<t[hd][^>]*>/).slice(1).map((cell) => widthOf(cell.split(/<\/t[hd]>/)[0]!))
  );
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column] ?? 0))).sort((a, b) => a - b);
  let [room, most] = [PAPER, PAPER];
  for (const [at, width] of widths.entries()) {
    most = room / (widths.length - at);
    if (width > most) break;
    room -= width;
  }
  const stretch = new RegExp(`(?:&#?\\w+;|[^\\s&]){${Math.max(1, Math.floor(most / LETTER) - 1)}}`, "gu");
  const broken = (word: string): string => widthOf(word) <= most ? word : word.replaceAll(stretch, "$&<wbr>");
  return table.replaceAll(/(?<=>)[^<]+(?=<)/g, (text) => text.replaceAll(/\S+/g, broken));
}

const DRAWN =
  /(<figure class="chart">(?:(?!<\/figure>).)*?)\s*<script type="application\/vnd\.vegalite\.v5\+json">(.*?)<\/script><\/figure>/gs;

/** Draws each figure from its specification; a picture of another origin stays as it is. */
async function withFigures(page: string, hrefOf: ReportReplies["hrefOf"]): Promise<string> {
  const figures: string[] = [];
  for (const [, picture, spec] of page.matchAll(DRAWN)) {
    const drawn = await figureHtml(JSON.parse(spec!), hrefOf).catch(() => undefined);
    figures.push(drawn ?? `${picture}</figure>`);
  }
  return page.replaceAll(DRAWN, () => figures.shift()!);
}
