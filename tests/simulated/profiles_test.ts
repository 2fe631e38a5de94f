import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import { expectedTaskScore } from "./_expected_score.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import type { Category } from "@/lib/generators/mod.ts";
import { openProfile, PROFILE_NAMES, PUBLISHED_PROFILES } from "@/lib/simulated/profiles.ts";

const published = await openPublished();

/** The models of the profiles, as the tables of the paper begin their names. */
const MODELS: Readonly<Record<string, string>> = {
  "gpt-4": "GPT-4",
  "command-r": "Command-R",
  "yi-34b": "Yi",
  mixtral: "Mixtral",
  mistral: "Mistral",
  chatglm: "ChatGLM",
  lwm: "LWM",
  together: "Together",
  longchat: "LongChat",
  longalpaca: "LongAlpaca",
};

Deno.test("openProfile() opens every profile, with and without sim: before its name", () => {
  for (const name of PROFILE_NAMES) {
    equal(openProfile(name).name, name);
    deepEqual(openProfile(`sim:${name}`), openProfile(name));
  }
});

Deno.test("openProfile() refuses an unknown name, and lists the known ones", () => {
  for (const name of ["gpt-5", "", "sim:", "toString"]) {
    throws(() => openProfile(name), {
      name: "RangeError",
      message: `Cannot open the profile as its name must be one of ${
        PROFILE_NAMES.join(", ")
      }: current value is "${name}"`,
    });
  }
});

Deno.test("a profile ends at the window that Table 3 prints for its model; those that imitate none have no end", () => {
  for (const [name, model] of Object.entries(MODELS)) {
    const row = published.rows.find(({ table, model: printed }) => table === 3 && printed.startsWith(model));
    equal(openProfile(name).window, row!.claimedWindow, name);
  }
  equal(openProfile("llama2-7b").window, 4096);
  equal(openProfile("ideal").window, Infinity);
  deepEqual(PUBLISHED_PROFILES.map(({ name }) => name), [...Object.keys(MODELS), "llama2-7b"]);
});

Deno.test("profiles imitate the published category scores up to their window: three in four within 2.1, the worst within 14", () => {
  const misses = Object.entries(MODELS).flatMap(([name, model]) => {
    const profile = openProfile(name);
    const rows = published.rows.filter(({ edition, aligned, model: printed, task }) =>
      edition === "v1" && aligned && (printed === model || printed.startsWith(`${model} (`)) && task in RULER_TASKS
    );
    ok(rows.length >= 4, name);
    return rows.flatMap(({ task, scores }) =>
      scores.filter(({ length }) => length <= profile.window).map(({ length, score }) => {
        const tasks = RULER_TASKS[task as Category];
        const expected = tasks.reduce((sum, task) => sum + expectedTaskScore(profile, { task, length }), 0) /
          tasks.length;
        return Math.abs(expected - score);
      })
    );
  }).sort((left, right) => left - right);
  ok(misses.length >= 170);
  ok(misses[Math.floor(0.75 * misses.length)]! <= 2.1, `${misses[Math.floor(0.75 * misses.length)]}`);
  ok(misses.at(-1)! <= 14, `${misses.at(-1)}`);
});
