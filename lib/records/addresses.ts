import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { hashOf, realPath, userFolder } from "@/lib/base/mod.ts";
import { ENDPOINT_OPTIONS, type EndpointOption, isTemplatePath, type ModelSettings } from "@/lib/models/mod.ts";
import type { ModelChoice, RunManifest } from "@/lib/studies/mod.ts";

/**
 * The model of a run, to be opened again as it was asked: by its entry if it has one, with the address and the settings of the
 * records. Its key and headers come from the environment and the entry, as nothing records them. The address can be a stranger's:
 * pass the run to `openModel` as `recordedIn`, which checks it.
 */
export function recordedModel({ model, settings }: Pick<RunManifest, "model" | "settings">): ModelChoice {
  const { baseUrl } = settings;
  if (typeof baseUrl !== "string") return { model };
  // The tokens of the template are taken from the run.
  const { templateTokens: _, ...options } = recordedOptions(settings);
  return { ...options, model, baseUrl };
}

/**
 * The options of an endpoint as the settings of a record have them, by their names; those at their defaults are left out, and so
 * is whatever could hold a key.
 */
function recordedOptions(settings: ModelSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries<EndpointOption>(ENDPOINT_OPTIONS).flatMap(([name, option]): [string, unknown][] => {
      const { record = name, canHoldKeys = false, byDefault, read } = option;
      if (record === false || canHoldKeys || name === "headers") return [];
      const recorded = settings[record];
      const value = record === "stop" && typeof recorded === "string" ? JSON.parse(recorded) : recorded;
      // A record has the name of a template; as a path it would send a file of this machine.
      const isPath = record === "template" && typeof value === "string" && isTemplatePath(value);
      if (value === undefined || value === null || value === byDefault || isPath) return [];
      try {
        return read(value) === undefined ? [] : [[name, value]];
      } catch {
        // A record can have words, such as `answer room`.
        return [];
      }
    }),
  );
}

/**
 * Confirms the address of a run on this machine. The confirmation is in the user's state folder, where no run folder can forge it.
 * If that folder cannot be written, `fathom resume` asks for `--base-url` again.
 */
export async function confirmAddress(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<void> {
  const path = await confirmationPath(runPath, run);
  if (path === undefined) return;
  const { started, settings: { baseUrl } } = run;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${JSON.stringify({ run: runPath, started, baseUrl })}\n`, { mode: 0o600 });
  } catch {
    // Not fatal: the run itself is complete.
  }
}

/** Returns whether the recorded address of a run was confirmed on this machine. */
export async function isConfirmed(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<boolean> {
  const path = await confirmationPath(runPath, run);
  return path !== undefined && await realPath(path) !== undefined;
}

async function confirmationPath(
  runPath: string,
  { started, settings: { baseUrl } }: Pick<RunManifest, "started" | "settings">,
): Promise<string | undefined> {
  if (typeof baseUrl !== "string") return undefined;
  const [state, run] = [userFolder("state"), await realPath(runPath)];
  return state && run && `${state}/addresses/${hashOf([run, started, baseUrl])}.json`;
}
