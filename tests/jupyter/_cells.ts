import type { Notebook, NotebookCell } from "@/lib/jupyter/notebook.ts";

/** A code cell of a test notebook. */
export function code(source: string, fields: Partial<NotebookCell> = {}): NotebookCell {
  return { kind: "code", id: "code", source, metadata: {}, executionCount: null, outputs: [], ...fields };
}

/** A prose cell of a test notebook. */
export function prose(source: string): NotebookCell {
  return { kind: "markdown", id: "prose", source, metadata: {}, executionCount: null, outputs: [] };
}

/** A code cell that carries a tag. */
export function tagged(tag: string, source: string, fields: Partial<NotebookCell> = {}): NotebookCell {
  return code(source, { metadata: { tags: [tag] }, ...fields });
}

/** A test notebook in TypeScript, frozen so that a change of it fails the test. */
export function notebook(...cells: readonly NotebookCell[]): Notebook {
  return Object.freeze({ cells: Object.freeze(cells), metadata: { "language_info": { name: "typescript" } } });
}
