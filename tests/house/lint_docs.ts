/**
 * Lints the docs of every name that a door of lib exports, with `deno doc --lint`.
 *
 * Exceptions: the type of a family follows from its knobs and cannot be written down, so `export const NIAH = family({`
 * needs none. A type may follow from a private constant, as the rows of a file follow from its columns. A field whose name
 * describes it, such as `task: string`, needs no doc. Types of valibot, written as
 * `v.InferOutput`, and files of packages are documented by their packages.
 */
import { listFiles } from "./_source.ts";

const FAMILY_TYPE = /^error\[missing-explicit-type\][^]*\| export const [A-Z_0-9]+ = family\(/;
const CONSTANT_TYPE = /^error\[private-type-ref\].* references private type '[A-Z][A-Z_0-9]*'/;
const PLAIN_FIELD = /^error\[missing-jsdoc\][^]*\| +readonly \w+\??: /;
const PACKAGE_TYPE = /^error\[private-type-ref\].* references private type '(\w+)'[^]*\| .*\bv\.\1\b/;
const PACKAGE_FILE = /^error\[missing-jsdoc\].*\n +--> \S*\/npm\//;
const EXCEPTIONS: readonly RegExp[] = [FAMILY_TYPE, CONSTANT_TYPE, PLAIN_FIELD, PACKAGE_TYPE, PACKAGE_FILE];

/** Returns the complaints of `deno doc --lint` without the exceptions. */
export function findDocProblems(output: string): string[] {
  const complaints = output.split(/^(?=error)/m).filter((part) => part.startsWith("error["));
  return complaints.map((complaint) => complaint.trim())
    .filter((complaint) => !EXCEPTIONS.some((form) => form.test(complaint)));
}

if (import.meta.main) {
  const doors = listFiles("lib").filter((path) => path.endsWith("/mod.ts"));
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...doors],
    env: { NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stderr);
  const problems = findDocProblems(output);
  // An error of another kind, such as a file that cannot be read, is no complaint of the linter's.
  const isOther = code !== 0 && !/^error: Found \d+ documentation lint errors?/m.test(output);
  if (problems.length > 0 || isOther) {
    console.error(isOther ? output : problems.join("\n\n"));
    console.error(`Found ${problems.length} problems in the docs of ${doors.length} doors`);
    Deno.exit(1);
  }
}
