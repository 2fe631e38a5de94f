import { defined, grouped, plural } from "@/lib/base/mod.ts";
import { RUN_TYPE, type RunCard } from "./report_facts.ts";
import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { runHeadline, runOverview } from "@/lib/reports/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";
import { destinationText, type Display, type OpenedModel, type RunManifest, suiteText } from "@/lib/studies/mod.ts";

/** Shows one run, with its replies if it is under test. */
export async function showRun(run: Parameters<typeof runBundle>[0], display: Display): Promise<void> {
  await display(runBundle(run), { raw: true, "display_id": `run ${run.manifest.name}`, update: false });
}

/** Shows the address of a model, if an API key or another environment variable is sent there. */
export async function showDestination({ name, destination }: OpenedModel, display: Display): Promise<void> {
  if (destination === undefined || destination.variables.length === 0) return;
  const shown = { raw: true, "display_id": `address of ${name}`, update: false };
  await display({ "text/plain": destinationText(destination) }, shown);
}

/**
 * Returns a run under test as an output of a notebook: one line of text, with failed calls, and the facts for the end of a report.
 *
 * @param run With replies if it is under test; its finding heads the report of a notebook with other parameters.
 */
export function runBundle(
  run: Pick<ScoredRun, "manifest"> & Partial<ScoredRun>,
  failed = 0,
): Readonly<Record<string, unknown>> {
  const { manifest, replies } = run;
  const headline = replies === undefined ? undefined : runHeadline({ ...run, replies });
  const card = { ...cardOf(manifest), ...defined({ headline }) };
  const { run: name, model, origin, suite, samples, sha256, seed } = card;
  const line = `${model}, ${originText(origin)}: ${grouped(samples)} samples of ${name} (${suite}), seed ${seed}`;
  const failures = failed === 0 ? "" : `; ${failed} ${plural(failed, "call")} failed`;
  return { [RUN_TYPE]: card, "text/plain": `${line}, hash ${sha256.slice(0, 12)}${failures}` };
}

function cardOf(manifest: RunManifest): RunCard {
  const { name, model, origin, study, samples, materials } = manifest;
  return {
    run: name,
    model,
    origin,
    ...defined({ study: study.title === "untitled" ? undefined : study.title }),
    suite: suiteText(manifest),
    samples: samples.count,
    sha256: samples.sha256,
    seed: String(study.seed),
    tokenizer: materials.tokenizer,
    scored: manifest.scored ?? "whole",
    ...(origin === "measured" ? realFacts(manifest) : {}),
  };
}

/** Returns when, where and with which weights a real model was asked, as far as it was recorded. */
function realFacts(manifest: RunManifest): Pick<RunCard, "asked" | "server" | "weights" | "machine"> {
  const facts = new Map(runOverview(manifest, []).map(({ what, text }) => [what, text]));
  const [weights, machine] = [facts.get("Weights"), facts.get("Machine")];
  const asked = facts.get("Measured") ?? manifest.started.slice(0, 10);
  return { asked, server: facts.get("Server") ?? "not recorded", ...defined({ weights, machine }) };
}

/**
 * Saves a figure of a notebook as a file, such as `03-needles.svg`, and returns it; the file extension decides the format.
 *
 * @param options `folder` is relative to the notebook's. `deno task reproduce` sets `FATHOM_FIGURES`, so that only it writes to the
 * committed `results/figures`.
 * @throws {RangeError} If the extension is unknown; nothing is written then.
 */
export async function keepFigure(
  figure: Figure,
  name: string,
  options: { readonly folder?: string } = {},
): Promise<Figure> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/reports/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
  return figure;
}
