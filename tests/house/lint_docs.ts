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

/** Types that the user's door names and does not export, one a line. The list may only shrink: export a new one from `lib/mod.ts`. */
const PRIVATE_TYPES = new URL("private_types.txt", import.meta.url);

/** Returns what is wrong with the list of private types, by what `deno doc --lint lib/mod.ts` prints. */
export function findPrivateTypes(output: string, listed: readonly string[]): string[] {
  const complaints = findDocProblems(output).flatMap((text) => /references private type '(\w+)'/.exec(text)?.[1] ?? []);
  const found = new Set(complaints);
  return [
    ...[...found].filter((name) => !listed.includes(name)).map((name) => `lib/mod.ts must export the type ${name}`),
    ...listed.filter((name) => !found.has(name)).map((name) => `private_types.txt must not list ${name} any more`),
  ];
}

async function lint(doors: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const args = ["doc", "--lint", ...doors];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  return { code, output: new TextDecoder().decode(stderr) };
}

if (import.meta.main) {
  const doors = listFiles("lib").filter((path) => path.endsWith("/mod.ts"));
  const [{ code, output }, door] = await Promise.all([lint(doors), lint(["lib/mod.ts"])]);
  const listed = (await Deno.readTextFile(PRIVATE_TYPES)).trimEnd().split("\n");
  const problems = [...findDocProblems(output), ...findPrivateTypes(door.output, listed)];
  // An error of another kind, such as a file that cannot be read, is no complaint of the linter's.
  const isOther = code !== 0 && !/^error: Found \d+ documentation lint errors?/m.test(output);
  if (problems.length > 0 || isOther) {
    console.error(isOther ? output : problems.join("\n\n"));
    console.error(`Found ${problems.length} problems in the docs of ${doors.length} doors`);
    Deno.exit(1);
  }
}
