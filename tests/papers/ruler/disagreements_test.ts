import { deepEqual } from "node:assert/strict";
import { disagreements } from "./_disagreements.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const published = await openPublished();
const found = disagreements(published);

Deno.test("disagreements() finds a slip that is made", () => {
  const rows = published.rows.map((row) =>
    row.edition === "v1" && row.table === 3 && row.model === "GPT-4"
      ? { ...row, printed: { ...row.printed, average: 91.8, rankIncreasing: 2, effectiveLength: "32k" } }
      : row
  );
  const added = disagreements({ ...published, rows }).filter(({ where }) => where.startsWith("Table 3, GPT-4"));
  deepEqual(added.map(({ kind, cause, printed, expected }) => [kind, cause, printed, expected]), [
    ["average", "misprint", "91.8", "91.583"],
    ["rank", "misprint", "2", "1"],
    ["effective length", "misprint", "32k", "64K"],
  ]);
});

/** The cells of the first table below a heading of docs/ruler.md. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = Deno.readTextFileSync("docs/ruler.md").split(`## ${heading}\n`);
  const lines = section.split("\n## ")[0]!.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("\\", "")));
}

Deno.test("docs/ruler.md lists every disagreement, and no other", () => {
  const names = { v1: "first", v3: "third", repository: "repository" };
  deepEqual(
    tableBelow("Where the published numbers disagree"),
    found.map(({ edition, where, printed, expected, cause, why }) => [
      names[edition],
      where,
      printed,
      expected,
      cause,
      why,
    ]),
  );
});
