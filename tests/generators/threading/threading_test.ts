import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  type Sample,
  type Task,
  type ThreadingKind,
  type ThreadingOptions,
  threadingTask,
} from "@/lib/generators/mod.ts";
import { openTestMaterials } from "../_materials.ts";
import { readPairs, waysFrom } from "../_uuid_object.ts";

const materials = await openTestMaterials("cl100k_base");

const KINDS: readonly ThreadingKind[] = [
  "single_needle",
  "multi_needle",
  "conditional_needle",
  "single_thread",
  "multi_thread",
  "branched_thread",
];

const CONFIGURATIONS: readonly ThreadingOptions[] = [
  ...KINDS.map((kind) => ({ kind })),
  { kind: "multi_needle", needles: 25, placement: "clustered" },
  { kind: "multi_needle", needles: 2 },
  { kind: "conditional_needle", needles: 3, character: "&", placement: "clustered" },
  ...(["forward", "backward", "random"] as const).flatMap((direction): ThreadingOptions[] => [
    { kind: "single_thread", steps: 25, direction },
    { kind: "multi_thread", threads: 5, steps: 4, direction },
    { kind: "branched_thread", steps: 6, branching: 3, direction },
  ]),
];

const tasks = new Map<string, Task>();

function make(options: ThreadingOptions, request: { length?: number; seed?: string; index?: number } = {}): Sample {
  const key = JSON.stringify(options);
  const task = tasks.get(key) ?? threadingTask(options);
  tasks.set(key, task);
  const { length = task.leastLength(materials) + 300, seed = "tests", index = 0 } = request;
  return task.sample({ length, seed, index, materials });
}

function askedKeys({ prompt: { user } }: Sample): string[] {
  const question = user.slice(user.indexOf("\n"));
  return Array.from(question.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g), ([key]) => key);
}

Deno.test("threadingTask() asks for a single needle in the words of the paper's code", () => {
  const { prompt, facts, references } = make({ kind: "single_needle" }, { length: 1024 });
  const { key } = facts.find(({ role }) => role === "target")!;
  // The prompt of the README of the paper's repository.
  const question = "Extract the value corresponding to the specified key in the JSON object. " +
    `Key: "${key}"\n Corresponding value: `;
  const [haystack] = prompt.user.split("\n");
  equal(prompt.user, `${haystack}\n${question}`);
  equal(JSON.parse(haystack!)[key], references[0]);
});

Deno.test("threadingTask() writes an object of UUIDs as the paper does, 80 characters a pair", () => {
  const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  const form = new RegExp(`^\\{("${uuid}": "${uuid}", )*"${uuid}": "${uuid}"\\}$`);
  for (const options of CONFIGURATIONS) {
    const { user } = make(options).prompt;
    const haystack = user.slice(0, user.indexOf("\n"));
    if (options.kind !== "conditional_needle") ok(form.test(haystack));
    equal(haystack.length, 80 * readPairs(user).length);
    equal(readPairs(user).every(([key, value]) => key.length === 36 && value.length === 36), true);
  }
});

Deno.test("threadingTask() fills every length to the token, and counts facts and offsets rightly", () => {
  for (const options of CONFIGURATIONS) {
    const task = threadingTask(options);
    for (const length of [4096, 8191, 32768]) {
      const { promptTokens, prompt, answerRoom, facts } = task.sample({ length, seed: "fill", index: 1, materials });
      equal(promptTokens, materials.tokenizer.count(prompt.user), `${task.name} ${length}`);
      ok(promptTokens + answerRoom <= length);
      ok(promptTokens + answerRoom >= length - 2, `${task.name} ${length}: ${promptTokens}`);
      equal(facts.length, readPairs(prompt.user).length);
      for (const { text, tokenOffset } of facts.slice(0, 3)) {
        ok(Math.abs(materials.tokenizer.count(prompt.user.slice(0, prompt.user.indexOf(text))) - tokenOffset!) <= 1);
      }
    }
  }
});

