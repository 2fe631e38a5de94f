import { createHash } from "node:crypto";
import { chartLibrary, chartProgram } from "@/lib/figures/mod.ts";

/**
 * Completes a page of nbconvert: adds a table of contents, interactive charts that also show without scripts, and a content security
 * policy that blocks other scripts.
 */
export async function finishPage(page: string): Promise<string> {
  const drawn = await withPrograms(withTooltips(page));
  const script = drawn.includes(PROGRAM) ? await chartScript() : undefined;
  // Outputs of the notebook are between these marks and the last one, and may contain the same texts.
  const headed = drawn
    .replace("<!-- policy -->", () => policyFor(script))
    .replace("<!-- contents -->", () => contentsOf(page));
  const end = headed.lastIndexOf(SCRIPTS);
  if (end < 0) return headed;
  const written = script === undefined ? "" : `<script>${script}</script>`;
  return `${headed.slice(0, end)}${written}${headed.slice(end + SCRIPTS.length)}`;
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

async function chartScript(): Promise<string> {
  const own = await Deno.readTextFile(`${import.meta.dirname}/templates/report/charts.js`);
  return `${await chartLibrary()}\n${own}`;
}

const PROGRAM = '<script type="application/json">';

const SPECIFICATION = /<script type="application\/vnd\.vegalite\.v5\+json">(.*?)<\/script>/gs;

/** Replaces each chart specification by its compiled form; one that cannot be compiled is dropped, and its picture stays. */
async function withPrograms(page: string): Promise<string> {
  const compile = async (spec: string): Promise<string> => `${PROGRAM}${await chartProgram(JSON.parse(spec))}</script>`;
  const programs: string[] = [];
  for (const [, spec] of page.matchAll(SPECIFICATION)) programs.push(await compile(spec!).catch(() => ""));
  return page.replaceAll(SPECIFICATION, () => programs.shift()!);
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

/** Shows the label of each mark as its tooltip; the picture as a whole has none. */
function withTooltips(page: string): string {
  return page.replace(/<figure class="chart">.*?<\/figure>/gs, (figure) =>
    figure.replace(
      /<(path|rect|circle|text)((?: [\w:-]+="[^"]*")*? aria-label="([^"]*)"(?: [\w:-]+="[^"]*")*)\/>/g,
      (_, tag, attributes, label) => `<${tag}${attributes}><title>${label}</title></${tag}>`,
    ));
}
