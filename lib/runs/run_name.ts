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
