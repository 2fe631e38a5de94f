import { type Field, type Figure, type FigureOptions, JUPYTER_DISPLAY, type MimeBundle } from "./figure.ts";
import { isDoubtful, notePhrases, originsOf } from "./figure_note.ts";
import { cannotDraw, checkFigure, readInterval } from "./row_values.ts";
import {
  type Align,
  SENTENCE,
  type TableCells,
  type TableParts,
  type TerminalOptions,
  textTable,
  type Tone,
} from "./table_text.ts";
import { plainText } from "./text_fit.ts";
import { WARNING } from "./theme.ts";
import { shown } from "./tooltips.ts";
import { escapeHtml, escapeMarkdown } from "@/lib/base/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";

/** One column of a table. */
export interface Column<Row> {
  /** The field whose values the column shows. */
  readonly field: Field<Row>;
  /** The head of the column, with its unit. */
  readonly label: string;
  /** Decimals of its numbers; by size if left out. Range: 0 to 20. */
  readonly digits?: number;
  /** Alignment; by default numbers right and others left. */
  readonly align?: Align;
  readonly best?: "highest" | "lowest";
  /** Which of its values are underlined, in plain text followed by a plus sign; the caption should explain it. */
  readonly underline?: (value: unknown, row: Row) => boolean;
  /** The field of the lower end of the interval around its numbers, written after them in brackets. */
  readonly low?: Field<Row>;
  readonly high?: Field<Row>;
  readonly write?: (value: unknown, row: Row) => string;
  /** The meaning of a value, shown as a colour in HTML. */
  readonly tone?: (value: unknown) => Tone;
}

/** Readable on white and on black; a page may override them. */
const TONES: Readonly<Record<Tone, string>> = {
  good: "var(--fathom-good, #1b8a4b)",
  bad: "var(--fathom-bad, #d1442f)",
  open: "var(--fathom-open, #8a7400)",
};

/** Options for {@linkcode table}. */
export interface TableOptions<Row> extends Omit<FigureOptions, "width"> {
  /** The columns from left to right, as a list, or the head or the rest of each by its field; the first names the rows. */
  readonly columns: readonly Column<Row>[] | { readonly [Name in Field<Row>]?: string | Omit<Column<Row>, "field"> };
}

/** A captioned table in three formats; a notebook shows the first. */
export interface Table extends Pick<Figure, "title" | "note" | "caption" | "origins"> {
  /** The table as HTML; long tables scroll under their head, and text is escaped. */
  readonly html: string;
  /** The table as markdown, with text escaped. */
  readonly markdown: string;
  readonly text: string;
  /** Returns the table in plain characters for the width of a terminal; columns without room come below the others. */
  readonly fit: (options: TerminalOptions) => string;
  /** Returns HTML, markdown and text; a notebook shows the first that it supports. */
  readonly [JUPYTER_DISPLAY]: () => MimeBundle;
}

/**
 * Makes a table of rows, with title, note and caption.
 *
 * A value that is `null` is a dash, never a 0, and is never the best.
 *
 * @param rows At least one row, in the order of the table.
 * @throws {RangeError} If there are no rows or no columns, or `digits` is outside its range.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const { html } = table([{ model: "Yi <34B>", score: 91.58 }], {
 *   ...{ title: "One model", caption: "Mean of 13 tasks.", origin: "published", n: 500 },
 *   columns: { model: "Model", score: { label: "Score (%)", digits: 1 } },
 * });
 * match(html, /Yi &lt;34B&gt;.*91\.6/);
 * ```
 */
export function table<Row extends object>(rows: readonly Row[], options: TableOptions<Row>): Table {
  checkFigure(rows, options);
  const origins = originsOf(options.origin);
  const title = plainText(options.title);
  const caption = plainText(options.caption, 2000);
  const [origin, samples, interval, ...warning] = notePhrases(options);
  const phrases = [origin, samples, ...(options.interval === undefined ? [] : [interval]), ...warning];
  const note = plainText(phrases.join(" · "), 1000);
  const parts = { title, note, caption, doubtful: isDoubtful(origins), ...cellsOf(rows, options) };
  const forms = {
    html: htmlTable(parts),
    markdown: markdownTable(parts),
    text: textTable(parts, { columns: Infinity }),
  };
  return {
    title,
    note,
    caption,
    origins,
    ...forms,
    fit: (room) => textTable(parts, room),
    [JUPYTER_DISPLAY]: () => ({ "text/html": forms.html, "text/markdown": forms.markdown, "text/plain": forms.text }),
  };
}

function cellsOf<Row extends object>(rows: readonly Row[], options: TableOptions<Row>): TableCells {
  const { title } = options;
  const columns = columnsOf(options);
  if (columns.length === 0) throw cannotDraw(title, "columns must hold at least one", 0);
  const best = columns.map((column) => bestOf(rows, column));
  return {
    heads: columns.map(({ label }) => plainText(label)),
    aligns: columns.map((column) =>
      column.align ?? (rows.some((row) => typeof row[column.field] === "number") ? "right" : "left")
    ),
    body: rows.map((row) =>
      columns.map((column, index) => {
        const text = textOf(row, { column, title });
        const bold = best[index] !== undefined && best[index] === rounded(row[column.field], column.digits);
        const underlined = column.underline?.(row[column.field], row) ?? false;
        const tone = column.tone?.(row[column.field]);
        return { text, bold, underlined, ...(tone === undefined ? {} : { tone }) };
      })
    ),
  };
}

