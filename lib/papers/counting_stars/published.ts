import { mean } from "@/lib/base/mod.ts";
import type { FigureOptions } from "@/lib/figures/mod.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import type { CsvColumn, Evidence } from "@/lib/statistics/mod.ts";

/** A published score, with the stars behind it where they are known. */
export interface StarEvidence extends Evidence {
  /** The score of each star in the order of the text, in [0, 1]; `null` for a score of a table or of a whole matrix. */
  readonly cells: readonly number[] | null;
}

/** One model's stars by context length: the matrix that Counting-Stars draws. */
export interface StarPanel {
  readonly model: string;
  /** One per length in tokens, rising, as the benchmark names it: the score of each star in the order of the text, in [0, 1]. */
  readonly columns: readonly { readonly length: number; readonly cells: readonly number[] }[];
}

const CELLS: CsvColumn<readonly number[] | null> = {
  name: "cells",
  wanted: "numbers from 0 to 1 separated by spaces, or empty",
  read: (cell) => {
    if (cell === "") return null;
    const cells = cell.split(" ").map(Number);
    return cells.every((each) => each >= 0 && each <= 1) ? cells : undefined;
  },
};

/** Reads the published scores of Counting-Stars, those of its first text (March 2024) and of its later edition. */
export async function openStars(): Promise<readonly StarEvidence[]> {
  return await openEvidence("counting_stars", { cells: CELLS });
}

/** The two models of the first text. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** Returns the scores of an edition at one length each. Of a setting that was run three times only the first run counts. */
export function firstRuns(rows: readonly StarEvidence[], edition: "v1" | "v3" = "v1"): readonly StarEvidence[] {
  return rows.filter(({ knobs, cells }) =>
    knobs["edition"] === edition && cells !== null && !["2", "3"].includes(String(knobs["run"]))
  );
}

/**
 * Makes the matrix of each figure and model, named by what differs between them, such as `Kimi, Stone, shuffled`.
 *
 * @param figures Such as `stone_32_32`, in the order wanted; all by default.
 */
export function starPanels(rows: readonly StarEvidence[], figures?: readonly string[]): readonly StarPanel[] {
  const stars = rows.flatMap(({ length, cells, ...row }) =>
    length === null || cells === null ? [] : [{ ...row, length, cells, figure: row.source.split(/[ /]/).at(-1)! }]
  );
  const wanted = figures ?? [...new Set(stars.map(({ figure }) => figure))];
  return wanted.flatMap((name) => {
    const models = Map.groupBy(stars.filter(({ figure }) => figure === name), ({ model }) => model);
    return Array.from(models.values(), (columns) => ({ model: nameOf(columns[0]!), columns }));
  });
}

function nameOf({ model, knobs }: Pick<Evidence, "model" | "knobs">): string {
  const { edition, text, order, sentence, temperature, run } = knobs;
  if (edition === "v3") return `${model}, ${sentence === "plain" ? "acquisition" : "reasoning"}`;
  return [
    model.split(" ")[0]!,
    text,
    ...(order === "shuffled" ? ["shuffled"] : []),
    ...(temperature === "0" ? [] : [`T = ${temperature}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
  ].join(", ");
}

/** Returns the accuracy of a matrix, Counting-Stars' "Acc": the mean of all cells. */
export function starAccuracy({ columns }: StarPanel): number {
  return mean(columns.flatMap(({ cells }) => cells));
}

export type StarFigureOptions = Pick<FigureOptions, "title" | "n" | "origin" | "warning" | "runs">;
