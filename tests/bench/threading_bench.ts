/**
 * How fast Needle Threading's samples of 630,000 tokens, the paper's longest, are generated, as ratios to counting the same
 * tokens once with gpt-tokenizer. An iteration of at most a second is what is wanted.
 */
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { THREADING } from "@/lib/benchmarks/needle_threading/mod.ts";
import { checkStudy, makeTasks, openMaterials } from "@/lib/runs/mod.ts";

const LENGTH = 630_000;
const materials = await openMaterials();

for (const task of makeTasks(checkStudy({ tasks: THREADING.tasks }))) {
  let index = 0;
  const generate = (): string => task.sample({ length: LENGTH, seed: "bench", index: index++, materials }).prompt.user;
  const prompt = generate();
  Deno.bench(
    `gpt-tokenizer counts ${LENGTH} tokens of ${task.name}`,
    { group: task.name, baseline: true, n: 5 },
    () => {
      countTokens(prompt);
    },
  );
  Deno.bench(`Fathom generates ${LENGTH} tokens of ${task.name}`, { group: task.name, n: 5 }, () => {
    generate();
  });
}
