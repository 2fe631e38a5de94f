import { deepEqual, equal, ok } from "node:assert/strict";
import { type Display, notebookProgress, type RunProgress, shellProgress } from "@/lib/studies/mod.ts";

function progress(done: number, changes: Partial<RunProgress> = {}): RunProgress {
  const base = { done, total: 20, failed: 0, asked: done, tokens: 4096 * done, isOver: false };
  return { ...base, elapsedMs: 1000 * done, leftMs: done === 0 ? null : 1000 * (20 - done), ...changes };
}

function draw(
  all: readonly RunProgress[],
  options: { readonly isTerminal: boolean; readonly columns?: number },
): string[] {
  const written: string[] = [];
  const view = shellProgress({ write: (text) => written.push(text), ...options });
  for (const each of all) view.update(each);
  view.end();
  return written;
}

Deno.test("shellProgress() redraws one line in a terminal and ends it", () => {
  deepEqual(draw([progress(0), progress(5), progress(20, { isOver: true })], { isTerminal: true }), [
    "\r0% · 0 of 20 questions\x1b[K",
    "\r25% · 5 of 20 questions, 1.0 a second, 20 thousand tokens, 15 s left\x1b[K",
    "\r20 of 20 questions\x1b[K",
    "\n",
  ]);
});

Deno.test("shellProgress() shows that the server is loading the model, in a log once at the start and each half minute", () => {
  const all = Array.from(
    { length: 45 },
    (_, step) => progress(0, { elapsedMs: 2000 * step, waiting: "the server is loading the model" }),
  );
  const steps = [progress(0), ...all, progress(20, { elapsedMs: 95_000, isOver: true })];
  const line = "0% · 0 of 20 questions, the server is loading the model";
  deepEqual(draw(steps, { isTerminal: false }), [...Array(3).fill(`${line}\n`), "20 of 20 questions\n"]);
  equal(draw(all.slice(0, 1), { isTerminal: true })[0], `\r${line}\x1b[K`);
});

Deno.test("shellProgress() shows slow rates by the minute, large counts with commas, and failures", () => {
  const slow = progress(1200, { total: 39_000, failed: 3, elapsedMs: 36e5, tokens: 5_500_000 });
  const [line] = draw([slow], { isTerminal: true, columns: 200 });
  ok(line!.startsWith("\r3% · 1,200 of 39,000 questions, 3 failed, 20.0 a minute, 5.5 million tokens"), line);
});

const half = { done: 5, total: 10, failed: 1, asked: 5, tokens: 2500, elapsedMs: 0, leftMs: 900, isOver: false };
const over: RunProgress = { ...half, done: 10, elapsedMs: 1000, leftMs: 0, isOver: true };

/** What a bar shows of some progress, drawn by a display that takes its time. */
async function show(
  all: readonly RunProgress[],
  { delayMs = 0, result }: { readonly delayMs?: number; readonly result?: Record<string, unknown> } = {},
): Promise<Parameters<Display>[]> {
  const shown: Parameters<Display>[] = [];
  const display: Display = async (...args) => {
    if (delayMs > 0) await new Promise((go) => setTimeout(go, delayMs));
    shown.push(args);
  };
  const bar = notebookProgress({ display, id: "bar-1", label: "Asking <mine>" });
  for (const each of all) bar.update(each);
  await bar.end(result);
  return shown;
}

Deno.test("notebookProgress() shows a bar with its label, and redraws it in place", async () => {
  const shown = await show([half, over]);
  deepEqual(shown.map(([, options]) => options), [
    { raw: true, display_id: "bar-1", update: false },
    { raw: true, display_id: "bar-1", update: true },
  ]);
  const html =
    '<progress max="100" value="50" aria-label="Asking &lt;mine&gt;: 50%"></progress> Asking &lt;mine&gt;: 50% · 5 of 10';
  ok(String(shown[0]![0]["text/html"]).includes(html), String(shown[0]![0]["text/html"]));
});

Deno.test("notebookProgress() leaves counts and no bar in the end, so that a second run leaves the same", async () => {
  const [first] = await show([over]);
  const [second] = await show([{ ...over, elapsedMs: 77, asked: 0, tokens: 0, leftMs: null }]);
  deepEqual(first![0], second![0]);
  deepEqual(first![0], { "text/plain": "Asking <mine>: 10 of 10 questions, 1 failed" });
  const stopped = await show([half]);
  deepEqual(stopped.at(-1)![0], { "text/plain": "Asking <mine>: 5 of 10 questions, 1 failed" });
  deepEqual(await show([]), []);
});

Deno.test("notebookProgress() draws at most four times a second, in order, and waits for the last", async () => {
  const all = Array.from({ length: 1000 }, (_, elapsedMs) => ({ ...half, elapsedMs }));
  const shown = await show([...all, over], { delayMs: 1 });
  equal(shown.length, 5);
  equal(shown.at(-1)![0]["text/plain"], "Asking <mine>: 10 of 10 questions, 1 failed");
});
