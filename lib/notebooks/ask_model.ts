import { type ModelChoice, openModel } from "@/lib/models/mod.ts";
import {
  type ChooseSamples,
  type Display,
  notebookProgress,
  type OpenStudy,
  runStudy,
  type Study,
  type StudyRun,
} from "@/lib/runs/mod.ts";

/** Options for {@linkcode askModel}. */
export interface AskModelOptions {
  /** Whom to ask: an endpoint's model, or a profile of the simulated reader such as `sim:gpt-4`. */
  readonly model: ModelChoice;
  /** The notebook's name; with the model's it names the run. */
  readonly name: string;
  /** `Deno.jupyter.display`, for the progress bar. */
  readonly display: Display;
  /**
   * Calls under way at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
  /** The same study, where it is open already, as for several models. */
  readonly opened?: OpenStudy;
  /** Chooses what to ask step by step; without it every sample of the study is asked. */
  readonly choose?: ChooseSamples;
}

/**
 * Asks a model a study from a notebook, with a progress bar in the cell.
 *
 * It is the shell's own way, so both give the same numbers. A real model's replies are recorded in results/runs, and running
 * the cell again asks only what is missing. The simulated reader answers in no time, so it is asked afresh and nothing is kept.
 *
 * @param study What to ask.
 * @param options Whom to ask, and where to show progress.
 * @returns What was recorded, scored.
 * @throws {RangeError} If something is not what it should be, or the model cannot be asked.
 */
export async function askModel(study: Study, options: AskModelOptions): Promise<StudyRun> {
  const { name, display, concurrency = 8, opened, choose } = options;
  const model = openModel(options.model, (variable) => Deno.env.get(variable) || undefined);
  const bar = notebookProgress(display, `${name} progress`);
  const run = `${name}-${model.name}`.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const folder = model.origin === "simulated" ? await Deno.makeTempDir() : undefined;
  try {
    const place = { ...(folder === undefined ? {} : { folder }), ...(opened === undefined ? {} : { opened }) };
    const steps = choose === undefined ? {} : { choose };
    return await runStudy(study, { name: run, model, concurrency, onProgress: bar.update, ...place, ...steps });
  } finally {
    await bar.end();
    if (folder !== undefined) await Deno.remove(folder, { recursive: true });
  }
}
