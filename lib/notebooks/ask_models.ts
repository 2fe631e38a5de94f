import { openStudy, rememberSamples, type Study, type StudyRun } from "@/lib/runs/mod.ts";
import { askModel, type AskModelOptions } from "./ask_model.ts";

/** Options for {@linkcode askModels}. */
export interface AskModelsOptions extends Omit<AskModelOptions, "model" | "opened"> {
  /** Whom to ask: names parted by commas, of models of one endpoint or of simulated readers such as `sim:gpt-4`. */
  readonly models: string;
  /** The endpoint's address; that of the environment, or OpenAI's own, if empty. */
  readonly baseUrl?: string;
}

/** A model that was asked, and what it replied. */
export interface ModelRun extends StudyRun {
  /** The model's name. */
  readonly model: string;
}

/**
 * Asks several models one study, one after the other, as {@linkcode askModel} does. What all are asked alike is made once.
 *
 * @param study What to ask.
 * @param options Whom to ask, and where to show progress.
 * @returns What each replied, in the order of the names.
 * @throws {RangeError} If there is no name or a name stands twice, or a model cannot be asked.
 */
export async function askModels(study: Study, options: AskModelsOptions): Promise<readonly ModelRun[]> {
  const { baseUrl = "", ...asking } = options;
  const models = options.models.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (models.length === 0 || new Set(models).size < models.length) {
    throw new RangeError(
      `Cannot ask the models as there must be at least one, and none twice: current value is "${models.join(", ")}"`,
    );
  }
  const opened = rememberSamples(await openStudy(study));
  const runs: ModelRun[] = [];
  for (const model of models) {
    const choice = { model, ...(baseUrl === "" ? {} : { baseUrl }) };
    runs.push({ model, ...await askModel(study, { ...asking, model: choice, opened }) });
  }
  return runs;
}
