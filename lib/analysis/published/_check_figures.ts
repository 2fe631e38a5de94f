import { mean } from "simple-statistics";
import { findRow, scoreAt } from "./_find_row.ts";
import type { Disagreement } from "./disagreement.ts";
import { lengthText } from "../length_text.ts";
import type { PublishedCategory } from "./_published_tables.ts";
import type { PublishedRow, RulerPublished } from "./published.ts";
import { effectOf } from "./_check_totals.ts";

// A figure is read to about 0.1 point and a table is rounded to a tenth.
const SLACK = 0.15 + 1e-9;

/** A line of a figure, or the mean of several, and the row that prints the same. */
interface Pair {
  readonly figure: string;
  readonly series: readonly string[];
  readonly model: string;
  readonly category: PublishedCategory;
}

const YI = "Yi (34B)";
const PAIRS: readonly Pair[] = [
  { figure: "Figure 2", series: ["Passkey retrieval"], model: YI, category: "passkey" },
  { figure: "Figure 2", series: ["Vanilla NIAH"], model: YI, category: "vanilla_niah" },
  { figure: "Figure 3", series: ["chain=1, hop=4"], model: YI, category: "multi_hop_tracing" },
  { figure: "Figure 3", series: ["SQuAD", "HotpotQA"], model: YI, category: "qa" },
  { figure: "Figure 4", series: ["Yi-34B-200K"], model: YI, category: "RULER-13" },
  { figure: "Figure 4", series: ["LWM-1M"], model: "LWM (7B)", category: "RULER-13" },
  { figure: "Figure 4", series: ["LWM-base-1M"], model: "LWM-base (7B)", category: "RULER-13" },
];

/** A score of a figure beside the same score of a table. */
export interface FigureCell {
  readonly pair: Pair;
  readonly length: number;
  readonly table: number;
  readonly printed: number;
  readonly drawn: number;
}

/**
 * Puts the lines of Figures 2 to 4 beside the tables of the third edition that print the same, the needle tasks of Yi
 * as their mean.
 */
export function figureCells({ rows, series, yiTasks }: RulerPublished): readonly FigureCell[] {
  const needles = {
    figure: "Figure 2",
    series: ["mean of the 8 needle tasks"],
    model: YI,
    category: "retrieval" as const,
  };
  const drawnNeedles = (length: number): readonly number[] =>
    yiTasks.filter((at) => at.task.startsWith("niah_") && at.length === length).map(({ score }) => score);
  const drawn = (pair: Pair, length: number): readonly number[] =>
    series.filter((at) => pair.series.includes(at.series) && at.length === length && at.segment === "solid")
      .map(({ score }) => score);
  return [...PAIRS, needles].flatMap((pair) => {
    const row = findRow(rows, { edition: "v3", ...pair });
    return (row?.scores ?? []).flatMap(({ length, score }) => {
      const parts = pair === needles ? drawnNeedles(length) : drawn(pair, length);
      return parts.length === 0 ? [] : [{ pair, length, table: row!.table, printed: score, drawn: mean([...parts]) }];
    });
  });
}

/** Lists the scores that a figure draws otherwise than a table prints them. */
export function checkFigures(published: RulerPublished): readonly Disagreement[] {
  const cells = figureCells(published).filter(({ printed, drawn }) => Math.abs(printed - drawn) > SLACK);
  return [
    ...cells.map(({ pair, length, table, printed, drawn }) => ({
      kind: "figure" as const,
      cause: "misprint" as const,
      edition: "v3" as const,
      where: `Table ${table}, ${pair.model}, ${lengthText(length)}`,
      printed: printed.toFixed(1),
      expected: drawn.toFixed(1),
      why: `${pair.figure}, line "${pair.series.join('" and "')}", read to about 0.1 point.`,
    })),
    ...checkBaseline(published),
  ];
}

/** Figure 4 draws Llama2-7B, whose score at 4K is the threshold of Table 3. */
function checkBaseline({ rows, series, thresholds }: RulerPublished): readonly Disagreement[] {
  const drawn = series.find((at) => at.series === "Llama2-7b" && at.length === 4096)?.score;
  const limit = thresholds.find((at) => at.table === 3)?.threshold;
  if (drawn === undefined || limit === undefined || Math.abs(drawn - limit) <= SLACK) return [];
  const table = rows.filter((row) => row.edition === "v1" && row.table === 3);
  return [{
    kind: "figure",
    cause: "threshold",
    edition: "v3",
    where: "Table 3, Llama2-7B (chat), 4K",
    printed: limit.toFixed(1),
    expected: drawn.toFixed(1),
    why: `Figure 4, line "Llama2-7b", read to about 0.1 point. ${effectOf(drawn, table)}`,
  }];
}

// The third edition names the version.
const RENAMED: Readonly<Record<string, string>> = { "Mistral (7B)": "Mistral-v0.2 (7B)" };

/** Pairs the rows of the first edition with those of the third that print the same model in the same table. */
export function sharedRows(
  rows: readonly PublishedRow[],
): readonly (readonly [first: PublishedRow, third: PublishedRow])[] {
  return rows.filter((row) => row.edition === "v1").flatMap((first) => {
    const third = rows.find((row) =>
      row.edition === "v3" && row.table === first.table && row.model === (RENAMED[first.model] ?? first.model)
    );
    return third === undefined ? [] : [[first, third] as const];
  });
}

/** Lists the scores that the third edition prints otherwise than the first. */
export function checkEditions({ rows }: RulerPublished): readonly Disagreement[] {
  return sharedRows(rows).flatMap(([first, third]) =>
    first.scores.flatMap(({ length, score }) => {
      const later = scoreAt(third, length)!;
      return later === score ? [] : [{
        kind: "editions" as const,
        cause: "edition" as const,
        edition: "v1" as const,
        where: `Table ${first.table}, ${first.model}, ${lengthText(length)}`,
        printed: score.toFixed(1),
        expected: later.toFixed(1),
        why: "The third edition prints another score.",
      }];
    })
  );
}
