import type { Json, JsonObject, Notebook, NotebookCell } from "./notebook.ts";

const KEPT_CELL_METADATA = ["jupyter", "tags"];
const KEPT_NOTEBOOK_METADATA = ["kernelspec", "language_info"];

/**
 * Writes a notebook as the text of its file, in one normal form: two runs that show the same give the same bytes.
 *
 * Keys are sorted and strings split into lines, as Jupyter itself writes them. Of the metadata only the tags, the kernel
 * and the language stay, without the language's version; neighbouring pieces of one stream are joined.
 *
 * @param notebook The notebook.
 * @returns The text of its `.ipynb` file, closed by a line feed.
 *
 * @example Times and versions go, tags stay
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const metadata = { tags: ["parameters"], execution: { "shell.execute_reply": "2030-01-01" } };
 * const cell = { kind: "code", id: "a", source: "1", metadata, executionCount: 1, outputs: [] } as const;
 * const text = formatNotebook({ cells: [cell], metadata: {} });
 * deepEqual(JSON.parse(text).cells[0].metadata, { tags: ["parameters"] });
 * ```
 */
export function formatNotebook(notebook: Notebook): string {
  const file = {
    "cells": notebook.cells.map(cellFields),
    "metadata": notebookMetadata(notebook.metadata),
    "nbformat": 4,
    "nbformat_minor": 5,
  };
  return JSON.stringify(sortKeys(file), null, 1) + "\n";
}

function notebookMetadata(metadata: JsonObject): JsonObject {
  const kept: Record<string, Json> = pick(metadata, KEPT_NOTEBOOK_METADATA);
  const language = kept["language_info"];
  if (typeof language === "object" && language !== null && !Array.isArray(language)) {
    kept["language_info"] = Object.fromEntries(Object.entries(language).filter(([name]) => name !== "version"));
  }
  return kept;
}

function cellFields(cell: NotebookCell): JsonObject {
  const metadata = pick(cell.metadata, KEPT_CELL_METADATA);
  const fields = { "cell_type": cell.kind, id: cell.id, metadata, source: splitLines(cell.source) };
  if (cell.kind !== "code") return fields;
  const outputs = joinStreams(cell.outputs).map(splitOutput);
  return { ...fields, "execution_count": cell.executionCount, outputs };
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

function splitOutput(output: JsonObject): JsonObject {
  const { transient: _transient, ...kept } = output;
  const split: Record<string, Json> = kept;
  if (typeof output["text"] === "string") split["text"] = splitLines(output["text"]);
  if (typeof output["data"] === "object") split["data"] = splitData(output["data"] as JsonObject);
  return split;
}

function splitData(data: JsonObject): JsonObject {
  const isSplit = (type: string): boolean => type.startsWith("text/") || type === "image/svg+xml";
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([type, value]) => [type, typeof value === "string" && isSplit(type) ? splitLines(value) : value]),
  );
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function pick(object: JsonObject, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortKeys(item)]));
}