Deno.test("threadingTask() fits any length from the least one up, for any seed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...CONFIGURATIONS), fc.nat(2000), fc.string(), (options, more, seed) => {
      const task = threadingTask(options);
      const length = task.leastLength(materials) + more;
      const { promptTokens, prompt } = task.sample({ length, seed, index: 0, materials });
      equal(promptTokens, materials.tokenizer.count(prompt.user));
      ok(promptTokens + task.answerRoom <= length);
    }),
    { numRuns: 200, seed: 3 },
  );
});

Deno.test("threadingTask() makes 2,000 samples in which every key is different, save where a thread branches", () => {
  for (let index = 0; index < 2000; index++) {
    const options = CONFIGURATIONS[index % CONFIGURATIONS.length]!;
    const { prompt } = make(options, { index });
    const pairs = readPairs(prompt.user);
    equal(new Set(pairs.map(([, value]) => value)).size, pairs.length);
    const counts = [...Map.groupBy(pairs, ([key]) => key).values()].map((same) => same.length);
    if (options.kind !== "branched_thread") {
      equal(counts.every((count) => count === 1), true);
      continue;
    }
    const { steps = 5, branching = 2 } = options;
    equal(counts.filter((count) => count === branching).length, steps - 2);
    equal(counts.filter((count) => count === 1).length, counts.length - (steps - 2));
  }
});

Deno.test("threadingTask() makes 2,000 samples whose threads have no circle, the steps asked for, and one longest branch", () => {
  const threads = CONFIGURATIONS.filter(({ kind }) => kind?.endsWith("thread"));
  for (let index = 0; index < 2000; index++) {
    const options = threads[index % threads.length]!;
    const sample = make(options, { index });
    const pairs = readPairs(sample.prompt.user);
    const steps = options.steps ?? (options.kind === "multi_thread" ? 3 : 5);
    const keys = askedKeys(sample);
    equal(keys.length, sample.references.length);
    keys.forEach((key, thread) => {
      const ways = waysFrom(key, pairs);
      const longest = ways.filter((way) => way.steps === Math.max(...ways.map((each) => each.steps)));
      deepEqual(longest, [{ end: sample.references[thread], steps }]);
      // Each step before the last but the first has branching - 1 ways that end there.
      const branching = options.kind === "branched_thread" ? options.branching ?? 2 : 1;
      equal(ways.length, 1 + (steps - 2) * (branching - 1));
      deepEqual(sample.paths?.[thread]?.at(-1), sample.references[thread]);
      equal(sample.paths?.[thread]?.length, steps);
    });
    // No pair leads into a thread from outside, nor out of a value that ends one.
    const inside = new Set(keys.flatMap((key) => waysFrom(key, pairs).map(({ end }) => end)));
    const linked = pairs.filter(([, value]) => pairs.some(([key]) => key === value)).length;
    equal(linked, keys.length * (steps - 1));
    equal(pairs.some(([key]) => inside.has(key)), false);
  }
});

Deno.test("threadingTask() lays threads forward, backward and in any order", () => {
  const places = (direction: "forward" | "backward" | "random", index: number): number[] => {
    const { paths, facts } = make({ kind: "single_thread", steps: 8, direction }, { index });
    return paths![0]!.map((value) => facts.findIndex((fact) => fact.value === value));
  };
  for (let index = 0; index < 50; index++) {
    const [forward, backward] = [places("forward", index), places("backward", index)];
    deepEqual(forward, forward.toSorted((left, right) => left - right));
    deepEqual(backward, backward.toSorted((left, right) => right - left));
  }
  const random = Array.from({ length: 50 }, (_, index) => places("random", index));
  const rises = random.map((at) => at.filter((place, step) => step > 0 && place > at[step - 1]!).length);
  // 7 steps, each up or down: 3.5 up on average, and all of one kind in 2 of 40,320 orders.
  const mean = rises.reduce((sum, count) => sum + count, 0) / rises.length;
  ok(mean > 3 && mean < 4, `${mean}`);
});

Deno.test("threadingTask() keeps all branches of a step between the steps before and after it", () => {
  for (let index = 0; index < 50; index++) {
    const { prompt, paths } = make({ kind: "branched_thread", steps: 6, branching: 4, direction: "forward" }, {
      index,
    });
    const pairs = readPairs(prompt.user);
    const keys = [askedKeys({ prompt } as Sample)[0]!, ...paths![0]!.slice(0, -1)];
    const spans = keys.map((key) => pairs.flatMap(([each], at) => each === key ? [at] : []));
    for (let step = 1; step < spans.length; step++) ok(Math.max(...spans[step - 1]!) < Math.min(...spans[step]!));
  }
});

