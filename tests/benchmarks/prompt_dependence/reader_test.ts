import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { readSimulated } from "../../_read_simulated.ts";
import { listReaders } from "@/lib/benchmarks/registry.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { gradeRecall } from "@/lib/benchmarks/prompt_dependence/rubric.ts";
import { RECALL_READER } from "@/lib/benchmarks/prompt_dependence/reader.ts";
import type { GivenKnobs, Sample } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

const materials = await openMaterials();

function make(options: GivenKnobs<typeof PROMPT_RECALL.knobs>, length: number, index: number): Sample {
  return PROMPT_RECALL.make(options).sample({ length, seed: "read", index, materials });
}

function gradeOf(sample: Sample, profile: string): number {
  const [needle = "", question = ""] = sample.references;
  const { text } = readSimulated(joinPrompt(sample.prompt), openProfile(profile));
  return gradeRecall(text, needle, { question }).grade;
}

function meanGrade(options: GivenKnobs<typeof PROMPT_RECALL.knobs>, profile: string, length: number): number {
  const grades = Array.from({ length: cases(35, 70) }, (_, index) => gradeOf(make(options, length, index), profile));
  return grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
}

const TESTS = ["pistachio", "san_francisco", "thornfield"] as const;
/** The first depth, the middle and the last. */
const INDICES = [0, 17, 34];

Deno.test("readSimulated() as the ideal reader has grade 5 on every test, template and wording, at every depth", () => {
  // Few take the depths in turn.
  let turn = 0;
  for (const test of TESTS) {
    for (const template of ["openai", "llama", "mistral", "claude"] as const) {
      for (const wording of ["published", "request", "distant"] as const) {
        for (const system of ["published", "short", "none"] as const) {
          for (const index of cases([INDICES[turn++ % 3]!], INDICES)) {
            const sample = make({ test, template, wording, system }, 2048, index);
            equal(gradeOf(sample, "ideal"), 5, sample.id);
          }
        }
      }
    }
  }
  equal(PROMPT_RECALL.tasks.length, TESTS.length);
});

Deno.test("readSimulated() as the ideal reader finds a needle of one's own, and at 32,768 tokens", () => {
  const own = {
    needle: "Aunt Zelda keeps the spare key under the blue flower pot.",
    question: "Where does Aunt Zelda keep her spare key?",
  };
  for (const index of [0, 11, 34]) {
    equal(gradeOf(make(own, 1024, index), "ideal"), 5);
    for (const test of TESTS) equal(gradeOf(make({ test }, 32_768, index), "ideal"), 5);
  }
});

Deno.test("listReaders() read a sample of recall by one reader", () => {
  for (const system of ["published", "none"] as const) {
    const prompt = joinPrompt(make({ system }, 1024, 9).prompt);
    deepEqual(listReaders().filter(({ recognise }) => recognise(prompt) !== null).map(({ name }) => name), ["recall"]);
  }
});

Deno.test("readSimulated() recalls less as the prompt grows, and less of a question in distant words", () => {
  const options = { test: "san_francisco", wording: "distant" } as const;
  const [short, long] = [2048, 16_384].map((length) => meanGrade(options, "longalpaca", length));
  ok(long! < short!, `${short} at 2,048 and ${long} at 16,384`);
  const near = meanGrade({ test: "san_francisco" }, "longalpaca", 16_384);
  ok(long! < near, `${near} as published and ${long} in distant words`);
});

Deno.test("readSimulated() as lost-in-the-middle keeps the ends and loses the middle", () => {
  const at = (depth: number): number => meanGrade({ test: "san_francisco", depth }, "lost-in-the-middle", 16_384);
  const [first, middle, last] = [at(0), at(0.5), at(1)];
  ok(first > middle && last > middle, `${first}, ${middle}, ${last}`);
});

Deno.test("a question of 3 to 1,000 characters is read below a document of at least 40, and no other", () => {
  const isRead = (document: number, question: number): boolean => {
    const text = "Where the old dog sleeps is known.".padEnd(document - 1, " x") + ".";
    const asked = "dog ".padEnd(question - 1, "y") + "?";
    return RECALL_READER.recognise(`You are a helpful AI bot.\n${text}\n${asked}`) !== null;
  };
  deepEqual([[40, 20], [39, 20], [60, 1000], [60, 1001]].map(([document, question]) => isRead(document!, question!)), [
    true,
    false,
    true,
    false,
  ]);
});
