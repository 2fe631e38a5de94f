import { deepEqual, equal, match, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { readSimulated } from "../../_read_simulated.ts";
import { listReaders } from "@/lib/benchmarks/registry.ts";
import { type ThreadingKind, threadingQuestion } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { THREADING_READER } from "@/lib/benchmarks/needle_threading/reader.ts";
import { valueMatch, valuesInOrder } from "@/lib/benchmarks/needle_threading/scorer.ts";
import type { GivenKnobs, Sample } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

const materials = await openMaterials({ tokenizer: "cl100k_base" });

function make(name: `threading_${ThreadingKind}`, length: number, index = 0): Sample {
  return THREADING.task(name).sample({ length, seed: "read", index, materials });
}

function read(sample: Sample, profile: string): ReturnType<typeof valueMatch> {
  const { text } = readSimulated(joinPrompt(sample.prompt), openProfile(profile));
  return valueMatch(text, sample.references, { inOrder: !sample.id.includes("conditional_needle") });
}

/** Every task with every word that its knobs take. */
const WAYS: readonly GivenKnobs<typeof THREADING.knobs>[] = [
  { kind: "single_needle" },
  ...(["multi_needle", "conditional_needle"] as const).flatMap((kind) =>
    (["random", "clustered"] as const).map((placement) => ({ kind, placement }))
  ),
  ...(["single_thread", "multi_thread", "branched_thread"] as const).flatMap((kind) =>
    (["forward", "backward", "random"] as const).map((direction) => ({ kind, direction }))
  ),
];

for (const length of [1024, 32_768, ...cases([], [131_072])]) {
  Deno.test(`readSimulated() as the ideal reader scores 100 on every task of Needle Threading, every direction and placement, at ${length} tokens`, () => {
    for (const options of WAYS) {
      for (const index of length > 10_000 ? [0] : [0, 1, 2]) {
        const sample = THREADING.make(options).sample({ length, seed: "read", index, materials });
        const { value, form, why } = read(sample, "ideal");
        equal(value, 1, `${JSON.stringify(options)} at ${length}: ${why}`);
        equal(form, "asked");
      }
    }
  });
}

Deno.test("readSimulated() as the ideal reader scores 100 at the paper's greatest numbers, in every direction", () => {
  const configurations: GivenKnobs<typeof THREADING.knobs>[] = [
    { kind: "multi_needle", needles: 25, placement: "clustered" },
    { kind: "conditional_needle", needles: 25, character: "&" },
    ...(["forward", "backward", "random"] as const).flatMap((direction): GivenKnobs<typeof THREADING.knobs>[] => [
      { kind: "single_thread", steps: 25, direction },
      { kind: "multi_thread", threads: 25, steps: 4, direction },
      { kind: "branched_thread", steps: 10, branching: 5, direction },
    ]),
  ];
  for (const options of configurations) {
    const sample = THREADING.make(options).sample({ length: cases(8192, 16_384), seed: "most", index: 0, materials });
    equal(read(sample, "ideal").value, 1, JSON.stringify(options));
  }
});

Deno.test("readSimulated() as other profiles finds less, the longer the context", () => {
  for (const name of THREADING.tasks) {
    const mean = (length: number): number => {
      const scores = Array.from(
        { length: cases(8, 16) },
        (_, index) => read(make(name, length, index), "mixtral").value!,
      );
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    const [short, long] = [mean(1024), mean(32_768)];
    ok(short > 0.7 && long < short - 0.05, `${name}: ${short} and ${long}`);
  }
});

Deno.test("readSimulated() that loses a thread often names a value on the way, which counts as a part of it", () => {
  const kinds = new Set<string>();
  let partial = 0;
  for (let index = 0; index < 40; index++) {
    const sample = make("threading_single_thread", 16_384, index);
    const { text, mistakes } = readSimulated(joinPrompt(sample.prompt), openProfile("mixtral"));
    for (const { kind } of mistakes) kinds.add(kind);
    const { value } = valuesInOrder.grade(text, sample).partial!;
    if (!mistakes.some(({ kind }) => kind === "stopped")) continue;
    ok(value! > 0 && value! < 1);
    partial++;
  }
  ok(kinds.has("stopped") && partial > 3, `${[...kinds]}: ${partial}`);
});

Deno.test("readSimulated() says nothing as mute, and all values as parrot", () => {
  const sample = make("threading_multi_needle", 1024);
  equal(read(sample, "mute").why, "no answer");
  match(read(sample, "parrot").why, /\d+ more not counted/);
});

Deno.test("THREADING_READER reads branches and circles that no task makes, and ends", () => {
  const ask = (pairs: readonly (readonly [string, string])[]): string =>
    `{${pairs.map(([key, value]) => `"${key}": "${value}"`).join(", ")}}\n` +
    threadingQuestion("single_thread", { keys: ["a"], character: "*" });
  const answer = (pairs: readonly (readonly [string, string])[]): string[] =>
    THREADING_READER.recognise(ask(pairs))!.wanted.map(({ value }) => value);
  deepEqual(answer([["a", "b"], ["b", "a"]]), ["a"]);
  deepEqual(answer([["a", "a"]]), ["a"]);
  deepEqual(answer([["a", "b"], ["a", "c"], ["c", "d"]]), ["d"]);
  deepEqual(answer([["x", "y"]]), []);
  // Two ways at each of 30 steps: a thousand million, of which some are tried.
  equal(answer(Array.from({ length: 60 }, (_, at) => [at < 2 ? "a" : `${at >> 1}`, `${(at >> 1) + 1}`])).length, 1);
});

Deno.test("listReaders() take each prompt of Needle Threading for its own", () => {
  for (const name of THREADING.tasks) {
    const prompt = joinPrompt(make(name, 1024).prompt);
    deepEqual(listReaders().filter((reader) => reader.recognise(prompt) !== null).map((reader) => reader.name), [
      "threading",
    ]);
  }
});
