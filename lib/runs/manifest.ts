import project from "../../deno.json" with { type: "json" };
import { fileURLToPath } from "node:url";
import type { MaterialNames } from "./materials.ts";
import { explainFileError } from "./records_file.ts";
import { checkStudy, type Study } from "./study.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import type { ModelSettings } from "@/lib/models/mod.ts";

/** What decides the samples and answers of a run: all of it but tasks, lengths and samples is the same for the whole run. */
export interface RunHeader {
  /** What was asked, at its widest. */
  readonly study: Study;
  /** Each task by name, with its suite, scoring and every knob. */
  readonly tasks: Readonly<Record<string, TaskHeader>>;
  /** What the samples were made of, by name and hash. */
  readonly materials: MaterialNames;
  /** The files of the user's own benchmarks, by the benchmark's name; they are never run for being named here. */
  readonly benchmarks?: Readonly<Record<string, string>>;
  /** The model's name. */
  readonly model: string;
  /** Whether the replies are real or made by the simulated reader; one such reply is enough to make the run simulated. */
  readonly origin: "measured" | "simulated";
  /** Everything that shaped the replies. */
  readonly settings: ModelSettings;
  /** The chat template around each prompt. */
  readonly template: ChatTemplate;
}

/** A task as a manifest describes it. */
export interface TaskHeader {
  /** The suite and its version. */
  readonly suite: string;
  /** How replies are compared with the references. */
  readonly scoring: string;
  /** Every knob with its value. */
  readonly options: Readonly<Record<string, string | number>>;
}

/** The `manifest.json` of a run. */
export interface RunManifest extends RunHeader {
  /** The form of the manifest and the records, from 1. */
  readonly format: 1;
  /** The run's name. */
  readonly name: string;
  /** The version of Fathom that began the run. */
  readonly fathom: string;
  /** When it was begun, in ISO 8601. */
  readonly started: string;
  /** The answered samples: how many, and one hash of all their ids and texts, the same whoever asks them in any order. */
  readonly samples: { readonly count: number; readonly sha256: string };
}

/**
 * Reads the manifest of a run.
 *
 * @returns The manifest, or `undefined` where there is none.
 * @throws {SyntaxError} If the file holds something else.
 */
export async function readManifest(runPath: string): Promise<RunManifest | undefined> {
  const path = `${runPath}/manifest.json`;
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  try {
    // Runs of version 0.1.0 call the template "frame".
    const { frame, ...rest } = JSON.parse(text) as RunManifest & { readonly frame?: ChatTemplate };
    const manifest = frame === undefined ? rest : { ...rest, template: rest.template ?? frame };
    // deno-lint-ignore fathom/error-message -- the catch below makes it part of a whole sentence
    if (manifest.format !== 1) throw new TypeError(`format must be 1: current value is ${manifest.format}`);
    return { ...manifest, study: checkStudy(manifest.study, `"${path}"`) };
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be the manifest of a run: ${(error as Error).message}`);
  }
}

/** Writes the manifest of a run whole or not at all. */
export async function writeManifest(runPath: string, manifest: RunManifest): Promise<void> {
  const path = `${runPath}/manifest.json`;
  await Deno.writeTextFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
  await Deno.rename(`${path}.new`, path);
}

/**
 * Checks the name of a run, which becomes a folder's name.
 *
 * @param name Any text.
 * @returns The name.
 * @throws {RangeError} If it is not 1 to 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.
 *
 * @example
 * ```ts
 * import { equal, throws } from "node:assert/strict";
 *
 * equal(checkRunName("gpt-4.1_ruler"), "gpt-4.1_ruler");
 * throws(() => checkRunName("../secrets"), RangeError);
 * ```
 */
export function checkRunName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  throw new RangeError(
    `Cannot name the run as its name must be 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", beginning with a letter or digit: current value is ${
      JSON.stringify(name)
    }`,
  );
}

/** The folder that runs are kept in unless another is named: `results/runs` of this project. */
export const RUNS_FOLDER: string = fileURLToPath(new URL("../../results/runs", import.meta.url));

/** The version of Fathom, as deno.json has it; stands in every record. */
export const FATHOM_VERSION: string = (project as { readonly version?: string }).version ?? "unreleased";

/**
 * Names what the scores of a run are scores of: the suites of its tasks with their versions, and whose wording the prompts
 * follow where the tasks have several.
 *
 * @param manifest The run's manifest, or its tasks.
 * @returns The names, such as `ruler-2, variant 2026`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const vt = { suite: "ruler-2", scoring: "all", options: { variant: "paper", hops: 4 } } as const;
 * equal(suiteText({ tasks: { vt } }), "ruler-2, variant paper");
 * ```
 */
export function suiteText({ tasks }: Pick<RunManifest, "tasks">): string {
  const headers = Object.values(tasks);
  const suites = [...new Set(headers.map(({ suite }) => suite))];
  const variants = [...new Set(headers.flatMap(({ options }) => options["variant"] ?? []))];
  return [...suites, ...(variants.length === 0 ? [] : [`variant ${variants.join(" and ")}`])].join(", ");
}
