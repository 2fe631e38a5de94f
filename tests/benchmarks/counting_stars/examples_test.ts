import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("STARS.make() puts short texts with question and answer before the text, and ends where the answer comes", () => {
  const sample = STARS.task("counting_stars_search_en", { stars: 2, examples: 2 })
    .sample({ length: 1024, seed: "42", index: 0, materials });
  const solved = userText(sample.prompt).match(/\nAnswer: \{"little_penguin": \[\d+, \d+\]\}\n\n\n\n/g);
  equal(solved?.length, 2);
  equal(userText(sample.prompt).split("Please help the little penguin").length, 4);
  ok(joinPrompt(sample.prompt).endsWith("without any explanation.\nAnswer:"));
  deepEqual(sample.facts.map(({ role }) => role), ["example", "example", "example", "example", "target", "target"]);
  ok(sample.id.includes("/stars=2,") && sample.id.includes(",examples=2/"));
});

Deno.test("STARS.make() writes the answers of Chinese examples in the form that the question asks for", () => {
  const sample = STARS.make({ language: "zh", stars: 3, ask: "list_and_sum", examples: 1 })
    .sample({ length: 1024, seed: "42", index: 0, materials });
  ok(/\n答案：\{"小企鹅":\[\d+,\d+,\d+\],"总数":\d+\}\n\n\n\n/.test(userText(sample.prompt)));
});

// Examples are part of the samples, so these numbers never change: those of seed 42, wrong counts before right ones.
Deno.test.each(
  [
    [{ stars: 1 }, "30 26 58"],
    [{ stars: 2 }, "14 30 48 72 24 56"],
    [{ stars: 5 }, "12 44 82 52 74 76 18 20 28"],
    [{ stars: 5, order: "shuffled" }, "86 6 24 46 16 92 34 36 42"],
    [{ stars: 2, sentence: "corrected" }, "17 16 19 18 23 22 63 62 39 38 77 76"],
    [{ stars: 3, sentence: "miscounted" }, "17 16 39 38 47 46 25 24 63 62 73 72 41 40 55 54 57 56"],
    [{ stars: 5, sentence: "linked" }, "19 18 38 72 29 28 48 92 79 78 82 84"],
    [{ stars: 2, sentence: "linked" }, "15 14 58 25 24 62 43 42 66"],
  ] as const,
)("STARS.make(%j) has the same numbers in its examples as ever, even ones that are right", (knobs, wanted) => {
  const sample = STARS.make({ language: "en", ...knobs, examples: 3 })
    .sample({ length: 4096, seed: "42", index: 0, materials });
  const values = sample.facts.filter(({ role }) => role === "example").map(({ value }) => value);
  equal(values.join(" "), wanted);
});

Deno.test("STARS.make() refuses examples in the reference's editions", () => {
  throws(
    () => STARS.make({ edition: "v3", examples: 1 }),
    new RangeError("Cannot make task counting_stars as examples must be 0 in edition v3: current value is 1"),
  );
});

Deno.test("STARS.make() has a sentence before each star of an example and one behind the last", () => {
  for (const language of ["en", "zh"] as const) {
    const { prompt } = STARS.make({ language, stars: 4, examples: 2 })
      .sample({ length: 2600, seed: "42", index: 0, materials });
    const user = userText(prompt);
    for (const example of user.split("\n\n\n\n").filter((_, part) => part === 0 || part === 2)) {
      const lines = example.split("\n");
      ok(lines.length >= 5 && lines.length % 2 === 1);
      const isStar = (line: string): boolean => /^(?:The little penguin counted \d+ ★|小企鹅数了\d+颗★)$/.test(line);
      deepEqual(lines.map(isStar), lines.map((_, at) => at % 2 === 1));
      ok(lines.every((line) => line.trim() !== ""));
    }
  }
});
