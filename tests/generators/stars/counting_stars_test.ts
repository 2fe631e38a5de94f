import { deepEqual, equal, match, notEqual, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  BASE_FRAME,
  COUNTING_STARS_KNOBS,
  COUNTING_STARS_TASK_NAMES,
  type CountingStarsOptions,
  countingStarsTask,
  namedCountingStarsTask,
  type Sample,
  type Task,
} from "@/lib/generators/mod.ts";
import { STAR_SCORERS } from "@/lib/scorers/mod.ts";
import { openTestMaterials } from "../_materials.ts";

const materials = await openTestMaterials("cl100k_base");
const o200k = await openTestMaterials("o200k_base");

function make(options: CountingStarsOptions, length = 4096, index = 0): Sample {
  return countingStarsTask(options).sample({ length, seed: "42", index, materials });
}

/** The smallest task of each kind, for lengths at which 32 stars do not fit. */
function withStars(name: string, stars: number): Task {
  return namedCountingStarsTask(name as typeof COUNTING_STARS_TASK_NAMES[number], { stars });
}

for (const [encoding, made] of [["cl100k_base", materials], ["o200k_base", o200k]] as const) {
  Deno.test(`countingStarsTask() fills every task to its length exactly in ${encoding}, and never over it`, () => {
    for (const name of COUNTING_STARS_TASK_NAMES) {
      for (const [stars, length] of [[8, 1024], [32, 4096], [16, 5000], [64, 32_768]] as const) {
        const task = withStars(name, stars);
        const sample = task.sample({ length, seed: "fit", index: length % 7, materials: made });
        const { user, answerPrefix } = sample.prompt;
        equal(answerPrefix, "");
        equal(made.tokenizer.count(user), sample.promptTokens, `${name} at ${length}`);
        const left = length - sample.promptTokens - sample.answerRoom;
        // The shortest sentences of the essays have fewer tokens than this.
        ok(left >= 0 && left < 16, `${name} at ${length} leaves ${left}`);
      }
    }
  });
}

Deno.test("countingStarsTask() fits its least length, and counts what stands round the prompt", () => {
  for (const name of COUNTING_STARS_TASK_NAMES) {
    const task = withStars(name, 32);
    const least = task.leastLength(materials);
    ok(least < 1800, `${name} needs ${least}`);
    ok(task.sample({ length: least, seed: "least", index: 3, materials }).references.length >= 32);
    throws(() => task.sample({ length: least - 8, seed: "least", index: 3, materials }), RangeError);
  }
  const frame = { ...BASE_FRAME, name: "chat", before: "<|user|>\n", after: "<|end|>\n", extraTokens: 7 };
  const sample = countingStarsTask({ stars: 4 }).sample({ length: 1024, seed: "s", index: 0, materials, frame });
  const text = frame.before + sample.prompt.user + frame.after;
  equal(sample.promptTokens, materials.tokenizer.count(text) + 7);
});

