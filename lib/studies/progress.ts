import { escapeHtml, plural } from "@/lib/text/mod.ts";

/** The progress of a run. */
export interface RunProgress {
  /** Samples that are done, in this session or an earlier one, failures included. */
  readonly done: number;
  /** Samples of the plan. */
  readonly total: number;
  /** Samples among `done` that have no answer. */
  readonly failed: number;
  /** Calls recorded in this session. */
  readonly asked: number;
  /** Prompt tokens of those calls. */
  readonly tokens: number;
  /** Time since this session began, in milliseconds. */
  readonly elapsedMs: number;
  /** Estimated remaining time, in milliseconds; `null` before the first call. */
  readonly leftMs: number | null;
  /** Questions sent at a time, after the server could not hold more. */
  readonly atOnce?: number;
  /** Why questions wait for the server, such as that it is still loading the model. */
  readonly waiting?: string;
  /** Why the last call that failed did, such as `rate_limit`. */
  readonly lastFailure?: string;
  /** Whether this is the last report. */
  readonly isOver: boolean;
  /** The current one of several runs that are asked one after another; the numbers above are then totals. */
  readonly among?: {
    /** The run that is being asked. */
    readonly name: string;
    /** Prompt tokens that are done, in this session or an earlier one. */
    readonly doneTokens: number;
    /** Prompt tokens of all of them. */
    readonly totalTokens: number;
  };
}

/** Options for {@linkcode shellProgress}. */
export interface ShellProgressOptions {
  /** Writes text as it is, to standard error. */
  readonly write: (text: string) => void;
  /** Whether a terminal shows it: one line is redrawn there; elsewhere few lines are written. */
  readonly isTerminal: boolean;
  /**
   * The width of the terminal, in characters.
   *
   * @default {80}
   */
  readonly columns?: number;
}

/** Shows the progress of a run. */
export interface ProgressView {
  /** Shows progress, unless the last was shown just now. */
  update(progress: RunProgress): void;
  /** Ends the line that is being redrawn, if there is one. */
  end(): void;
}

/** The least time between two drawings, and between two lines of a log, in milliseconds. */
const REDRAW_MS = { terminal: 100, log: 30_000 };

/**
 * Shows progress in a shell: one line that is redrawn in a terminal; in a log, a line for each tenth or half minute.
 *
 * Give `update` to a run, and call `end` in any case.
 */
export function shellProgress(options: ShellProgressOptions): ProgressView {
  return options.isTerminal ? redrawLine(options) : writeLog(options);
}

function redrawLine({ write, columns = 80 }: ShellProgressOptions): ProgressView {
  let drawnMs = -Infinity;
  let isOpen = false;
  return {
    update(progress): void {
      if (!progress.isOver && progress.elapsedMs - drawnMs < REDRAW_MS.terminal) return;
      drawnMs = progress.elapsedMs;
      isOpen = true;
      // The line is cut to the width, as a line that wraps cannot be redrawn.
      write(`\r${progressText(progress).slice(0, columns - 1)}\x1b[K`);
    },
    end(): void {
      if (isOpen) write("\n");
      isOpen = false;
    },
  };
}

function writeLog({ write }: ShellProgressOptions): ProgressView {
  let tenth = 0;
  let writtenMs = 0;
  let lastReason = "";
  return {
    update(progress): void {
      const nextTenth = Math.floor(percent(progress) / 10);
      // The seconds of a wait differ each time.
      const why = (progress.waiting ?? "").replaceAll(/\d+/g, "");
      const isNew = nextTenth > tenth || (why !== "" && why !== lastReason);
      if (isNew) lastReason = why;
      if (!progress.isOver && !isNew && progress.elapsedMs - writtenMs < REDRAW_MS.log) return;
      [tenth, writtenMs] = [nextTenth, progress.elapsedMs];
      write(`${progressText(progress)}\n`);
    },
    end(): void {},
  };
}

/** Returns one line of progress; the last one is the same in a second run. */
function progressText(progress: RunProgress): string {
  const { asked, tokens, elapsedMs, leftMs, atOnce, waiting, isOver, among } = progress;
  const begin = countsText(progress);
  if (isOver) return begin;
  if (waiting !== undefined) return `${percent(progress)}% · ${begin}, ${waiting}`;
  const few = atOnce === undefined ? "" : `, ${atOnce} at a time as the server holds no more`;
  const left = `${leftMs === null ? "" : `, ${timeText(leftMs)} left`}${few}`;
  if (among !== undefined) {
    const speed = asked === 0 ? "" : `, ${count(Math.round(1000 * tokens / Math.max(elapsedMs, 1)))} tokens a second`;
    const all = shareText(among.doneTokens, among.totalTokens);
    return `${percent(progress)}% · ${among.name} · ${begin}, ${all}${speed}${left}`;
  }
  const rate = asked === 0 ? "" : `, ${rateText(1000 * asked / Math.max(elapsedMs, 1))}, ${tokensText(tokens)}`;
  return `${percent(progress)}% · ${begin}${rate}${left}`;
}

