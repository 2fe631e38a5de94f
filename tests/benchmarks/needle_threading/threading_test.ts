import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { userText } from "@/lib/generators/mod.ts";
import { firstAnswer } from "@/lib/scorers/mod.ts";

Deno.test("THREADING.make() leaves room for each value asked for, of needles and of threads alike", () => {
  const roomFor = (knobs: Parameters<typeof THREADING.make>[0]): number => THREADING.make(knobs).answerRoom;
  const rooms = [1, 2, 3, 5].map((needles) => roomFor({ kind: "multi_needle", needles }));
  deepEqual(rooms, rooms.toSorted((left, right) => left - right));
  equal(new Set(rooms).size, 4);
  deepEqual([1, 2, 3, 5].map((threads) => roomFor({ kind: "multi_thread", threads })), rooms);
  deepEqual([roomFor({ kind: "single_needle" }), roomFor({ kind: "single_thread", steps: 7 })], [rooms[0], rooms[0]]);
});

const materials = await openTestMaterials("cl100k_base");

Deno.test("the needles of several questions are spread over the depths of the grid", () => {
  const task = THREADING.task("threading_single_needle", { questions: 4 });
  const depths = Array.from(
    { length: 44 },
    (_, index) => task.sample({ length: 4096, seed: "depths", index, materials }).depth!,
  );
  const held = Map.groupBy(depths, (depth) => depth);
  equal(held.size, 11);
  for (const each of held.values()) equal(each.length, 4);
});

Deno.test("the questions about a context of marked keys are at most the marks, and all pairs are planted", () => {
  throws(() => THREADING.task("threading_conditional_needle", { questions: 11 }), {
    message:
      "Cannot make task threading_conditional_needle as questions must be a whole number from 1 to 10: current value is 11",
  });
  throws(() => THREADING.task("threading_multi_needle", { questions: 3, pairs: 14 }), {
    message:
      "Cannot make task threading_multi_needle as pairs must be a whole number from 15 to 50000: current value is 14",
  });
});

Deno.test("THREADING.make() puts small objects with question and answer before the haystack, and ends where the value comes", () => {
  const sample = THREADING.task("threading_single_needle", { pairs: 2, examples: 2 })
    .sample({ length: 1024, seed: "42", index: 0, materials });
  const user = userText(sample.prompt);
  equal(user.match(/\n Corresponding value: [0-9a-f-]{36}\n\n\{/g)?.length, 2);
  ok(user.endsWith("\n Corresponding value:"));
  deepEqual(sample.facts.map(({ role }) => role), [...Array(6).fill("example"), "distractor", "target"]);
  ok(sample.id.includes(",pairs=2,examples=2/"));
});

Deno.test.each(
  [
    // Two pairs that nothing asks for, and at most 3 needles, 2 threads, 3 steps and branches of 2 pairs.
    [{ kind: "single_needle" }, 1 + 2],
    [{ kind: "multi_needle", needles: 2 }, 2 + 2],
    [{ kind: "conditional_needle", needles: 9 }, 3 + 2],
    [{ kind: "single_thread", steps: 2 }, 2 + 2],
    [{ kind: "multi_thread", threads: 1, steps: 2 }, 2 + 2],
    [{ kind: "multi_thread", threads: 9, steps: 9 }, 2 * 3 + 2],
    [{ kind: "branched_thread", steps: 3, branching: 2 }, 4 + 2],
    [{ kind: "branched_thread", steps: 9, branching: 9 }, 4 + 2],
  ] as const,
)("THREADING.make(%j) has worked examples of %d pairs", (knobs, pairs) => {
  const sample = THREADING.make({ ...knobs, examples: 2 }).sample({ length: 32_000, seed: "42", index: 0, materials });
  equal(sample.facts.filter(({ role }) => role === "example").length, 2 * pairs);
});

Deno.test("THREADING.make() scores the first answer of a base model that goes on after it", () => {
  for (const name of ["threading_single_needle", "threading_multi_needle"] as const) {
    const task = THREADING.task(name, { examples: 1, pairs: 6 });
    const sample = task.sample({ length: 2048, seed: "42", index: 0, materials });
    const answer = name === "threading_multi_needle"
      ? ` ${JSON.stringify(sample.references)}`
      : ` ${sample.references[0]}`;
    const rest =
      `\n\n{"2687fcbe-bbf4-291d-f3b2-81d1c89743e7": "42370e5f-9685-d942-2801-1bfe4043b2aa"}\nExtract the value`;
    equal(task.scorer.grade(firstAnswer(answer + rest, sample.references).text, sample).score.value, 1, name);
  }
});
