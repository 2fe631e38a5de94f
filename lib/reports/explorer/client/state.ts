import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App, State } from "./app.ts";
import { taskNames } from "./filters.ts";

/** Reads a state from the hash of an address; `undefined` if it is the name of a heading. */
export function readState(hash: string): State | undefined {
  const text = hash.replace(/^#/, "");
  if (text !== "" && !text.includes("=")) return undefined;
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a state as the hash of an address; empty values are left out. */
export function writeState(state: State): string {
  const entries = Object.entries(state).filter(([, value]) => value !== "");
  return `#${new URLSearchParams(entries)}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/** Rows by their keys, and keys by the places of rows. */
export interface RowKeys {
  readonly rows: ReadonlyMap<string, ExplorerRow>;
  readonly keys: ReadonlyMap<ExplorerRow, string>;
}

/** Returns the key of each row: task, length and index, and its repeat if there is one; or its id if that is the key of another. */
export function keysOf(facts: ExplorerFacts, rows: readonly ExplorerRow[]): RowKeys {
  const names = taskNames(facts);
  const found = new Map<string, ExplorerRow>();
  for (const row of rows) {
    const { task, length, index, repeat, id } = row;
    const place = `${names[task]}/${length}/${index}${repeat > 0 ? `/${repeat}` : ""}`;
    found.set(found.has(place) ? `${id}/${repeat}` : place, row);
  }
  return { rows: found, keys: new Map([...found].map(([key, row]) => [row, key])) };
}

/** Returns the place of the run that others are compared with: the chosen one, or the first. */
export function comparedRun({ facts, state }: Pick<App, "facts" | "state">): number {
  const run = Number(state.against ?? 0);
  return facts.runs[run] === undefined ? 0 : run;
}
