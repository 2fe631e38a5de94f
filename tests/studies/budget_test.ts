import { equal, ok, throws } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkStudy, fitBudget, openStudy, type Study } from "@/lib/studies/mod.ts";

const fit = async (lengths: readonly number[], tokens: number, more: Partial<Study> = {}): Promise<Study> => {
  const opened = await openStudy(checkStudy({ tasks: ["niah_single_1", "vt"], lengths, ...more }));
  return fitBudget(opened, { template: PLAIN_TEMPLATE }, tokens);
};

Deno.test("fitBudget() gives samples in proportion to 1 / √length, within the budget", async () => {
  const { samplesAt = {}, samples } = await fit([4096, 16384], 2_000_000);
  equal(samples, samplesAt[4096]);
  ok(Math.abs(samplesAt[4096]! / samplesAt[16384]! - 2) < 0.1);
  ok(2 * (4096 * samplesAt[4096]! + 16384 * samplesAt[16384]!) <= 2_000_000);
});

Deno.test("fitBudget() counts the prompts twice with a measure", async () => {
  const [once, twice] = [await fit([4096], 1e6), await fit([4096], 1e6, { measure: "answer-probability" })];
  ok(Math.abs(once.samples / twice.samples - 2) < 0.05);
});

Deno.test("fitBudget() refuses a budget below one sample of each task at each length", async () => {
  const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [4096, 16384] }));
  const at = (tokens: number) => () => fitBudget(opened, { template: PLAIN_TEMPLATE }, tokens);
  throws(at(10_000), { name: "RangeError", message: /at least \d+ tokens: current value is 10000$/ });
  const least = Number(/at least (\d+)/.exec(String(throwsMessage(at(10_000))))![1]);
  at(least)();
});

function throwsMessage(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

Deno.test("the mean over lengths varies less by a budget's samples than by equal numbers at the same cost", () => {
  const lengths = [4, 8, 16, 32, 64, 128].map((thousands) => 1024 * thousands);
  const equalEach = 40;
  const tokens = equalEach * lengths.reduce((total, length) => total + length, 0);
  const scale = tokens / lengths.reduce((total, length) => total + Math.sqrt(length), 0);
  const draw = stream("budget");
  const varianceOf = (counts: readonly number[]): number => {
    const means = Array.from({ length: 4000 }, () => {
      const ofLengths = counts.map((count) => Array.from({ length: count }, () => Number(draw() < 0.7)));
      return ofLengths.reduce(
        (total, scores) => total + scores.filter((score) => score === 1).length / scores.length,
        0,
      ) / 6;
    });
    const mean = means.reduce((total, each) => total + each, 0) / means.length;
    return means.reduce((total, each) => total + (each - mean) ** 2, 0) / means.length;
  };
  const ratio = varianceOf(lengths.map((length) => Math.floor(scale / Math.sqrt(length)))) /
    varianceOf(lengths.map(() => equalEach));
  // 0.755 in expectation: the same precision for 24% fewer tokens.
  ok(ratio > 0.68 && ratio < 0.84, String(ratio));
});
