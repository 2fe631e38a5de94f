import type { TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerPrompt, ExplorerRow } from "../data.ts";
import type { Filters, State } from "./filters.ts";

export type { State };

/** What the panels of a page share. */
export interface App {
  readonly facts: ExplorerFacts;
  /** All rows; a page of a run that goes on gets more. */
  readonly rows: readonly ExplorerRow[];
  readonly state: State;
  /** The filters of the rows; opened again when there are more rows. */
  readonly filters: Filters;
  /** Returns the rows that pass the filters, except for those of some dimensions. */
  filtered(ignored?: readonly string[]): readonly ExplorerRow[];
  /** Changes parts of the state, and draws again; an empty value removes its part. */
  go(changes: State): void;
}

/** Draws a part of the page. Strings in templates are text, never markup. */
export type Panel = (app: App) => TemplateResult;

/** What the list of samples and the open sample share. */
export interface Reading extends App {
  /** The rows that pass all filters, in their order. */
  readonly listed: readonly ExplorerRow[];
  /** The sample that is open; its place is `s` in the state. */
  readonly open: ExplorerRow | undefined;
  /** Its prompt; `undefined` until it is found. */
  readonly prompt: ExplorerPrompt | undefined;
  /** Returns the address of the page with some changes of the state. */
  href(changes: State): string;
}
