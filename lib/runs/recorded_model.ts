import type { RunManifest } from "./manifest.ts";
import type { ModelChoice } from "./models.ts";
import { ENDPOINT_OPTIONS, type ModelSettings } from "@/lib/models/mod.ts";

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
      const isSet = value !== undefined && value !== null && value !== byDefault;
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
 * records. Its key and headers come from the environment and the entry, as nothing records them.
 */
export function recordedModel({ model, settings }: Pick<RunManifest, "model" | "settings">): ModelChoice {
  const { baseUrl } = settings;
  if (typeof baseUrl !== "string") return { model };
  // What its template costs was measured when the run began, and is taken from there.
  const { templateTokens: _, ...options } = recordedOptions(settings);
  return { ...options, model, baseUrl };
}
