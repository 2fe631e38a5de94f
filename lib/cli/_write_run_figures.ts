import type { ScoredRun } from "./_print_report.ts";

export function writeRunFigures(_run: ScoredRun): Promise<string[]> {
  return Promise.resolve([]);
}
