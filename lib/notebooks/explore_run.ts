import type { ScoredRun } from "@/lib/analysis/mod.ts";
import type { Frame } from "@/lib/generators/mod.ts";
import { simulatedModel } from "@/lib/models/mod.ts";
import {
  type Display,
  notebookProgress,
  type OpenRunOptions,
  type OpenStudy,
  openStudy,
  readRun,
  rememberSamples,
  runStudy,
  scoreRecords,
  type Study,
} from "@/lib/runs/mod.ts";

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
  readonly frame?: Frame;
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
