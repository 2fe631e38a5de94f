import type { Json, JsonObject, Notebook, NotebookCell } from "./notebook.ts";

const KINDS = ["code", "markdown", "raw"] as const;

/**
 * Reads a notebook from the text of its file.
 *
 * @param text The text of an `.ipynb` file, notebook format 4.
 * @returns The notebook, its multi-line strings joined.
 * @throws {SyntaxError} If the text is not JSON, or not a notebook of format 4.
 *
 * @example The smallest notebook
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const cell = { cell_type: "markdown", id: "a", metadata: {}, source: ["# Title\n", "Text"] };
 * const text = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
 * equal(parseNotebook(text).cells[0]?.source, "# Title\nText");
 * ```
 */
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
  if ("data" in output) joined["data"] = joinData(objectOf(output["data"]));
  return joined;
}

function joinData(data: JsonObject): JsonObject {
  const entries = Object.entries(data);
  return Object.fromEntries(entries.map(([type, value]) => [type, type.endsWith("json") ? value : joinLines(value)]));
}

function joinLines(value: Json | undefined): string {
  return Array.isArray(value) ? value.join("") : typeof value === "string" ? value : "";
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as JsonObject : {};
}
