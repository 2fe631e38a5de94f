import { deepEqual } from "node:assert/strict";
import { findDocProblems } from "./lint_docs.ts";

/** A complaint as `deno doc --lint` prints it. */
function complaint(code: string, line: string): string {
  return `error[${code}]: exported symbol is not well documented\n  --> /a/lib/b.ts:7:14\n   | \n 7 | ${line}\n   |  ^`;
}

Deno.test("findDocProblems() lets a family's type, types of constants and packages, and plain fields pass and nothing else", () => {
  const problems = [
    complaint("missing-explicit-type", "export const LIMIT = 5;"),
    complaint("missing-jsdoc", "export const NIAH = family({"),
    complaint("private-type-ref", "export function cut(text: Text): void {"),
    complaint("missing-explicit-type", "export const REST = familyOf({"),
    complaint("missing-jsdoc", "  length(): number;"),
  ];
  const family = complaint("missing-explicit-type", "export const NIAH = family({");
  const rows =
    "error[private-type-ref]: public type 'Published[\"rows\"]' references private type 'COLUMNS'\n  --> /a/lib/b.ts:7:14";
  const field = complaint("missing-jsdoc", "  readonly task: string;");
  const schema = complaint("private-type-ref", "export type Repair = Readonly<v.InferOutput<typeof REPAIR>>;")
    .replace("symbol is not well documented", "public type 'Repair' references private type 'InferOutput'");
  const ofPackage = complaint("missing-jsdoc", "  label?: string;").replace(
    "/a/lib/b.ts",
    "/a/npm/valibot/index.d.mts",
  );
  const end = "error: Found 8 documentation lint errors.\n";
  deepEqual(
    findDocProblems([problems[0], family, ...problems.slice(1), field, rows, family, end].join("\n\n\n")),
    problems,
  );
  deepEqual(findDocProblems([family, rows, field, schema, ofPackage, end].join("\n\n\n")), []);
  deepEqual(findDocProblems("Checked 12 files\n"), []);
});
