import type { RunManifest } from "@/lib/studies/mod.ts";
import type { ScoredRun } from "./read_run.ts";
import { originMark } from "@/lib/statistics/mod.ts";

/** The model of a run as readers see it: marked where its replies are simulated or of unknown origin and its name does not say so. */
export function modelName({ model, origin }: Pick<RunManifest, "model" | "origin">): string {
  return model.startsWith("sim:") ? model : model + originMark(model, origin);
}

/** Names runs by model where these differ, else by name, else by both. */
export function nameRuns(runs: readonly Pick<ScoredRun, "manifest">[]): readonly string[] {
  const ways: ((run: Pick<ScoredRun, "manifest">) => string)[] = [
    ({ manifest }) => modelName(manifest),
    ({ manifest }) => manifest.name + modelName(manifest).slice(manifest.model.length),
    ({ manifest }) => `${modelName(manifest)}, run ${manifest.name}`,
  ];
  const named = ways.map((nameOf) => runs.map(nameOf));
  return named.find((names) => new Set(names).size === names.length) ??
    named.at(-1)!.map((name, at) => `${name} (${at + 1})`);
}
