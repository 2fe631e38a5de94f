import { editDistance } from "@/lib/scorers/mod.ts";

/**
 * The name that was probably meant where an error refuses one, which it does in the words of the house: "Cannot open the
 * model as its name must be one of gpt-4, yi-34b: current value is "gtp-4"".
 *
 * @returns `undefined` where the error is of something else, or no name that it lists is near to the one that was given.
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
    ) ??
      [];
  // A simulated reader is named without the `sim:` before it.
  const [, prefix = "", given] = /^(sim:)?(.+)$/.exec(set ?? /^"([^"]+)"$/.exec(value ?? "")?.[1] ?? "") ?? [];
  if (wanted === undefined || given === undefined) return undefined;
  const names = wanted.split(/[\s,()"]+/).filter((name) => name.length > 1);
  const near = names.map((name) => ({ name, distance: editDistance(name.toLowerCase(), given.toLowerCase()) }))
    .toSorted((left, right) => left.distance - right.distance)[0];
  // A third of its letters may be wrong, and one of a short name.
  return near !== undefined && near.distance <= Math.max(1, Math.floor(given.length / 3))
    ? `${prefix}${near.name}`
    : undefined;
}
