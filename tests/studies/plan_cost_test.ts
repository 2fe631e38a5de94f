import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { smallPlan } from "../asking/_fakes.ts";
import { addEfforts } from "@/lib/studies/plan_cost.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { cappedPace, checkStudy, estimateRun, openStudy, paceOfServer, planStudy } from "@/lib/studies/mod.ts";

Deno.test("estimateRun() counts prompts exactly, by making every sample", () => {
  // A prompt of the fake task has 20 tokens less than its length: 6 * (512 - 20) + 6 * (1024 - 20).
  const { rows, ...total } = estimateRun(smallPlan());
  deepEqual(total, {
    questions: 12,
    promptTokens: 8976,
    longestPrompt: 1004,
    answerTokens: 192,
    price: null,
    seconds: null,
    isExact: true,
  });
  deepEqual(rows.map(({ task, length, questions, promptTokens }) => [task, length, questions, promptTokens]), [
    ["sum", 512, 3, 3 * 492],
    ["other", 512, 3, 3 * 492],
    ["sum", 1024, 3, 3 * 1004],
    ["other", 1024, 3, 3 * 1004],
  ]);
});

Deno.test("estimateRun() estimates a long plan from its lengths", () => {
  const { promptTokens, isExact } = estimateRun(smallPlan(), { exactUpTo: 1000 });
  equal(isExact, false);
  // 6 * (512 - 16) + 6 * (1024 - 16), the answers' room taken off.
  equal(promptTokens, 9024);
});

Deno.test("estimateRun() counts a prompt of each length if prompts are longer than their length", async () => {
  const text = { task: "recall_pistachio", lengthOf: "text" };
  const study = checkStudy({ tasks: [text], lengths: [500, 1000], samples: 2 });
  const plan = planStudy(await openStudy(study), { template: PLAIN_TEMPLATE });
  const [counted, long] = [estimateRun(plan), estimateRun(plan, { exactUpTo: 0 })];
  deepEqual([counted.isExact, long.isExact], [true, false]);
  // The text alone has the length; system message and question come on top.
  for (const [row, { length, longestPrompt }] of long.rows.entries()) {
    ok(longestPrompt > length && Math.abs(longestPrompt - counted.rows[row]!.longestPrompt) < 40, `${longestPrompt}`);
  }
});

Deno.test("estimateRun() returns the most that a run can cost", () => {
  // 8,976 tokens at 2 a million, and 12 * (16 + 100) written at 10 a million.
  const { price } = estimateRun(smallPlan(), { prices: { input: 2, output: 10 }, thinkingTokens: 100 });
  equal(price, 0.031872);
});

Deno.test("estimateRun() refuses a price below nothing", () => {
  const plan = smallPlan();
  throws(() => estimateRun(plan, { prices: { input: -1, output: 0 } }), {
    name: "RangeError",
    message:
      "Cannot estimate the price as the input price must be a number of at least 0 per million tokens: current value is -1",
  });
});

Deno.test("estimateRun() returns the time at a pace, and parts add up to the whole", () => {
  equal(estimateRun(smallPlan(), { pace: paceOfServer({ readsPerSecond: 100 })! }).seconds, 89.76);
  // 8,976 tokens read at 1,000 a second and 192 written at 10, one call after another.
  const pace = paceOfServer({ readsPerSecond: 1000, writesPerSecond: 10 })!;
  const { rows, isExact: _isExact, ...total } = estimateRun(smallPlan(), { pace });
  equal(total.seconds!.toFixed(3), "28.176");
  deepEqual(addEfforts(rows), total);
});

Deno.test("cappedPace() is as slow as the caps of a minute force, and no faster than the pace", () => {
  const asked = { length: 1024, questions: 30, promptTokens: 30_000, answerTokens: 6000 };
  const pace = paceOfServer({ readsPerSecond: 100 })!;
  equal(cappedPace(pace, {}), pace);
  equal(cappedPace(undefined, {}), undefined);
  // 30 questions at 3 a minute take 600 seconds, 36,000 tokens at 4,000 a minute 540, and 30,000 at 100 a second 300.
  equal(cappedPace(pace, { requestsPerMinute: 3, tokensPerMinute: 4000 })!.secondsFor(asked), 600);
  equal(cappedPace(undefined, { tokensPerMinute: 4000 })!.secondsFor(asked), 540);
  equal(cappedPace(pace, { requestsPerMinute: 1000 })!.secondsFor(asked), 300);
  equal(
    cappedPace(pace, { requestsPerMinute: 3, tokensPerMinute: 4000 })!.source,
    "one call after another, as its server reads 100 tokens a second, at most 3 requests and 4,000 tokens a minute",
  );
});
