import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS, findFamily } from "@/lib/benchmarks/mod.ts";
import { type Sample, type Task, userText } from "@/lib/generators/mod.ts";

// A text that several samples share decides their scores together, so by default each sample has one of its own.

const materials = await openTestMaterials("cl100k_base");

const TASKS = BENCHMARKS.flatMap(({ families }) => families)
  .flatMap((family) => family.tasks.map((name): [string, Task] => [name, family.task(name)]));

function unitsOf(task: Task, lengths: readonly number[]): number {
  const clusters = lengths.flatMap((length) =>
    Array.from({ length: 40 }, (_, index) => task.clusterOf?.({ length, seed: "42", index }) ?? `${length}/${index}`)
  );
  return new Set(clusters).size;
}

function make(task: Task, index: number): Sample {
  return task.sample({ length: 2048, seed: "42", index, materials });
}

Deno.test.each(TASKS.filter(([name]) => !name.startsWith("cdme_original")))(
  "each of 40 samples of %s at a length is an independent unit",
  (name, task) => {
    equal(unitsOf(task, [4096]), 40);
    // A question of qa is asked at every length, with other documents.
    equal(unitsOf(task, [4096, 8192]), /^qa_/.test(name) ? 40 : 80);
  },
);

Deno.test.each(["cdme_zh", "cdme_multi_en", "cdme_varied_zh", "recall_pizza", "recall_thornfield"])(
  "samples of %s have texts that begin somewhere else, also at another length and in another order",
  (name) => {
    const task = findFamily(name)!.task(name);
    const startOf = (index: number, length = 2048): string => {
      const text = userText(task.sample({ length, seed: "42", index, materials }).prompt);
      return text.slice(200, 300);
    };
    const starts = [0, 1, 2, 3, 4].map((index) => startOf(index));
    equal(new Set([...starts, startOf(0, 3000)]).size, 6);
    equal(startOf(3), starts[3]);
  },
);

Deno.test.each(["cdme_zh", "recall_pizza", "recall_san_francisco"])(
  "texts: shared asks all depths of a round of %s about one text, in an earlier version of the suite",
  (name) => {
    const family = findFamily(name)!;
    const [own, shared] = [{ depths: 3 }, { depths: 3, texts: "shared" }].map((knobs) => family.task(name, knobs));
    equal(unitsOf(shared!, [4096, 8192]), 14);
    deepEqual([own!.suite, shared!.suite], family.suites);
    notEqual(make(own!, 1).sha256, make(shared!, 1).sha256);
    deepEqual(new Set([0, 1, 2].map((index) => make(shared!, index).cluster)).size, 1);
    deepEqual([0, 1, 2].map((index) => make(own!, index).depth), [0, 1, 2].map((index) => make(shared!, index).depth));
  },
);

Deno.test("prompts of recall have texts of their own, and with texts: shared the same", () => {
  for (const texts of ["own", "shared"]) {
    const [one, other] = ["recall_thornfield", "recall_pistachio"].map((name) =>
      findFamily(name)!.task(name, { texts })
    );
    for (const index of [0, 7]) equal(make(one!, index).cluster, make(other!, index).cluster);
    const [left, right] = [one, other].map((task) => userText(make(task!, 0).prompt).slice(100, 300));
    equal(left === right, texts === "shared");
  }
});

Deno.test("each needle of cdme_varied_zh is in both halves of the text, and at other depths in the next round", () => {
  const task = findFamily("cdme_varied_zh")!.task("cdme_varied_zh");
  const samples = Array.from({ length: 40 }, (_, index) => make(task, index));
  const needles = Map.groupBy(samples, ({ references }) => references[0]!);
  equal(needles.size, 10);
  for (const ofNeedle of needles.values()) {
    const depths = ofNeedle.map(({ depth }) => depth!);
    equal(new Set(depths).size, 4);
    for (const round of [depths.slice(0, 2), depths.slice(2)]) {
      ok(Math.min(...round) < 0.5 && Math.max(...round) >= 0.5);
    }
  }
});

Deno.test("the editions of Counting-Stars that always begin at the start of the essays are one unit", () => {
  for (const edition of ["v1", "v3"]) equal(unitsOf(findFamily("counting_stars")!.make({ edition }), [4096, 8192]), 1);
});
