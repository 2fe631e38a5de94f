import { equal, ok } from "node:assert/strict";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { OTHER_ENCODINGS } from "../../generators/_encodings.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/mod.ts";

for (const [encoding, { countTokens }] of OTHER_ENCODINGS) {
  Deno.test(`STARS.make() fills 4,096 tokens and more to 99% as gpt-tokenizer counts them in ${encoding}, and is never over`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of STARS.tasks) {
      for (const [stars, length] of [[8, 1024], [32, 4096], [16, 9999]] as const) {
        const task = STARS.task(name, { stars });
        const { prompt, promptTokens } = task.sample({ length, seed: "count", index: 3, materials });
        equal(countTokens(prompt.user), promptTokens, `${name} at ${length}`);
        const used = promptTokens + task.answerRoom;
        ok(used <= length && (length < 4096 || used >= 0.99 * length), `${name} uses ${used} of ${length}`);
      }
    }
  });
}

Deno.test("STARS.make() fills 131,072 and 1,000,000 tokens of both languages as gpt-tokenizer counts them", async () => {
  const materials = await openTestMaterials("o200k_base");
  for (const language of ["en", "zh"] as const) {
    for (const length of [131_072, 1_000_000]) {
      const task = STARS.task(`counting_stars_search_${language}`, { stars: 64 });
      const { prompt, promptTokens } = task.sample({ length, seed: "count", index: 0, materials });
      equal(o200k.countTokens(prompt.user), promptTokens);
      ok(promptTokens + task.answerRoom <= length && promptTokens + task.answerRoom >= 0.999 * length);
    }
  }
});
