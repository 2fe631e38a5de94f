import { equal, match } from "node:assert/strict";
import { openTestMaterials } from "./_materials.ts";
import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
import { essayFiller } from "@/lib/generators/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const { tokenizer } = materials;

Deno.test("essayFiller() parts needles from sentences as the essays' language does", () => {
  const english = makeHaystack(["Bread rises. It cools."], { name: "bread", tokenizer });
  const chinese = makeHaystack(["下雪了。真安静。"], { name: "snow", tokenizer, locale: "zh" });
  equal(essayFiller(english, { start: 0, tokenizer }).needle("Look.", false).text, " Look.");
  equal(essayFiller(english, { start: 0, tokenizer }).needle("Look.", true).text, "Look.");
  equal(essayFiller(chinese, { start: 0, tokenizer }).needle("看。", false).text, "看。");
});

Deno.test("essayFiller() begins with no space where nothing stands before it, and keeps it after a needle", () => {
  const essays = makeHaystack(["Bread rises. It cools."], { name: "bread", tokenizer });
  const filler = essayFiller(essays, { start: 0, tokenizer });
  const textOf = (parts: ReturnType<typeof filler.run>): string => parts.map(({ measured }) => measured.text).join("");
  equal(textOf(filler.run(0, 2)), "Bread rises. It cools.");
  equal(textOf(filler.run(0, 2, false)), " Bread rises. It cools.");
  equal(textOf(filler.run(1, 2)), " It cools.");
});

Deno.test("NIAH.make() keeps the space after a needle that is first", () => {
  const { prompt } = NIAH.make({ depth: 0 }).sample({ length: 600, seed: "42", index: 0, materials });
  match(prompt.user, /\nOne of the special magic numbers for \S+ is: \d{7}\. [A-Z]/);
});
