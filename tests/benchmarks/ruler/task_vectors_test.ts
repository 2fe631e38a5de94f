import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { taskVectors } from "@/lib/benchmarks/ruler/mod.ts";

const cell = (model: string, task: string, length: number, score: number | null) =>
  Object.freeze({ model, task, length, score });

Deno.test("taskVectors() lays models out in their order, their lengths rising, and leaves what was not asked open", () => {
  const vectors = taskVectors([
    cell("b", "vt", 8192, 60),
    cell("b", "vt", 4096, 70),
    cell("a", "cwe", 4096, null),
    cell("a", "vt", 4096, 90),
  ]);
  deepEqual(vectors, {
    tasks: ["vt", "cwe"],
    columns: [{ model: "b", length: 4096 }, { model: "b", length: 8192 }, { model: "a", length: 4096 }],
    values: [[70, 60, 90], [null, null, null]],
  });
});

Deno.test("taskVectors() holds every score once", () => {
  const cells = ["a", "b"].flatMap((model) =>
    ["t", "u", "v"].flatMap((task) => [1, 2].map((length) => cell(model, task, length, model.length + length)))
  );
  fc.assert(fc.property(fc.shuffledSubarray(cells, { minLength: 1 }), (scores) => {
    const { values } = taskVectors(scores);
    equal(values.flat().filter((value) => value !== null).length, scores.length);
  }));
});

Deno.test("taskVectors() refuses an empty run, a run without any score, and two scores of one cell", () => {
  throws(() => taskVectors([]), {
    name: "RangeError",
    message: "Cannot make task vectors as there must be at least one score: current value is 0 of 0",
  });
  throws(() => taskVectors([cell("a", "vt", 4096, null)]), { message: /current value is 0 of 1/ });
  throws(() => taskVectors([cell("a", "vt", 4096, 1), cell("a", "vt", 4096, 2)]), {
    message:
      'Cannot make task vectors as a task must have one score for each model and length: current value is two for "vt" of a at 4K',
  });
});
