import { deepEqual, equal, ok } from "node:assert/strict";
import {
  COUNTING_STARS_TASK_NAMES,
  type CountingStarsOptions,
  countingStarsTask,
  namedCountingStarsTask,
  type Sample,
  type Task,
} from "@/lib/generators/mod.ts";
import { joinPrompt, openProfile, readSimulated } from "@/lib/models/mod.ts";
import { STAR_READER } from "@/lib/models/readers/counting_stars.ts";
import { TASK_READERS } from "@/lib/models/readers/task_readers.ts";
import { openMaterials } from "@/lib/runs/mod.ts";
import { type StarScore, starScore, starSumScore } from "@/lib/scorers/mod.ts";

const materials = await openMaterials({ tokenizer: "o200k_base" });

function make(task: Task, length: number, index = 0): Sample {
  return task.sample({ length, seed: "read", index, materials });
}

function read(sample: Sample, profile: string): StarScore {
  const { text } = readSimulated(joinPrompt(sample.prompt), openProfile(profile));
  const { references, distractors = [] } = sample;
  return starScore(text, references, { distractors, hasSum: sample.task.includes("_sum_") });
}

for (const [length, stars] of [[1024, 8], [32_768, 32], [131_072, 64]] as const) {
  Deno.test(`readSimulated() as the ideal reader scores 100 on every task of ${stars} stars at ${length} tokens`, () => {
    for (const name of COUNTING_STARS_TASK_NAMES) {
      for (const index of [0, 1]) {
        const { value, why } = read(make(namedCountingStarsTask(name, { stars }), length, index), "ideal");
        equal(value, 1, `${name} at ${length}: ${why}`);
      }
    }
  });
}

Deno.test("readSimulated() as the ideal reader finds 32 stars at 1,024 tokens, and the sum where it alone is asked for", () => {
  for (const language of ["en", "zh"] as const) {
    const stars = make(countingStarsTask({ language, order: "shuffled" }), 1024);
    equal(read(stars, "ideal").value, 1);
    for (const [length, sentence] of [[1024, "plain"], [32_768, "linked"], [131_072, "miscounted"]] as const) {
      const sum = make(countingStarsTask({ language, ask: "sum", sentence }), length);
      const { text } = readSimulated(joinPrompt(sum.prompt), openProfile("ideal"));
      equal(starSumScore(text, sum.references).value, 1);
    }
  }
});

Deno.test("readSimulated() as the ideal reader finds all in the reference's editions", () => {
  const editions: CountingStarsOptions[] = [
    { edition: "v1", values: "reference" },
    { edition: "v3", values: "reference", order: "shuffled" },
    { edition: "v3", sentence: "corrected" },
  ];
  for (const language of ["en", "zh"] as const) {
    for (const options of editions) {
      const sample = make(countingStarsTask({ ...options, language, stars: 64 }), 32_000);
      equal(read(sample, "ideal").value, 1, `${language} ${JSON.stringify(options)}`);
    }
  }
});

Deno.test("STAR_READER alone recognises Counting-Stars, and keeps wrong counts apart", () => {
  const prompt = joinPrompt(make(countingStarsTask({ stars: 4, sentence: "miscounted" }), 2048).prompt);
  deepEqual(TASK_READERS.filter(({ recognise }) => recognise(prompt)).map(({ name }) => name), ["stars"]);
  const reading = STAR_READER.recognise(prompt)!;
  equal(reading.wanted.length, 4);
  equal(reading.rivals.length, 4);
  deepEqual(reading.wanted.map(({ key }) => key), ["star 1", "star 2", "star 3", "star 4"]);
  equal(STAR_READER.recognise("Please help the little penguin collect the number of ★."), null);
  equal(STAR_READER.recognise("The little penguin counted 3 ★"), null);
});

Deno.test("readSimulated() loses more stars the longer the text is", () => {
  const means = [4096, 32_768, 131_072].map((length) => {
    const values = Array.from({ length: 4 }, (_, index) => {
      return read(make(namedCountingStarsTask("counting_stars_shuffled_zh"), length, index), "mistral").value!;
    });
    return values.reduce((sum, value) => sum + value, 0) / 4;
  });
  ok(means[0]! > 0.95 && means[0]! > means[1]! && means[1]! > means[2]! && means[2]! < 0.3, means.join(", "));
});

Deno.test("readSimulated() as lost-in-the-tail loses late stars, as lost-in-the-middle those between", () => {
  const lossesOf = (profile: string): number[] => {
    const losses = [0, 0, 0];
    for (let index = 0; index < 6; index++) {
      const sample = make(namedCountingStarsTask("counting_stars_search_en", { stars: 30 }), 32_768, index);
      read(sample, profile).cells.forEach((cell, star) => losses[Math.floor(star / 10)]! += 1 - cell);
    }
    return losses;
  };
  const tail = lossesOf("lost-in-the-tail");
  ok(tail[2]! > 2 * tail[1]! && tail[1]! > tail[0]!, tail.join(", "));
  const middle = lossesOf("lost-in-the-middle");
  ok(middle[1]! > 2 * middle[0]! && middle[1]! > 2 * middle[2]!, middle.join(", "));
});

Deno.test("readSimulated() as the mute says nothing, and as the parrot says wrong counts too", () => {
  const sample = make(namedCountingStarsTask("counting_stars_reasoning_zh"), 8192);
  equal(read(sample, "mute").form, "none");
  const parrot = read(sample, "parrot");
  ok(parrot.given === 64 && parrot.value! < 0.6, parrot.why);
});
