import { equal, rejects } from "node:assert/strict";
import { BENCHMARKS, findFamily } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, openMaterials, openStudy } from "@/lib/studies/mod.ts";
import { openSampleIds } from "@/lib/exchange/sample_ids.ts";

for (const { name, families } of BENCHMARKS.filter(({ tasks }) => tasks.length > 0)) {
  Deno.test(`sampleOf() makes a sample of every task of ${name} again from its id`, async () => {
    const sampleOf = await openSampleIds({ benchmarks: BENCHMARKS });
    const tasks = families.flatMap((family) => [...family.tasks]);
    const opened = await openStudy(checkStudy({ tasks, lengths: [4096] }));
    for (const task of opened.tasks) {
      const length = Math.max(4096, task.leastLength(opened.materials));
      // A seed may have slashes and numbers between them.
      const sample = task.sample({ length, seed: "a/7/b", index: 3, materials: opened.materials });
      const again = await sampleOf(sample.id);
      equal(again.sample.sha256, sample.sha256, sample.id);
      equal(again.task.scorer.name, task.scorer.name);
    }
  });
}

const CHANGED = [
  ["niah", { keys: "8", haystack: "noise" }],
  ["niah", { name: "mine", keys: "8" }],
  ["vt", { variant: "2024" }],
  ["cwe", { variant: "2024" }],
  ["counting_stars", { stars: "16" }],
  ["cdme", { language: "en", trim: "on" }],
  ["cdme", { language: "en", texts: "shared" }],
  ["prompt_recall", { texts: "shared", wording: "request" }],
  ["qa", { documents: "0" }],
] as const;

const TEMPLATES: readonly ChatTemplate[] = [
  { ...chatTemplate("meta-llama3"), name: "meta-llama3+extra-7", extraTokens: 7 },
  { ...chatTemplate("base"), name: "chat+no-prefix", messageTokens: 0, answerPrefix: false },
];

Deno.test("sampleOf() reads knobs, the essays, the tokenizer and the template in an id", async () => {
  const sampleOf = await openSampleIds({ benchmarks: BENCHMARKS });
  const materials = await openMaterials({ tokenizer: "o200k_base", essays: "essays_zh" });
  for (const [family, knobs] of CHANGED) {
    for (const template of TEMPLATES) {
      const task = findFamily(family)!.make(knobs as Parameters<NonNullable<ReturnType<typeof findFamily>>["make"]>[0]);
      const sample = task.sample({ length: 6000, seed: "42", index: 1, materials, template });
      equal((await sampleOf(sample.id)).sample.sha256, sample.sha256, sample.id);
    }
  }
});

const VT = "ruler-2/vt/variant=2026,chains=1,hops=4/cl100k_base/base/1024/42/0";

Deno.test("sampleOf() refuses ids that are not the recipe of a sample, and says why", async () => {
  const sampleOf = await openSampleIds({ benchmarks: BENCHMARKS });
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["nope", /it must be a sample's id, made with cl100k_base, o200k_base, .* current value is "nope"$/],
    [VT.replace("cl100k_base", "qwen-12345678"), /or that of --tokenizer/],
    [VT.replace("/base/", "/own-12345678/"), /its chat template must be/],
    [VT.replace("ruler-2", "ruler-1"), /its suite, task and knobs must be those of a benchmark/],
    [VT.replace("hops=4", "hops=x"), /its suite, task and knobs must be/],
    [VT.replace("hops=4", "hops=4,constructor=1"), /its suite, task and knobs must be/],
    [VT.replace("/1024/", "/128/"), /length must be at least/],
    [`${VT.slice(0, -1)}${"9".repeat(300)}`, /it must be a sample's id.*… \(\d+ characters\) …/],
  ];
  for (const [id, message] of wrong) await rejects(sampleOf(id), { name: "RangeError", message });
});
