import { percent, tellProgress } from "./_progress_text.ts";
import type { RunProgress } from "./run_progress.ts";

/** Shows MIME bundles, as `Deno.jupyter.display` does in a notebook. */
export type Display = (
  bundle: Readonly<Record<string, string>>,
  options: { readonly raw: boolean; readonly display_id: string; readonly update: boolean },
) => Promise<void>;

/** Shows progress in a notebook. */
export interface NotebookProgress {
  /** Draws the bar anew, at most four times a second. */
  update(progress: RunProgress): void;
  /** Waits until what was shown last is shown. */
  end(): Promise<void>;
}

/** The least time between two drawings, in milliseconds. */
const REDRAW_MS = 250;

/**
 * Shows progress in a notebook as a bar that is redrawn in place.
 *
 * What is left in the notebook in the end tells counts alone, so that a second run leaves the same.
 *
 * @param display `Deno.jupyter.display`.
 * @param id The name of the place in the notebook; another for each bar.
 * @returns The bar; give its `update` to a run, and wait for `end` whatever comes of it.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const shown: string[] = [];
 * const bar = notebookProgress((bundle) => Promise.resolve(void shown.push(bundle["text/plain"] ?? "")), "bar");
 * bar.update({ done: 1, total: 4, failed: 0, asked: 1, tokens: 500, elapsedMs: 100, leftMs: 300, isOver: false });
 * await bar.end();
 * match(shown[0] ?? "", /^25% · 1 of 4 questions/);
 * ```
 */
export function notebookProgress(display: Display, id: string): NotebookProgress {
  let last: Promise<void> = Promise.resolve();
  let drawnMs = -Infinity;
  let isShown = false;
  return {
    update(progress): void {
      if (!progress.isOver && progress.elapsedMs - drawnMs < REDRAW_MS) return;
      drawnMs = progress.elapsedMs;
      const options = { raw: true, "display_id": id, update: isShown };
      isShown = true;
      last = last.then(() => display(drawBar(progress), options));
    },
    end: () => last,
  };
}

function drawBar(progress: RunProgress): Record<string, string> {
  const text = tellProgress(progress);
  const share = percent(progress);
  const html = `<div><progress max="100" value="${share}" aria-label="${share}%"></progress> ${text}</div>`;
  return { "text/html": html, "text/plain": text };
}