function columnsOf<Row extends object>({ columns }: TableOptions<Row>): readonly Column<Row>[] {
  if (Array.isArray(columns)) return columns;
  const byField = Object.entries<string | Omit<Column<Row>, "field">>(columns as Readonly<Record<string, never>>);
  return byField.map(([name, column]) => {
    const field = name as Field<Row>;
    return typeof column === "string" ? { field, label: column } : { ...column, field };
  });
}

function textOf<Row extends object>(
  row: Row,
  { column, title }: { readonly column: Column<Row>; readonly title: string },
): string {
  const { field, digits, low, high, write } = column;
  const value: unknown = row[field];
  if (write !== undefined) return plainText(write(value, row), 1000);
  if (digits !== undefined && !(Number.isInteger(digits) && digits >= 0 && digits <= 20)) {
    throw cannotDraw(title, `digits of ${field} must be a whole number from 0 to 20`, digits);
  }
  const written = (number: unknown): string =>
    typeof number === "number" && Number.isFinite(number) && digits !== undefined
      // No sign for a difference that rounds to 0.
      ? number.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, "$1")
      : shown(number);
  if (low === undefined || high === undefined || value === null || value === undefined) return written(value);
  const { low: from, high: to } = readInterval(row, { title, low, high });
  return from === null || to === null ? written(value) : `${written(value)} [${written(from)}, ${written(to)}]`;
}

/** Returns the best value, rounded as shown, so that equal texts are equally bold. */
function bestOf<Row extends object>(rows: readonly Row[], { field, digits, best }: Column<Row>): number | undefined {
  if (best === undefined) return undefined;
  const values = rows.map((row) => rounded(row[field], digits)).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return best === "highest" ? simpleStatistics.max(values) : simpleStatistics.min(values);
}

function rounded(value: unknown, digits: number | undefined): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return digits === undefined ? value : Number(value.toFixed(digits));
}

/** Tables with more rows scroll. */
const LONG = 25;

// Notebooks render dollar signs as mathematics, except under these classes.
const NO_MATH = "tex2jax_ignore mathjax_ignore";

/** Returns a table as HTML; alignment is set twice, as code hosts keep `align` and drop `style`. */
function htmlTable({ title, note, caption, doubtful, heads, aligns, body }: TableParts): string {
  // A narrow page may show a row with sentences as a card.
  const isWordy = body.some((cells) => cells.some(({ text }) => text.length > SENTENCE));
  const label = (index: number): string => isWordy ? ` data-label="${escapeHtml(heads[index]!)}"` : "";
  const head = heads.map((text, index) =>
    `<th scope="col" align="${aligns[index]}" style="text-align: ${aligns[index]}; position: sticky; top: 0; ` +
    `background: var(--jp-layout-color0, #fff)">${escapeHtml(text)}</th>`
  );
  const lines = body.map((cells) => {
    const written = cells.map(({ text, bold, underlined, tone }, index) => {
      const plain = underlined ? `<u>${escapeHtml(text)}</u>` : escapeHtml(text);
      const inner = bold ? `<strong>${plain}</strong>` : plain;
      return index === 0
        ? `<th scope="row" align="${aligns[index]}" style="text-align: ${
          aligns[index]
        }; font-weight: normal">${inner}</th>`
        : `<td align="${aligns[index]}" style="${styleOf(text, tone, aligns[index]!)}"${label(index)}>${inner}</td>`;
    });
    return `<tr>${written.join("")}</tr>`;
  });
  const scroll = body.length > LONG ? ` style="max-height: 40em; overflow: auto"` : ` style="overflow-x: auto"`;
  const noted = doubtful ? ` style="color: ${WARNING}"` : "";
  return `<figure class="${NO_MATH}" style="margin: 0">
<p style="margin: 0 0 0.5em"><strong>${escapeHtml(title)}</strong><br><span${noted}>${escapeHtml(note)}</span></p>
<div${scroll}>
<table${isWordy ? ` class="sentences"` : ""}>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table>
</div>
<figcaption style="margin-top: 0.5em">${escapeHtml(caption)}</figcaption>
</figure>`;
}

/** Numbers with their intervals stay on one line. */
const NO_LETTERS = /^[^\p{L}]{1,40}$/u;

function styleOf(text: string, tone: Tone | undefined, align: Align): string {
  const isNumber = tone === undefined && NO_LETTERS.test(text) && text.includes(" ");
  const colour = tone === undefined ? "" : `; color: ${TONES[tone]}; font-weight: 600; white-space: nowrap`;
  return `text-align: ${align}${isNumber ? "; white-space: nowrap" : colour}`;
}

function markdownTable({ title, note, caption, heads, aligns, body }: TableParts): string {
  const rules = { left: ":--", right: "--:", center: ":-:" };
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `**${escapeMarkdown(title)}**`,
    "",
    escapeMarkdown(note),
    "",
    line(heads.map(escapeMarkdown)),
    line(aligns.map((align) => rules[align])),
    ...body.map((cells) =>
      line(cells.map(({ text, bold, underlined }) => {
        const plain = underlined ? `<ins>${escapeMarkdown(text)}</ins>` : escapeMarkdown(text);
        return bold ? `**${plain}**` : plain;
      }))
    ),
    "",
    escapeMarkdown(caption),
    "",
  ].join("\n");
}
