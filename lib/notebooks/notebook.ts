/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object as JSON holds it. */
export type JsonObject = { readonly [name: string]: Json };

/** One cell of a notebook. */
export interface NotebookCell {
  /** What the cell holds: code, prose, or text for one exporter alone. */
  readonly kind: "code" | "markdown" | "raw";
  /** Name of the cell, unique in its notebook. */
  readonly id: string;
  /** What is written in the cell, lines parted by a line feed. */
  readonly source: string;
  /** Tags and what editors keep about the cell. */
  readonly metadata: JsonObject;
  /** Which run cell this was, from 1; `null` where it has not run or is no code. */
  readonly executionCount: number | null;
  /** What the cell showed, in the file's own form (`output_type`, `data`, `text`). */
  readonly outputs: readonly JsonObject[];
}

/** One Jupyter notebook, format 4. */
export interface Notebook {
  /** The cells, from top to bottom. */
  readonly cells: readonly NotebookCell[];
  /** Kernel, language, and what editors keep about the notebook. */
  readonly metadata: JsonObject;
}

/**
 * Says whether a cell carries a tag.
 *
 * @param cell Any cell.
 * @param tag A tag, such as `parameters`.
 * @returns Whether it does.
 *
 * @example A parameters cell
 * ```ts
 * import { ok } from "node:assert/strict";
 *
 * const metadata = { tags: ["parameters"] };
 * const cell = { kind: "code", id: "a", source: "", metadata, executionCount: null, outputs: [] } as const;
 * ok(isTagged(cell, "parameters"));
 * ```
 */
export function isTagged(cell: NotebookCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}
