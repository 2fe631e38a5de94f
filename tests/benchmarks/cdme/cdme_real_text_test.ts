import { equal, ok } from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { openTestMaterials } from "../../generators/_materials.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/mod.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { type Haystack, makeHaystack } from "@/lib/text/mod.ts";

const FOLDER = new URL("../../../../shared/data/haystacks/", import.meta.url);
const NOVELS = ["journey_to_the_west", "story_of_the_stone"];

for (const novel of NOVELS) {
  const path = new URL(`${novel}.zh.txt`, FOLDER);
  const text = readText(path);
  Deno.test({
    name: text === undefined
      ? `CDME in a whole Chinese novel, ${novel} (skipped: there is none at ../shared/data/haystacks)`
      : `CDME in a whole Chinese novel, ${novel}`,
    ignore: text === undefined,
    fn: async (t) => {
      const materials = await openTestMaterials("cl100k_base");
      const essays = makeHaystack([text!], { name: novel, tokenizer: materials.tokenizer, locale: "zh" });
      const own = { ...materials, essays, essaysIn: () => essays };
      for (const name of ["cdme_zh", "cdme_multi_zh", "cdme_varied_zh"] as const) {
        for (const length of [2000, 32_000, 131_072]) {
          await t.step(`${name} at ${length} tokens`, () => {
            for (const index of [0, 11, 19, 27]) checkSample({ name, length, index }, own);
          });
        }
      }
    },
  });
}

function checkSample(
  { name, length, index }: { name: "cdme_zh" | "cdme_multi_zh" | "cdme_varied_zh"; length: number; index: number },
  materials: Materials & { essays: Haystack },
): void {
  const { prompt: { user }, promptTokens, facts, depth } = CDME_NEEDLES.task(name).sample({
    length,
    seed: "9",
    index,
    materials,
  });
  equal(promptTokens, countTokens(user));
  ok(promptTokens <= length - 200 && promptTokens > length - 212, `${promptTokens}`);
  for (const [at, fact] of facts.entries()) {
    const [before, after, ...more] = user.split(fact.text);
    equal(more.length, 0);
    // A sentence ends before the needle, and with the needle itself.
    ok(/[。！？；：…”’』」）》"'\n]\n?$|用户现在给你的文档是\n?$/.test(before!), before!.slice(-30));
    ok(/[。！？]$/.test(fact.text) && !/^[，。、；：！？”』」）》]/.test(after!.trimStart()), after!.slice(0, 30));
    const wanted = Math.min(1, depth! + 0.25 * at);
    // Sentences of these novels have up to 1,100 tokens.
    ok(Math.abs(fact.depth! - wanted) <= 600 / length + 0.03, `${fact.depth}, wanted ${wanted}`);
  }
}

function readText(path: URL): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