Deno.test("threadingTask() puts clustered needles side by side, in the order asked", () => {
  for (let index = 0; index < 50; index++) {
    const sample = make({ kind: "multi_needle", needles: 7, placement: "clustered" }, { index });
    const pairs = readPairs(sample.prompt.user);
    const first = pairs.findIndex(([key]) => key === askedKeys(sample)[0]);
    deepEqual(pairs.slice(first, first + 7).map(([key]) => key), askedKeys(sample));
    deepEqual(pairs.slice(first, first + 7).map(([, value]) => value), sample.references);
  }
});

Deno.test("threadingTask() marks exactly the keys of conditional needles, by one character each", () => {
  for (const character of ["*", "&", "Z"]) {
    for (let index = 0; index < 50; index++) {
      const { prompt, references } = make({ kind: "conditional_needle", character }, { index });
      const marked = readPairs(prompt.user).filter(([key]) => key.includes(character));
      deepEqual(marked.map(([, value]) => value), references);
      equal(marked.every(([key]) => key.split(character).length === 2 && key.length === 36), true);
    }
  }
});

Deno.test("threadingTask() puts a single needle at every tenth in turn, and at a depth that is given", () => {
  const depthOf = (options: ThreadingOptions, index: number): number => {
    const { prompt, facts } = make({ kind: "single_needle", ...options }, { length: 4096, index });
    const at = facts.findIndex(({ role }) => role === "target");
    return at / (readPairs(prompt.user).length - 1);
  };
  const grid = Array.from({ length: 11 }, (_, index) => depthOf({}, index)).toSorted((left, right) => left - right);
  grid.forEach((depth, tenth) => ok(Math.abs(depth - tenth / 10) < 0.01, `${depth}`));
  equal(depthOf({ depth: 0 }, 3), 0);
  equal(depthOf({ depth: 1 }, 3), 1);
  // 50 % of 25 pairs is pair 12, counted from 0.
  const { facts } = make({ kind: "single_needle", depth: 0.5, pairs: 25 }, { length: 4096 });
  equal(facts.findIndex(({ role }) => role === "target"), 12);
});

Deno.test("threadingTask() spreads the needles and steps of its samples over the haystack", () => {
  for (const options of CONFIGURATIONS) {
    const fifths = new Array<number>(5).fill(0);
    // A thread with branches goes on in one of them, drawn anew in each sample.
    const samples = options.kind === "branched_thread" ? 75 : 25;
    for (let index = 0; index < samples; index++) {
      for (const { role, depth } of make(options, { length: 8192, index }).facts) {
        if (role === "target") fifths[Math.min(4, Math.floor(5 * depth!))]!++;
      }
    }
    const all = fifths.reduce((sum, count) => sum + count, 0);
    // Of the eleven depths of a single needle two or three are in each fifth.
    for (const count of fifths) ok(count > 0.11 * all && count < 0.3 * all, `${JSON.stringify(options)}: ${fifths}`);
  }
});

Deno.test("threadingTask() sizes a haystack by pairs and by characters", () => {
  for (const options of CONFIGURATIONS.slice(0, 8)) {
    const { prompt } = make({ ...options, pairs: 40 }, { length: 30000 });
    equal(readPairs(prompt.user).length, 40);
    const sized = make({ ...options, characters: 4000 }, { length: 30000 });
    equal(sized.prompt.user.indexOf("\n"), 4000);
  }
  // The paper's smallest haystack has 25 pairs and 2,000 characters, and can be all needles.
  const all = make({ kind: "multi_needle", needles: 25, pairs: 25 }, { length: 4096 });
  equal(all.prompt.user.indexOf("\n"), 2000);
  equal(all.references.length, 25);
});

