import type { Figure } from "./figure.ts";
import { cutText } from "./text_fit.ts";
import { countCharacters, sum } from "@/lib/base/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";

/** The meaning of a value: something holds, fails, or is open. */
export type Tone = "good" | "bad" | "open";

/** The alignment of a column. */
export type Align = "left" | "right" | "center";

export interface TableCell {
  readonly text: string;
  readonly bold: boolean;
  readonly underlined: boolean;
  readonly tone?: Tone;
}

export interface TableCells {
  readonly heads: readonly string[];
  readonly aligns: readonly Align[];
  readonly body: readonly (readonly TableCell[])[];
}

export interface TableParts extends TableCells, Pick<Figure, "title" | "note" | "caption"> {
  readonly doubtful: boolean;
}

/** The role of a piece of a table, by which it is coloured. */
export type TextRole = "title" | "note" | "warning" | "head" | "best" | "caption" | Tone;

/** The terminal that shows a table. */
export interface TerminalOptions {
  /** Its width in characters, at least 40; a smaller number counts as 40. */
  readonly columns: number;
  /** Colours a piece without changing its visible width. */
  readonly paint?: (role: TextRole, text: string) => string;
}

const GAP = "  ";

const MIN_TERMINAL = 40;

/** Narrower terminals show a table with much text in several columns as paragraphs. */
const MIN_WORDY = 140;

/** Longer texts, in characters, count as sentences. */
export const SENTENCE = 40;

/** Longer words, such as hashes, are cut if a column has no room for them. */
const MAX_WORD = 24;

/**
 * Returns a table in plain characters; a star marks the best values, a plus sign underlined ones. In a terminal sentences wrap
 * within their columns, and columns that still have no room come below the others, with the first column repeated.
 */
export function textTable(parts: TableParts, { columns, paint = (_, text) => text }: TerminalOptions): string {
  const room = Math.max(columns, MIN_TERMINAL);
  const lines = (role: TextRole, text: string): string[] => terminalLines(text, room).map((line) => paint(role, line));
  const blocks = room < MIN_WORDY && isWordy(parts, room)
    ? paragraphsOf(parts, { room, paint })
    : blocksOf(widthsOf(parts, room), room).map((block) => blockLines(parts, { block, paint }).join("\n"));
  return [
    ...lines("title", parts.title),
    ...lines(parts.doubtful ? "warning" : "note", parts.note),
    "",
    blocks.join("\n\n"),
    "",
    ...bestNote(parts),
    ...lines("caption", parts.caption),
    "",
  ].join("\n");
}

/** Returns for each column whether it has sentences. */
function sentencesOf({ heads, body }: TableCells): readonly boolean[] {
  return heads.map((_, at) => body.some((cells) => cells[at]!.text.length > SENTENCE));
}

/** Whether a row with sentences in several columns would take more than two lines of the whole room. */
function isWordy(parts: TableCells, room: number): boolean {
  const areSentences = sentencesOf(parts);
  const longest = parts.body.map((cells) => sum(cells, ({ text }, at) => areSentences[at] ? columnsOf(text) : 0));
  return areSentences.filter(Boolean).length > 1 && simpleStatistics.max(longest) > 2 * room;
}

/** Returns each row as a paragraph: its short cells, then a part for each column of sentences. */
function paragraphsOf(
  parts: TableCells,
  { room, paint }: { readonly room: number; readonly paint: NonNullable<TerminalOptions["paint"]> },
): readonly string[] {
  const areSentences = sentencesOf(parts);
  return parts.body.map((cells) => {
    const texts = cells.map(markedText);
    // A number needs its head.
    const short = parts.heads.map((head, at) =>
      at === 0 || /\p{L}/u.test(texts[at]!) ? texts[at]! : `${head} ${texts[at]}`
    )
      .filter((_, at) => !areSentences[at] && texts[at] !== "");
    const role = cells.find(({ tone }) => tone !== undefined)?.tone ?? "head";
    const long = parts.heads.map((head, at) => `${head}: ${texts[at]}`).filter((_, at) => areSentences[at]);
    return [
      ...terminalLines(short.join(" · "), room).map((line) => paint(role, line)),
      ...long.flatMap((text) => terminalLines(text, room - GAP.length).map((line) => `${GAP}${line}`)),
    ].join("\n");
  });
}

