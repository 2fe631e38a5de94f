import type { PromptPart } from "../marked_prompt.ts";
import type { FailureClass } from "@/lib/statistics/failures/mod.ts";
import type { Origin, TaskGroup } from "@/lib/statistics/mod.ts";

/** Everything that a page of runs shows besides its samples. */
export interface ExplorerFacts {
  /** One to six runs; more only with `isPivotOnly`. */
  readonly runs: readonly {
    /** The name that commands open it by, and its label, unique in the page: the model if that is. */
    readonly name: string;
    readonly label: string;
    readonly model: string;
    readonly origin: Origin;
    /** Suite, seed and date, as one line. */
    readonly about: string;
    /** The computed answer: effective length, fall, most frequent failure. */
    readonly answer: readonly string[];
  }[];
  /** `least`: the lowest possible score of a reply, in [0, 1]. */
  readonly tasks: readonly { readonly name: string; readonly suite: string; readonly least: number }[];
  /** Groups of tasks with a mean of their own, such as "all 13 tasks"; each run has all of their tasks. */
  readonly groups: readonly TaskGroup[];
  /** The score in percent at which a length is effective when the page opens. */
  readonly threshold: number;
  readonly meanings: Readonly<Record<FailureClass, string>>;
  /** Whether the rows have no texts, as there are too many runs or replies; then only the pivot is shown. */
  readonly isPivotOnly: boolean;
  /** Whether a server makes prompts at `prompt/ROW`; and, if the runs are still going on, sends new rows at `events`. */
  readonly served: "no" | "prompts" | "live";
}

/** A sample with the replies of each run. */
export interface ExplorerRow {
  /** Place among the rows, from 0; a server makes the prompt of this row. */
  readonly at: number;
  /** Place in {@linkcode ExplorerFacts.tasks}. */
  readonly task: number;
  /** Token budget. */
  readonly length: number;
  readonly index: number;
  readonly repeat: number;
  readonly seed: string;
  readonly id: string;
  /** The share of the context before its only target, in [0, 1]; `null` if there is not one place. */
  readonly depth: number | null;
  /** The question or text that it shares with others; `null` if it is independent. */
  readonly cluster: string | null;
  /** The part of the prompt that asks; empty if the sample was not rebuilt. */
  readonly question: string;
  readonly wanted: readonly string[];
  /** Why the prompt cannot be made again; empty if it can. */
  readonly why: string;
  /** By run; `null` where a run does not have the sample. */
  readonly answers: readonly (ExplorerAnswer | null)[];
}

export const VERDICTS = ["right", "in part", "wrong", "no answer", "failed call", "nothing to score"] as const;

/** The verdict on a reply. */
export type Verdict = typeof VERDICTS[number];

/** A reply with its score. */
export interface ExplorerAnswer {
  /** The benchmark's own score, in [0, 1]; `null` if the call failed or there was nothing to score. */
  readonly value: number | null;
  readonly verdict: Verdict;
  /** Milliseconds; `null` if it was not timed. */
  readonly latency: number | null;
  /** The reply, or the error of a failed call; a long one is cut in its middle. */
  readonly text: string;
  readonly thinking: string;
  /** Further lines about the score, such as its reason. */
  readonly lines: readonly (readonly [label: string, text: string])[];
  /** How it failed, the primary class first: why, and the wrong answers given, shortened. */
  readonly modes: readonly { readonly class: FailureClass; readonly why: string; readonly given: readonly string[] }[];
}

/** What only the rebuilt sample shows of a row; `modes` are by run. */
export interface RebuiltRow extends Pick<ExplorerRow, "why" | "question" | "depth"> {
  readonly modes: readonly ExplorerAnswer["modes"][];
}

/** The prompt of a row; that of a server comes with the rest of the rebuilt sample. */
export interface ExplorerPrompt extends Partial<RebuiltRow> {
  readonly why: string;
  /** The marked prompt; `null` if it cannot be made again, or is not in the page. */
  readonly parts: readonly PromptPart[] | null;
  /** Whether the texts are whole; otherwise only their kept stretches are there, between spaces. */
  readonly isWhole: boolean;
}

/** The progress of a run that goes on; `null` is not known. */
export interface LiveState {
  /** Samples with a reply, failed calls included, of all samples of the plan. */
  readonly done: number;
  readonly total: number | null;
  readonly failed: number;
  /** The price of the calls so far, in the currency of the prices. */
  readonly cost: number | null;
  /** Milliseconds to the end at the pace so far. */
  readonly leftMs: number | null;
  /** What the replies so far decide, a sentence each. */
  readonly decided: readonly string[];
  readonly isOver: boolean;
}

/** The rows that are new or changed since the last update, by {@linkcode ExplorerRow.at}. */
export interface LiveUpdate {
  readonly facts: ExplorerFacts;
  readonly rows: readonly ExplorerRow[];
  readonly live: LiveState;
}
