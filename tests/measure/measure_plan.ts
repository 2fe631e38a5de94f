import { isFields } from "@/lib/base/mod.ts";
import { dirname, join } from "node:path";
import { readYaml } from "@/lib/studies/files.ts";
import { checkRunName, type MeasuredWith, readStudyFile, type Study } from "@/lib/studies/mod.ts";
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

/**
 * Reads what is to be measured.
 *
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 */
export async function readMeasurePlan(path: string = MEASURE_FILE): Promise<MeasurePlan> {
  const said = await readYaml(path, { what: "the measurements", wanted: "they must be in a YAML file" });
  const { models, studies } = readKeys(said, { path, what: "the file", keys: ["models", "studies"] });
  if (!isFields(models)) throw wrong(path, "models must be names with weights and server", models);
  if (!Array.isArray(studies) || studies.length === 0) throw wrong(path, "studies must be a list", studies);
  const known = Object.entries(models).map(([name, model]) => [name, readModel(model, { name, path })] as const);
  return {
    modelsFile: join(dirname(path), "models.yaml"),
    models: Object.fromEntries(known),
    studies: await Promise.all(
      studies.map((study) => readMeasuredStudy(study, { models: known.map(([name]) => name), path })),
    ),
  };
}

function readModel(
  value: unknown,
  { name, path }: { readonly name: string; readonly path: string },
): MeasurePlan["models"][string] {
  const { weights, server } = readKeys(value, { path, what: name, keys: ["weights", "server"] });
  const read = <Key extends string>(part: unknown, what: string, keys: readonly Key[]): Record<Key, string> => {
    const fields = readKeys(part, { path, what: `${name}'s ${what}`, keys });
    for (const key of keys) {
      if (typeof fields[key] === "string") continue;
      throw wrong(path, `${key} of ${name}'s ${what} must be text`, fields[key]);
    }
    return fields as Record<Key, string>;
  };
  return {
    weights: read(weights, "weights", ["file", "sha256", "quantisation", "licence"]),
    server: read(server, "server", ["name", "version", "flags"]),
  };
}

async function readMeasuredStudy(
  value: unknown,
  { models, path }: { readonly models: readonly string[]; readonly path: string },
): Promise<MeasuredStudy> {
  const { benchmark, study, samples } = readKeys(value, {
    ...{ path, what: "each study" },
    keys: ["benchmark", "study", "samples"],
  });
  if (typeof benchmark !== "string") throw wrong(path, "benchmark must be a name for its files", benchmark);
  if (typeof study !== "string") throw wrong(path, `study of ${benchmark} must be the path of a study file`, study);
  if (!isFields(samples) || Object.keys(samples).some((model) => !models.includes(model))) {
    throw wrong(path, `samples of ${benchmark} must be by model (${models.join(", ")})`, samples);
  }
  const counts = Object.entries(samples).map(([model, byLength]) => {
    if (isFields(byLength) && Object.entries(byLength).flat().every(isCount)) {
      return [model, new Map(Object.entries(byLength).map(([length, n]) => [Number(length), Number(n)]))] as const;
    }
    throw wrong(path, `samples of ${benchmark} for ${model} must be whole numbers by length`, byLength);
  });
  return {
    benchmark: checkRunName(benchmark),
    study: await readStudyFile(join(dirname(path), study), { tokenizer: TOKENIZER }),
    samples: Object.fromEntries(counts),
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(Number(value)) && Number(value) >= 1;
}

function readKeys<Key extends string>(
  value: unknown,
  { path, what, keys }: { readonly path: string; readonly what: string; readonly keys: readonly Key[] },
): Readonly<Record<Key, unknown>> {
  const isWhole = isFields(value) && Object.keys(value).toSorted().join() === keys.toSorted().join();
  if (!isWhole) throw wrong(path, `${what} must have ${keys.join(", ")}, and no other key`, value);
  return value as Readonly<Record<Key, unknown>>;
}

function wrong(path: string, wanted: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot read the measurements in "${path}" as ${wanted}: current value is ${JSON.stringify(value)}`,
  );
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
