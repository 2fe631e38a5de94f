import type { ScoreWithInterval } from "./intervals.ts";
import type { Origin } from "./summarise.ts";

/** A model's mean score on a task: published, measured or simulated. */
export interface Evidence {
  /** The suite by its title, such as `Counting-Stars`. */
  readonly suite: string;
  readonly task: string;
  /** The settings of the task, such as `{ operation: "bfs" }`. */
  readonly knobs: Readonly<Record<string, string | number>>;
  /** Context length in tokens; `null` for a mean over lengths. */
  readonly length: number | null;
  /** Depth of the facts in percent of the text; `null` for a mean over depths. */
  readonly depth: number | null;
  readonly model: string;
  /** Samples scored; `null` if unknown. */
  readonly n: number | null;
  /** Independent units among the samples, if several share a text or question. */
  readonly units?: number | undefined;
  /** In percent. */
  readonly score: number;
  /** Lower end of its 95% interval, in percent; `null` if unknown. */
  readonly low: number | null;
  /** Upper end of its 95% interval, in percent; `null` if unknown. */
  readonly high: number | null;
  readonly origin: Origin;
  /** A document, with its table or figure; for a run its name. */
  readonly source: string;
  /** The name of the run; published scores have none. */
  readonly run?: string;
}

/** Evidence at one length. */
export type PlacedEvidence = Evidence & { readonly length: number };

/** Evidence at one length with a known interval. */
export type LengthEvidence = PlacedEvidence & ScoreWithInterval;
