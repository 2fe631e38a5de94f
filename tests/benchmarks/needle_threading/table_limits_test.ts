import { equal, ok } from "node:assert/strict";
import { openThreadingPublished, tableLimits } from "@/lib/benchmarks/needle_threading/mod.ts";

const published = await openThreadingPublished();

Deno.test("tableLimits() gives 0 where the printed scores never reach the level", () => {
  const limits = tableLimits(published, { level: 0.75 });
  equal(limits.length, 75);
  // Gemini 1.0 Pro scores at most 54.0 on conditional needles, and Table 2 prints 0.
  const none = limits.find(({ model, task }) => model === "Gemini 1.0 Pro" && task === "conditional_needles")!;
  equal(none.printed, 0);
  equal(none.computed, 0);
});

Deno.test("tableLimits() comes nearest to Table 2's several needles at 75%", () => {
  const miss = (level: number): number => {
    const rows = tableLimits(published, { level }).filter(({ task }) => task === "multiple_needles");
    // Limits range over two orders of magnitude, so that they are compared by their logarithm.
    const misses = rows.map(({ printed, computed }) => Math.abs(Math.log((computed + 1) / (printed + 1))));
    return misses.toSorted((left, right) => left - right)[7]!;
  };
  for (const level of [0.5, 0.6, 0.9]) ok(miss(0.75) < miss(level), `${level}: ${miss(level)} and ${miss(0.75)}`);
  ok(miss(0.75) < Math.log(1.2));
});

Deno.test("tableLimits() never grows with the level where scores only fall", () => {
  const at = (level: number): number =>
    tableLimits(published, { level }).find(({ model, task }) => model === "GPT-4o" && task === "threading")!.computed;
  ok(at(0.2) > at(0.4) && at(0.4) > at(0.6));
});
