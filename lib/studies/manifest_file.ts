import { readdir } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { defined, explainFileError, readRegularText, workFolder, writeWhole } from "@/lib/base/mod.ts";
import { findMisfit } from "./files.ts";
import { MANIFEST, type RunManifest } from "./manifest.ts";
import { pathsOf, placePath } from "./materials.ts";
import { checkStudy, type Study } from "./study.ts";
import { BENCHMARKS, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, TaskChoice } from "@/lib/generators/mod.ts";

/** Reads the manifest in a run's folder; `undefined` if there is none. */
export function readManifest(runPath: string): Promise<RunManifest | undefined> {
  return readManifestFile(`${runPath}/manifest.json`);
}

const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

/**
 * Reads a manifest; `undefined` if there is none.
 *
 * @throws {RangeError} If it cannot be read, or its folder is a run's and holds a link.
 */
export async function readManifestFile(path: string): Promise<RunManifest | undefined> {
  // Manifests of packed runs have the benchmark's name, and others' files beside them.
  if (basename(path) === "manifest.json") await checkRunFolder(dirname(path));
  let text: string;
  try {
    text = await readRegularText(path, MAX_MANIFEST_BYTES);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  try {
    // Runs of version 0.1.0 call the template "frame".
    const { frame, ...rest } = JSON.parse(text) as RunManifest & { readonly frame?: ChatTemplate };
    const manifest = frame === undefined ? rest : { ...rest, template: rest.template ?? frame };
    const misfit = findMisfit(MANIFEST, manifest);
    if (misfit !== undefined) throw new TypeError(misfit);
    const study = updateStudy(checkStudy(manifest.study, { where: `"${path}"` }), manifest.tasks);
    const own = hasOwnSamples(manifest) ? { samplesFile: `${dirname(path)}/${OWN_SAMPLES}` } : {};
    const read = placePaths({ ...manifest, study }, { from: anchorOf(dirname(path)), to: "" });
    return { ...read, study: { ...read.study, ...own } };
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be the manifest of a run: ${(error as Error).message}`);
  }
}

/** The folder of the prompts of an imported run, beside its manifest. */
export const OWN_SAMPLES = "samples";

/** Returns whether the prompts of a run are in its folder, as another program asked it. */
export function hasOwnSamples({ imported }: Pick<RunManifest, "imported">): boolean {
  return imported !== undefined;
}

/**
 * Names the families of older runs, in which `cdme` was the family and not the benchmark, and adds the knobs that still make the
 * samples of an earlier version.
 */
function updateStudy(study: Study, asked: RunManifest["tasks"]): Study {
  const isFamily = (name: string): boolean => name in asked && BENCHMARKS.some((benchmark) => benchmark.name === name);
  const tasks = study.tasks.map((choice): TaskChoice => {
    const { task, name = isFamily(task) ? task : undefined, knobs } = choice;
    const [first = task] = namedTasks(task);
    const earlier = findFamily(first)?.earlier;
    const isEarlier = earlier !== undefined && asked[name ?? first]?.suite === earlier.suite;
    return { ...choice, ...defined({ name, knobs: isEarlier ? { ...earlier.knobs, ...knobs } : knobs }) };
  });
  return { ...study, tasks };
}

/**
 * The folder that paths in a run's manifest are relative to: the one that holds its `results/`, or else this project's. In memory,
 * paths are relative to the working folder, as users type them, so that a run opens from any folder, such as a notebook's.
 */
function anchorOf(runPath: string): string {
  const path = resolve(runPath);
  return /^(.+)[\\/]results[\\/](?:runs|certificates)[\\/]/.exec(path)?.[1] ?? resolve(workFolder("."));
}

/** Returns a run with its paths, which are relative to the folder `from`, as relative to the folder `to`. */
function placePaths<Kept extends Pick<RunManifest, "study" | "benchmarks">>(
  run: Kept,
  places: { readonly from: string; readonly to: string },
): Kept {
  const { study, benchmarks } = run;
  const files = Object.entries(benchmarks ?? {}).map(([name, path]) => [name, placePath(path, places)]);
  return {
    ...run,
    study: { ...study, ...pathsOf(study, places) },
    ...(benchmarks === undefined ? {} : { benchmarks: Object.fromEntries(files) }),
  };
}

/** Returns a study with its paths relative to the project of a run or a certificate, or from there as users type them. */
export function placeStudy(study: Study, file: { readonly to: string } | { readonly from: string }): Study {
  const places = "to" in file ? { from: "", to: anchorOf(file.to) } : { from: anchorOf(file.from), to: "" };
  return placePaths({ study }, places).study;
}

/** Returns the text of a manifest's file, in which paths are relative to the project of the run. */
export function manifestText(runPath: string, manifest: RunManifest): string {
  const placed = placePaths(manifest, { from: "", to: anchorOf(runPath) });
  return `${JSON.stringify(placed, null, 2)}\n`;
}

/** Writes the manifest of a run, whole or not at all. */
export async function writeManifest(runPath: string, manifest: RunManifest): Promise<void> {
  await writeWhole(`${runPath}/manifest.json`, manifestText(runPath, manifest));
}

/** The folder of runs by default: `results/runs` of this project; of the current folder, if the library is a package. */
export const RUNS_FOLDER: string = workFolder("results/runs");

/** Returns a run's name if it can be the name of a folder. */
export function checkRunName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  throw new RangeError(
    `Cannot name the run as its name must be 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", beginning with a letter or digit: current value is ${
      JSON.stringify(name)
    }`,
  );
}

/** Refuses the folder of a run that holds a link, a pipe or a device: writing to a link would change a file outside of it. */
export async function checkRunFolder(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code)) return [];
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  });
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (odd === undefined) return;
  const kind = odd.isSymbolicLink() ? "a symbolic link" : "a pipe or a device";
  throw new RangeError(
    `Cannot use the run in "${path}" as its folder must hold only regular files and folders: current value is ${kind}, "${odd.parentPath}/${odd.name}"; remove it to use the run`,
  );
}
