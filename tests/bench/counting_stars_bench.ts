/** How fast Counting-Stars' samples of 131,072 tokens are generated, as ratios to counting the same tokens once. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { STARS } from "@/lib/benchmarks/counting_stars/mod.ts";
import { openMaterials } from "@/lib/runs/mod.ts";

const LENGTH = 131_072;
const materials = await openMaterials({ tokenizer: "o200k_base" });

for (const kind of ["search", "reasoning", "linked"] as const) {
  for (const language of ["en", "zh"] as const) {
    const task = STARS.task(`counting_stars_${kind}_${language}`);
    let index = 0;
    const generate = (): string =>
      task.sample({ length: LENGTH, seed: "bench", index: index++, materials }).prompt.user;
    // Essays are indexed once, when they are first met.
    const prompt = generate();
    Deno.bench(`gpt-tokenizer counts ${LENGTH} tokens of ${task.name}`, { group: task.name, baseline: true }, () => {
      countTokens(prompt);
    });
    Deno.bench(`Fathom generates ${LENGTH} tokens of ${task.name}`, { group: task.name }, () => {
      generate();
    });
  }
}
