import { dirname } from "node:path";
import { hashOf, type ModelChoice, realPath, type RunManifest, userFolder } from "@/lib/studies/mod.ts";
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
 * Confirms the address of a run on this machine. The confirmation is in the user's state folder, where no run folder can forge it.
 * If that folder cannot be written, `fathom resume` asks for `--base-url` again.
 */
export async function confirmAddress(runPath: string, run: Pick<RunManifest, "started" | "settings">): Promise<void> {
  const path = await confirmationPath(runPath, run);
  if (path === undefined) return;
  const { started, settings: { baseUrl } } = run;
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(path, `${JSON.stringify({ run: runPath, started, baseUrl })}\n`, { mode: 0o600 });
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