function countsText({ done, total, failed, lastFailure, isOver }: RunProgress): string {
  const last = isOver || lastFailure === undefined ? "" : ` (last: ${lastFailure.replaceAll("_", " ")})`;
  const failures = failed === 0 ? "" : `, ${count(failed)} failed${last}`;
  return `${count(done)} of ${count(total)} ${plural(total, "question")}${failures}`;
}

/** Whole percents that are done, of the tokens where they are known; 100 only when all is. */
function percent({ done, total, among }: Pick<RunProgress, "done" | "total" | "among">): number {
  if (done === total) return 100;
  return Math.floor(
    among === undefined ? 100 * done / total : Math.min(99, 100 * among.doneTokens / among.totalTokens),
  );
}

/** A time such as `4 min` or `2 h 10 min`. */
export function timeText(timeMs: number): string {
  const seconds = Math.ceil(timeMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

function rateText(perSecond: number): string {
  return perSecond >= 1 ? `${perSecond.toFixed(1)} a second` : `${(60 * perSecond).toFixed(1)} a minute`;
}

/** A number of tokens such as `12 thousand tokens` or `1.2 million tokens`. */
export function tokensText(tokens: number): string {
  return tokens < 1e6
    ? `${count(Math.round(tokens / 1000))} thousand tokens`
    : `${(tokens / 1e6).toFixed(1)} million tokens`;
}

/** How many of all tokens, such as `1.2 of 9.8 million tokens`. */
function shareText(done: number, total: number): string {
  if (total < 10_000) return `${count(done)} of ${count(total)} tokens`;
  const [unit, name, digits] = total < 1e6 ? [1e3, "thousand", 0] as const : [1e6, "million", 1] as const;
  return `${(done / unit).toFixed(digits)} of ${(total / unit).toFixed(digits)} ${name} tokens`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** Shows MIME bundles, as `Deno.jupyter.display` does in a notebook. */
export type Display = (
  bundle: Readonly<Record<string, unknown>>,
  options: { readonly raw: boolean; readonly display_id: string; readonly update: boolean },
) => Promise<void>;

/** Shows progress in a notebook. */
export interface NotebookProgress {
  /** Redraws the bar, at most four times a second. */
  update(progress: RunProgress): void;
  /** Puts what came of it, or else how far it came, in the place of the bar, and waits until that is shown. */
  end(result?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The least time between two drawings, in milliseconds. */
const NOTEBOOK_REDRAW_MS = 250;

/** Options for {@linkcode notebookProgress}. */
export interface NotebookProgressOptions {
  /** `Deno.jupyter.display`. */
  readonly display: Display;
  /** Another one for each bar of a notebook. */
  readonly id: string;
  /** The label of the bar, such as `Asking gemma`. */
  readonly label: string;
}

/**
 * Shows progress in a notebook as a bar that is redrawn in place; in the end the bar gives way to a line without times, so that a
 * second run leaves the same output.
 */
export function notebookProgress({ display, id, label }: NotebookProgressOptions): NotebookProgress {
  let shown: Promise<void> = Promise.resolve();
  let last: RunProgress | undefined;
  let drawnMs = -Infinity;
  let isShown = false;
  const show = (bundle: Readonly<Record<string, unknown>>): void => {
    const options = { raw: true, "display_id": id, update: isShown };
    isShown = true;
    shown = shown.then(() => display(bundle, options));
  };
  return {
    update(progress): void {
      last = progress;
      if (progress.isOver || progress.elapsedMs - drawnMs < NOTEBOOK_REDRAW_MS) return;
      drawnMs = progress.elapsedMs;
      show(drawBar(progress, label));
    },
    end(result): Promise<void> {
      if (result !== undefined) show(result);
      else if (last !== undefined) show({ "text/plain": `${label}: ${countsText(last)}` });
      return shown;
    },
  };
}

function drawBar(progress: RunProgress, label: string): Record<string, string> {
  const text = `${label}: ${progressText(progress)}`;
  const share = percent(progress);
  const bar = `<progress max="100" value="${share}" aria-label="${escapeHtml(`${label}: ${share}%`)}"></progress>`;
  return { "text/html": `<div>${bar} ${escapeHtml(text)}</div>`, "text/plain": text };
}
