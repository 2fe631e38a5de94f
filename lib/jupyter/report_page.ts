import { isTagged, type Notebook } from "./notebook.ts";
import { type RunCard, runCards } from "./report_facts.ts";
import { readBindings } from "./parameters.ts";
import { escapeHtml } from "@/lib/text/mod.ts";

/** Where a report comes from, as its last section says. */
export interface ReportSource {
  /** The notebook's name, without folder and ending. */
  readonly name: string;
  /** The version of Fathom. */
  readonly version: string;
  /** The commit of the project, and whether files were changed since; left out where there is none. */
  readonly commit?: string | undefined;
  /** When the page was made. */
  readonly made: Date;
}

const CONTENTS = "<!-- contents -->";
const ORIGIN = "<!-- origin -->";

/**
 * Finishes a page that nbconvert made from a notebook: a table of contents, tooltips of its figures that need no script, and a
 * section that says what the page was made from.
 */
export function finishPage(page: string, notebook: Notebook, source: ReportSource): string {
  return withTooltips(page)
    .replace(CONTENTS, () => contentsOf(page))
    .replace(ORIGIN, () => originSection(notebook, source));
}

const HEADING = /<h([23]) id="([^"]+)">(.*?)<a class="anchor-link"[^>]*>.*?<\/a><\/h\1>/gs;

/** The headings of a page as a list of links; nothing where there are fewer than three. */
function contentsOf(page: string): string {
  const headings = [...page.matchAll(HEADING)];
  if (headings.length < 3) return "";
  const items = headings.map(([, level, id, text]) => `<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>\n<ol>\n${
    items.join("\n")
  }\n</ol>\n</details></nav>`;
}

/** What a mark says of itself to a screen reader becomes its tooltip too; the picture as a whole has none. */
function withTooltips(page: string): string {
  return page.replace(/<figure class="chart">.*?<\/figure>/gs, (figure) =>
    figure.replace(
      /<(path|rect|circle|text)((?: [\w:-]+="[^"]*")*? aria-label="([^"]*)"(?: [\w:-]+="[^"]*")*)\/>/g,
      (_, tag, attributes, label) => `<${tag}${attributes}><title>${label}</title></${tag}>`,
    ));
}

function originSection(notebook: Notebook, { name, version, commit, made }: ReportSource): string {
  const parameters = parametersOf(notebook);
  const command = commandFor(name, parameters.filter(({ isChanged }) => isChanged));
  const facts = [
    ["Notebook", `<code>notebooks/${escapeHtml(name)}.ipynb</code>`],
    ["Made", `${made.toISOString().slice(0, 16).replace("T", " ")} UTC`],
    ["Fathom", escapeHtml(commit === undefined ? version : `${version}, commit ${commit}`)],
    ["Make it again", `<code>${escapeHtml(command)}</code>`],
  ];
  const rows = facts.map(([label, value]) => `<tr><th scope="row">${label}</th><td>${value}</td></tr>`);
  const given = parameters.map(({ name, value, isChanged }) =>
    `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td><code>${escapeHtml(value)}</code>${
      isChanged ? " (changed)" : ""
    }</td></tr>`
  );
  return `<section class="made">
<h2 id="made">How this page was made</h2>
<table>\n${rows.join("\n")}\n</table>
${runsTable(runCards(notebook))}
${
    given.length === 0
      ? ""
      : `<details><summary>Parameters</summary>\n<table>\n${given.join("\n")}\n</table>\n</details>`
  }
</section>`;
}

/** The runs that a page shows, a row each. */
function runsTable(cards: readonly RunCard[]): string {
  if (cards.length === 0) return "";
  const heads = ["Run", "Model", "Origin", "Samples", "Hash", "Seed", "Lengths in", "Asked", "Server"];
  const rows = cards.map((
    { run, model, origin, suite, samples, sha256, seed, tokenizer, asked = "–", server = "–" },
  ) => [run, model, origin, `${samples} (${suite})`, sha256.slice(0, 12), seed, tokenizer, asked, server]);
  const line = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell, at) => `<td data-label="${heads[at]}">${escapeHtml(cell)}</td>`).join("")}</tr>`;
  return `<div class="outputs">\n<table class="sentences">
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>\n${rows.map(line).join("\n")}\n</tbody>\n</table>\n</div>`;
}

/** A parameter of a notebook with the value it ran with, as code. */
interface RunParameter {
  readonly name: string;
  readonly value: string;
  /** Whether it is another than the notebook's own. */
  readonly isChanged: boolean;
}

function parametersOf({ cells }: Notebook): readonly RunParameter[] {
  const bindings = (tag: string): ReadonlyMap<string, string> =>
    new Map(readBindings(cells.find((cell) => isTagged(cell, tag))?.source ?? ""));
  const injected = bindings("injected-parameters");
  return [...bindings("parameters")].map(([name, value]) => ({
    name,
    value: injected.get(name) ?? value,
    isChanged: injected.has(name),
  }));
}

function commandFor(name: string, changed: readonly RunParameter[]): string {
  const settings = changed.map(({ name, value }) => {
    const text = /^"(.*)"$/s.test(value) ? JSON.parse(value) as string : value;
    return `--set ${quoted(`${name}=${text}`)}`;
  });
  return ["deno task reproduce --", `--only ${name.slice(0, 2)}`, ...settings].join(" ");
}

/** A word of a shell's line. */
function quoted(word: string): string {
  return /^[\w=./:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
