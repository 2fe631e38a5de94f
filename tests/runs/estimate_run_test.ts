import { deepEqual, equal, throws } from "node:assert/strict";
import { smallPlan } from "./_fakes.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { estimateRun } from "@/lib/runs/mod.ts";

Deno.test("estimateRun() counts prompts exactly, by making every sample", () => {
  // A prompt of the fake task has 20 tokens less than its length: 6 * (512 - 20) + 6 * (1024 - 20).
  deepEqual(estimateRun(smallPlan()), {
    questions: 12,
    promptTokens: 8976,
    isExact: true,
    answerTokens: 192,
    price: null,
    timeMs: null,
  });
});

Deno.test("estimateRun() reckons a long plan by its lengths, and says so", () => {
  const { promptTokens, isExact } = estimateRun(smallPlan(), { exactUpTo: 1000 });
  equal(isExact, false);
  // 6 * (512 - 16) + 6 * (1024 - 16), the answers' room taken off.
  equal(promptTokens, 9024);
});

Deno.test("estimateRun() leaves out what is answered", () => {
  equal(estimateRun(smallPlan(), { isAnswered: ({ length }) => length === 512 }).questions, 6);
});

Deno.test("estimateRun() tells the most that a run can cost", () => {
  // 8,976 tokens at 2 a million, and 12 * (16 + 100) written at 10 a million.
  const { price } = estimateRun(smallPlan(), { prices: { input: 2, output: 10 }, thinkingTokens: 100 });
  equal(price, 0.031872);
});

Deno.test("estimateRun() tells the time from calls measured before", () => {
  const answer = { kind: "answer", text: "", finishReason: "stop", latencyMs: 3000, attempts: 1 } as const;
  const measured = [{ promptTokens: 2000, reply: answer }] as unknown as readonly RunRecord[];
  // One unit of work took 1 ms (2,000 tokens and 1,000 for the call); the plan has 6 * 1512 + 6 * 2024 of them.
  equal(estimateRun(smallPlan(), { measured }).timeMs, 21_216);
  equal(estimateRun(smallPlan(), { measured, concurrency: 4 }).timeMs, 5304);
});

Deno.test("estimateRun() refuses a price below nothing", () => {
  const plan = smallPlan();
  throws(() => estimateRun(plan, { prices: { input: -1, output: 0 } }), {
    name: "RangeError",
    message:
      "Cannot estimate the price as the input price must be a number of at least 0 per million tokens: current value is -1",
  });
});
