import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { readLengthText } from "@/lib/base/mod.ts";
import { makeSample, read, score } from "./_ruler.ts";
import { expectedCategoryScore } from "../profiles/_expected_category.ts";
import { expectedTaskScore } from "@/lib/papers/ruler/expected_score.ts";
import { categoryScores, fitProfile } from "../profiles/fit_profiles.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { CATEGORIES, RULER_TASKS, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile, PROFILE_NAMES, PUBLISHED_PROFILES } from "@/lib/simulated/mod.ts";

const published = await openPublished();

Deno.test("openProfile() opens every profile, with and without sim: before its name", () => {
  for (const name of PROFILE_NAMES) {
    equal(openProfile(name).name, name);
    deepEqual(openProfile(`sim:${name}`), openProfile(name));
  }
});

Deno.test("openProfile() refuses a name it does not know, and lists those it knows", () => {
  for (const name of ["gpt-5", "", "sim:", "toString"]) {
    throws(() => openProfile(name), {
      name: "RangeError",
      message: `Cannot open the profile as its name must be one of ${
        PROFILE_NAMES.join(", ")
      }: current value is "${name}"`,
    });
  }
});

Deno.test("a profile claims the window that Table 3 prints for its model; those that imitate none claim none", () => {
  for (const { name, model, claimedWindow } of PUBLISHED_PROFILES.filter(({ name }) => name !== "llama2-7b")) {
    const row = published.rows.find(({ table, model: printed }) => table === 3 && printed.startsWith(model));
    equal(claimedWindow, readLengthText(row!.claimedLength), name);
  }
  equal(openProfile("llama2-7b").claimedWindow, 4096);
  equal(openProfile("ideal").claimedWindow, undefined);
});

for (const { name, model, ...fixed } of PUBLISHED_PROFILES) {
  Deno.test(`fitProfile() makes the committed numbers of ${name} from the published scores`, () => {
    const { window, strengths, residuals } = fitProfile(categoryScores(published, model), { name, ...fixed });
    const profile = openProfile(name);
    deepEqual({ window: window ?? Infinity, strengths }, { window: profile.window, strengths: profile.strengths });
    deepEqual(residuals, openProfile(name).residuals);
  });

  Deno.test(`openProfile() has what ${name} is published to score, in four categories, and what it is expected to`, () => {
    const { residuals } = openProfile(name);
    const scores = categoryScores(published, model);
    ok(scores.length >= 8);
    deepEqual(residuals.map(({ category, length, published }) => ({ category, length, score: published })), scores);
    for (const { category, length, expected } of residuals) {
      ok(Math.abs(expected - expectedCategoryScore(openProfile(name), { category, length })) <= 0.0501);
    }
  });
}

Deno.test("openProfile() has nothing fitted to state of the profiles made by hand", () => {
  deepEqual(openProfile("ideal").residuals, []);
});

Deno.test("openProfile()'s profiles imitate the published category scores: three in four within 2.1, the worst within 14", () => {
  const misses = PUBLISHED_PROFILES.flatMap(({ name }) => openProfile(name).residuals)
    .map(({ published, expected }) => Math.abs(published - expected)).toSorted((left, right) => left - right);
  equal(misses.length, 10 * 4 * 6 + 4 * 2);
  ok(misses[Math.floor(0.75 * misses.length)]! <= 2.1);
  ok(misses.at(-1)! < 14);
});

Deno.test("expectedTaskScore() puts Yi-34B's needle tasks in the order of its published scores at 128K", () => {
  const profile = openProfile("yi-34b");
  const score = (task: string): number => expectedTaskScore(profile, { task, length: 131_072 });
  const single = score("niah_single_1");
  ok(single > score("niah_multikey_1") && score("niah_multikey_1") > score("niah_multikey_2"));
  ok(score("niah_multikey_2") > score("niah_multikey_3"));
  for (const { task, score: real } of published.yiTasks.filter(({ length }) => length === 131_072)) {
    if (task.startsWith("niah")) ok(Math.abs(score(task) - real) < 17, `${task}: ${score(task)} beside ${real}`);
  }
});

Deno.test("expectedCategoryScore() never rises with the length", () => {
  for (const name of PROFILE_NAMES) {
    for (const category of CATEGORIES) {
      const scores = [4096, 8192, 16_384, 32_768, 65_536, 131_072, 1_048_576].map((length) =>
        expectedCategoryScore(openProfile(name), { category, length })
      );
      scores.forEach((score, at) => ok(at === 0 || score <= scores[at - 1]! + 1e-9, `${name} ${category} ${scores}`));
    }
  }
});

for (const { name } of PUBLISHED_PROFILES.filter(({ name }) => ["gpt-4", "mistral", "chatglm", "lwm"].includes(name))) {
  Deno.test(`readSimulated() as ${name} scores in each category what was published, within the residual and the error of the sample`, () => {
    const samples = cases(6, 24);
    const profile = openProfile(name);
    for (const { category, length, published, expected } of openProfile(name).residuals) {
      if (length !== 4096 && length !== 16_384) continue;
      const scores = RULER_TASKS[category].flatMap((taskName) => {
        const task = rulerTask(taskName as RulerTaskName);
        return Array.from({ length: samples }, (_, index) => {
          const sample = makeSample(task, length, index);
          return 100 * score(task, sample, read(sample, profile).text);
        });
      });
      const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
      const variance = scores.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (scores.length - 1);
      // Three standard errors, and 4 points because the load of a prompt is estimated and not counted.
      const room = Math.abs(published - expected) + 3 * Math.sqrt(variance / scores.length) + 4;
      ok(Math.abs(mean - published) <= room, `${category} ${length}: ${mean} beside ${published}, room ${room}`);
    }
  });
}
