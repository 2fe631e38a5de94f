import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { cases } from "../../_cases.ts";
import { inFolder } from "../../_folder.ts";
import { realData, testOnRealData } from "../../_real_data.ts";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { type GivenKnobs, type Sample, userText } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");

function make(options: GivenKnobs<typeof STARS.knobs>, length: number): Sample {
  return STARS.make(options).sample({ length, seed: "42", index: 0, materials });
}

/** The text without stars and question. */
function skyOf({ prompt, facts }: Sample): string {
  const text = userText(prompt).slice(0, userText(prompt).indexOf("\n\n\n\n"));
  return facts.reduce((left, fact) => left.replace(`\n${fact.text}\n`, ""), `${text}\n`).replace(/\n$/, "");
}

/** Where each star stands in the text without stars, in characters or words. */
function placesOf({ prompt, facts }: Sample, separator = ""): number[] {
  let left = userText(prompt).slice(0, userText(prompt).indexOf("\n\n\n\n")) + "\n";
  let place = 0;
  return facts.map(({ text }) => {
    const [before, after] = cutAt(left, `\n${text}\n`);
    left = after;
    place += separator === "" ? Array.from(before).length : before.split(separator).length;
    return place;
  });
}

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** The length of each star's line in characters. */
function linesOf({ facts }: Sample): number[] {
  return facts.map(({ text }) => Array.from(text).length + 2);
}

Deno.test("STARS.make() of the third edition drifts by 2 words a star in English, where a star of 6 words adds 4", () => {
  const sample = make({ edition: "v3", language: "en", stars: 4 }, 1000);
  // 800 words: i * 200 + 6 (i - 1) - 4 (i - 1); the last would be beyond the end.
  deepEqual(placesOf(sample, " "), [200, 402, 604, 800]);
});

Deno.test("STARS.make() of the first edition comes early by the length of the stars before", () => {
  const sample = make({ edition: "v1", language: "zh", stars: 3 }, 4000);
  const [first = 0, second = 0] = linesOf(sample);
  // 2,900 characters.
  deepEqual(placesOf(sample), [966, 2 * 966 - first, 3 * 966 - first - second]);
});

