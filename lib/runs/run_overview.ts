import type { RunManifest } from "./manifest.ts";

/** One thing that decides the samples or the answers of a run. */
export interface OverviewLine {
  /** What it is. */
  readonly what: string;
  /** Its value in words. */
  readonly said: string;
}

/**
 * Says what was asked in a run: whatever decides its samples and answers, and nothing that was found.
 *
 * @param manifest The run's manifest.
 * @returns A line a thing, the model first. The time of the run is left out, as it decides nothing.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1, seed: "7" });
 * const { manifest } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const lines = runOverview(manifest);
 * ok(lines.some(({ what, said }) => what === "Model" && said === "sim:ideal (simulated)"));
 * ok(lines.some(({ what, said }) => what === "Seed" && said === "7"));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function runOverview(manifest: RunManifest): OverviewLine[] {
  const { name, fathom, study, tasks, materials, model, origin, settings, frame, samples } = manifest;
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const last = study.first + study.samples - 1;
  return [
    { what: "Run", said: name },
    { what: "Model", said: `${model} (${origin})` },
    { what: "Settings", said: pairsText(settings) },
    { what: "Round each prompt", said: frame.name },
    { what: "Suite", said: suites.join(", ") },
    { what: "Variant", said: study.variant },
    { what: "Tasks", said: Object.keys(tasks).join(", ") },
    { what: "Lengths", said: `${study.lengths.join(", ")} tokens, answer room included` },
    {
      what: "Samples",
      said:
        `${study.samples} of each task at each length, numbers ${study.first} to ${last}; ${samples.count} answered`,
    },
    { what: "Hash of the answered samples", said: samples.sha256 },
    { what: "Seed", said: study.seed },
    { what: "Tokenizer", said: materials.tokenizer },
    { what: "Materials", said: `${materials.essays}, ${materials.oneHop}, ${materials.twoHop}` },
    { what: "Version", said: `Fathom ${fathom}` },
  ];
}

function pairsText(settings: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return pairs.length === 0 ? "none told" : pairs.join(", ");
}
