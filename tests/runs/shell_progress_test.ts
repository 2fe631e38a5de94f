import { deepEqual, equal, ok } from "node:assert/strict";
import { type RunProgress, shellProgress } from "@/lib/runs/mod.ts";

function progress(done: number, changes: Partial<RunProgress> = {}): RunProgress {
  const base = { done, total: 20, failed: 0, asked: done, tokens: 4096 * done, isOver: false };
  return { ...base, elapsedMs: 1000 * done, leftMs: done === 0 ? null : 1000 * (20 - done), ...changes };
}

function show(
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
  deepEqual(show([progress(0), progress(5), progress(20, { isOver: true })], { isTerminal: true }), [
    "\r0% · 0 of 20 questions\x1b[K",
    "\r25% · 5 of 20 questions, 1.0 a second, 20 thousand tokens, 15 s left\x1b[K",
    "\r20 of 20 questions\x1b[K",
    "\n",
  ]);
});

Deno.test("shellProgress() draws at most ten times a second, and the end always", () => {
  const all = Array.from({ length: 100 }, (_, ms) => progress(1, { elapsedMs: ms }));
  equal(show([...all, progress(20, { elapsedMs: 99, isOver: true })], { isTerminal: true }).length, 3);
});

Deno.test("shellProgress() cuts the line to the width of the terminal", () => {
  const [line] = show([progress(5)], { isTerminal: true, columns: 20 });
  equal(line, "\r25% · 5 of 20 quest\x1b[K");
});

Deno.test("shellProgress() writes a line each tenth or half minute elsewhere", () => {
  const steps = Array.from({ length: 21 }, (_, done) => progress(done));
  equal(show(steps, { isTerminal: false }).length, 10);
  const slow = Array.from({ length: 100 }, (_, second) => progress(1, { elapsedMs: 1000 * second }));
  equal(show(slow, { isTerminal: false }).length, 3);
});

Deno.test("shellProgress() writes nothing for a view that ends before it began", () => {
  deepEqual(show([], { isTerminal: true }), []);
});

Deno.test.each(
  [
    [59_001, "1 min left"],
    [5000, "5 s left"],
    [119 * 60_000, "1 h 59 min left"],
    [59.7 * 60_000, "1 h 0 min left"],
    [72 * 3_600_000, "3 days left"],
  ] as [number, string][],
)("shellProgress() tells %d ms in units a person reads", (leftMs, text) => {
  const [line] = show([progress(2, { leftMs })], { isTerminal: true });
  ok(line!.includes(text), line);
});

Deno.test("shellProgress() tells slow rates by the minute, large counts with commas, and failures", () => {
  const slow = progress(1200, { total: 39_000, failed: 3, elapsedMs: 36e5, tokens: 5_500_000 });
  const [line] = show([slow], { isTerminal: true, columns: 200 });
  ok(line!.startsWith("\r3% · 1,200 of 39,000 questions, 3 failed, 20.0 a minute, 5.5 million tokens"), line);
});
