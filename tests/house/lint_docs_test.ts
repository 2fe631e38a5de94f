import { deepEqual } from "node:assert/strict";
import { findDocProblems, findPrivateTypes } from "./lint_docs.ts";

/** A complaint as `deno doc --lint` prints it. */
function complaint(code: string, line: string, { about = "exported symbol", file = "/a/lib/b.ts" } = {}): string {
  return `error[${code}]: ${about}\n  --> ${file}:7:14\n   | \n 7 | ${line}\n   |  ^`;
}

Deno.test("findDocProblems() lets a family's type, types of constants and packages, and plain fields pass and nothing else", () => {
  const problems = [
    complaint("missing-explicit-type", "export const LIMIT = 5;"),
    complaint("missing-jsdoc", "export const NIAH = family({"),
    complaint("private-type-ref", "export function cut(text: Text): void {"),
    complaint("missing-explicit-type", "export const REST = familyOf({"),
    complaint("missing-jsdoc", "  length(): number;"),
  ];
  const schema = "public type 'Repair' references private type 'InferOutput'";
  const passed = [
    complaint("missing-explicit-type", "export const NIAH = family({"),
    complaint("private-type-ref", "", { about: "public type 'Published[\"rows\"]' references private type 'COLUMNS'" }),
    complaint("missing-jsdoc", "  readonly task: string;"),
    complaint("private-type-ref", "export type Repair = Readonly<v.InferOutput<typeof REPAIR>>;", { about: schema }),
    complaint("missing-jsdoc", "  label?: string;", { file: "/a/npm/valibot/index.d.mts" }),
  ];
  const end = "error: Found 8 documentation lint errors.\n";
  deepEqual(findDocProblems([...problems, ...passed, end].join("\n\n\n")), problems);
  deepEqual(findDocProblems("Checked 12 files\n"), []);
});

Deno.test("findPrivateTypes() finds a type that is not exported, and a line that is not needed any more", () => {
  const output = complaint("private-type-ref", "", { about: "public type 'cut' references private type 'Text'" });
  deepEqual(findPrivateTypes(output, ["Text"]), []);
  deepEqual(findPrivateTypes(output, ["Cut"]), [
    "lib/mod.ts must export the type Text",
    "private_types.txt must not list Cut any more",
  ]);
});
