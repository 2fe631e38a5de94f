import { dirname, join } from "node:path";
import { closedObject, filledText, readAs, readYaml } from "@/lib/studies/files.ts";
import { checkRunName, type MeasuredWith, readStudyFile, type Study, v, wholeNumber } from "@/lib/studies/mod.ts";
import { MEASURED_FOLDER, type MeasuredName } from "@/lib/records/run_folders.ts";

/** What is measured: `data/measured/measure.yaml`. */
export interface MeasurePlan {
  /** The file of models beside it. */
  readonly modelsFile: string;
  /** What each model is loaded from and served by. */
  readonly models: Readonly<Record<string, Pick<MeasuredWith, "weights" | "server">>>;
  /** What is asked, in the order of asking. */
  readonly studies: readonly MeasuredStudy[];
}

/** Tasks of a benchmark, and how often they are asked. */
export interface MeasuredStudy {
  /** What its measured runs are called; several studies of one name become one run. */
  readonly benchmark: string;
  /** Tasks, seed and materials; its lengths and samples say nothing. */
  readonly study: Study;
  /** Samples of each task, by model and length. */
  readonly samples: Readonly<Record<string, ReadonlyMap<number, number>>>;
}

/** The measurements that come with Fathom. */
export const MEASURE_FILE: string = join(MEASURED_FOLDER, "measure.yaml");

/** What counts the tokens of measured samples, so that anybody can make them again without the model's tokenizer. */
const TOKENIZER = "cl100k_base";

/** A text in a plan. */
export const TEXT = filledText("a text");

/** Weights of a model, as the plans name them. */
export const WEIGHTS = closedObject({ file: TEXT, sha256: TEXT, quantisation: TEXT, licence: TEXT });

const PLAN = closedObject({
  models: v.record(
    v.string(),
    closedObject({ weights: WEIGHTS, server: closedObject({ name: TEXT, version: TEXT, flags: TEXT }) }),
    "names with weights and server",
  ),
  studies: v.pipe(
    v.array(
      closedObject({
        ...{ benchmark: TEXT, study: TEXT },
        samples: v.record(
          v.string(),
          v.record(v.pipe(v.string(), v.regex(/^[1-9]\d*$/, "a length")), wholeNumber(1), "numbers by length"),
          "numbers by model and length",
        ),
      }),
      "a list",
    ),
    v.minLength(1, "a list of at least one"),
  ),
});

/**
 * Reads what is to be measured.
 *
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If a key is unknown, its value is not what was wanted, or samples are of a model that is not in the plan.
 */
export async function readMeasurePlan(path: string = MEASURE_FILE): Promise<MeasurePlan> {
  const file = await readYaml(path, { what: "the measurements", wanted: "they must be in a YAML file" });
  const { models, studies } = readAs(PLAN, file, { what: `the measurements in "${path}"` });
  return {
    modelsFile: join(dirname(path), "models.yaml"),
    models,
    studies: await Promise.all(studies.map(async ({ benchmark, study, samples }): Promise<MeasuredStudy> => {
      const strange = Object.keys(samples).find((model) => !(model in models));
      if (strange !== undefined) {
        throw new TypeError(
          `Cannot read the measurements in "${path}" as samples of ${benchmark} must be by model (${
            Object.keys(models).join(", ")
          }): current value is "${strange}"`,
        );
      }
      const counts = Object.entries(samples).map(([model, byLength]) => (
        [model, new Map(Object.entries(byLength).map(([length, count]) => [Number(length), count]))] as const
      ));
      return {
        benchmark: checkRunName(benchmark),
        study: await readStudyFile(join(dirname(path), study), { tokenizer: TOKENIZER }),
        samples: Object.fromEntries(counts),
      };
    })),
  };
}

/** One call of a run: samples of a benchmark's tasks at some lengths, asked of one model. */
export interface MeasureStep extends MeasuredName {
  readonly study: Study;
}

/** Samples of each task and length in the first round; each round doubles them. */
const FIRST_ROUND = 2;

/**
 * Lists what to ask in order: in rounds, each of which asks every task and length of every model for as many samples again as
 * it has, up to the number wanted. No sample is in two steps.
 */
export function measureSteps({ models, studies }: Pick<MeasurePlan, "models" | "studies">): MeasureStep[] {
  const most = Math.max(0, ...studies.flatMap(({ samples }) => Object.values(samples).flatMap((n) => [...n.values()])));
  const steps: MeasureStep[] = [];
  for (let [first, end] = [0, FIRST_ROUND]; first < most; [first, end] = [end, 2 * end]) {
    for (const model of Object.keys(models)) {
      for (const { benchmark, study, samples } of studies) {
        const wanted = [...samples[model] ?? []].filter(([, n]) => n > first);
        for (const [ends, group] of Map.groupBy(wanted, ([, n]) => Math.min(n, end))) {
          const lengths = group.map(([length]) => length);
          steps.push({ model, benchmark, study: { ...study, lengths, first, samples: ends - first } });
        }
      }
    }
  }
  return steps;
}
