/**
 * Lints the docs of every name that a door of lib exports, with `deno doc --lint`.
 *
 * A family's type follows from its knobs and cannot be written down: `export const NIAH = family({` may have no type of its
 * own. Nothing else is let pass.
 */
import { listFiles } from "./_source.ts";

/** What `deno doc --lint` complains of, without the types of families. */
export function findDocProblems(output: string): string[] {
  const complaints = output.split(/^(?=error)/m).filter((part) => part.startsWith("error["));
  return complaints.map((complaint) => complaint.trim())
    .filter((complaint) => !/^error\[missing-explicit-type\][^]*\| export const [A-Z_0-9]+ = family\(/.test(complaint));
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
