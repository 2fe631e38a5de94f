import { editDistance } from "@/lib/scorers/mod.ts";

/**
 * Returns the name that was probably meant, if an error in the standard wording refuses a name and lists the valid ones: "Cannot
 * open the model as its name must be one of gpt-4, yi-34b: current value is "gtp-4"".
 *
 * @returns `undefined` for another error, or if no listed name is similar.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(nearestName('Cannot choose as it must be one of tasks, report: current value is "reprot"'), "report");
 * equal(nearestName('Cannot choose as it must be one of tasks, report: current value is "music"'), undefined);
 * ```
 */
export function nearestName(message: string): string | undefined {
  const [, set, wanted, value] =
    /^Cannot \w+ (?:"([^"]+)" )?.*?\bmust be ((?:one of|a knob of|that of|all).*): current value is (.+)$/.exec(
      message,
    ) ?? [];
  // The list names simulated readers without their `sim:`.
  const [, prefix = "", given] = /^(sim:)?(.+)$/.exec(set ?? /^"([^"]+)"$/.exec(value ?? "")?.[1] ?? "") ?? [];
  if (wanted === undefined || given === undefined) return undefined;
  const [nearest] = wanted.split(/[\s,()"]+/).filter((name) => name.length > 1)
    .map((name) => ({ name, distance: editDistance(name.toLowerCase(), given.toLowerCase()) }))
    .toSorted((left, right) => left.distance - right.distance);
  // A third of the letters may differ, and one of a short name.
  const isNear = nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(given.length / 3));
  return isNear ? `${prefix}${nearest.name}` : undefined;
}
