import { type AskingPace, paceOfRecords, readManifestFile, type RunManifest } from "@/lib/studies/mod.ts";
import { readRun, type ReadRunOptions } from "./read_run.ts";
import { filesOf, listRuns } from "./run_files.ts";
import { runCost } from "./run_cost.ts";
import type { Model } from "@/lib/models/mod.ts";

/** Pace and cached share of an earlier run. */
export interface EarlierRun {
  /** Its name. */
  readonly name: string;
  /** How fast its calls came back; left out where they took no time, as a simulated reader's. */
  readonly pace?: AskingPace;
  /** The share of its prompt tokens that came from the server's cache, in [0, 1]. */
  readonly cachedShare: number;
}

/** Options for {@linkcode findEarlierRun}. */
export interface EarlierRunOptions extends ReadRunOptions {
  /** The run to take, whatever model it asked; by default the latest measured one of the same model. */
  readonly like?: string | undefined;
  /** A run to leave out, as it is the one that is planned. */
  readonly except?: string | undefined;
}

/**
 * Finds the pace and cached share of an earlier run of a model; `undefined` if there is none. The measured runs that come with Fathom
 * count too.
 *
 * @throws {RangeError} If the run to take is not there.
 *
 * @example
 * ```ts
 * import { equal, ok } from "node:assert/strict";
 *
 * const earlier = await findEarlierRun({ name: "gemma-3-270m" }, { like: "measured/gemma-3-270m/ruler" });
 * ok(earlier!.cachedShare > 0);
 * equal(await findEarlierRun({ name: "nobody" }), undefined);
 * ```
 */
export async function findEarlierRun(
  model: Pick<Model, "name">,
  { like, except, ...options }: EarlierRunOptions = {},
): Promise<EarlierRun | undefined> {
  const name = like ?? await latestRunOf(model, { except, ...options });
  if (name === undefined) return undefined;
  const { records } = await readRun(name, options);
  const { promptTokens, cachedTokens } = runCost(records);
  const pace = paceOfRecords(records, name);
  return {
    name,
    ...(pace === undefined ? {} : { pace }),
    cachedShare: promptTokens === 0 ? 0 : cachedTokens / promptTokens,
  };
}

async function latestRunOf(
  model: Pick<Model, "name">,
  { except, ...options }: Omit<EarlierRunOptions, "like">,
): Promise<string | undefined> {
  const found: { readonly run: string; readonly began: string }[] = [];
  for (const run of await listRuns(options)) {
    if (run === except) continue;
    const files = filesOf(run, options);
    const manifest = await readIfWhole(files.manifest);
    if (manifest === undefined || manifest.model !== model.name) continue;
    // An imported run has the times of the program that asked, if any.
    if (manifest.origin !== "measured" || manifest.imported !== undefined) continue;
    const isEmpty = manifest.samples.count === 0 && (await files.records()).every(({ shard }) => shard === undefined);
    if (isEmpty) continue;
    found.push({ run, began: manifest.measured?.from ?? manifest.started });
  }
  return found.toSorted((left, right) => left.began < right.began ? 1 : -1)[0]?.run;
}

/** Reads a manifest; a run that cannot be read is no reason not to plan another. */
async function readIfWhole(path: string): Promise<RunManifest | undefined> {
  try {
    return await readManifestFile(path);
  } catch {
    return undefined;
  }
}
