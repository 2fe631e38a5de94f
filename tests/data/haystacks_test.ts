import { deepEqual, equal, ok } from "node:assert/strict";
import { splitSentences } from "@/lib/text/mod.ts";

async function readTexts(folder: string): Promise<string[]> {
  const url = new URL(`../../data/haystacks/${folder}/`, import.meta.url);
  const names = (await Array.fromAsync(Deno.readDir(url))).map((entry) => entry.name).sort();
  return await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, url))));
}

/** Words of the benchmarks' needles, questions and instructions; none may stand in the text they are hidden in. */
const NEEDLE_WORDS_EN = [
  /special/i,
  /magic/i,
  /\bVAR\b/,
  /variable/i,
  /password|passkey|secret code/i,
  /needle|haystack/i,
  /San Francisco|Dolores|Thornfield|Pistachio/i,
  /\bDocument\b/,
  /Question:|Answer:/,
  /the grass is green/i,
  /best thing to do/i,
];
const NEEDLE_WORDS_ZH = [/小明/, /实习/, /实验室/, /佛罗伦萨/, /松露/, /企鹅/, /★/, /颗星/, /密码/, /问题是/];

Deno.test("essays_en holds at least 25,000 words in plain ASCII without a digit", async () => {
  const text = (await readTexts("essays_en")).join("\n");
  ok(text.split(/\s+/).length >= 25_000);
  equal(text.match(/[^\n\x20-\x7e]/), null);
  equal(text.match(/\d/), null);
});

Deno.test("essays_zh holds at least 30,000 characters without a digit or a Latin letter", async () => {
  const text = (await readTexts("essays_zh")).join("\n");
  ok((text.match(/\p{Script=Han}/gu) ?? []).length >= 30_000);
  equal(text.match(/[\d０-９A-Za-z]/), null);
});

for (
  const [folder, locale, words] of [["essays_en", "en", NEEDLE_WORDS_EN], ["essays_zh", "zh", NEEDLE_WORDS_ZH]] as const
) {
  Deno.test(`${folder} holds no word that could be taken for a needle`, async () => {
    const text = (await readTexts(folder)).join("\n");
    deepEqual(words.filter((word) => word.test(text)), []);
  });

  Deno.test(`${folder} repeats no sentence of some length`, async () => {
    const sentences = (await readTexts(folder)).flatMap((text) => splitSentences(text, locale)).map((sentence) =>
      sentence.trim()
    );
    const long = sentences.filter((sentence) => sentence.length >= (locale === "en" ? 40 : 15));
    deepEqual(long.filter((sentence, index) => long.indexOf(sentence) !== index), []);
  });
}
