import { deepEqual, equal } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { threadingRowFields } from "@/lib/benchmarks/needle_threading/test_rows.ts";
import { NEEDLE_THREADING, THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import type { GivenKnobs, Sample } from "@/lib/generators/mod.ts";

/** Makes the error for a value of a row. */
const refuse = (wanted: string): Error => new SyntaxError(wanted);

const files = NEEDLE_THREADING.testFiles!;
const materials = await openTestMaterials("cl100k_base");

interface Written {
  readonly sample: Sample;
  readonly row: Readonly<Record<string, unknown>>;
}

function writeRow(knobs: GivenKnobs<typeof THREADING.knobs>, index = 0): Written {
  const task = THREADING.make({ pairs: 40, ...knobs });
  const sample = task.sample({ length: 8000, seed: "1", index, materials });
  return { sample, row: files.write(sample, task) };
}

const all = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : [value];

/** Follows a key through an object as far as it goes. */
function follow(pairs: Readonly<Record<string, string>>, key: string): readonly string[] {
  const value = pairs[key];
  return value === undefined ? [] : [value, ...follow(pairs, value)];
}

Deno.test("a sample in the form of the authors' rows has its keys in the question's order, with the values of each", () => {
  for (
    const kind of ["single_needle", "multi_needle", "conditional_needle", "single_thread", "multi_thread"] as const
  ) {
    for (let index = 0; index < 4; index++) {
      const { sample, row } = writeRow({ kind }, index);
      const pairs = JSON.parse(String(row["haystack"]));
      const [keys, values] = [all(row["keys"]) as string[], all(row["values"])];
      deepEqual(values, sample.references);
      deepEqual(keys.map((key) => follow(pairs, key).at(-1)), values, kind);
      if (kind !== "conditional_needle") {
        const places = keys.map((key) => String(row["question"]).indexOf(key));
        deepEqual(places, places.toSorted((left, right) => left - right));
        equal(places.every((place) => place >= 0), true);
      }
      const steps = kind.endsWith("thread") ? row["thread_length"] : 1;
      equal(keys.every((key) => follow(pairs, key).length === steps), true);
      deepEqual([row["id"], row["num_kv_pairs"], row["context_length"]], [index, 40, 3200]);
    }
  }
});

Deno.test("a haystack is one JSON object with a space between pairs, however few they are", () => {
  for (
    const knobs of [{ kind: "single_needle" }, { kind: "multi_needle", needles: 2 }, { kind: "single_thread" }] as const
  ) {
    for (const pairs of [6, 7, 11, 12]) {
      for (let index = 0; index < 11; index++) {
        const { row } = writeRow({ ...knobs, pairs }, index);
        const inside = Object.entries(JSON.parse(String(row["haystack"]))).map(([key, value]) =>
          `"${key}": "${value}"`
        );
        equal(inside.length, pairs);
        equal(row["haystack"], `{${inside.join(", ")}}`);
      }
    }
  }
});

Deno.test.each([
  [{ kind: "single_needle" }, [1, "depthwise", "N/A", 1, "N/A", 0]],
  [{ kind: "multi_needle", needles: 3, placement: "clustered" }, [3, "clustered", "N/A", 1, "N/A", 0]],
  [{ kind: "conditional_needle", needles: 2, character: "#" }, [2, "random", "#", 1, "N/A", 0]],
  [{ kind: "single_thread", steps: 4, direction: "forward" }, [0, "N/A", "N/A", 4, "forward", 1]],
  [{ kind: "multi_thread", threads: 2, steps: 3, direction: "backward" }, [0, "N/A", "N/A", 3, "backward", 2]],
] as [GivenKnobs<typeof THREADING.knobs>, readonly unknown[]][])(
  "the row of %o says %o of its settings",
  (knobs, wanted) => {
    const { row } = writeRow(knobs);
    const named = ["num_needles", "needle_placement", "conditional_character", "thread_length", "thread_direction"];
    deepEqual([...named, "num_threads"].map((name) => row[name]), wanted);
  },
);

Deno.test("a row has its depth in percent, and its repeat among eleven depths", () => {
  const depths = Array.from({ length: 22 }, (_, index) => {
    const { sample, row } = writeRow({ kind: "single_needle" }, index);
    const { depth } = files.read(row, refuse)!;
    equal(depth, Math.round(100 * sample.depth!) / 100);
    equal(row["repeat_number"], index < 11 ? 0 : 1);
    return depth!;
  });
  const tenths = depths.slice(0, 11).map((depth) => 10 * depth).sort((left, right) => left - right);
  deepEqual(tenths.map(Math.round), Array.from({ length: 11 }, (_, tenth) => tenth));
  const { row } = writeRow({ kind: "multi_thread" }, 5);
  equal("depth" in files.read(row, refuse)!, false);
  deepEqual([row["repeat_number"], row["needle_depth"]], [5, "N/A"]);
});

Deno.test("the length of a row is the paper's size near its characters, and else what its pairs take", () => {
  const row = { haystack: "{}", question: "?", values: ["a"], "context_length": 2000 };
  const lengthAt = (characters: number): number | undefined =>
    files.read({ ...row, "context_length": characters }, refuse)?.length;
  // Sizes of 1,200 tokens have 2,000 characters, those of 2,500 have 4,200; others have 49.3 tokens in 80 characters.
  deepEqual([1800, 2000, 2200, 3780, 4200, 4620].map(lengthAt), [1200, 1200, 1200, 2500, 2500, 2500]);
  deepEqual([800, 1760, 2240, 3200].map(lengthAt), [493, 1085, 1380, 1972]);
  for (const name of ["haystack", "question", "context_length"]) {
    equal(files.read({ ...row, [name]: null }, refuse), null, name);
  }
});

Deno.test("a row's values are one or a list, and its depth is left out where it is no percentage", () => {
  const row = { haystack: "{}", question: "?", "context_length": 2000 };
  const read = (more: object) => files.read({ ...row, ...more }, refuse)!;
  deepEqual(read({ values: "a" }).references, ["a"]);
  deepEqual(read({ values: ["a", 2] }).references, ["a", "2"]);
  const depths = ["0", "100", 50, "N/A", "101", -1, null]
    .map((depth) => read({ "needle_depth": depth, values: "a" }).depth);
  deepEqual(depths, [0, 1, 0.5, undefined, undefined, undefined, undefined]);
});

Deno.test.each([
  ["Single_Needle", "threading_single_needle"],
  ["Multiple_Needles", "threading_multi_needle"],
  ["multi_thread", "threading_multi_thread"],
  ["Conditional_Needle", "threading_conditional_needle"],
  ["Single_Needle_2", undefined],
  ["My_Single_Needle", undefined],
] as [string, string | undefined][])("the task of a file called %s is %s", (name, task) => {
  equal(files.taskOf(name), task);
});

Deno.test("threadingRowFields() names outputs of either file, and leaves rows without them as they are", () => {
  const fields = (row: Readonly<Record<string, unknown>>) => threadingRowFields(row);
  deepEqual(fields({ Output: "a", Answer: "b" }), { Output: "a", Answer: "b", pred: "a", outputs: ["b"] });
  deepEqual(fields({ Output: "a", values: ["b", "c"], Answer: "d" })["outputs"], ["b", "c"]);
  for (const row of [{ Output: "a" }, { values: ["b"] }, { pred: "a", outputs: ["b"] }]) deepEqual(fields(row), row);
});
