import type { StarChange } from "./star_changes.ts";
import type { ErrorPlaces, StarErrors } from "./star_replies.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";

/** What a table says beside its rows. */
export type StarTableOptions = Pick<FigureOptions, "title" | "n" | "origin">;

/**
 * Sets what changes of the test do to each model.
 *
 * @param changes At least one.
 * @param options Title, n and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const change = { change: "hot less cold", model: "m", difference: 0.1, low: 0, high: 0.2, p: 0.04, lengths: 16 };
 * match(starChangeTable([change], { title: "Heat", origin: "measured", n: 1 }).text, /hot less cold/);
 * ```
 */
export function starChangeTable(changes: readonly StarChange[], options: StarTableOptions): Table {
  return table(changes, {
    ...options,
    caption: "Accuracy of the first less that of the second; p swaps the two columns of a length at random.",
    interval: "95% interval over lengths",
    columns: [
      { field: "change", label: "Change" },
      { field: "model", label: "Model" },
      { field: "lengths", label: "Lengths" },
      { field: "difference", label: "Difference", digits: 3, low: "low", high: "high" },
      { field: "p", label: "p", digits: 4 },
    ],
  });
}

/**
 * Sets where matrices lose stars.
 *
 * @param places One a matrix, each named by its `model`.
 * @param options Title, n and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { errorPlaces } from "@/lib/benchmarks/counting_stars/mod.ts";
 *
 * const places = errorPlaces({ model: "Kimi", columns: [{ length: 4000, cells: [1, 1, 0] }] });
 * match(errorPlacesTable([places], { title: "Lost", origin: "measured", n: 1 }).text, /Kimi/);
 * ```
 */
export function errorPlacesTable(places: readonly ErrorPlaces[], options: StarTableOptions): Table {
  const percent = (share: number | null): number | null => share === null ? null : 100 * share;
  const rows = places.map((row) => ({
    ...row,
    first: percent(row.first),
    middle: percent(row.middle),
    last: percent(row.last),
    worstShare: percent(row.worstShare),
  }));
  return table(rows, {
    ...options,
    caption:
      "Errors in stars, their shares by third of the text, and the star that is lost most with its share of them.",
    columns: [
      { field: "model", label: "Matrix" },
      { field: "errors", label: "Errors" },
      { field: "first", label: "First third (%)", digits: 0 },
      { field: "middle", label: "Middle (%)", digits: 0 },
      { field: "last", label: "Last (%)", digits: 0 },
      { field: "worstStar", label: "Worst star" },
      { field: "worstShare", label: "its share (%)", digits: 0 },
    ],
  });
}

/**
 * Sets what is wrong in a run's replies to Counting-Stars, by task.
 *
 * @param errors At least one row.
 * @param options Title, n and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const none = { unreadable: 0, repaired: 0, unordered: 0, inventing: 0, running: 0, tailless: 0 };
 * const causes = { notFound: 0, notRemembered: 0, summedWrongly: 0, unclear: 0 };
 * const row = { task: "counting_stars_search_en", replies: 3, ...none, ...causes };
 * match(starErrorTable([row], { title: "Nothing wrong", origin: "measured", n: 3 }).text, /search_en/);
 * ```
 */
export function starErrorTable(errors: readonly StarErrors[], options: StarTableOptions): Table {
  return table(errors, {
    ...options,
    caption:
      "Replies with each fault. Runs are five numbers or more in even steps, made up; a lost tail is a third of the stars or " +
      "more. The last four tell, where a sum is asked for, whether counts were not found, found but not listed, or added " +
      "wrongly; where neither the list nor the sum is right and they do not agree, it cannot be told.",
    columns: [
      { field: "task", label: "Task" },
      { field: "replies", label: "Replies" },
      { field: "unreadable", label: "No list" },
      { field: "repaired", label: "List repaired" },
      { field: "unordered", label: "Out of order" },
      { field: "inventing", label: "Invented" },
      { field: "running", label: "Runs" },
      { field: "tailless", label: "Tail lost" },
      { field: "notFound", label: "Not found" },
      { field: "notRemembered", label: "Not listed" },
      { field: "summedWrongly", label: "Added wrongly" },
      { field: "unclear", label: "Unclear" },
    ],
  });
}
