import { RUN_TYPE, type RunCard } from "./report_facts.ts";
import { type RunManifest, suiteText } from "@/lib/runs/mod.ts";

/** A run as an output of a notebook: a line to read, and what a report lists at its end. */
export function runBundle(manifest: RunManifest): Readonly<Record<string, unknown>> {
  const card = cardOf(manifest);
  const { run, model, origin, suite, samples, sha256, seed } = card;
  const line = `${model}, ${origin}: ${samples.toLocaleString("en")} samples of ${run} (${suite}), seed ${seed}, hash ${
    sha256.slice(0, 12)
  }`;
  return { [RUN_TYPE]: card, "text/plain": line };
}

function cardOf(manifest: RunManifest): RunCard {
  const { name, model, origin, study, samples, materials } = manifest;
  const isReal = origin === "measured";
  return {
    run: name,
    model,
    origin,
    suite: suiteText(manifest),
    samples: samples.count,
    sha256: samples.sha256,
    seed: String(study.seed),
    tokenizer: materials.tokenizer,
    ...(isReal ? { asked: datesOf(manifest) } : {}),
    ...(isReal ? { server: serverOf(manifest) } : {}),
  };
}

function datesOf({ measured, started }: RunManifest): string {
  const [from, to] = [measured?.from ?? started, measured?.to ?? started].map((time) => time.slice(0, 10));
  return from === to ? from! : `${from} to ${to}`;
}

function serverOf({ measured, server, settings }: RunManifest): string {
  if (measured === undefined) {
    const address = String(server?.address ?? settings["baseUrl"] ?? "not recorded");
    return server?.software === undefined ? address : `${server.software} at ${address}`;
  }
  const { server: { name, version, flags }, machine: { processor, cores }, weights: { file } } = measured;
  return `${name} ${version} ${flags}, ${file}, on ${processor} (${cores} cores)`;
}
