import type { OverviewLine, ReplyOutcome } from "./read_run.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** Options for the tables of a run. */
export interface RunTableOptions {
  /** What the table shows. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
  /** Samples asked. */
  readonly n: number | string;
}

/**
 * Sets what was asked in a run as a table.
 *
 * @param lines From `runOverview`.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(overviewTable([{ what: "Seed", said: "42" }], { title: "Asked", origin: "measured", n: 1 }).text, /Seed +42/);
 * ```
 */
export function overviewTable(lines: readonly OverviewLine[], options: RunTableOptions): Table {
  return table(lines, {
    ...options,
    caption: "All that decides the samples and the answers, as the run's manifest has it.",
    columns: [{ field: "what", label: "What" }, { field: "said", label: "In this run" }],
  });
}

/**
 * Sets what came back in a run as a table: answers, failed calls, prompts and replies that were cut, and empty replies.
 *
 * @param outcomes From `replyOutcomes`.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const outcome = { outcome: "failed call", means: "in no score", count: 1, share: 50, where: "vt at 4096 (1)" };
 * match(outcomeTable([outcome], { title: "One call failed", origin: "measured", n: 2 }).text, /failed call +1 +50\.0 +in no score/);
 * ```
 */
export function outcomeTable(outcomes: readonly ReplyOutcome[], options: RunTableOptions): Table {
  return table(outcomes, {
    ...options,
    caption: "What befell the calls, before asking whether a reply is right. A reply can stand in several lines.",
    columns: [
      { field: "outcome", label: "What came" },
      { field: "count", label: "Replies", digits: 0 },
      { field: "share", label: "Share (%)", digits: 1 },
      { field: "means", label: "What becomes of it" },
      { field: "where", label: "Where most" },
    ],
  });
}
