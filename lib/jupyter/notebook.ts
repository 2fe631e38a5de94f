export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [name: string]: Json };

export interface NotebookCell {
  readonly kind: "code" | "markdown" | "raw";
  readonly id: string;
  readonly source: string;
  readonly metadata: JsonObject;
  /** Its position in the order of execution, from 1; `null` if it has not run. */
  readonly executionCount: number | null;
  /** Its outputs, as in the file (`output_type`, `data`, `text`). */
  readonly outputs: readonly JsonObject[];
}

/** A Jupyter notebook, format 4. */
export interface Notebook {
  readonly cells: readonly NotebookCell[];
  /** Kernel, language, and settings of editors. */
  readonly metadata: JsonObject;
}

/** Whether a cell has a tag. */
export function isTagged(cell: NotebookCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}

const KINDS = ["code", "markdown", "raw"] as const;

/** Parses the text of a notebook's file. */
export function parseNotebook(text: string): Notebook {
  const file = parseObject(text);
  const cells = file["cells"];
  if (file["nbformat"] !== 4 || !Array.isArray(cells)) {
    const format = JSON.stringify(file["nbformat"] ?? null);
    throw new SyntaxError(`Cannot read the notebook as its format must be 4, with cells: current value is ${format}`);
  }
  return { cells: cells.map(readCell), metadata: objectOf(file["metadata"]) };
}

function parseObject(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`Cannot read the notebook as its text must be JSON: current value gives "${why}"`);
  }
}

function readCell(value: Json, index: number): NotebookCell {
  const cell = objectOf(value);
  const kind = KINDS.find((name) => name === cell["cell_type"]);
  if (kind === undefined) {
    const type = JSON.stringify(cell["cell_type"] ?? null);
    throw new SyntaxError(
      `Cannot read cell ${index + 1} as its type must be one of ${KINDS.join(", ")}: current value is ${type}`,
    );
  }
  const { id, execution_count: count, outputs } = cell;
  return {
    kind,
    id: typeof id === "string" ? id : `cell-${index + 1}`,
    source: joinLines(cell["source"]),
    metadata: objectOf(cell["metadata"]),
    executionCount: typeof count === "number" ? count : null,
    outputs: Array.isArray(outputs) ? outputs.map((output) => joinOutput(objectOf(output))) : [],
  };
}

function joinOutput(output: JsonObject): JsonObject {
  const joined: Record<string, Json> = { ...output };
  if ("text" in output) joined["text"] = joinLines(output["text"]);
  if ("data" in output) {
    joined["data"] = mapValues(
      objectOf(output["data"]),
      (value, type) => type.endsWith("json") ? value : joinLines(value),
    );
  }
  return joined;
}

function joinLines(value: Json | undefined): string {
  if (Array.isArray(value)) return value.join("");
  return typeof value === "string" ? value : "";
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as JsonObject : {};
}

const KEPT_CELL_METADATA = ["jupyter", "tags"];
const KEPT_NOTEBOOK_METADATA = ["kernelspec", "language_info"];

/**
 * Formats a notebook as the text of its file, in a canonical form: equal outputs give equal bytes.
 *
 * Keys are sorted and sources split into lines, as Jupyter does; an output is one line, as indented it would be twice as long. Of the
 * metadata, only tags, kernel and language (without its version) are kept. Adjacent pieces of one stream are joined.
 */
export function formatNotebook(notebook: Notebook): string {
  const outputs: string[] = [];
  const file = {
    "cells": notebook.cells.map((cell) => cellFields(cell, outputs)),
    "metadata": notebookMetadata(notebook.metadata),
    "nbformat": 4,
    "nbformat_minor": 5,
  };
  // Only structure has line breaks in JSON, so that no text can look like a number in a list of outputs.
  return JSON.stringify(sortKeys(file), null, 1).replace(/^ {4}\d+(?=,?$)/gm, (at) => `    ${outputs[Number(at)]}`) +
    "\n";
}

function notebookMetadata(metadata: JsonObject): JsonObject {
  const kept = pick(metadata, KEPT_NOTEBOOK_METADATA);
  if (kept["language_info"] === undefined) return kept;
  const { version: _, ...language } = objectOf(kept["language_info"]);
  return { ...kept, "language_info": language };
}

/** Returns a cell as in the file, but for its outputs, which are added to a list, their numbers. */
function cellFields(cell: NotebookCell, outputs: string[]): JsonObject {
  const metadata = pick(cell.metadata, KEPT_CELL_METADATA);
  const fields = { "cell_type": cell.kind, id: cell.id, metadata, source: splitLines(cell.source) };
  if (cell.kind !== "code") return fields;
  const numbers = joinStreams(cell.outputs).map(({ transient: _, ...kept }) =>
    outputs.push(JSON.stringify(sortKeys(kept))) - 1
  );
  return { ...fields, "execution_count": cell.executionCount, outputs: numbers };
}

function joinStreams(outputs: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const output of outputs) {
    const last = joined.at(-1);
    const isSame = output["output_type"] === "stream" && last?.["output_type"] === "stream" &&
      last["name"] === output["name"];
    if (last !== undefined && isSame) {
      joined[joined.length - 1] = { ...last, text: `${last["text"]}${output["text"]}` };
    } else joined.push(output);
  }
  return joined;
}

function mapValues(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const object = value as JsonObject;
  return Object.fromEntries(Object.keys(object).sort().map((name) => [name, sortKeys(object[name]!)]));
}
