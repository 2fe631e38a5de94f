import { equal, ok } from "node:assert/strict";
import {
  effectiveLength,
  RULER_THRESHOLD,
  type SearchDesign,
  type SearchSample,
  searchWith,
} from "@/lib/analysis/mod.ts";
import { expectedTaskScore, openProfile, PUBLISHED_PROFILES, RULER_TASKS, simulatedScore } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";

const TASKS = Object.values(RULER_TASKS).flat();
const LENGTHS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

interface Reader {
  readonly name: string;
  /** The true mean of 13 tasks at each length, in percent. */
  readonly truth: readonly number[];
  /** All scores of a run of the whole design. */
  readonly run: (samples: number, seed: number) => (sample: SearchSample) => number;
}

const readers = PUBLISHED_PROFILES.map(({ name }): Reader => {
  const profile = openProfile(name);
  const sources = LENGTHS.map((length) => TASKS.map((task) => simulatedScore(profile, { task, length })));
  return {
    name,
    truth: LENGTHS.map((length) => mean(TASKS.map((task) => expectedTaskScore(profile, { task, length })))),
    run: (samples, seed) => {
      const draw = stream("adaptive against fixed", name, seed);
      const scores = sources.map((tasks) => tasks.map((score) => Array.from({ length: samples }, () => score(draw))));
      return ({ task, length, index }) => scores[LENGTHS.indexOf(length)]![TASKS.indexOf(task)]![index]!;
    },
  };
});

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The effective length by a design that asks everything. */
function fixedAnswer(score: (sample: SearchSample) => number, samples: number): string {
  const scores = LENGTHS.map((length) => ({
    length,
    score: 100 *
      mean(TASKS.map((task) => mean(Array.from({ length: samples }, (_, index) => score({ task, length, index }))))),
  }));
  return effectiveLength(scores, RULER_THRESHOLD).text;
}

/** Runs both designs on every profile, and counts. */
function compare(samples: number, runs: number): {
  readonly same: number;
  readonly asked: number;
  readonly settled: number;
  readonly wrong: number;
} {
  const design: SearchDesign = { tasks: TASKS, lengths: LENGTHS, samples, threshold: RULER_THRESHOLD };
  const results = readers.flatMap((reader) => {
    const truth = effectiveLength(LENGTHS.map((length, at) => ({ length, score: reader.truth[at]! })), RULER_THRESHOLD);
    return Array.from({ length: runs }, (_, seed) => {
      const score = reader.run(samples, seed);
      const { answer, isSettled, scores } = searchWith(score, design);
      return {
        same: Number(answer!.text === fixedAnswer(score, samples)),
        asked: scores.length / (TASKS.length * LENGTHS.length * samples),
        settled: Number(isSettled),
        wrong: Number(isSettled && answer!.text !== truth.text),
      };
    });
  });
  const meanOf = (key: "same" | "asked" | "settled" | "wrong"): number => mean(results.map((result) => result[key]));
  return { same: meanOf("same"), asked: meanOf("asked"), settled: meanOf("settled"), wrong: meanOf("wrong") };
}

Deno.test("searchWith() gives the answer of 100 samples a task in at least 95% of simulated runs of all profiles, with at most 40% of the samples", () => {
  const { same, asked, wrong } = compare(100, 20);
  ok(same >= 0.95, `same answer in ${same}`);
  ok(asked <= 0.4, `asked ${asked}`);
  ok(wrong <= 0.05, `settled and wrong in ${wrong}`);
});

Deno.test("searchWith() gives the answer of the paper's 500 samples a task with at most 25% of them", () => {
  const { same, asked, wrong, settled } = compare(500, 3);
  ok(same >= 0.95, `same answer in ${same}`);
  ok(asked <= 0.25, `asked ${asked}`);
  ok(wrong <= 0.05 && settled >= 0.5, `settled ${settled}, of which wrong ${wrong}`);
});

Deno.test("searchWith() asks for each score once", () => {
  const asked = new Set<string>();
  const { scores } = searchWith(({ task, length, index }) => {
    asked.add(`${task} ${length} ${index}`);
    return 1;
  }, { tasks: ["vt", "cwe"], lengths: [4096], samples: 500, threshold: 90 });
  equal(asked.size, scores.length);
});
