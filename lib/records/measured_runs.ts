import { listMeasured, measuredRunName } from "./measured_files.ts";
import { type ReadRunOptions, readScoredRun, type RecordedScores } from "./read_run.ts";

/** Options for {@linkcode openMeasured}. */
export interface OpenMeasuredOptions extends ReadRunOptions {
  /** The benchmark's name, such as `ruler`. */
  readonly benchmark: string;
  /** The model's name; every model that was measured by default. */
  readonly model?: string;
}

/**
 * Opens what real models answered to a benchmark, which comes with Fathom: a run for each model, scored, with its manifest.
 *
 * @throws {RangeError} If no model was measured on that benchmark; the message lists what there is.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const [run] = await openMeasured({ benchmark: "ruler" });
 * equal(run?.manifest.origin, "measured");
 * ```
 */
export async function openMeasured(options: OpenMeasuredOptions): Promise<readonly RecordedScores[]> {
  const { benchmark, model, ...reading } = options;
  const known = await listMeasured(reading);
  const wanted = known.filter((name) => name.benchmark === benchmark && (model === undefined || name.model === model));
  if (wanted.length === 0) {
    throw new RangeError(
      `Cannot open measured runs as there must be some of that benchmark and model (${
        known.map(measuredRunName).join(", ")
      }): current value is "${benchmark}"${model === undefined ? "" : ` and "${model}"`}`,
    );
  }
  return await Promise.all(wanted.map((name) => readScoredRun(measuredRunName(name), reading)));
}
