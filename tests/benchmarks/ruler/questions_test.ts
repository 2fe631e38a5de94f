import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { contextCluster, type GivenKnobs } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("contexts of questions are one cluster at all lengths, but for fresh questions, and single questions as before", () => {
  const clustersOf = (knobs: GivenKnobs<typeof QUESTION_ANSWERING.knobs>): readonly (string | undefined)[] => {
    const task = QUESTION_ANSWERING.task("qa_2", knobs);
    return [[0, 4096], [3, 4096], [4, 4096], [4, 8192]].map(([index, length]) => {
      const place = { seed: "42", index: index!, length: length! };
      const { cluster, id, suite, task: name } = task.sample({ ...place, materials });
      equal(task.clusterOf!(place), cluster);
      equal(QUESTION_ANSWERING.clusterOf!({ ...place, sample: id, suite, task: name }), cluster);
      return cluster;
    });
  };
  deepEqual(clustersOf({}), [0, 3, 4, 4].map((index) => `question:hops=2/42/${index}`));
  deepEqual(clustersOf({ questions: 4 }), [0, 0, 1, 1].map((index) => `context:hops=2,questions=4/42/${index}`));
  const fresh = [[0, 4096], [3, 4096], [4, 4096], [4, 8192]];
  deepEqual(
    clustersOf({ fresh: "on" }),
    fresh.map(([index, length]) => `question:hops=2,length=${length}/42/${index}`),
  );
  equal(new Set(clustersOf({ fresh: "on", questions: 4, variant: "2024", documents: 9 })).size, 3);
});

Deno.test("fresh questions differ between lengths, and others do not", () => {
  const asked = (fresh: "on" | "off", length: number): readonly string[] =>
    Array.from(
      { length: 5 },
      (_, index) =>
        QUESTION_ANSWERING.task("qa_1", { fresh }).sample({ length, seed: "1", index, materials }).prompt.messages[0]!
          .text
          .split("\n").at(-1)!,
    );
  deepEqual(asked("off", 2048), asked("off", 4096));
  equal(new Set([...asked("on", 2048), ...asked("on", 4096), ...asked("off", 4096)]).size, 15);
});

Deno.test.each(
  [
    [{ documents: 0, questions: 2 }, "questions must be 1 without documents: current value is 2"],
    [
      { documents: 7, questions: 4, hops: 2 },
      "documents must be 0 or a whole number from 8 to 50000: current value is 7",
    ],
  ] as [GivenKnobs<typeof QUESTION_ANSWERING.knobs>, string][],
)("question answering refuses %o", (knobs, message) => {
  throws(() => QUESTION_ANSWERING.make(knobs), { name: "RangeError", message: `Cannot make task qa as ${message}` });
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
