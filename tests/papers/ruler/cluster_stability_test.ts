import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { clusterStability } from "@/lib/papers/ruler/cluster_stability.ts";
import type { SampleScore } from "@/lib/papers/ruler/correlation.ts";
import { stream } from "@/lib/random/mod.ts";

/** Two categories of two tasks; within a category tasks fare alike over models and lengths, but for noise. */
function drawSamples(noise: number, samples = 4): readonly SampleScore[] {
  const draw = stream("cluster stability test", noise);
  const rates: Record<string, (model: number, length: number) => number> = {
    a1: (model, length) => 0.9 - 0.1 * length - 0.05 * model,
    a2: (model, length) => 0.8 - 0.1 * length - 0.05 * model,
    b1: (model, length) => 0.2 + 0.1 * ((model * 5 + length * 3) % 7),
    b2: (model, length) => 0.25 + 0.1 * ((model * 5 + length * 3) % 7),
  };
  return Object.entries(rates).flatMap(([task, rate]) =>
    [0, 1, 2, 3].flatMap((model) =>
      [1, 2, 3].flatMap((length) =>
        Array.from({ length: samples }, (_, index): SampleScore => {
          const value = rate(model, length) + noise * (draw() - 0.5);
          return { model: `m${model}`, task, length, index, value: Math.max(0, Math.min(1, value)) };
        })
      )
    )
  );
}

const categories = { a1: "A", a2: "A", b1: "B", b2: "B" };
const options = { categories, kept: ["a1", "b1"], seed: "42", replicates: 100, resample: "samples" } as const;

Deno.test("clusterStability() finds clear categories in nearly every replicate", () => {
  const { withCategories, withFound, categories: found, tasks } = clusterStability(drawSamples(0.1), options);
  equal(withCategories.score, 1);
  ok(withCategories.low > 0.5 && withCategories.high === 1);
  ok(withFound.score > 0.9);
  ok(found.every(({ ownShare }) => ownShare > 0.9));
  equal(Math.round(tasks.reduce((sum, { keptShare }) => sum + keptShare, 0)), 2);
});

Deno.test("clusterStability() finds no stable clusters in noise", () => {
  const noise = drawSamples(20);
  const { withFound, categories: found } = clusterStability(noise, options);
  ok(withFound.low < 0.5);
  ok(found.every(({ ownShare }) => ownShare < 0.9));
});

Deno.test("clusterStability() sets the spread of correlations about them, though replicates are noisier", () => {
  for (const noise of [0.1, 0.5, 20]) {
    for (const { correlation: { score, low, high } } of clusterStability(drawSamples(noise), options).tasks) {
      ok(low <= score && score <= high && low < high && high <= 1, `${score} in ${low} to ${high}`);
    }
  }
});

Deno.test("clusterStability() gives the same for the same seed, whatever the order of the samples of a cell", () => {
  const samples = drawSamples(0.5);
  deepEqual(clusterStability(samples, options), clusterStability(samples, options));
  for (const resample of ["columns", "models"] as const) {
    const { categories: found } = clusterStability(samples, { ...options, resample });
    ok(found.every(({ ownShare, purity }) => ownShare >= 0 && ownShare <= 1 && purity.score > 0));
  }
});

Deno.test("clusterStability() counts how often the tasks kept by the paper are kept, and are nearest to their own category", () => {
  const { sameShare, tasks } = clusterStability(drawSamples(0.1), options);
  ok(sameShare >= 0 && sameShare <= 1);
  equal(tasks.find(({ task }) => task === "a2")?.ownShare, 1);
  // Of its own category there is no other that was kept.
  equal(tasks.find(({ task }) => task === "a1")?.ownShare, null);
  equal(clusterStability(drawSamples(0.1), { ...options, kept: ["a1", "a2"] }).sameShare, 0);
});

Deno.test("clusterStability() is free of NaN where a replicate makes a task constant", () => {
  // Only one of four samples of b2 is ever right, and only on one model: some replicates do not draw it.
  const samples = drawSamples(0.1).map((sample): SampleScore =>
    sample.task === "b2" ? { ...sample, value: sample.model === "m0" && sample.index === 0 ? 1 : 0 } : sample
  );
  const stability = clusterStability(samples, options);
  const numbers = JSON.stringify(stability).replaceAll('"ownShare":null', "");
  ok(!numbers.includes("null"), "JSON writes NaN as null");
});

Deno.test("clusterStability() leaves out a task that always scores the same, and counts failed calls out", () => {
  const samples = drawSamples(0.1).map((sample): SampleScore =>
    sample.task === "b2" ? { ...sample, value: 1 } : sample.index === 3 ? { ...sample, value: null } : sample
  );
  const { tasks } = clusterStability(samples, options);
  deepEqual(tasks.map(({ task }) => task), ["a1", "a2", "b1"]);
});

Deno.test("clusterStability() refuses what it could not draw from", () => {
  throws(() => clusterStability([], options), { message: /there must be at least one score: current value is 0 of 0/ });
  throws(() => clusterStability(drawSamples(0.1, 1), options), {
    name: "RangeError",
    message: "Cannot resample samples as each task and length must have at least 2: current value is 1",
  });
  const failed = drawSamples(0.1).map((sample) => ({ ...sample, value: null }));
  throws(() => clusterStability(failed, options), { message: /there must be at least one score/ });
  const two = drawSamples(0.1).filter(({ model }) => model < "m2");
  throws(() => clusterStability(two, { ...options, resample: "models" }), {
    message: "Cannot resample models as there must be at least 3: current value is 2",
  });
  throws(() => clusterStability(drawSamples(0.1), { ...options, replicates: 5 }), {
    message: "Cannot resample as replicates must be a whole number from 20 to 100000: current value is 5",
  });
  throws(() => clusterStability(drawSamples(0.1), { ...options, kept: ["a1", "a2", "b1", "b2", "c"] }), {
    message: /count must be a whole number/,
  });
});
