import type { PromptMark, PromptPart, Stretch } from "../marked_prompt.ts";
import { type ExplorerAnswer, type ExplorerFailure, type ExplorerRow, type Verdict, VERDICTS } from "./data.ts";

/** A row as it is stored: without names of fields, and without the runs that lack the sample. */
export type StoredRow = readonly [
  at: number,
  task: number,
  length: number,
  index: number,
  repeat: number,
  seed: string,
  id: string,
  depth: number | null,
  cluster: string | null,
  question: string,
  wanted: readonly string[],
  why: string,
  answers: readonly StoredAnswer[],
];

type StoredAnswer = readonly [
  run: number,
  value: number | null,
  verdict: number,
  latency: number | null,
  text: string,
  thinking: string,
  lines: ExplorerAnswer["lines"],
  modes: readonly StoredFailure[],
];

type StoredFailure = readonly [name: ExplorerFailure["class"], why: string, given: readonly string[]];

/** A part of a prompt as it is stored: its length and the kept stretches of its text; the text alone if it is whole. */
export type StoredPart = readonly [
  role: PromptPart["role"],
  length: number,
  texts: readonly string[],
  kept: readonly Stretch[],
  marks: readonly PromptMark[],
];

/** Returns a row as it is stored in a page. */
export function storeRow({ answers, ...row }: ExplorerRow): StoredRow {
  const stored = answers.flatMap((answer, run): StoredAnswer[] => answer === null ? [] : [storeAnswer(answer, run)]);
  return [
    row.at,
    row.task,
    row.length,
    row.index,
    row.repeat,
    row.seed,
    row.id,
    row.depth,
    row.cluster,
    row.question,
    row.wanted,
    row.why,
    stored,
  ];
}

function storeAnswer(
  { value, verdict, latency, text, thinking, lines, modes }: ExplorerAnswer,
  run: number,
): StoredAnswer {
  const failures = modes.map(({ class: name, why, given }): StoredFailure => [name, why, given]);
  return [run, value, VERDICTS.indexOf(verdict), latency, text, thinking, lines, failures];
}

/** Reads rows back as {@linkcode storeRow} stored them. */
export function readStored(rows: readonly StoredRow[], { runs }: { readonly runs: number }): ExplorerRow[] {
  return rows.map((
    [at, task, length, index, repeat, seed, id, depth, cluster, question, wanted, why, stored],
  ) => {
    const answers = Array.from({ length: runs }, (): ExplorerAnswer | null => null);
    for (const [run, ...answer] of stored) answers[run] = readAnswer(answer);
    return { at, task, length, index, repeat, seed, id, depth, cluster, question, wanted, why, answers };
  });
}

type WithoutRun<Stored> = Stored extends readonly [unknown, ...infer Rest] ? Rest : never;

function readAnswer([value, verdict, latency, text, thinking, lines, modes]: WithoutRun<StoredAnswer>): ExplorerAnswer {
  const failures = modes.map(([name, why, given]) => ({ class: name, why, given }));
  return { value, verdict: VERDICTS[verdict] as Verdict, latency, text, thinking, lines, modes: failures };
}

/** Returns the parts of a prompt as they are stored: whole, or only the stretches that a shortened prompt keeps. */
export function storePrompt(parts: readonly PromptPart[], { isWhole }: { readonly isWhole: boolean }): StoredPart[] {
  return parts.map(({ role, text, marks, kept }) => {
    if (isWhole) return [role, text.length, [text], kept, marks];
    const isKept = ([start, end]: PromptMark): boolean => kept.some(([from, to]) => start < to && end > from);
    return [role, text.length, kept.map(([from, to]) => text.slice(from, to)), kept, marks.filter(isKept)];
  });
}

/** Reads the parts of a prompt back. Where a text was not kept there are spaces, so that marks and stretches keep their places. */
export function readPrompt(stored: readonly StoredPart[]): PromptPart[] {
  return stored.map(([role, length, texts, kept, marks]) => {
    if (texts.length === 1 && texts[0]!.length === length) return { role, text: texts[0]!, marks, kept };
    let text = "";
    for (const [at, [from]] of kept.entries()) text = text.padEnd(from) + texts[at]!;
    return { role, text: text.padEnd(length), marks, kept };
  });
}