Deno.test("STARS.make() lays the third edition out in 0.7 characters or 0.8 words a token, from the text's beginning", () => {
  const zh = make({ edition: "v3", language: "zh", stars: 8 }, 4000);
  equal(Array.from(skyOf(zh)).length, 2800);
  ok(!/[\sA-Za-z,.!?;:'"()-]/.test(skyOf(zh)));
  const en = make({ edition: "v3", language: "en", stars: 8 }, 4000);
  // A star takes the place of the space between two words.
  const words = userText(en.prompt).slice(0, userText(en.prompt).indexOf("\n\n\n\n")).split(/[ \n]/).length - 8 * 6;
  equal(words, 3200);
  ok(userText(en.prompt).startsWith(materials.essays.run(0, 1).text.trim().slice(0, 60)));
});

Deno.test("STARS.make() counts the words of the third edition as the reference does: an empty one between two spaces", async () => {
  await inFolder(async (folder) => {
    // Two spaces after each sentence, two lines to a paragraph, no space from one text to the next.
    const sentence = "Bread rises slowly in a cold room.  It cools fast.\n\n";
    await Deno.writeTextFile(`${folder}/a.txt`, sentence.repeat(40).trimEnd());
    await Deno.writeTextFile(`${folder}/b.txt`, sentence.repeat(40).replaceAll("\n", "\r\n"));
    const own = await openMaterials({ essays: folder });
    const task = STARS.make({ edition: "v3", stars: 4, values: "reference" });
    const { prompt } = task.sample({ length: 1000, seed: "any", index: 0, materials: own });
    const sky = userText(prompt).slice(0, userText(prompt).indexOf("\n\n\n\n"));
    const clean = sky.replaceAll(/\nThe little penguin counted \d+ ★(?:\n|$)/g, " ");
    // The reference's text, by its own words: 0.8 a token.
    const whole = (sentence.repeat(40).trimEnd() + sentence.repeat(40)).replaceAll("\n", " ").split(" ");
    // Ten words and two empty ones a sentence; the last empty ones of the first text are cut, and its last word is glued.
    equal(whole.length, 80 * 12 - 2 + 1);
    equal(clean.trimEnd(), whole.slice(0, 800).join(" ").trimEnd());
    equal(clean.split(" ").filter((word) => word !== "").length, 668);
  });
});

Deno.test("STARS.make() of the third edition trims the lines of Chinese texts of any space, and drops ASCII marks and letters", () => {
  const essays = makeHaystack(["\u3000\u3000天（a）很蓝，B。\t\r\n\u00a0雨-下，了!。\u3000\n"], {
    name: "mine",
    tokenizer: materials.tokenizer,
    locale: "zh",
  });
  const own = withOther(materials, { essays, essaysIn: () => essays });
  const task = STARS.make({ edition: "v3", language: "zh", stars: 2 });
  const sample = task.sample({ length: 1000, seed: "42", index: 0, materials: own });
  equal(skyOf(sample), "天（）很蓝，。雨下，了。".repeat(100).slice(0, 700));
});

Deno.test("STARS.make() lays the first edition out in 0.725 characters a token in Chinese and 1 in English", () => {
  equal(Array.from(skyOf(make({ edition: "v1", language: "zh", stars: 8 }, 8000))).length, 5800);
  equal(Array.from(skyOf(make({ edition: "v1", language: "en", stars: 8 }, 8000))).length, 8000);
});

Deno.test("STARS.make() repeats a text that is too short for an edition, and over the length as the reference does", () => {
  const sample = make({ edition: "v3", language: "zh", stars: 32 }, 128_000);
  equal(Array.from(skyOf(sample)).length, 89_600);
  equal(materials.tokenizer.count(userText(sample.prompt)), sample.promptTokens);
});

const STONE = "haystacks/story_of_the_stone.zh.txt";
const ESSAYS = "haystacks/paul_graham";

/** Rows of the published replies, split into columns. */
function readPredictions(figure: string): string[][] {
  const path = new URL("../../../data/published/counting_stars_raw_predictions.csv", import.meta.url);
  const rows = Deno.readTextFileSync(path).trim().split("\n").slice(1).map((line) => line.split(","));
  return rows.filter((row) => row[0] === figure && row[1]!.startsWith("GPT-4"));
}

testOnRealData("STARS.make() makes the paper's prompts of The Story of the Stone to the token, at all its lengths", {
  reads: STONE,
  ignore: cases(true, false),
  async fn(): Promise<void> {
    const novel = await openMaterials({ essays: realData(STONE).pathname });
    const task = STARS.make({ edition: "v1", language: "zh", stars: 32, values: "reference" });
    const rows = readPredictions("stone_32_16");
    equal(rows.length, 16);
    for (const [, , length, units, reported, , , reference] of rows) {
      const sample = task.sample({ length: Number(length), seed: "any", index: 0, materials: novel });
      equal(Array.from(skyOf(sample)).length, Number(units));
      equal(sample.references.join(" "), reference);
      // What OpenAI counted is 17 more at every length: the marks of the chat around the prompt.
      equal(Number(reported) - sample.promptTokens, 17, `at ${length}`);
    }
  },
});

testOnRealData("STARS.make() makes the prompts of the reference's generator at 32e16f2, to the byte", {
  reads: [ESSAYS, STONE],
  ignore: cases(true, false),
  async fn(): Promise<void> {
    // The hashes are of what gen_test_data.ipynb wrote, its essays taken in the order of their names.
    for (
      const [language, texts, ...hashes] of [
        ["en", ESSAYS, "61219d10718fde02", "d7d9e345ac03e2a0"],
        ["zh", STONE, "8397d1c4b6617731", "d8b6916b151c455d"],
      ] as const
    ) {
      const own = await openMaterials({ essays: realData(texts).pathname });
      for (const [at, sentence] of (["plain", "corrected"] as const).entries()) {
        const task = STARS.make({ edition: "v3", language, sentence, order: "shuffled", values: "reference" });
        const { prompt } = task.sample({ length: 16_000, seed: "any", index: 0, materials: own });
        equal(
          createHash("sha256").update(userText(prompt)).digest("hex").slice(0, 16),
          hashes[at],
          `${language} ${sentence}`,
        );
      }
    }
  },
});

Deno.test("places put the counts where they say: one for each, or between two ends", () => {
  const depths = (given: Parameters<typeof STARS.make>[0]): readonly number[] =>
    STARS.make({ stars: 5, ...given }).sample({ length: 8192, seed: "1", index: 0, materials })
      .facts.filter(({ role }) => role === "target").map(({ depth }) => depth!);
  const near = (found: readonly number[], wanted: readonly number[]): void => {
    equal(found.length, wanted.length);
    for (const [at, depth] of found.entries()) ok(Math.abs(depth - wanted[at]!) < 0.02, `${found}`);
  };
  near(depths({}), [0.2, 0.4, 0.6, 0.8, 1]);
  near(depths({ places: "0.4,0.6" }), [0.4, 0.45, 0.5, 0.55, 0.6]);
  near(depths({ places: "0, 0, 0.5, 0.9, 1" }), [0, 0, 0.5, 0.9, 1]);
  near(depths({ places: "0,0.5", sentence: "linked", values: "reference" }).slice(0, 1), [0]);
  for (const places of ["0.6,0.4", "0,2", "0,0.1,0.2", "a,b", "0.5"]) {
    throws(() => STARS.make({ stars: 5, places }), /places must be 5 shares from 0 to 1 that do not fall/);
  }
  throws(() => STARS.make({ places: "0,1", edition: "v1" }), /places must be left out in edition v1/);
});

Deno.test("a count that is corrected further on is so half way to the next one's place, the last never", () => {
  const each = [0.1, 0.2, 0.5, 0.7];
  let corrections = 0;
  for (let index = 0; index < 8; index++) {
    const task = STARS.make({ stars: 4, places: each.join(), sentence: "linked" });
    const { facts } = task.sample({ length: 8192, seed: "1", index, materials });
    let star = -1;
    for (const { text, depth } of facts) {
      const isCorrection = text.startsWith("The little penguin found");
      if (!isCorrection) star++;
      if (isCorrection) corrections++;
      const wanted = isCorrection ? (each[star]! + each[star + 1]!) / 2 : each[star]!;
      ok(Math.abs(depth! - wanted) < 0.02, `${text}: ${depth}, not ${wanted}`);
    }
    equal(star, 3);
  }
  ok(corrections > 8);
});

Deno.test("firstCount sets the first count, which is never 1 otherwise", () => {
  const first = (given: Parameters<typeof STARS.make>[0], index: number): string =>
    STARS.make({ stars: 4, ...given }).sample({ length: 2048, seed: "1", index, materials }).references[0]!;
  for (let index = 0; index < 20; index++) {
    ok(["2", "3"].includes(first({}, index)));
    equal(first({ firstCount: 1 }, index), "1");
  }
  equal(STARS.make({ stars: 4 }).options["firstCount"], undefined);
  throws(
    () => STARS.make({ firstCount: 1, order: "shuffled" }),
    /firstCount must be 0 unless counts are drawn and increasing/,
  );
});
