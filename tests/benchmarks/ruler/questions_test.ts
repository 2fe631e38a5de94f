import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { checkContexts } from "../_contexts.ts";
import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
import { contextCluster, type GivenKnobs } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const base = await openTestMaterials("o200k_base");

Deno.test.each(
  [
    ["niah_single_1", {}],
    ["niah_single_2", {}],
    ["niah_single_3", { variant: "paper" }],
    ["niah_multikey_1", { questions: 8 }],
    ["niah_multikey_2", {}],
    ["niah_multikey_3", {}],
    ["niah_multivalue", {}],
    ["niah_multiquery", { variant: "2024" }],
    ["niah_single_2", { depth: 0.5 }],
    ["niah_single_2", { depth: 1 }],
  ] as [typeof NIAH.tasks[number], Record<string, string | number>][],
)("several questions about a context of %s with %o share its text, and each has an answer", (name, knobs) => {
  const task = NIAH.task(name, { questions: 4, ...knobs } as GivenKnobs<typeof NIAH.knobs>);
  // The tokens of a line.
  const slack = { "niah_single_1": 25, "niah_multikey_3": 64 }[name as string] ?? 16;
  for (const [each, template] of [[materials, "base"], [base, "meta-chat"], [materials, "lwm-chat"]] as const) {
    checkContexts(task, { materials: each, length: 2048, template: chatTemplate(template), slack });
  }
});

Deno.test("every question about a context has its own keys, and the samples of one question are those without the knob", () => {
  const { options } = NIAH.make({ questions: 4 });
  deepEqual([options["keys"], options["questions"]], [4, 4]);
  equal(NIAH.make({ questions: 4, queries: 2, keys: 3 }).options["keys"], 8);
  equal(NIAH.make({ questions: 4, keys: 16 }).options["keys"], 16);
  deepEqual(NIAH.make({ questions: 1 }).options, NIAH.make().options);
  equal("questions" in NIAH.make().options, false);
  throws(() => NIAH.make({ questions: 100, queries: 11 }), {
    message:
      "Cannot make task niah as queries times questions must be a whole number from 1 to 1000: current value is 1100",
  });
});

Deno.test("the needles of several questions are spread evenly over the depths of their contexts", () => {
  const task = NIAH.task("niah_single_2", { questions: 4 });
  const depths = Array.from({ length: 40 }, (_, index) => {
    const { facts } = task.sample({ length: 4096, seed: "depths", index, materials });
    return facts.find(({ role }) => role === "target")!.depth!;
  });
  const tenths = Map.groupBy(depths, (depth) => Math.min(9, Math.floor(10 * depth)));
  equal(tenths.size, 10);
  for (const [tenth, held] of tenths) ok(held.length >= 2 && held.length <= 6, `${held.length} at ${tenth}`);
});

Deno.test("clusterOf() gives the samples of a context one cluster at each length, from the place or the id of a sample", () => {
  const task = NIAH.task("niah_single_2", { questions: 4 });
  const place = { seed: "a/b", length: 4096 };
  const clusters = Array.from({ length: 9 }, (_, index) => task.clusterOf!({ ...place, index }));
  deepEqual([clusters[0], clusters[8]], [0, 2].map((context) => `context:ruler-2/niah_single_2/4096/a/b/${context}`));
  equal(new Set(clusters).size, 3);
  notEqual(task.clusterOf!({ ...place, length: 8192, index: 0 }), clusters[0]);
  const sample = task.sample({ ...place, index: 5, materials });
  equal(sample.cluster, clusters[5]);
  equal(contextCluster({ ...sample, ...place, sample: sample.id }), clusters[5]);
  const plain = NIAH.task("niah_single_2");
  deepEqual([plain.clusterOf!({ ...place, index: 5 }), "cluster" in plain.sample({ ...place, index: 5, materials })], [
    undefined,
    false,
  ]);
});
