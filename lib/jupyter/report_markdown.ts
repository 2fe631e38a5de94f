import type { JsonObject, Notebook, NotebookCell } from "./notebook.ts";
import { COMMAND, originOf, type ReportSource } from "./report_facts.ts";
import { escapeMarkdown } from "@/lib/text/mod.ts";

/** A report as Markdown. */
export interface MarkdownReport {
  readonly text: string;
  /** Its pictures as SVG, by path relative to the text. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** Options for {@linkcode markdownReport}. */
export interface MarkdownReportOptions extends ReportSource {
  /** The folder of the pictures, relative to the text. */
  readonly folder: string;
  /** Whether to omit code. */
  readonly withoutCode: boolean;
}

/** Exports a notebook as Markdown: prose, folded code, tables, links to pictures, and provenance. */
export function markdownReport(notebook: Notebook, options: MarkdownReportOptions): MarkdownReport {
  const pictures = new Map<string, string>();
  const keep = (svg: string): string => {
    const path = `${options.folder}/figure-${pictures.size + 1}.svg`;
    pictures.set(path, svg);
    return path;
  };
  const cells = notebook.cells.flatMap((cell) => cellParts(cell, { keep, withoutCode: options.withoutCode }));
  const text = [...cells, ...originParts(notebook, options)].map((part) => part.trim()).filter((part) => part !== "");
  return { text: `${text.join("\n\n")}\n`, pictures };
}

interface PartOptions {
  /** Collects a picture and returns its path. */
  readonly keep: (svg: string) => string;
  readonly withoutCode: boolean;
}

function cellParts({ kind, source, outputs }: NotebookCell, options: PartOptions): readonly string[] {
  if (kind === "markdown") return [source];
  if (kind === "raw") return [];
  const shown = outputs.map((output) => outputPart(output, options));
  return options.withoutCode ? shown : [foldedCode(source), ...shown];
}

function foldedCode(source: string): string {
  return `<details><summary>Code</summary>\n\n${fenced(source, "ts")}\n\n</details>`;
}

function outputPart(output: JsonObject, { keep }: PartOptions): string {
  if (output["output_type"] === "stream") return fenced(String(output["text"]));
  if (output["output_type"] === "error") return fenced(`${output["ename"]}: ${output["evalue"]}`);
  const data = (output["data"] ?? {}) as JsonObject;
  const [svg, markdown, text] = [data["image/svg+xml"], data["text/markdown"], data["text/plain"]];
  if (typeof svg === "string") return `![${labelOf(String(text ?? ""))}](${encodeURI(keep(svg))})`;
  if (typeof markdown === "string") return markdown;
  return typeof text === "string" ? fenced(text) : "";
}

/** Returns the first line of a picture's text, escaped for a Markdown link. */
function labelOf(text: string): string {
  return escaped(text.split("\n")[0]!);
}

/** Fences a text; the fence is longer than any run of backquotes in it. */
function fenced(text: string, language = ""): string {
  // deno-lint-ignore no-control-regex -- terminal colours
  const plain = text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "").trimEnd();
  if (plain === "") return "";
  const longest = Math.max(2, ...Array.from(plain.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${plain}\n${fence}`;
}

function originParts(notebook: Notebook, source: ReportSource): readonly string[] {
  const { facts, tables, parameters } = originOf(notebook, source);
  const given = parameters.map(({ name, value, isChanged }) => [
    codeSpan(name),
    `${codeSpan(value)}${isChanged ? " (changed)" : ""}`,
  ]);
  return [
    "## How this page was made",
    tableOf(
      ["What", "Here"],
      facts.map(([label, value]) => [label, label === COMMAND ? codeSpan(value) : escaped(value)]),
    ),
    ...tables.flatMap((
      { title, heads, rows },
    ) => [`### ${title}`, tableOf(heads, rows.map((row) => row.map(escaped)))]),
    ...(given.length === 0 ? [] : ["### Parameters", tableOf(["Name", "Value"], given)]),
  ];
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Returns a text as one line of escaped Markdown. */
function escaped(text: string): string {
  return escapeMarkdown(text.replaceAll(/\s+/g, " "));
}

function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