Deno.test("threadingTask() bounds a haystack of many pairs by a length that every sample keeps", () => {
  const task = threadingTask({ kind: "single_thread", steps: 25, pairs: 2000 });
  const length = task.leastLength(materials);
  for (let index = 0; index < 20; index++) {
    const { promptTokens } = task.sample({ length, seed: "bound", index, materials });
    ok(promptTokens + task.answerRoom <= length && promptTokens > 0.98 * length);
  }
});

Deno.test("threadingTask() makes a sample alike alone, after others and from freshly opened materials", async () => {
  const fresh = await openTestMaterials("cl100k_base");
  for (const options of CONFIGURATIONS) {
    const task = threadingTask(options);
    const each = (index: number, from: typeof materials): string =>
      JSON.stringify(task.sample({ length: 4096, seed: "alike", index, materials: from }));
    const upwards = [0, 1, 2].map((index) => each(index, materials));
    deepEqual(upwards, [2, 1, 0].map((index) => each(index, fresh)).toReversed());
    equal(new Set(upwards).size, 3);
  }
});

Deno.test("threadingTask() tells in its options which wording is the paper's and which is its own", () => {
  for (const kind of KINDS) {
    equal(threadingTask({ kind }).options["wording"], kind === "single_needle" ? "published" : "own");
    equal(threadingTask({ kind }).suite, "needle-threading-2");
    equal(threadingTask({ kind }).name, `threading_${kind}`);
  }
});

for (const encoding of ["o200k_base", "p50k_base", "r50k_base"] as const) {
  Deno.test(`threadingTask() fits lengths of ${encoding} too`, async () => {
    const other = await openTestMaterials(encoding);
    for (const options of CONFIGURATIONS) {
      const { promptTokens, answerRoom, prompt } = threadingTask(options)
        .sample({ length: 6000, seed: "encodings", index: 0, materials: other });
      equal(promptTokens, other.tokenizer.count(prompt.user));
      ok(promptTokens + answerRoom <= 6000 && promptTokens + answerRoom >= 5998);
    }
  });
}

Deno.test("threadingTask() makes a prompt of 630,000 tokens whose thread is whole", () => {
  const sample = make({ kind: "single_thread", steps: 25 }, { length: 630_000 });
  equal(sample.promptTokens + sample.answerRoom, 630_000);
  deepEqual(waysFrom(askedKeys(sample)[0]!, readPairs(sample.prompt.user)), [{ end: sample.references[0], steps: 25 }]);
});

Deno.test.each(
  [
    [
      { kind: "needle" },
      'kind must be one of single_needle, multi_needle, conditional_needle, single_thread, multi_thread, branched_thread: current value is "needle"',
    ],
    [{ kind: "single_needle", steps: 3 }, 'its knobs must be of depth, pairs, characters: current value is "steps"'],
    [{ depth: 1.5 }, "depth must be in [0, 1]: current value is 1.5"],
    [{ kind: "multi_needle", needles: 0 }, "needles must be a whole number from 1 to 100: current value is 0"],
    [
      { kind: "multi_needle", placement: "heap" },
      'placement must be one of random, clustered: current value is "heap"',
    ],
    [
      { kind: "conditional_needle", character: "a" },
      'character must be one ASCII mark or capital that no UUID has, such as * or &: current value is "a"',
    ],
    [{ kind: "single_thread", steps: 1 }, "steps must be a whole number from 2 to 100: current value is 1"],
    [{ kind: "branched_thread", steps: 2 }, "steps must be a whole number from 3 to 100: current value is 2"],
    [{ kind: "branched_thread", branching: 1 }, "branching must be a whole number from 2 to 10: current value is 1"],
    [
      { kind: "single_thread", direction: "up" },
      'direction must be one of forward, backward, random: current value is "up"',
    ],
    [{ kind: "single_thread", steps: 9, pairs: 8 }, "pairs must be a whole number from 9 to 50000: current value is 8"],
    [{ pairs: 8, characters: 800 }, "only one of pairs and characters must be given: current values are 8 and 800"],
  ] as [ThreadingOptions, string][],
)("threadingTask(%j) is refused", (options, message) => {
  const name = `threading_${options.kind ?? "single_needle"}`;
  throws(() => threadingTask(options), { name: "RangeError", message: `Cannot make task ${name} as ${message}` });
});
