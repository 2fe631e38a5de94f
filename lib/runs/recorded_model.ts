import { dirname } from "node:path";
import { hashOf, realPath, userFolder } from "./_files.ts";
import type { RunManifest } from "./manifest.ts";
import type { ModelChoice } from "./models.ts";
import { ENDPOINT_OPTIONS, isTemplatePath, type ModelSettings } from "@/lib/models/mod.ts";

/**
 * The options of an endpoint as the settings of a record have them, by their names; those at their defaults are left out, and so
 * is whatever could hold a key.
 */
export function recordedOptions(settings: ModelSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(ENDPOINT_OPTIONS).flatMap(([name, option]): [string, unknown][] => {
      const { record = name, canHoldKeys = false, byDefault, read } = option as {
        readonly record?: string | false;
        readonly canHoldKeys?: boolean;
        readonly byDefault: unknown;
        read(value: unknown): unknown;
      };
      if (record === false || canHoldKeys || name === "headers") return [];
      const value = record === "stop" && typeof settings[record] === "string"
        ? JSON.parse(settings[record])
        : settings[record];
      // A record has the name of a template; as a path it would send a file of this machine.
      const isPath = record === "template" && typeof value === "string" && isTemplatePath(value);
      const isSet = value !== undefined && value !== null && value !== byDefault && !isPath;
      return isSet && isTaken(read, value) ? [[name, value]] : [];
    }),
  );
}

/** Whether an option takes a value as a record has it, which can be words such as `answer room`. */
function isTaken(read: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return read(value) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The model of a run, to be opened again as it was asked: by its entry where it has one, with the address and the settings of the
 * records. Its key and headers come from the environment and the entry, as nothing records them. Anybody can have written the
 * address: `openModel` gets the run as `recordedIn`, so that no key is sent where the user never sent one.
 */
export function recordedModel({ model, settings }: Pick<RunManifest, "model" | "settings">): ModelChoice {
  const { baseUrl } = settings;
  if (typeof baseUrl !== "string") return { model };
  // What its template costs was measured when the run began, and is taken from there.
  const { templateTokens: _, ...options } = recordedOptions(settings);
  return { ...options, model, baseUrl };
}

/**
 * Keeps that the user gave the address of a run on this machine. It is kept in the user's own state folder, not in the run's, as a
 * run can come from somebody else. Where nothing can be written there, `fathom resume` wants `--base-url` again.
 */
export async function confirmAddress(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<void> {
  const path = await confirmationPath(runPath, run);
  if (path === undefined) return;
  const { started, settings: { baseUrl } } = run;
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(path, `${JSON.stringify({ run: runPath, started, baseUrl })}\n`, { mode: 0o600 });
  } catch {
    // The run itself is not in danger.
  }
}

/** Returns whether the user gave the recorded address of a run on this machine before. */
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
