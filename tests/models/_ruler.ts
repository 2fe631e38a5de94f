import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import type { Materials, Sample, Task } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { stringMatchAll, stringMatchPart } from "@/lib/scorers/string_match.ts";

/** The materials of all tests of the simulated reader. */
export const materials: Materials = await openMaterials({ tokenizer: "cl100k_base" });

/** The variants in which RULER's tasks are worded. */
export const variants: typeof VARIANTS = VARIANTS;

/** Makes one sample. */
export function makeSample(task: Task, length: number, index = 0): Sample {
  return task.sample({ length, seed: "simulated reader", index, materials });
}

/** Scores a text as RULER does; an empty one scores 0. */
export function score(task: Task, sample: Sample, text: string): number {
  const match = task.scorer.name === "all" ? stringMatchAll : stringMatchPart;
  return match(text, sample.references).value ?? 0;
}
