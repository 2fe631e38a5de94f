import { escapeHtml, grouped, plural, timeText, tokensText } from "@/lib/base/mod.ts";

/** The progress of a run. */
export interface RunProgress {
  /** Samples that are done, in this session or an earlier one, failures included. */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly asked: number;
  readonly tokens: number;
  readonly elapsedMs: number;
  readonly leftMs: number | null;
  /** Questions sent at a time, after the server could not hold more. */
  readonly atOnce?: number;
  /** Why questions wait for the server, such as that it is still loading the model. */
  readonly waiting?: string;
  /** Why the last call that failed did, such as `rate_limit`. */
  readonly lastFailure?: string;
  readonly isOver: boolean;
}

/** Shows the progress of a run. */
export interface ProgressView {
  /** Shows progress, unless the last was shown just now. */
  update(progress: RunProgress): void;
  /** Ends the line that is being redrawn, if there is one. */
  end(): void;
}

/** The least time between two drawings in a terminal or a notebook, and between two lines of a log, in milliseconds. */
const REDRAW_MS = { terminal: 100, notebook: 250, log: 30_000 };

/** Shows progress in a shell: one line that is redrawn, at most `columns` wide; in a log, a line for each tenth or half minute. */
export function shellProgress(options: {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns?: number;
}): ProgressView {
  const { write, isTerminal, columns = 80 } = options;
  return isTerminal ? redrawLine(write, columns) : writeLog(write);
}

function redrawLine(write: (text: string) => void, columns: number): ProgressView {
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

function writeLog(write: (text: string) => void): ProgressView {
  let [tenth, writtenMs, lastReason] = [0, 0, ""];
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
  const { asked, tokens, elapsedMs, leftMs, atOnce, waiting, isOver } = progress;
  if (isOver) return countsText(progress);
  const begin = `${percent(progress)}% · ${countsText(progress)}`;
  if (waiting !== undefined) return `${begin}, ${waiting}`;
  const rate = asked === 0 ? "" : `, ${rateText(1000 * asked / Math.max(elapsedMs, 1))}, ${tokensText(tokens)}`;
  const left = leftMs === null ? "" : `, ${timeText(leftMs)} left`;
  const few = atOnce === undefined ? "" : `, ${atOnce} at a time as the server holds no more`;
  return begin + rate + left + few;
}

function countsText({ done, total, failed, lastFailure, isOver }: RunProgress): string {
  const last = isOver || lastFailure === undefined ? "" : ` (last: ${lastFailure.replaceAll("_", " ")})`;
  const failures = failed === 0 ? "" : `, ${grouped(failed)} failed${last}`;
  return `${grouped(done)} of ${grouped(total)} ${plural(total, "question")}${failures}`;
}

/** Whole percents that are done; 100 only when all is. */
function percent({ done, total }: RunProgress): number {
  return done === total ? 100 : Math.floor(100 * done / total);
}

function rateText(perSecond: number): string {
  return perSecond >= 1 ? `${perSecond.toFixed(1)} a second` : `${(60 * perSecond).toFixed(1)} a minute`;
}

/** Shows MIME bundles, as `Deno.jupyter.display` does in a notebook. */
export type Display = (
  bundle: Readonly<Record<string, unknown>>,
  options: { readonly raw: boolean; readonly display_id: string; readonly update: boolean },
) => Promise<void>;

/**
 * Shows progress in a notebook as a bar that is redrawn in place, at most four times a second. At the end a result replaces it, or a
 * line without times, so that a second run leaves the same output.
 */
export function notebookProgress(
  { display, id, label }: { readonly display: Display; readonly id: string; readonly label: string },
): Pick<ProgressView, "update"> & { end(result?: Readonly<Record<string, unknown>>): Promise<void> } {
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
      if (progress.isOver || progress.elapsedMs - drawnMs < REDRAW_MS.notebook) return;
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
