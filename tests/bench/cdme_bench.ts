/** How fast CDME's samples of 131,072 tokens are generated in Chinese, with English as the baseline. */
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/mod.ts";
import { openMaterials } from "@/lib/runs/mod.ts";

const materials = await openMaterials();

for (const needles of ["", "multi_"] as const) {
  for (const language of ["en", "zh"] as const) {
    const task = CDME_NEEDLES.task(`cdme_${needles}${language}`);
    let index = 0;
    const generate = (): string =>
      task.sample({ length: 131_072, seed: "bench", index: index++, materials }).prompt.user;
    // Essays are indexed once, when they are first met.
    generate();
    Deno.bench(`${task.name}, 131072 tokens`, { group: `cdme ${needles}`, baseline: language === "en" }, () => {
      generate();
    });
  }
}
