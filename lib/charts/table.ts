import type { Origin } from "@/lib/analysis/mod.ts";
import { originsOf, saidOf } from "./_figure.ts";
import { checkFigure } from "./_rows.ts";
import { cellsOf } from "./_table_cells.ts";
import { htmlTable, markdownTable, textTable } from "./_table_forms.ts";
import { plainText } from "./_text.ts";
import { type Field, type FigureOptions, JUPYTER_DISPLAY, type MimeBundle } from "./figure.ts";

/** One column of a table. */
export interface Column<Row> {
  /** The field whose values stand in the column. */
  readonly field: Field<Row>;
  /** The head of the column, with its unit. */
  readonly label: string;
  /** Decimals of its numbers; by their size if left out. Range: 0 to 20. */
  readonly digits?: number;
  /** Which side its texts stand at; numbers right and others left if left out. */
  readonly align?: "left" | "right" | "center";
  /** Which of its numbers are set in bold. */
  readonly best?: "highest" | "lowest";
  /** The field of the lower end of the interval round its numbers, which is written behind them in brackets. */
  readonly low?: Field<Row>;
  /** The field of the upper end of that interval. */
  readonly high?: Field<Row>;
  /** How a value is written, where neither number nor text will do. */
  readonly write?: (value: unknown, row: Row) => string;
}

/** Options for {@linkcode table}. */
export interface TableOptions<Row> extends Omit<FigureOptions, "width"> {
  /** The columns from left to right; the first one names the rows. */
  readonly columns: readonly Column<Row>[];
}

/** A captioned table in three forms, of which a notebook shows the first. */
export interface Table {
  /** The finding. */
  readonly title: string;
  /** Origin, n and interval in one line. */
  readonly note: string;
  /** How to read the table. */
  readonly caption: string;
  /** Where its numbers come from. */
  readonly origins: readonly Origin[];
  /** Long tables scroll under their head; everything from the rows is escaped. */
  readonly html: string;
  /** The table as markdown, in which nothing from the rows is markup. */
  readonly markdown: string;
  /** The table in plain characters, columns aligned. */
  readonly text: string;
  /** HTML, markdown and text, of which a notebook shows the first it knows. */
  readonly [JUPYTER_DISPLAY]: () => MimeBundle;
}

/**
 * Sets rows as a table with title, note and caption.
 *
 * A value that is `null` is a dash, never a 0, and is never the best.
 *
 * @param rows At least one row, in the order they are to stand.
 * @param options The columns and what to say of the table.
 * @returns The table.
 * @throws {RangeError} If there are no rows or no columns, or `digits` is outside its range.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const leaders = table([{ model: "GPT-4", score: 91.58 }, { model: "Yi <34B>", score: null }], {
 *   title: "One model was measured",
 *   caption: "Mean of 13 tasks.",
 *   origin: "published",
 *   n: 500,
 *   columns: [{ field: "model", label: "Model" }, { field: "score", label: "Score (%)", digits: 1, best: "highest" }],
 * });
 * match(leaders.html, /<strong>91.6<\/strong>/);
 * match(leaders.html, /Yi &lt;34B&gt;/);
 * ```
 */
export function table<Row extends object>(rows: readonly Row[], options: TableOptions<Row>): Table {
  checkFigure(rows, options);
  const origins = originsOf(options.origin);
  const title = plainText(options.title);
  const caption = plainText(options.caption, 2000);
  const [origin, samples, interval] = saidOf(options);
  const said = options.interval === undefined ? [origin, samples] : [origin, samples, interval];
  const note = plainText(said.join(" · "), 1000);
  const parts = { title, note, caption, simulated: origins.includes("simulated"), ...cellsOf(rows, options) };
  const forms = { html: htmlTable(parts), markdown: markdownTable(parts), text: textTable(parts) };
  return {
    title,
    note,
    caption,
    origins,
    ...forms,
    [JUPYTER_DISPLAY]: () => ({ "text/html": forms.html, "text/markdown": forms.markdown, "text/plain": forms.text }),
  };
}
