import type { ChatTemplate } from "@/lib/generators/mod.ts";
import {
  type ChooseSamples,
  type Display,
  type ModelChoice,
  notebookProgress,
  openModel,
  type OpenRunOptions,
  type OpenStudy,
  openStudy,
  readRun,
  rememberSamples,
  runStudy,
  type ScoredRun,
  scoreRecords,
  simulatedModel,
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

/** Options for {@linkcode exploreRun}. */
export interface ExploreRunOptions extends OpenRunOptions {
  /** What is asked where no run is named. */
  readonly study: Study;
  /** Which profile of the simulated reader is asked then, such as `sim:lost-in-the-middle`. */
  readonly profile: string;
  /** `Deno.jupyter.display`, for the progress bar. */
  readonly display: Display;
  /** The same study, where it is open already. */
  readonly opened?: OpenStudy;
  /** What stands round each prompt in the run whose samples are to be asked; nothing unless given. */
  readonly frame?: ChatTemplate;
}

/** A run to look at closely. */
export interface ExploredRun extends ScoredRun {
  /** What its samples are made of; each is made once. */
  readonly opened: OpenStudy;
  /** What the user should be told about the state of its files. */
  readonly notes: readonly string[];
}

/**
 * Opens a recorded run to look at, or makes one with the simulated reader where none is named.
 *
 * A simulated run is not kept: it answers in no time, and the same profile gives the same replies.
 *
 * @param run The name of a run in results/runs; empty for a simulated one.
 * @param options What to ask whom where no run is named, and where the runs are.
 * @returns The run with its scores, and what its samples are made of.
 * @throws {RangeError} If there is no run of that name, or its study cannot be opened.
 * @throws {SyntaxError} If a file of the run holds something else.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const { replies, manifest } = await exploreRun("", { study, profile: "sim:mute", display: () => Promise.resolve() });
 * equal(manifest.origin, "simulated");
 * equal(replies[0]?.noAnswer, true);
 * ```
 */
export async function exploreRun(run: string, options: ExploreRunOptions): Promise<ExploredRun> {
  if (run === "") return await simulateRun(options);
  const { folder } = options;
  const { manifest, records, notes } = await readRun(run, folder === undefined ? {} : { folder });
  const opened = rememberSamples(await openStudy(manifest.study));
  return { manifest, notes, opened, replies: scoreRecords(records) };
}

async function simulateRun(options: ExploreRunOptions): Promise<ExploredRun> {
  const { study, profile, display, frame } = options;
  const opened = { ...options.opened ?? rememberSamples(await openStudy(study)), study };
  const reader = simulatedModel(profile);
  const model = frame === undefined ? reader : { ...reader, frame };
  const name = model.name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const bar = notebookProgress(display, `${name} progress`);
  const folder = await Deno.makeTempDir();
  try {
    const { manifest, replies, notes } = await runStudy(study, { name, model, folder, opened, onProgress: bar.update });
    return { manifest, replies, notes, opened };
  } finally {
    await bar.end();
    await Deno.remove(folder, { recursive: true });
  }
}
