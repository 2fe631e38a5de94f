import { defined, grouped, lengthText, plural, rangeText, sum } from "@/lib/base/mod.ts";
import type { RunManifest } from "@/lib/studies/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";
import { type FigureOptions, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { isPlausibleCount } from "@/lib/models/mod.ts";
import { type ScoredReply, sentTokens } from "@/lib/records/mod.ts";

/** The prompts of one task and length in the model's own tokens. */
export interface NativeLength {
  readonly task: string;
  /** The token budget, in the study's tokens. */
  readonly length: number;
  /** Number of answers whose prompts the server counted. */
  readonly n: number;
  readonly answered: number;
  /** Mean tokens of the counted prompts, in the study's tokens. */
  readonly counted: number;
  /** Mean tokens of the same prompts, as the server counted: the model's own, chat template included. */
  readonly native: number;
}

/**
 * Compares a study's tokens with the model's own, for each task and length, by the server's counts. Simulated replies and servers
 * without counts are omitted.
 */
export function nativeLengths(replies: readonly Pick<ScoredReply, "record">[]): readonly NativeLength[] {
  const answers = replies.flatMap(({ record }) => {
    const { task, length, origin, reply } = record;
    if (origin === undefined || origin === "simulated" || reply.kind !== "answer") return [];
    return [{ task, length, counted: sentTokens(record), native: reply.promptTokens ?? 0 }];
  });
  return [...Map.groupBy(answers, ({ task, length }) => JSON.stringify([task, length])).values()].flatMap((cell) => {
    const counts = cell.filter(({ native, counted }) => native > 0 && counted > 0);
    const most = simpleStatistics.max([0, ...counts.map(({ native, counted }) => native / counted)]);
    const known = counts.filter(({ native, counted }) =>
      isPlausibleCount(native, counted) && native >= ALIKE * most * counted
    );
    if (known.length === 0) return [];
    const { task, length } = known[0]!;
    const mean = (field: "counted" | "native"): number => sum(known, (answer) => answer[field]) / known.length;
    return [{ task, length, n: known.length, answered: cell.length, counted: mean("counted"), native: mean("native") }];
  });
}

/** The prompts of a cell are of one kind, so their counts differ little, unless those of some leave out cached tokens. */
const ALIKE = 0.7;

/** Deviations of lengths below this share are not reported. */
const TOLERANCE = 0.02;

function nativeOf({ length, counted, native }: Pick<NativeLength, "length" | "counted" | "native">): number {
  return length * native / counted;
}

/** Returns the least and the most of the model's own tokens that a length is, over tasks; `undefined` if unknown. */
function rangeAt(rows: readonly NativeLength[], length: number): [min: number, max: number] | undefined {
  const natives = rows.filter((row) => row.length === length).map(nativeOf);
  return natives.length === 0 ? undefined : simpleStatistics.extent(natives);
}

function rising(rows: readonly NativeLength[]): readonly number[] {
  return [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
}

/**
 * Returns the longest length that is more than 2% off in the model's own tokens, as text; `undefined` if there is none, or nothing is
 * known.
 */
export function nativeWarning(rows: readonly NativeLength[]): string | undefined {
  const isOff = (length: number): boolean =>
    rangeAt(rows, length)!.some((tokens) => Math.abs(tokens - length) > TOLERANCE * length);
  const longest = rising(rows).findLast(isOff);
  if (longest === undefined) return undefined;
  const range = rangeAt(rows, longest)!;
  const shares = rangeText(range, (tokens) => percentText(tokens / longest - 1));
  return `${lengthText(longest)} is ${rangeText(range)} of the model's own tokens (${shares})`;
}

/** Returns what is wrong with the server's counts of prompts, which are then not used; `undefined` if they can be right. */
function countWarning(replies: readonly Pick<ScoredReply, "record">[]): string | undefined {
  const counts = replies.flatMap(({ record }) => {
    const { promptTokens: counted = 0 } = record.reply.kind === "answer" ? record.reply : {};
    return counted > 0 ? [{ counted, sent: sentTokens(record) }] : [];
  });
  const wrong = counts.filter(({ counted, sent }) => !isPlausibleCount(counted, sent));
  if (wrong.length === 0) return undefined;
  const { counted, sent } = wrong[0]!;
  return `${wrong.length} of ${counts.length} prompts were not counted whole by the server (${counted} of about ${sent} tokens), so these counts are not used`;
}

function percentText(share: number): string {
  const percent = Math.round(100 * share);
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;
}

/**
 * Returns what every figure and table of a run states: its origin and, as a warning, that first answers are scored and that its
 * lengths differ from the model's own.
 */
export function drawnFrom(run: DrawnRun): Pick<FigureOptions, "warning" | "runs"> & Pick<RunManifest, "origin"> {
  const { origin, name } = run.manifest;
  return { origin, runs: name, ...defined({ warning: warningOf(run) }) };
}

/** The parts of a run that {@linkcode drawnFrom} needs. */
export interface DrawnRun {
  readonly manifest: Pick<RunManifest, "name" | "origin" | "scored" | "model">;
  readonly replies: readonly Pick<ScoredReply, "record">[];
}

function warningOf({ manifest: { origin, scored }, replies }: DrawnRun): string | undefined {
  const warnings = [
    scored === "first" ? "first answers are scored" : undefined,
    ...(origin === "simulated" ? [] : [nativeWarning(nativeLengths(replies)), countWarning(replies)]),
  ];
  return warnings.filter((each) => each !== undefined).join("; ") || undefined;
}

/**
 * Returns what a figure or table of several runs states: as {@linkcode drawnFrom}, run by run if they differ.
 *
 * @param names Name of each run in the figure; the names of the models by default.
 * @param published Names of published rows or series beside the runs.
 */
export function drawnFromAll(
  runs: readonly DrawnRun[],
  names: readonly string[] = runs.map(({ manifest }) => manifest.model),
  published: readonly string[] = [],
): Pick<FigureOptions, "origin" | "warning" | "runs"> {
  const origins = runs.map(({ manifest }) => manifest.origin);
  const byName = names.map((name, at) => [name, origins[at]!] as const);
  const origin = new Set(origins).size === 1 && published.length === 0
    ? origins[0]!
    : Object.fromEntries([...published.map((name) => [name, "published"] as const), ...byName]);
  // Not of a name that several runs share.
  const named = Array.from(Map.groupBy(runs, (_, at) => names[at]!)).filter(([, same]) => same.length === 1);
  const stated = { origin, runs: Object.fromEntries(named.map(([name, [run]]) => [name, run!.manifest.name])) };
  const warnings = runs.map(warningOf);
  if (new Set(warnings).size <= 1) return { ...stated, ...defined({ warning: warnings[0] }) };
  const byModel = warnings.flatMap((warning, at) => warning === undefined ? [] : [`${names[at]}: ${warning}`]);
  return { ...stated, warning: byModel.join("; ") };
}

/** Formats a length of a run in the model's own tokens; `undefined` if unknown. */
export function nativeLengthText(rows: readonly NativeLength[], length: number): string | undefined {
  const range = rangeAt(rows, length);
  return range && rangeText(range);
}

/**
 * Returns a table of the lengths in the model's own tokens: a row for all tasks, then one for each task that differs from it by more
 * than 2%; `null` if the server counted nothing.
 */
export function nativeLengthTable(
  rows: readonly NativeLength[],
  { title, tokenizer, origin }: Pick<Titled, "title" | "origin"> & { readonly tokenizer: string },
): Table | null {
  if (rows.length === 0) return null;
  const lengths = rising(rows);
  const all = lengths.map((length) => {
    const ofLength = rows.filter((row) => row.length === length);
    const total = (field: "counted" | "native"): number => sum(ofLength, (row) => row[field] * row.n);
    return { task: "all tasks", length, counted: total("counted"), native: total("native") };
  });
  const isApart = (row: NativeLength): boolean => {
    const mean = nativeOf(all.find(({ length }) => length === row.length)!);
    return Math.abs(nativeOf(row) - mean) > TOLERANCE * row.length;
  };
  const apart = [...Map.groupBy(rows, ({ task }) => task).values()].filter((ofTask) => ofTask.some(isApart));
  const textOf = (tokens: number, length: number): string => `${grouped(tokens)} (${percentText(tokens / length - 1)})`;
  const lines = [all, ...apart].map((ofTask): Readonly<Record<string, string>> => {
    const texts = ofTask.map((row) => [`${row.length}`, textOf(nativeOf(row), row.length)]);
    return { task: ofTask[0]!.task, ...Object.fromEntries(texts) };
  });
  const [counted, answered] = [sum(rows, ({ n }) => n), sum(rows, (row) => row.answered)];
  return table(lines, {
    title,
    caption:
      `Lengths of this run, in tokens of ${tokenizer}, converted to the model's own tokens by the server's counts of the ` +
      "prompts, chat template included. Tasks that differ from the mean by more than 2% have their own rows.",
    origin,
    n: `the server counted ${counted} of ${answered} ${plural(answered, "prompt")}`,
    columns: [
      { field: "task", label: "Task" },
      ...lengths.map((length) => ({ field: `${length}`, label: lengthText(length), align: "right" } as const)),
    ],
  });
}
