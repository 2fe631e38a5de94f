/**
 * How fast samples are generated, as ratios to counting the same tokens once with gpt-tokenizer.
 *
 * A group's baseline counts one prompt of 131,072 tokens; what stands under it generates such a prompt, exactly fitted. The
 * number in a name is the tokens of one iteration, so that tokens a second follow.
 */
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { checkStudy, makeTasks, openMaterials } from "@/lib/runs/mod.ts";

const LENGTH = 131_072;
const materials = await openMaterials();

for (const task of makeTasks(checkStudy({ tasks: "all" }))) {
  let index = 0;
  const generate = (): string => task.sample({ length: LENGTH, seed: "bench", index: index++, materials }).prompt.user;
  // Units are counted when they are first met; what is timed is the work of each further sample.
  const prompt = generate();
  Deno.bench(`gpt-tokenizer counts ${LENGTH} tokens of ${task.name}`, { group: task.name, baseline: true }, () => {
    countTokens(prompt);
  });
  Deno.bench(`Fathom generates ${LENGTH} tokens of ${task.name}`, { group: task.name }, () => {
    generate();
  });
}
