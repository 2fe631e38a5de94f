import { lengthText, readLengthText } from "@/lib/base/mod.ts";
import { effectOf, impliedThresholds, impliedTotals, isApart } from "./_implied_totals.ts";
import { models, ordinals } from "./_printed.ts";
import { type ComputedRow, recompute } from "./_recomputed.ts";
import {
  type Edition,
  findRow,
  type PublishedRow,
  type RulerPublished,
  scoreAt,
  stemOf,
} from "@/lib/papers/ruler/published.ts";
import { RULER_OVERALL, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { mean } from "@/lib/statistics/mod.ts";

/** A printed value that does not follow from the other printed numbers, or is printed differently elsewhere. */
export interface Disagreement {
  readonly kind: string;
  /**
   * - `misprint`: a name, a size, a suffix or a number that is different elsewhere
   * - `rounding`: the last digit is one off, as if rounded to the wrong side
   * - `threshold`: a threshold that does not follow from others or from its figure; which is right is unknown
   * - `edition`: consistent with its own edition, but a later one prints another value
   */
  readonly cause: "misprint" | "rounding" | "threshold" | "edition";
  readonly edition: Edition;
  /** Table, row, and column or length. */
  readonly where: string;
  readonly printed: string;
  /** The value that follows from the other numbers, or is printed elsewhere. */
  readonly expected: string;
  /** How the two were compared. */
  readonly why: string;
}

/**
 * Lists every place at which RULER's published numbers disagree with each other: averages, ranks and effective lengths that do not
 * follow from the scores, totals and thresholds that do not follow from the categories, figures and editions that show other
 * numbers, and typing errors. Differences that rounding can explain are not listed.
 */
export function disagreements(published: RulerPublished): readonly Disagreement[] {
  const { rows } = published;
  return [
    ...checkAverages(rows),
    ...checkTotals(rows),
    ...checkThresholds(published),
    ...checkFigures(published),
    ...checkEditions(published),
    ...checkNames(rows),
    ...checkClaimedLengths(rows),
    ...checkOrdinals(),
    ...checkNotation(rows),
  ];
}

const AVERAGES = [
  ["average", "Avg."],
  ["weightedIncreasing", "wAvg. (inc)"],
  ["weightedDecreasing", "wAvg. (dec)"],
] as const;
const RANKS = [
  ["rankIncreasing", "weightedIncreasing", "rank (inc)"],
  ["rankDecreasing", "weightedDecreasing", "rank (dec)"],
] as const;

/** Recomputes every average, rank and effective length and lists those printed differently. */
function checkAverages(rows: readonly PublishedRow[]): readonly Disagreement[] {
  // Models without a printed rank do not count in that of others; one model has five lengths.
  const tables = Map.groupBy(
    rows,
    ({ edition, table, rankIncreasing, scores }) => `${edition} ${table} ${rankIncreasing === null} ${scores.length}`,
  );
  return [...tables.values()].flatMap((table) => recompute(table).flatMap(checkRow));
}

function checkRow(row: ComputedRow): readonly Disagreement[] {
  const { edition, table, model, computed } = row;
  const differs = (
    column: string,
    kind: string,
    found: {
      readonly printed: number | string;
      readonly expected: number | string;
      readonly why: string;
      readonly cause?: Disagreement["cause"];
    },
  ): Disagreement => ({
    kind,
    cause: found.cause ?? "misprint",
    edition,
    where: `Table ${table}, ${model}, ${column}`,
    printed: String(found.printed),
    expected: String(found.expected),
    why: found.why,
  });
  const found: Disagreement[] = [];
  for (const [key, column] of AVERAGES) {
    const [was, is] = [row[key], computed[key]?.score];
    if (was === null || is === undefined || Math.abs(was - is) <= roundingSlack(table)) continue;
    // Less than a tenth, its last digit: rounded, but to the wrong side.
    const cause = Math.abs(was - is) < 0.1 ? "rounding" : "misprint";
    const why = roundingReason(table, cause);
    found.push(differs(column, "average", { printed: was.toFixed(1), expected: is.toFixed(3), why, cause }));
  }
  for (const [rank, key, column] of RANKS) {
    const [was, is] = [row[rank], computed[key]?.rank];
    if (was === null || is === undefined || was === is) continue;
    const why = "Models are ranked by the weighted average before it is rounded, within their group.";
    found.push(differs(column, "rank", { printed: was, expected: is, why }));
  }
  const [was, is] = [row.effectiveLength, computed.effectiveLength];
  if (was !== null && row.threshold !== null && plain(was) !== plain(is)) {
    const why = `The effective length is the longest whose score is at least the threshold, ${row.threshold}.`;
    found.push(differs("effective length", "effective length", { printed: was, expected: is, why }));
  }
  return found;
}

/** An effective length without what editions write differently: `128k` and `>128K` both mean that the longest length passes. */
function plain(text: string): string {
  return text.toUpperCase().replace(/^>/, "");
}

// A model answers 500 questions of each task. Passkey and vanilla needle answers (Tables 10, 11) are right or wrong, so
// scores are multiples of 0.2; the mean of two such tasks (Table 16) is a multiple of 0.1. One decimal prints both exactly.
const EXACT_TABLES: readonly number[] = [10, 11, 16];

/**
 * How far an average of printed scores may be from the printed average, in points: 0.05 for the rounding of the average, and as
 * much again for that of the scores unless the table prints them exactly.
 */
function roundingSlack(table: number): number {
  return (EXACT_TABLES.includes(table) ? 0.05 : 0.1) + 1e-9;
}

function roundingReason(table: number, cause: "misprint" | "rounding"): string {
  if (!EXACT_TABLES.includes(table)) {
    return "Scores and averages are rounded to a tenth; an average more than 0.1 off is not rounded but wrong.";
  }
  const exact = "Scores of 500 right or wrong answers are printed in full";
  return cause === "rounding"
    ? `${exact}; an average between 0.05 and 0.1 off is rounded to the wrong side.`
    : `${exact}; an average 0.1 off or more is not rounded but wrong.`;
}

// A figure is read to about 0.1 point and a table is rounded to a tenth.
const SLACK = 0.15 + 1e-9;

/** Lists the means over 13 tasks that do not follow from the categories. */
function checkTotals(rows: readonly PublishedRow[]): readonly Disagreement[] {
  return impliedTotals(rows).filter(({ printed, implied }) => isApart(printed, implied))
    .map(({ row, length, printed, implied }) => ({
      kind: "categories",
      cause: "misprint",
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}, ${lengthText(length)}`,
      printed: printed.toFixed(1),
      expected: implied.toFixed(2),
      why: "(8 NIAH + VT + 2 AG + 2 QA) / 13 from Tables 13 to 16; more than 0.1 apart is no rounding.",
    }));
}

/** Lists the thresholds over 13 tasks that do not follow from the categories', and the effective lengths they change. */
function checkThresholds({ rows, thresholds }: RulerPublished): readonly Disagreement[] {
  return impliedThresholds(thresholds).filter(({ limit, implied }) => isApart(limit.threshold, implied))
    .map(({ limit: { table, model, threshold }, implied }) => ({
      kind: "threshold",
      cause: "threshold",
      edition: "v1",
      where: `Table ${table}, ${model}, 4K`,
      printed: threshold.toFixed(1),
      expected: implied.toFixed(2),
      why: `(8 NIAH + VT + 2 AG + 2 QA) / 13 from its rows in Tables 13 to 16. ${
        effectOf(implied, rows.filter((row) => row.edition === "v1" && row.table === table))
      }`,
    }));
}

/** A line of a figure, or the mean of several, and the row with the same scores. */
interface Pair {
  readonly figure: string;
  /** The lines, by their names in the figure. */
  readonly series: readonly string[];
  /** Their tasks, or the model as Figure 4 names it. */
  readonly drawn: readonly string[];
  readonly model: string;
  readonly task: PublishedRow["task"];
}

const YI = "Yi (34B)";
const OVERALL = { figure: "Figure 4", task: RULER_OVERALL } as const;
const PAIRS: readonly Pair[] = [
  {
    figure: "Figure 2",
    series: ["Passkey retrieval"],
    drawn: ["niah_single_1"],
    model: YI,
    task: "niah_single_1",
  },
  { figure: "Figure 2", series: ["Vanilla NIAH"], drawn: ["niah_single_2"], model: YI, task: "niah_single_2" },
  { figure: "Figure 3", series: ["chain=1, hop=4"], drawn: ["vt"], model: YI, task: "multi-hop tracing" },
  { figure: "Figure 3", series: ["SQuAD", "HotpotQA"], drawn: ["qa_1", "qa_2"], model: YI, task: "question answering" },
  { ...OVERALL, series: ["Yi-34B-200K"], drawn: ["Yi-34B-200K"], model: YI },
  { ...OVERALL, series: ["LWM-1M"], drawn: ["LWM-1M"], model: "LWM (7B)" },
  { ...OVERALL, series: ["LWM-base-1M"], drawn: ["LWM-base-1M"], model: "LWM-base (7B)" },
  {
    figure: "Figure 2",
    series: ["mean of the 8 needle tasks"],
    drawn: RULER_TASKS.retrieval,
    model: YI,
    task: "retrieval",
  },
];

/** The points of Figures 2 to 4. */
const POINTS = (await openEvidence("ruler")).filter(({ source }) => /v3, Figure/.test(source));

/** A score of a figure beside the same score of a table. */
interface FigureCell {
  readonly pair: Pair;
  readonly length: number;
  readonly table: number;
  readonly printed: number;
  readonly drawn: number;
}

/** The scores that Figures 2 to 4 share with the tables of the third edition; the needle tasks of Yi as their mean. */
function figureCells(rows: readonly PublishedRow[]): readonly FigureCell[] {
  return PAIRS.flatMap((pair) => {
    const points = POINTS.filter(({ source, task, model }) =>
      source.endsWith(pair.figure) && (pair.drawn.includes(task) || pair.drawn.includes(model))
    );
    const row = findRow(rows, { edition: "v3", task: pair.task, model: pair.model });
    return (row?.scores ?? []).flatMap(({ length, score }) => {
      const parts = points.filter((at) => at.length === length).map((at) => at.score);
      return parts.length === 0 ? [] : [{ pair, length, table: row!.table, printed: score, drawn: mean(parts) }];
    });
  });
}

/** Lists the scores that a figure and a table show differently. */
function checkFigures(published: RulerPublished): readonly Disagreement[] {
  const cells = figureCells(published.rows).filter(({ printed, drawn }) => Math.abs(printed - drawn) > SLACK);
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
function checkBaseline({ rows, thresholds }: RulerPublished): readonly Disagreement[] {
  const drawn = POINTS.find((at) => at.model === "Llama2-7b" && at.length === 4096)?.score;
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

/** Pairs the rows of the first edition with those of the third for the same model in the same table. */
function sharedRows(
  rows: readonly PublishedRow[],
): readonly (readonly [first: PublishedRow, third: PublishedRow])[] {
  return rows.filter((row) => row.edition === "v1").flatMap((first) => {
    const third = rows.find((row) =>
      row.edition === "v3" && row.table === first.table && row.model === (RENAMED[first.model] ?? first.model)
    );
    return third === undefined ? [] : [[first, third] as const];
  });
}

/** Lists the scores that the editions print differently. */
function checkEditions({ rows }: RulerPublished): readonly Disagreement[] {
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

/** Lists ranks with a wrong suffix, such as 3th. */
function checkOrdinals(): readonly Disagreement[] {
  return ordinals.flatMap(({ table, model, increasing, decreasing }) =>
    [[increasing, "inc"], [decreasing, "dec"]].flatMap(([printed, weights]): Disagreement[] => {
      const expected = printed === null ? null : ordinal(parseInt(printed!, 10));
      return printed === expected ? [] : [{
        kind: "ordinal",
        cause: "misprint",
        edition: "v1",
        where: `Table ${table}, ${model}, rank of wAvg. (${weights})`,
        printed: printed!,
        expected: expected!,
        why: "A misprint of the suffix; the rank is right.",
      }];
    })
  );
}

/**
 * Lists the cells that break an edition's notation. Where the longest length passes, editions that use `>128K` write it for
 * models that claim more, and `128K` for models that claim no more.
 */
function checkNotation(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const editions = Map.groupBy(rows, (row) => row.edition);
  return [...editions.values()].filter((edition) => edition.some((row) => row.effectiveLength?.startsWith(">")))
    .flatMap((edition) =>
      edition.flatMap((row): Disagreement[] => {
        const longest = row.scores.at(-1)!.length;
        const printed = row.effectiveLength;
        if (printed?.toUpperCase() !== lengthText(longest) || readLengthText(row.claimedLength) <= longest) return [];
        return [{
          kind: "notation",
          cause: "misprint",
          edition: row.edition,
          where: `Table ${row.table}, ${row.model}, effective length`,
          printed,
          expected: `>${lengthText(longest)}`,
          why: `The longest length passes and the model claims ${row.claimedLength}; other such rows have ">".`,
        }];
      })
    );
}

/** Lists models whose size differs between tables. */
function checkNames(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const stems = Map.groupBy(rows, (row) => `${row.edition} ${stemOf(row.model)}`);
  return [...stems.values()].flatMap((ofStem) => {
    const usual = mostFrequent(ofStem.map((row) => row.model));
    const tablesOfUsual = ofStem.filter((row) => row.model === usual).map((row) => row.table);
    return ofStem.filter((row) => row.model !== usual && !tablesOfUsual.includes(row.table)).map((row) => ({
      kind: "name" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}`,
      printed: row.model,
      expected: usual,
      why: `Tables ${tablesOfUsual.join(", ")} name the model "${usual}".`,
    }));
  });
}

/** Lists models whose claimed length differs between the tables of an edition, Table 4 included. */
function checkClaimedLengths(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const list = models.map(({ model, size, contextLength }) => ({
    edition: "v1" as const,
    table: 4,
    model: size === "-" ? model : `${model} (${size})`,
    claimedLength: contextLength,
  }));
  const named = Map.groupBy([...rows, ...list], (row) => `${row.edition} ${row.model}`);
  return [...named.values()].flatMap((ofModel) => {
    const usual = mostFrequent(ofModel.map((row) => row.claimedLength.toUpperCase()));
    return ofModel.filter((row) => row.claimedLength.toUpperCase() !== usual).map((row) => ({
      kind: "claimed length" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}, claimed length`,
      printed: row.claimedLength,
      expected: usual,
      why: `The other tables of the edition print ${usual}.`,
    }));
  });
}

function mostFrequent(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, all]) => ({ text, count: all.length }));
  return counts.reduce((best, next) => next.count > best.count ? next : best).text;
}

function ordinal(rank: number): string {
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${rank}${suffix[new Intl.PluralRules("en", { type: "ordinal" }).select(rank)]}`;
}
