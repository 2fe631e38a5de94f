import { escapeHtml, escapeMarkdown, sum } from "@/lib/base/mod.ts";
import { isTagged, type JsonObject, type Notebook, type NotebookCell } from "./notebook.ts";
import {
  ANSWER,
  cardsIn,
  type ClaimCount,
  claimCounts,
  dataOf,
  originsIn,
  type RunCard,
  VERDICTS,
} from "./report_facts.ts";
import { originText, type VerdictCounts, verdictCounts } from "@/lib/statistics/mod.ts";

const MAX_RUNS = 6;

/** Returns the runs under test in a notebook, each with its finding. */
function testedRuns(notebook: Pick<Notebook, "cells">): readonly RunCard[] {
  return cardsIn(notebook).filter(({ headline }) => headline !== undefined);
}

function isInjected({ cells }: Notebook): boolean {
  return cells.some((cell) => isTagged(cell, "injected-parameters"));
}

/**
 * Replaces the answer under the title by one that was computed from the numbers of the notebook.
 *
 * It is the last output of the cell tagged `answer`. With other parameters, it is that of the cell tagged `own-answer`, otherwise the
 * findings of the runs under test; a sentence about the committed runs does not remain.
 */
export function withAnswer(notebook: Notebook): Notebook {
  const [first, ...cells] = notebook.cells;
  if (first === undefined) return notebook;
  const answerOf = (tag: string): string | undefined => {
    const data = dataOf({ cells: cells.filter((cell) => isTagged(cell, tag)) }).at(-1);
    const text = data?.["text/html"] === undefined ? data?.["text/markdown"] ?? data?.["text/plain"] : undefined;
    return typeof text === "string" ? text.trim() : undefined;
  };
  const computed = answerOf("own-answer") ?? (isInjected(notebook) ? findings(notebook) : answerOf("answer"));
  if (computed === undefined) return notebook;
  const quoted = computed.split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");
  const source = ANSWER.test(first.source)
    ? first.source.replace(ANSWER, () => `${quoted}\n`)
    : first.source.replace(/^# .*\n?/, (title) => `${title.trimEnd()}\n\n${quoted}\n`);
  return { ...notebook, cells: [{ ...first, source }, ...cells] };
}

function findings(notebook: Notebook): string {
  const runs = testedRuns(notebook);
  const lines = runs.slice(0, MAX_RUNS).map(({ run, model, origin, headline }) =>
    `- **${escapeMarkdown(model)}** (${originText(origin)}): ${escapeMarkdown(headline!)}. _${escapeMarkdown(run)}_`
  );
  if (runs.length === 0) return "Run with other parameters: its figures and tables are below.";
  const more = runs.length > MAX_RUNS ? [`- ${runs.length - MAX_RUNS} more: see the sections.`] : [];
  return [...lines, ...more].join("\n");
}

/** The place of an output in a notebook. */
type Place = { readonly cell: number; readonly output: number };

/**
 * Finds the figure and the table of claims that open a report: in the cells tagged `first-figure` and `claims`, otherwise the first
 * ones; with other parameters, the first ones from the runs under test on.
 */
function findLead(notebook: Notebook, kind: "first-figure" | "claims"): Place | undefined {
  const { cells } = notebook;
  const isKind = kind === "claims" ? isClaimTable : (data: unknown) => "image/svg+xml" in Object(data);
  const places = cells.flatMap(({ outputs }, cell) =>
    outputs.flatMap((output, at): Place[] => isKind(output["data"]) ? [{ cell, output: at }] : [])
  );
  const tested = isInjected(notebook) ? cells.findIndex((cell) => testedRuns({ cells: [cell] }).length > 0) : -1;
  const own = tested < 0 ? undefined : places.find(({ cell }) => cell >= tested);
  return own ?? places.find(({ cell }) => isTagged(cells[cell]!, kind)) ?? places[0];
}

function isClaimTable(data: JsonObject[string] | undefined): boolean {
  const text = (data as JsonObject | null | undefined)?.["text/plain"];
  return typeof text === "string" && VERDICTS.test(text.split("\n")[1] ?? "");
}

/**
 * Arranges a notebook as a report: title and answer, the counts of verdicts, one figure and the table of claims first, then the sections,
 * folded under their headings. An output that comes first leaves a link at its place.
 */
export function withLead(notebook: Notebook): Notebook {
  const [first, ...rest] = notebook.cells;
  if (first?.kind !== "markdown") return notebook;
  const lifted = (["first-figure", "claims"] as const).flatMap((id) => {
    const place = findLead(notebook, id);
    return place === undefined ? [] : [{ id, ...place }];
  });
  const lead = lifted.map(({ id, cell, output }): NotebookCell => {
    const outputs = [notebook.cells[cell]!.outputs[output]!];
    return { kind: "code", id, source: "", metadata: { tags: ["lead"] }, executionCount: null, outputs };
  });
  const left = rest.map((cell, at): NotebookCell => ({
    ...cell,
    outputs: cell.outputs.slice(0, isTagged(cell, "answer") || isTagged(cell, "own-answer") ? -1 : undefined)
      .map((output, number) => {
        const moved = lifted.find((place) => place.cell === at + 1 && place.output === number);
        return moved === undefined ? output : linkTo(moved.id, output);
      }),
  }));
  const end = ANSWER.exec(first.source);
  const split = end === null ? first.source.length : end.index + end[0].length;
  const [head, intro] = [first.source.slice(0, split), first.source.slice(split).trim()];
  const cells = [
    { ...first, source: head },
    htmlCell(factsHtml([notebook])),
    ...lead,
    ...(intro === "" ? [] : [proseCell(intro)]),
    ...inSections(left, isInjected(notebook)),
  ];
  return {
    ...notebook,
    cells: cells.map((cell, at) => isTagged(cell, "lead") ? cell : { ...cell, id: `part-${at + 1}` }),
  };
}

function linkTo(id: string, output: JsonObject): JsonObject {
  const title = String((output["data"] as JsonObject)["text/plain"] ?? "").split("\n")[0]!;
  const html = `<p><a href="#${id}">${escapeHtml(title)}</a>: at the top of this page.</p>`;
  return { "output_type": "display_data", metadata: {}, data: { "text/html": html } };
}

/** Folds cells under the headings of the second level; those before the first heading come under one of their own. */
function inSections(cells: readonly NotebookCell[], isOther: boolean): readonly NotebookCell[] {
  const parts = cells.flatMap((cell) =>
    cell.kind !== "markdown" ? [cell] : cell.source.split(/^(?=## )/m).filter((source) => source.trim() !== "")
      .map((source): NotebookCell => ({ ...cell, source }))
  );
  const isHeading = ({ kind, source }: NotebookCell): boolean => kind === "markdown" && source.startsWith("## ");
  if (!parts.some(isHeading)) return parts;
  const sections: NotebookCell[][] = [[proseCell("## Questions and parameters")]];
  for (const part of parts) {
    if (isHeading(part)) sections.push([part]);
    else sections.at(-1)!.push(part);
  }
  const note = isOther
    ? [htmlCell(`<p class="facts">Run with other parameters: figures and tables show this run.</p>`)]
    : [];
  const opener = htmlCell(`<label class="open-all"><input type="checkbox"> Open all sections</label>`);
  return [
    ...note,
    opener,
    ...sections.filter((section) => section.length > 1 || section[0]!.id !== ADDED).flatMap(folded),
  ];
}

function folded([heading, ...cells]: readonly NotebookCell[]): readonly NotebookCell[] {
  const [title = "", ...text] = heading!.source.split("\n");
  // An error is never folded away.
  const isFailed = cells.some(({ outputs }) => outputs.some((output) => output["output_type"] === "error"));
  return [
    htmlCell(`<details class="section"${isFailed ? " open" : ""}><summary>`),
    { ...heading!, source: title, metadata: { tags: ["heading"] } },
    htmlCell("</summary>"),
    ...(text.join("").trim() === "" ? [] : [proseCell(text.join("\n"))]),
    ...cells,
    htmlCell("</details>"),
  ];
}

/** The id of a cell that only the report has. */
const ADDED = "added";

function proseCell(source: string): NotebookCell {
  return { kind: "markdown", id: ADDED, source, metadata: {}, executionCount: null, outputs: [] };
}

/** A cell of the page's own HTML; Markdown has none of these. */
function htmlCell(source: string): NotebookCell {
  return { ...proseCell(source), kind: "raw", metadata: { tags: ["page"] } };
}

const MARKS = [
  ["mostly", "good", "≈"],
  ["hold", "good", "✓"],
  ["fail", "bad", "✗"],
  ["cannot tell", "open", "?"],
] as const;

/** Returns the verdicts of the claims of notebooks, a line for each origin, and the origins of their numbers; empty without any. */
export function factsHtml(notebooks: readonly Notebook[]): string {
  const claims = Map.groupBy(notebooks.flatMap(claimCounts), ({ origin }) => origin.replace(/:.*/, ""));
  const origins = [...new Set(notebooks.flatMap(originsIn))];
  const lines = [...claims].map(([origin, all]) => `Claims (${escapeHtml(origin.toLowerCase())}): ${verdictsOf(all)}`);
  if (origins.length > 0) lines.push(`Numbers: ${escapeHtml(origins.join(", "))}`);
  return lines.length === 0 ? "" : `<p class="facts">${lines.join("<br>")}</p>`;
}

function verdictsOf(claims: readonly ClaimCount[]): string {
  const count = (name: keyof VerdictCounts): number => sum(claims, (claim) => claim[name]);
  const [holds, mostly, fails, open] = [count("holds"), count("mostly"), count("fails"), count("open")];
  return verdictCounts({ holds, mostly, fails, open }).split(", ").map((verdict) => {
    const [, tone, mark] = MARKS.find(([word]) => verdict.includes(word))!;
    return `<span style="--tone: var(--fathom-${tone})">${mark} ${verdict}</span>`;
  }).join("");
}
