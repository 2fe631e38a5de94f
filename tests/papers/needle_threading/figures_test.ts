import { match } from "node:assert/strict";
import { taskLimitTable } from "@/lib/reports/mod.ts";

Deno.test("taskLimitTable() shows limits with their intervals, and which may lie beyond", () => {
  const sizes = { difficulty: 5, limit: 20, low: 10, high: 30, tested: 80, percent: 25, units: 11 };
  const limits = [
    { ...sizes, task: "one thread", at: "steps = 5", isBeyond: false },
    { ...sizes, task: "one needle", at: "depth = 0.5", limit: 80, high: 80, percent: 100, isBeyond: true },
  ];
  const options = { title: "Limits", n: 11, origin: "simulated", level: 75, unit: "thousand characters" } as const;
  const { text } = taskLimitTable(limits, options);
  match(text, /Simulated/);
  match(text, /one thread +steps = 5 +20\.0 \[10\.0, 30\.0\] +below +25/);
  match(text, /one needle +depth = 0\.5 +80\.0 \[10\.0, 80\.0\] +above +100/);
  match(text, /falls through 75%/);
});
