import { equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { meanOfCells } from "../statistics/_mean_of_cells.ts";
import { BENCHMARKS, findFamily } from "@/lib/benchmarks/mod.ts";
import { comparisonTable } from "@/lib/figures/mod.ts";
import type { Task } from "@/lib/generators/mod.ts";
import {
  comparePairs,
  type ComparePairsOptions,
  type PairedRow,
  type PairedSample,
  type ScoredRecord,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";
import { checkStudy, makeTasks, readStudyFile, samplesOf, type Study } from "@/lib/studies/mod.ts";

// The least that a design must show: a reader that finds everything is above one that finds nothing, and surely above 80%. Samples
// are scored without their texts, as the questions and texts that they share are known from their places alone.

const FOLDER = "data/studies";
const FILES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();

/** Fewer samples show less, so that a design with more shows it too. */
const MOST_SAMPLES = cases(8, 100);
const DRAWS = cases(999, 9999);

/** The scores of a perfect reader on the samples of a study, and the least that its scorers give. */
function perfectScores(
  study: Study,
  most: number,
): readonly (ScoredRecord & { readonly value: number; readonly least: number })[] {
  return makeTasks(study).flatMap((task) => {
    const { least = 0 } = task.scorer.grade("", { references: ["a", "b"] });
    return study.lengths.flatMap((length) =>
      Array.from({ length: Math.min(most, samplesOf(study, length)) }, (_, index) => {
        const cluster = task.clusterOf?.({ length, seed: study.seed, index });
        return { task: task.name, length, cluster, least, value: 1, failed: false, noAnswer: false, record: { index } };
      })
    );
  });
}

/** Compares a perfect reader with a blind one, as `fathom compare` does. */
function compare(
  study: Study,
  { by = ["all"], most = MOST_SAMPLES }: Pick<ComparePairsOptions, "by"> & { readonly most?: number } = {},
): { readonly all: PairedRow; readonly mean: ScoreWithInterval; readonly text: string } {
  const perfect = perfectScores(study, most);
  const pairs = perfect.map((each): PairedSample => ({ ...each, third: null, baseline: 1, other: each.least }));
  const { rows: [rows], corrected } = comparePairs([pairs], { by, draws: DRAWS });
  const models = ["perfect", "blind"] as const;
  const { text } = comparisonTable(rows!, { models, corrected, origin: "simulated" });
  return { all: rows![0]!, mean: meanOfCells(perfect), text };
}

/** Whether a study asks a grid in one text, or without any, as its tasks declare. */
function isGrid(study: Study): boolean {
  const declares = ({ suite, options, name }: Task, family = findFamily(name)): boolean =>
    options["document"] === "none" || ["v1", "v3"].includes(String(options["edition"])) ||
    suite === (family?.earlier?.suite ?? "none");
  return makeTasks(study).every((task) => declares(task));
}

const studies = await Promise.all(
  FILES.map(async (file) => ({ file, study: await readStudyFile(`${FOLDER}/${file}`) })),
);
const designs = studies.filter(({ study }) => !isGrid(study));

Deno.test.each(designs.map(({ file, study }) => [file, study] as const))(
  "%s separates a perfect reader from a blind one, and its score from 80%%",
  (_file, study) => {
    const { all, mean } = compare(study, { by: cases(["all"], ["all", "length", "task"]) });
    equal(all.higher, "baseline");
    const found = `${all.low} to ${all.high}; from ${mean.low}: a study needs more samples, or fewer of a cluster`;
    ok(all.low >= -100 && all.high < 0 && mean.low > 80, found);
  },
);

Deno.test.each(BENCHMARKS.map(({ name }) => [name]))(
  "the default design of %s separates a perfect reader from a blind one, and its score from 80%%",
  (name) => {
    const { all, mean } = compare(checkStudy({ tasks: [name] }), { by: ["all", "length", "task"], most: 100 });
    equal(all.higher, "baseline");
    ok(all.high < 0 && mean.low > 80, `${all.low} to ${all.high}; from ${mean.low}`);
  },
);
