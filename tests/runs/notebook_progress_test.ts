import { deepEqual, equal, ok } from "node:assert/strict";
import { type Display, notebookProgress, type RunProgress } from "@/lib/runs/mod.ts";

const half = { done: 5, total: 10, failed: 1, asked: 5, tokens: 2500, elapsedMs: 0, leftMs: 900, isOver: false };
const over: RunProgress = { ...half, done: 10, elapsedMs: 1000, leftMs: 0, isOver: true };

async function show(all: readonly RunProgress[], delayMs = 0): Promise<Parameters<Display>[]> {
  const shown: Parameters<Display>[] = [];
  const bar = notebookProgress(async (...args) => {
    if (delayMs > 0) await new Promise((go) => setTimeout(go, delayMs));
    shown.push(args);
  }, "bar-1");
  for (const each of all) bar.update(each);
  await bar.end();
  return shown;
}

Deno.test("notebookProgress() shows a bar and redraws it in place", async () => {
  const shown = await show([half, over]);
  deepEqual(shown.map(([, options]) => options), [
    { raw: true, display_id: "bar-1", update: false },
    { raw: true, display_id: "bar-1", update: true },
  ]);
  ok(shown[0]![0]["text/html"]!.includes('<progress max="100" value="50" aria-label="50%"></progress> 50% · 5 of 10'));
});

Deno.test("notebookProgress() leaves counts alone in the end, so that a second run leaves the same", async () => {
  const [first] = await show([over]);
  const [second] = await show([{ ...over, elapsedMs: 77, asked: 0, tokens: 0, leftMs: null }]);
  deepEqual(first![0], second![0]);
  equal(first![0]["text/plain"], "10 of 10 questions, 1 failed");
});

Deno.test("notebookProgress() draws at most four times a second, in order, and waits for the last", async () => {
  const all = Array.from({ length: 1000 }, (_, elapsedMs) => ({ ...half, elapsedMs }));
  const shown = await show([...all, over], 1);
  equal(shown.length, 5);
  equal(shown.at(-1)![0]["text/plain"], "10 of 10 questions, 1 failed");
});
