import type { RunManifest } from "@/lib/studies/mod.ts";
import { type FigureOptions, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** What the prompts of one task and length are in the model's own tokens. */
export interface NativeLength {
  readonly task: string;
  /** The token budget, in the tokens that the study counts with. */
  readonly length: number;
  /** Answers whose prompts the server counted. */
  readonly n: number;
  /** All answers. */
  readonly answered: number;
  /** The mean tokens of those prompts, as the study counts. */
  readonly counted: number;
  /** Their mean tokens as the server counts: the model's own, chat template included. */
  readonly native: number;
}

/**
 * Compares the tokens that a study counts with those of the model, for each task and length, by what the server says it has
 * read. Simulated replies and servers that count nothing are left out.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { type RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/records/mod.ts";
 *
 * const reply = { kind: "answer", text: "A", finishReason: "stop", promptTokens: 990, latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 1024, references: ["A"], scoring: "all", promptTokens: 900, origin: "measured", reply };
 * const rows = nativeLengths(scoreRecords([record as unknown as RunRecord]));
 * equal(nativeWarning(rows), "1K is 1,126 of the model's own tokens (+10%)");
 * ```
 */
export function nativeLengths(replies: readonly Pick<ScoredReply, "record">[]): readonly NativeLength[] {
  const answers = replies.flatMap(({ record }) => {
    const { task, length, origin, reply } = record;
    if (origin === undefined || origin === "simulated" || reply.kind !== "answer") return [];
    return [{ task, length, counted: record.promptTokens - reservedTokens(record), native: reply.promptTokens ?? 0 }];
  });
  return [...Map.groupBy(answers, ({ task, length }) => JSON.stringify([task, length])).values()].flatMap((cell) => {
    const told = cell.filter(({ native, counted }) => native > 0 && counted > 0);
    if (told.length === 0) return [];
    const { task, length } = told[0]!;
    const mean = (field: "counted" | "native"): number =>
      told.reduce((sum, answer) => sum + answer[field], 0) / told.length;
    return [{ task, length, n: told.length, answered: cell.length, counted: mean("counted"), native: mean("native") }];
  });
}

/** A thinking allowance kept inside the length is counted with the prompt and never sent. */
function reservedTokens({ settings }: RunRecord): number {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return thinkingInside === true && typeof thinkingTokens === "number" ? thinkingTokens : 0;
}

/** A mismatch of lengths below this share is not worth a word. */
const MISMATCH = 0.02;

/** The least and the most that a length is in the model's own tokens, over tasks. */
interface NativeRange {
  readonly length: number;
  readonly least: number;
  readonly most: number;
}

/** Lengths in the model's own tokens: as much longer or shorter as the prompts of each task are. */
function rangesOf(rows: readonly NativeLength[]): readonly NativeRange[] {
  return [...Map.groupBy(rows, ({ length }) => length)].sort(([left], [right]) => left - right)
    .map(([length, ofLength]) => {
      const lengths = ofLength.map(nativeOf);
      return { length, least: Math.min(...lengths), most: Math.max(...lengths) };
    });
}

function nativeOf({ length, counted, native }: NativeLength): number {
  return length * native / counted;
}

/**
 * Says what the longest length is in the model's own tokens, where any length is more than 2% off; `undefined` where none is,
 * or where nothing is known.
 */
export function nativeWarning(rows: readonly NativeLength[]): string | undefined {
  const off = rangesOf(rows).filter(({ length, least, most }) =>
    Math.max(most - length, length - least) > MISMATCH * length
  );
  const longest = off.at(-1);
  if (longest === undefined) return undefined;
  return `${lengthText(longest.length)} is ${rangeText(longest)} of the model's own tokens (${shareText(longest)})`;
}

function rangeText({ least, most }: NativeRange): string {
  const [from, to] = [least, most].map((tokens) => Math.round(tokens).toLocaleString("en"));
  return from === to ? `${from}` : `${from} to ${to}`;
}

function shareText({ length, least, most }: NativeRange): string {
  const [from, to] = [least, most].map((tokens) => percentText(tokens / length - 1));
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** A share with its sign, in whole percent. */
function percentText(share: number): string {
  const percent = Math.round(100 * share);
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;
}

/**
 * What every figure and table of a run must say of itself: its origin and, as a warning, that first answers are scored and
 * what its lengths are where they are not the model's own.
 *
 * @example A simulated run has no tokens of its own
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(drawnFrom({ manifest: { origin: "simulated" }, replies: [] }), { origin: "simulated" });
 * ```
 */
export function drawnFrom(run: DrawnRun): Pick<FigureOptions, "warning"> & Pick<RunManifest, "origin"> {
  const { origin } = run.manifest;
  const warning = warningOf(run);
  return warning === undefined ? { origin } : { origin, warning };
}

/** What is needed of a run to say what must be known of its figures. */
export interface DrawnRun {
  readonly manifest: Pick<RunManifest, "origin" | "scored">;
  readonly replies: readonly Pick<ScoredReply, "record">[];
}

function warningOf({ manifest: { origin, scored }, replies }: DrawnRun): string | undefined {
  const said = [
    scored === "first" ? "first answers are scored" : undefined,
    origin !== "simulated" ? nativeWarning(nativeLengths(replies)) : undefined,
  ];
  return said.filter((each) => each !== undefined).join("; ") || undefined;
}

/**
 * What a figure or table of several runs must say of itself: the same as {@linkcode drawnFrom}, run by run where they differ.
 *
 * @param runs The runs, or those of one model each.
 * @param names What each run is called in the figure.
 */
export function drawnFromAll(
  runs: readonly DrawnRun[],
  names: readonly string[],
): Pick<FigureOptions, "origin" | "warning"> {
  const origins = runs.map(({ manifest }) => manifest.origin);
  const origin = new Set(origins).size === 1
    ? origins[0]!
    : Object.fromEntries(names.map((name, at) => [name, origins[at]!]));
  const warnings = runs.map(warningOf);
  if (warnings.every((said) => said === undefined)) return { origin };
  if (new Set(warnings).size === 1) return { origin, warning: warnings[0] };
  const told = warnings.flatMap((said, at) => said === undefined ? [] : [`${names[at]}: ${said}`]);
  return { origin, warning: told.join("; ") };
}

/** Gives a length of a run in the model's own tokens, in words; `undefined` where it is not known. */
export function nativeLengthText(rows: readonly NativeLength[], length: number): string | undefined {
  const range = rangesOf(rows).find((each) => each.length === length);
  return range === undefined ? undefined : rangeText(range);
}

/**
 * Makes a table of lengths as the study counts them and in the model's own tokens: a row for all tasks, then one for each
 * that differs from it by more than 2%; `null` where the server counted nothing.
 */
export function nativeLengthTable(
  rows: readonly NativeLength[],
  { title, tokenizer, origin }: Pick<Titled, "title" | "origin"> & { readonly tokenizer: string },
): Table | null {
  if (rows.length === 0) return null;
  const byLength = Map.groupBy(rows, ({ length }) => length);
  const lengths = [...byLength.keys()].sort((left, right) => left - right);
  const all = lengths.map((length): NativeLength => {
    const ofLength = byLength.get(length)!;
    const sum = (field: "n" | "answered"): number => ofLength.reduce((total, row) => total + row[field], 0);
    const mean = (field: "counted" | "native"): number =>
      ofLength.reduce((total, row) => total + row[field] * row.n, 0) / sum("n");
    const [n, answered, counted, native] = [sum("n"), sum("answered"), mean("counted"), mean("native")];
    return { task: "all tasks", length, n, answered, counted, native };
  });
  const meanAt = new Map(all.map((row) => [row.length, nativeOf(row)]));
  const isApart = (row: NativeLength): boolean =>
    Math.abs(nativeOf(row) - meanAt.get(row.length)!) > MISMATCH * row.length;
  const apart = [...Map.groupBy(rows, ({ task }) => task)].filter(([, ofTask]) => ofTask.some(isApart));
  const lines = [["all tasks", all] as const, ...apart].map(([task, ofTask]) => ({
    task,
    ...Object.fromEntries(ofTask.map((row) => [`${row.length}`, cellText(row)])),
  } as Readonly<Record<string, string>>));
  const [told, answered] = [all.reduce((sum, { n }) => sum + n, 0), all.reduce((sum, row) => sum + row.answered, 0)];
  return table(lines, {
    title,
    caption:
      `What a length of this run, counted in tokens of ${tokenizer}, is in the model's own tokens: as much longer or shorter ` +
      "as the server says that the prompts are, chat template included. Tasks that differ from the mean by more than 2% " +
      "follow by themselves.",
    origin,
    n: `the server counted ${told} of ${answered} ${plural(answered, "prompt")}`,
    columns: [
      { field: "task", label: "Task" },
      ...lengths.map((length) => ({ field: `${length}`, label: lengthText(length), align: "right" } as const)),
    ],
  });
}

function cellText(row: NativeLength): string {
  return `${Math.round(nativeOf(row)).toLocaleString("en")} (${percentText(nativeOf(row) / row.length - 1)})`;
}
