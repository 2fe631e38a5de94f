import { percent, tellProgress } from "./_progress_text.ts";
import type { RunProgress } from "./run_progress.ts";

/** Options for {@linkcode shellProgress}. */
export interface ShellProgressOptions {
  /** Writes text as it is, to standard error. */
  readonly write: (text: string) => void;
  /** Whether a person looks on: one line is redrawn there, and few lines are written elsewhere. */
  readonly isTerminal: boolean;
  /**
   * The width of the terminal, in characters.
   *
   * @default {80}
   */
  readonly columns?: number;
}

/** Shows progress as it is told. */
export interface ProgressView {
  /** Shows progress, if the last was not shown just now. */
  update(progress: RunProgress): void;
  /** Ends the line that is being redrawn, if there is one. */
  end(): void;
}

/** The least time between two drawings, and between two lines of a log, in milliseconds. */
const REDRAW_MS = { terminal: 100, log: 30_000 };

/**
 * Shows progress in a shell: one line that is redrawn in a terminal, a line each tenth or half minute in a log.
 *
 * @param options Where to write, and to whom.
 * @returns The view; give its `update` to a run, and call `end` whatever comes of it.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const lines: string[] = [];
 * const view = shellProgress({ write: (text) => lines.push(text), isTerminal: false });
 * view.update({ done: 5, total: 5, failed: 1, asked: 5, tokens: 2500, elapsedMs: 900, leftMs: 0, isOver: true });
 * equal(lines.join(""), "5 of 5 questions, 1 failed\n");
 * ```
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
      write(`\r${tellProgress(progress).slice(0, columns - 1)}\x1b[K`);
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
  return {
    update(progress): void {
      const nextTenth = Math.floor(percent(progress) / 10);
      const isDue = nextTenth > tenth || progress.elapsedMs - writtenMs >= REDRAW_MS.log;
      if (!progress.isOver && !isDue) return;
      [tenth, writtenMs] = [nextTenth, progress.elapsedMs];
      write(`${tellProgress(progress)}\n`);
    },
    end(): void {},
  };
}
