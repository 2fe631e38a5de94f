import { createHash } from "node:crypto";
import { darkFigureStyle, figureHtml } from "@/lib/figures/mod.ts";

/**
 * Completes a page of nbconvert: adds a table of contents, figures for wide and narrow pages, the script of their tooltips and buttons, and
 * a content security policy that blocks other scripts.
 */
export async function finishPage(page: string): Promise<string> {
  const drawn = await withFigures(page);
  const script = drawn.includes(FIGURE) ? await Deno.readTextFile(`${TEMPLATE}/charts.js`) : undefined;
  // Outputs of the notebook are between these marks and the last one, and may contain the same texts.
  const headed = drawn
    .replace("<!-- policy -->", () => policyFor(script))
    .replace("/* dark figures */", darkFigureStyle)
    .replace("<!-- contents -->", () => contentsOf(page));
  const end = headed.lastIndexOf(SCRIPTS);
  if (end < 0) return headed;
  const written = script === undefined ? "" : `<script>${script}</script>`;
  return `${headed.slice(0, end)}${written}${headed.slice(end + SCRIPTS.length)}`;
}

/** Returns the style of a page that shows figures. */
export async function pageStyle(): Promise<string> {
  const styles = ["report.css", "figures.css"].map((name) => Deno.readTextFile(`${TEMPLATE}/${name}`));
  return [...await Promise.all(styles), darkFigureStyle()].join("\n");
}

const TEMPLATE = `${import.meta.dirname}/templates/report`;

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

const HEADING = /<h([23]) id="([^"]+)">(.*?)<a class="anchor-link"[^>]*>.*?<\/a><\/h\1>/gs;

/** Returns the headings of a page as a list of links; empty if there are fewer than three. */
function contentsOf(page: string): string {
  const headings = [...page.matchAll(HEADING)];
  if (headings.length < 3) return "";
  const items = headings.map(([, level, id, text]) => `<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>\n<ol>\n${
    items.join("\n")
  }\n</ol>\n</details></nav>`;
}