Deno.test("countingStarsTask() places stars at sentence breaks, M even intervals, the last at the end", () => {
  for (const language of ["en", "zh"] as const) {
    const sample = make({ language, stars: 32 }, 32_768);
    const depths = sample.facts.map(({ depth }) => depth!);
    equal(depths.length, 32);
    // Half the longest sentence at most, and the stars' own tokens, which the depth counts too.
    depths.forEach((depth, at) =>
      ok(Math.abs(depth - (at + 1) / 32) < 0.006, `star ${at + 1} of ${language}: ${depth}`)
    );
    equal(depths.at(-1), 1);
    for (const { tokenOffset, text } of sample.facts) {
      const before = sample.prompt.user.slice(0, sample.prompt.user.indexOf(`\n${text}\n`));
      match(before, /[.!?。！？…][”’"')）」』]*$/);
      equal(materials.tokenizer.count(before), tokenOffset);
    }
  }
});

Deno.test("countingStarsTask() keeps the interval at length / M: 4K at 128K and 3K at 96K for 32 stars", () => {
  const [at128, at96] = [131_072, 98_304].map((length) => {
    const offsets = make({ stars: 32, language: "zh" }, length).facts.map(({ tokenOffset }) => tokenOffset!);
    return (offsets.at(-1)! - offsets[0]!) / 31;
  });
  ok(Math.abs(at128! - 4096) < 20, `${at128}`);
  ok(Math.abs(at96! - 3072) < 20, `${at96}`);
});

Deno.test("countingStarsTask() draws counts by the reference's rule, whatever the seed, and no wrong count that is right", () => {
  const task = countingStarsTask({ stars: 40, sentence: "corrected" });
  fc.assert(
    fc.property(fc.string(), fc.nat(1000), (seed, index) => {
      const { references, distractors } = task.sample({ length: 4096, seed, index, materials });
      const rights = references.map(Number);
      const wrongs = distractors!.map(Number);
      rights.forEach((right, at) => ok(right - 4 * at >= 1 && right - 4 * at <= 3));
      notEqual(rights[0], 1);
      wrongs.forEach((wrong, at) => ok(Math.abs(wrong - rights[at]!) === 1 && wrong > 1 && !rights.includes(wrong)));
      equal(new Set(wrongs).size, 40);
    }),
    { numRuns: 50 },
  );
});

Deno.test("countingStarsTask() shuffles the counts of a sample, and draws others for the next", () => {
  const sorted = (sample: Sample): number[] => sample.references.map(Number).sort((left, right) => left - right);
  const shuffled = make({ order: "shuffled" });
  notEqual(shuffled.references.join(), sorted(shuffled).join());
  sorted(shuffled).forEach((right, at) => ok(right - 4 * at >= 1 && right - 4 * at <= 3));
  deepEqual(make({}).references.map(Number), sorted(make({})));
  notEqual(make({}, 4096, 0).references.join(), make({}, 4096, 1).references.join());
});

Deno.test("countingStarsTask() gives the same sample again, whatever was made before it", () => {
  const task = countingStarsTask({ language: "zh", sentence: "linked" });
  const wanted = task.sample({ length: 4096, seed: "a", index: 5, materials });
  task.sample({ length: 8192, seed: "a", index: 4, materials });
  deepEqual(task.sample({ length: 4096, seed: "a", index: 5, materials }), wanted);
  match(wanted.id, /^counting-stars-2\/counting_stars\/.*sentence=linked.*\/essays_zh\/cl100k_base\/base\/4096\/a\/5$/);
});

Deno.test("countingStarsTask() says a wrong count before each right one, and both are in the text once", () => {
  for (const language of ["en", "zh"] as const) {
    const sample = make({ language, sentence: "corrected" });
    const pattern = language === "en"
      ? /counted (\d+) ★, but found .*?this time (\d+) ★ was counted correctly\./g
      : /数了(\d+)颗★，但发现数错了，于是又数了一遍，这次数对了，是(\d+)颗★/g;
    const said = [...sample.prompt.user.matchAll(pattern)];
    deepEqual(said.map(([, wrong]) => wrong), sample.distractors);
    deepEqual(said.map(([, , right]) => right), sample.references);
    deepEqual(sample.facts.map(({ role }) => role).slice(0, 2), ["distractor", "target"]);
  }
});

Deno.test("countingStarsTask() lets counts be worked out from how far they are wrong, all of them different", () => {
  for (const language of ["en", "zh"] as const) {
    const sample = make({ language, sentence: "miscounted" });
    const pattern = language === "en"
      ? /counted (\d+) ★, but the little penguin found that it had counted (\d+) ★ too (many|few)/g
      : /数了(\d+)颗★，但小企鹅发现它(?<way>多|少)数了(\d+)颗★/g;
    const said = [...sample.prompt.user.matchAll(pattern)].map((found) => {
      const [wrong, slip] = found.slice(1).filter((text) => /^\d/.test(text)).map(Number);
      return String(wrong! + (/many|多/.test(found[0]) ? -slip! : slip!));
    });
    deepEqual(said, sample.references);
    const all = [...sample.references, ...sample.distractors!];
    equal(new Set(all).size, 64);
    ok(!all.includes("1"));
  }
});

Deno.test("countingStarsTask() sets some counts right by a sentence half an interval further on, before the next count", () => {
  const sample = make({ language: "zh", sentence: "linked", stars: 16 }, 16_384);
  const corrected = sample.distractors!.flatMap((wrong, at) => wrong === "" ? [] : [at]);
  ok(corrected.length >= 2 && corrected.length <= 14);
  equal(sample.distractors!.at(-1), "");
  const offset = (star: number, role: string): number =>
    sample.facts.find((fact) => fact.key === `star ${star + 1}` && fact.role === role)!.tokenOffset!;
  const interval = sample.facts.at(-1)!.tokenOffset! / 16;
  for (const star of corrected) {
    const between = (offset(star, "target") - offset(star, "distractor")) / interval;
    ok(Math.abs(between - 0.5) < 0.15, `${between}`);
  }
  equal(sample.facts.length, 16 + corrected.length);
});

Deno.test("countingStarsTask() has the sum of the counts as its last reference where it is asked for", () => {
  const both = make({ ask: "list_and_sum", stars: 5 });
  const total = both.references.slice(0, 5).map(Number).reduce((sum, count) => sum + count, 0);
  equal(both.references[5], String(total));
  equal(countingStarsTask({ ask: "list_and_sum" }).scoring, "stars and sum");
  const sum = countingStarsTask({ ask: "sum" });
  deepEqual([sum.scoring, sum.answerRoom, sum.category], ["sum", 64, "aggregation"]);
  equal(sum.sample({ length: 4096, seed: "42", index: 0, materials }).references.length, 1);
});

Deno.test("countingStarsTask() takes the reference's own counts: 3 5 9 15 … increasing, 15 117 42 69 … shuffled", () => {
  // The paper's list of 64 (its figure of values), of which fewer stars take the first.
  const first = "3 5 9 15 19 21 26 29 35 38 42 46 49 54 58 61 66 69 74 77 81 86 89 94 97 102 107 109 113 117 122 127 " +
    "130 135 139 142 145 150 153 158 162 167 171 175 178 183 185 190 194 198 201 206 211 213 217 223 227 230 235 239 " +
    "243 245 249 255";
  const references = (options: CountingStarsOptions): string =>
    make({ values: "reference", ...options }, 16_384).references.join(" ");
  equal(references({ stars: 64 }), first);
  equal(references({ stars: 16 }), first.split(" ").slice(0, 16).join(" "));
  equal(references({ stars: 8, order: "shuffled" }), "15 117 42 69 58 107 9 49");
  equal(
    references({ stars: 32, order: "shuffled" }).split(" ").map(Number).sort((left, right) => left - right).join(" "),
    first.split(" ").slice(0, 32).join(" "),
  );
  equal(references({ stars: 4, edition: "v1", language: "en" }), "3 7 10 14");
  equal(references({ stars: 4, edition: "v1", language: "zh" }), "3 5 9 15");
});

Deno.test("countingStarsTask() takes the reference's shuffled counts whole: 1,024, each with a wrong one beside it", () => {
  const { references, distractors } = make(
    { values: "reference", order: "shuffled", stars: 1024, sentence: "corrected", language: "zh" },
    131_072,
  );
  equal(new Set(references).size, 1024);
  ok(references.every((right, at) => Math.abs(Number(right) - Number(distractors![at])) === 1));
  // The reference repeats wrong counts here; those that are drawn never do.
  equal(new Set(distractors).size, 997);
});

Deno.test.each(
  [
    [{ stars: 0 }, "as stars must be a whole number from 1 to 1024: current value is 0"],
    [{ stars: 2.5 }, "as stars must be a whole number from 1 to 1024: current value is 2.5"],
    [{ language: "fr" }, 'as language must be one of en, zh: current value is "fr"'],
    [{ sentence: "long" }, 'as sentence must be one of plain, corrected, miscounted, linked: current value is "long"'],
    [{ edition: "v1", sentence: "corrected" }, 'as sentence must be plain in edition v1: current value is "corrected"'],
    [
      { edition: "v3", sentence: "linked" },
      'as sentence must be plain or corrected in edition v3: current value is "linked"',
    ],
    [{ edition: "v3", ask: "sum" }, 'as ask must be list in edition v3: current value is "sum"'],
  ] as [CountingStarsOptions, string][],
)("countingStarsTask() refuses %j", (options, message) => {
  throws(() => countingStarsTask(options), {
    name: "RangeError",
    message: `Cannot make task counting_stars ${message}`,
  });
});

Deno.test("namedCountingStarsTask() refuses a name it does not know", () => {
  throws(() => namedCountingStarsTask("counting_stars_search_fr" as "counting_stars_search_en"), {
    name: "RangeError",
    message:
      /^Cannot make the task as its name must be one of counting_stars_search_en, .*: current value is "counting_stars_search_fr"$/,
  });
});

Deno.test("countingStarsTask() says whose scorer is to score, and makes the same text for either", () => {
  for (const ask of ["list", "list_and_sum", "sum"] as const) {
    const [original, lenient] = COUNTING_STARS_KNOBS["scorer"].map((scorer) =>
      countingStarsTask({ ask, scorer: scorer as "original" | "lenient", stars: 4 })
    );
    const wanted = { list: "stars", list_and_sum: "stars and sum", sum: "sum" }[ask];
    deepEqual([original!.scoring, lenient!.scoring], [wanted, ask === "sum" ? "sum" : `lenient ${wanted}`]);
    const [first, second] = [original!, lenient!].map((task) =>
      task.sample({ length: 1024, seed: "42", index: 0, materials })
    );
    deepEqual(first!.prompt, second!.prompt);
    deepEqual(countingStarsTask({ ask, stars: 4 }).scoring, wanted);
  }
  deepEqual(COUNTING_STARS_KNOBS["scorer"], [...STAR_SCORERS]);
});
