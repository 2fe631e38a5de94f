import type { ScoredRun } from "./read_run.ts";

/** Names runs by model where these differ, else by name, else by both. */
export function nameRuns(runs: readonly Pick<ScoredRun, "manifest">[]): readonly string[] {
  const ways: ((run: Pick<ScoredRun, "manifest">) => string)[] = [
    ({ manifest }) => manifest.model,
    ({ manifest }) => manifest.name,
    ({ manifest }) => `${manifest.model}, run ${manifest.name}`,
  ];
  const named = ways.map((nameOf) => runs.map(nameOf));
  return named.find((names) => new Set(names).size === names.length) ??
    named.at(-1)!.map((name, at) => `${name} (${at + 1})`);
}
