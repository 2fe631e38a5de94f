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

interface Outcome {
  readonly isSame: number;
  readonly asked: number;
  readonly isSettled: number;
  readonly isWrong: number;
}

/** Runs both designs on one profile, and averages. */
function compare(reader: Reader, options: { readonly samples: number; readonly runs: number }): Outcome {
  const { samples, runs } = options;
  const design: SearchDesign = { tasks: TASKS, lengths: LENGTHS, samples, threshold: RULER_THRESHOLD };
  const truth = effectiveLength(LENGTHS.map((length, at) => ({ length, score: reader.truth[at]! })), RULER_THRESHOLD);
  return average(Array.from({ length: runs }, (_, seed) => {
    const score = reader.run(samples, seed);
    const { answer, isSettled, scores } = searchWith(score, design);
    return {
      isSame: Number(answer!.text === fixedAnswer(score, samples)),
      asked: scores.length / (TASKS.length * LENGTHS.length * samples),
      isSettled: Number(isSettled),
      isWrong: Number(isSettled && answer!.text !== truth.text),
    };
  }));
}

function average(outcomes: readonly Outcome[]): Outcome {
  const of = (key: keyof Outcome): number => mean(outcomes.map((outcome) => outcome[key]));
  return { isSame: of("isSame"), asked: of("asked"), isSettled: of("isSettled"), isWrong: of("isWrong") };
}

Deno.test("searchWith() gives the answer of 100 samples a task in at least 95% of simulated runs of each profile, with at most 40% of the samples", () => {
  const outcomes = readers.map((reader) => {
    const outcome = compare(reader, { samples: 100, runs: 20 });
    ok(outcome.isSame >= 0.95, `${reader.name}: same answer in ${outcome.isSame}`);
    ok(outcome.asked <= 0.4, `${reader.name}: asked ${outcome.asked}`);
    return outcome;
  });
  const { asked, isWrong } = average(outcomes);
  ok(asked <= 0.25 && isWrong <= 0.05, `asked ${asked}, settled and wrong ${isWrong}`);
});

Deno.test("searchWith() gives the answer of the paper's 500 samples a task with at most 20% of them, most of them settled", () => {
  const outcomes = readers.map((reader) => compare(reader, { samples: 500, runs: 3 }));
  const { isSame, asked, isSettled, isWrong } = average(outcomes);
  ok(isSame >= 0.95 && isWrong <= 0.05, `same answer in ${isSame}, settled and wrong ${isWrong}`);
  ok(asked <= 0.2 && isSettled >= 0.6, `asked ${asked}, settled ${isSettled}`);
});

Deno.test("searchWith() asks for each score once", () => {
  const asked = new Set<string>();
  const { scores } = searchWith(({ task, length, index }) => {
    asked.add(`${task} ${length} ${index}`);
    return 1;
  }, { tasks: ["vt", "cwe"], lengths: [4096], samples: 500, threshold: 90 });
  equal(asked.size, scores.length);
});