function bestNote({ body }: TableCells): readonly string[] {
  return body.some((cells) => cells.some(({ bold }) => bold)) ? ["* best of its column", ""] : [];
}

function markedText({ text, bold, underlined }: TableCell): string {
  return `${text}${underlined ? "+" : ""}${bold ? "*" : ""}`;
}

/** Returns the width of each column: that of its texts, or less for the widest, down to their longest words, to fit the room. */
function widthsOf({ heads, body }: TableCells, room: number): readonly number[] {
  const texts = heads.map((head, at) => [head, ...body.map((cells) => markedText(cells[at]!))]);
  const least = texts.map((column) =>
    simpleStatistics.max(column.flatMap(wordsOf).map(({ word }) => Math.min(MAX_WORD, columnsOf(word))))
  );
  const widths = texts.map((column) => simpleStatistics.max(column.map(columnsOf)));
  while (totalOf(widths) > room) {
    const spare = widths.map((width, at) => width > least[at]! ? width : 0);
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest]!--;
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  return sum(widths) + GAP.length * (widths.length - 1);
}

interface PlacedColumn {
  readonly at: number;
  readonly width: number;
}

/** Groups columns into blocks, one below the other; each starts with the first column, which names the rows. */
function blocksOf(widths: readonly number[], room: number): readonly (readonly PlacedColumn[])[] {
  const [first, ...rest] = widths.map((width, at): PlacedColumn => ({ at, width }));
  const blocks: PlacedColumn[][] = [[first!]];
  for (const column of rest) {
    const block = blocks.at(-1)!;
    if (block.length > 1 && totalOf([...block, column].map(({ width }) => width)) > room) blocks.push([first!, column]);
    else block.push(column);
  }
  return blocks;
}

function blockLines(
  { heads, aligns, body }: TableCells,
  { block, paint }: { readonly block: readonly PlacedColumn[]; readonly paint: NonNullable<TerminalOptions["paint"]> },
): string[] {
  const rowOf = (texts: readonly string[], roleOf: (at: number) => TextRole | undefined): string[] => {
    const cells = block.map(({ at, width }) => terminalLines(texts[at]!, width));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      block.map(({ at, width }, place) => {
        const text = padded(cells[place]![line] ?? "", { width, align: aligns[at]! });
        const role = roleOf(at);
        return role === undefined ? text : paint(role, text);
      }).join(GAP).trimEnd());
  };
  const rows = body.flatMap((cells) =>
    rowOf(cells.map(markedText), (at) => cells[at]!.tone ?? (cells[at]!.bold ? "best" : undefined))
  );
  const rule = block.map(({ width }) => "-".repeat(width)).join(GAP);
  return [...rowOf(heads, () => "head"), paint("note", rule), ...rows];
}

/** Splits a text into words, each on one line, and whether a space precedes it: a name such as `measured/gemma-3-270m/ruler` may break after a slash or a dash, a number with its interval and an interval may not. */
function wordsOf(text: string): readonly { readonly word: string; readonly isSpaced: boolean }[] {
  if (!/\p{L}/u.test(text)) return [{ word: text, isSpaced: true }];
  return text.split(/ (?![^[]*\])/).flatMap((whole) =>
    whole.split(/(?<=[\p{L}\d][/-])(?=.)/u).map((word, at) => ({ word, isSpaced: at === 0 }))
  );
}

/** Breaks a text into lines of a maximum width in columns of a terminal, between words if possible. */
export function terminalLines(text: string, width: number): readonly string[] {
  const lines = [""];
  for (const { word, isSpaced } of wordsOf(text)) {
    const last = lines.at(-1)!;
    const longer = last === "" ? word : `${last}${isSpaced ? " " : ""}${word}`;
    if (columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.splice(last === "" ? -1 : lines.length, 1, ...cutText(word, (part) => columnsOf(part) <= width));
  }
  return lines;
}

function padded(text: string, { width, align }: { readonly width: number; readonly align: Align }): string {
  const room = Math.max(0, width - columnsOf(text));
  const before = { left: 0, right: room, center: Math.floor(room / 2) }[align];
  return " ".repeat(before) + text + " ".repeat(room - before);
}

/** Returns the width of a text in a terminal: two columns for an East Asian character. */
function columnsOf(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu,
  );
  return countCharacters(text) + (wide?.length ?? 0);
}
