import { basename } from "node:path";
import { makeTasks, readManifestFile, type RunManifest, type Study, type TaskHeader } from "@/lib/studies/mod.ts";
import type { ReadRunOptions } from "./read_run.ts";
import { filesOf, listRuns } from "./run_files.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

/**
 * Names the recorded runs of a study, measured ones that come with Fathom among them: those that were asked all of its tasks with
 * the same knobs, of the same seed and texts. Lengths, samples and tokenizer can differ, and a run can have more tasks. The shards of a
 * run are none: they are merged first.
 *
 * @returns In the order of `listRuns`; none where no run is of the study. A run whose manifest cannot be read is none of it.
 *
 * @example Two small models were measured on RULER's tasks
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { checkStudy } from "@/lib/studies/mod.ts";
 *
 * const names = await runsOfStudy(checkStudy({ tasks: "all", seed: "42" }));
 * deepEqual(names.filter((name) => name.startsWith("measured/")), [
 *   "measured/gemma-3-270m/ruler",
 *   "measured/smollm2-135m-instruct/ruler",
 * ]);
 * ```
 */
export async function runsOfStudy(study: Study, options: ReadRunOptions = {}): Promise<readonly string[]> {
  const { benchmarks = BENCHMARKS } = options;
  const tasks = makeTasks(study, benchmarks).map(({ name, suite, scorer, options }) =>
    [name, { suite, scoring: scorer.name, options }] as const
  );
  const isOf = (manifest: RunManifest): boolean =>
    manifest.shard === undefined && sameTexts(manifest.study, study) &&
    tasks.every(([name, header]) => manifest.tasks[name] !== undefined && isSameTask(manifest.tasks[name], header));
  const names = await listRuns(options);
  const manifests = await Promise.all(
    names.map((name) => readManifestFile(filesOf(name, options).manifest).catch(() => undefined)),
  );
  return names.filter((_, at) => manifests[at] !== undefined && isOf(manifests[at]));
}

/** Whether two studies make their samples of the same things. */
function sameTexts(one: Study, other: Study): boolean {
  const of = ({ seed, essays, squad, hotpotqa }: Study): string =>
    JSON.stringify([seed, ...[essays, squad, hotpotqa].map((path) => basename(path ?? ""))]);
  return of(one) === of(other);
}

/**
 * Whether two tasks ask the same. A knob at its default can be left out of a manifest, so one that only one of them has was set.
 */
export function isSameTask(one: TaskHeader, other: TaskHeader): boolean {
  const knobs = new Set([...Object.keys(one.options), ...Object.keys(other.options)]);
  return one.suite === other.suite && one.scoring === other.scoring &&
    [...knobs].every((knob) => one.options[knob] === other.options[knob]);
}
