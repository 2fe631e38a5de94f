import type { App, State } from "./app.ts";

/** Reads a state from the hash of an address; `undefined` if it is the name of a heading. */
export function readState(hash: string): State | undefined {
  const text = hash.replace(/^#/, "");
  return text === "" || text.includes("=") ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

/** Writes a state as the hash of an address; empty values are left out. */
export function writeState(state: State): string {
  const entries = Object.entries(state).filter(([, value]) => value !== "");
  return `#${new URLSearchParams(entries)}`.replaceAll("%2C", ",");
}

/** Returns the place of the run that others are compared with: the chosen one, or the first. */
export function comparedRun({ facts, state }: Pick<App, "facts" | "state">): number {
  return Math.max(0, facts.runs.findIndex((_, run) => String(run) === state.against));
}
