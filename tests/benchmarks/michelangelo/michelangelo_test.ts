import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { drawNothing, drawOperations, runAll } from "@/lib/benchmarks/michelangelo/operations.ts";
import { MICHELANGELO } from "@/lib/benchmarks/michelangelo/michelangelo.ts";
import { type Sample, type Task, userText } from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const [list, idk] = MICHELANGELO.families;

function makeAll(task: Task, count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => task.sample({ length: 2048, seed: "1", index, materials }));
}

Deno.test("operations change a list as Python does", () => {
  // CPython 3.11: numbers = [5, 1, 9]; append(7), insert(1, 3), remove(9), reverse(), pop(1), sort(), pop().
  const operations = [
    ...[["append", 7], ["insert", 1, 3], ["remove", 9], ["reverse"], ["pop", 1], ["sort"], ["pop"]] as const,
  ];
  const lists = operations.map((_, last) => runAll([5, 1, 9], operations.slice(0, last + 1)));
  deepEqual(lists, [[5, 1, 9, 7], [5, 3, 1, 9, 7], [5, 3, 1, 7], [7, 1, 3, 5], [7, 3, 5], [3, 5, 7], [3, 5]]);
  equal(runAll([5], [["remove", 4]]), null);
});

Deno.test("each relevant statement matters, and the others leave every list as it is", () => {
  const draw = stream("operations");
  const start = [11, 12, 13, 14, 15, 16];
  const values = Array.from({ length: 40 }, (_, at) => 101 + at);
  const operations = drawOperations(draw, start, values);
  const end = runAll(start, operations)!;
  const others = operations.map((_, left) => runAll(start, operations.toSpliced(left, 1)));
  ok(others.every((other) => other === null || String(other) !== String(end)));
  for (let times = 0; times < 200; times++) {
    const lines = drawNothing(draw, values.map((value) => value + 400), () => 1000).split("\n").filter((line) =>
      !line.startsWith("print")
    );
    const nothing = lines.map((line) => {
      const [, name, given] = /^numbers\.(\w+)\((.*)\) {2}# 1000$/.exec(line)!;
      return [name, ...given === "" ? [] : given!.split(", ").map(Number)] as unknown as typeof operations[number];
    });
    for (const numbers of [start, start.slice(0, 4), end]) deepEqual(runAll(numbers, nothing), numbers);
  }
});

Deno.test("latent_list prints the six views in turn, or the one of the knob", () => {
  const printed = (task: Task): string[] => makeAll(task, 6).map(({ question }) => question.replaceAll(/\d+/g, "n"));
  const slice = "numbers[n:n]";
  const views = ["numbers", slice, `sum(${slice})`, "len(numbers)", `min(${slice})`, `max(${slice})`];
  deepEqual(printed(list!.make()), views.map((view) => `print(${view})`));
  deepEqual(new Set(printed(list!.make({ view: "sum" }))), new Set([`print(sum(${slice}))`]));
  equal(makeAll(list!.make({ relevant: 20 }), 1)[0]!.facts.length, 20);
});

Deno.test("idk: the answer is in the text of the share that the knob says, and otherwise nothing of that trait", () => {
  for (const [answerable, wanted] of [[0, 0], [0.3, 12], [1, 40]] as const) {
    const samples = makeAll(idk!.make({ answerable }), 40);
    const known = samples.filter(({ references }) => !references[0]!.endsWith(") I don't know"));
    ok(Math.abs(known.length - wanted) <= 1, `${known.length} of ${wanted}`);
    deepEqual(known, samples.filter(({ facts }) => facts.some(({ role }) => role === "target")));
    for (const { prompt, facts } of samples) {
      match(userText(prompt), /\n\(A\) .+\n\(B\) .+\n\(C\) .+\n\(D\) I don't know\n/);
      equal(facts.length, 3);
    }
  }
});

Deno.test("a knob outside its range is refused", () => {
  throws(() => idk!.make({ choices: 1 }), {
    name: "RangeError",
    message: "Cannot make task idk as choices must be a whole number from 2 to 9: current value is 1",
  });
});
