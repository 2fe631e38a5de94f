import { createHash } from "node:crypto";
import type { Notebook } from "./notebook.ts";
import { COMMAND, originOf, type OriginTable, type ReportSource } from "./report_facts.ts";
import { chartLibrary, chartProgram } from "@/lib/figures/mod.ts";
import { escapeHtml } from "@/lib/text/mod.ts";

/**
 * Completes a page of nbconvert: adds a table of contents, interactive charts that also show without scripts, a content security policy
 * that blocks other scripts, and a section on how the page was made.
 */
export async function finishPage(page: string, notebook: Notebook, source: ReportSource): Promise<string> {
  const drawn = await withPrograms(withTooltips(page));
  const script = drawn.includes(PROGRAM) ? await chartScript() : undefined;
  // Outputs of the notebook are between the first two marks and the last two, and may contain the same texts.
  const headed = drawn
    .replace("<!-- policy -->", () => policyFor(script))
    .replace("<!-- contents -->", () => contentsOf(page));
  const footed = replaceLast(headed, "<!-- origin -->", originSection(notebook, source));
  return replaceLast(footed, "<!-- scripts -->", script === undefined ? "" : `<script>${script}</script>`);
}

function replaceLast(text: string, mark: string, by: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + mark.length);
}

/** Returns a content security policy that allows only the page's own script, by its hash. */
function policyFor(script: string | undefined): string {
  const scripts = script === undefined ? [] : [`script-src '${hashOf(script)}'`];
  const rules = [
    ...["default-src 'none'", ...scripts, "style-src 'unsafe-inline'", "img-src data:", "font-src data:"],
    ...["base-uri 'none'", "form-action 'none'"],
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

function hashOf(script: string): string {
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}

async function chartScript(): Promise<string> {
  const own = await Deno.readTextFile(`${import.meta.dirname}/templates/report/charts.js`);
  return `${await chartLibrary()}\n${own}`;
}

const PROGRAM = '<script type="application/json">';

/** Replaces each chart specification by its compiled form; one that cannot be compiled is dropped, and its picture stays. */
async function withPrograms(page: string): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: script, 1: spec, index } of page.matchAll(SPECIFICATION)) {
    parts.push(page.slice(end, index), await programOf(spec!));
    end = index + script.length;
  }
  return parts.join("") + page.slice(end);
}

const SPECIFICATION = /<script type="application\/vnd\.vegalite\.v5\+json">(.*?)<\/script>/gs;

async function programOf(spec: string): Promise<string> {
  try {
    return `${PROGRAM}${await chartProgram(JSON.parse(spec))}</script>`;
  } catch {
    return "";
  }
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

function originSection(notebook: Notebook, source: ReportSource): string {
  const { facts, tables, parameters } = originOf(notebook, source);
  const rows = facts.map(([label, value]) =>
    [
      `<th scope="row">${label}</th>`,
      `<td>${label === COMMAND ? `<code>${escapeHtml(value)}</code>` : escapeHtml(value)}</td>`,
    ].join("")
  );
  const given = parameters.map(({ name, value, isChanged }) =>
    `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td><code>${escapeHtml(value)}</code>${
      isChanged ? " (changed)" : ""
    }</td></tr>`
  );
  return `<section class="made">
<h2 id="made">How this page was made</h2>
<table>\n${rows.map((row) => `<tr>${row}</tr>`).join("\n")}\n</table>
${tables.map(originTable).join("\n")}
${given.length === 0 ? "" : `<h3>Parameters</h3>\n<table>\n${given.join("\n")}\n</table>`}
</section>`;
}

function originTable({ title, heads, rows }: OriginTable): string {
  const line = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell, at) => `<td data-label="${heads[at]}">${escapeHtml(cell)}</td>`).join("")}</tr>`;
  return `<h3>${title}</h3>
<div class="outputs">\n<table class="sentences">
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>\n${rows.map(line).join("\n")}\n</tbody>\n</table>\n</div>`;
}
