import { deepEqual, equal } from "node:assert/strict";
import { disagreements } from "./_disagreements.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const published = await openPublished();

Deno.test("disagreements() finds a slip that is made", () => {
  const rows = published.rows.map((row) =>
    row.edition === "v1" && row.table === 3 && row.model === "GPT-4"
      ? { ...row, average: 91.8, rankIncreasing: 2, effectiveLength: "32k" }
      : row
  );
  const added = disagreements({ ...published, rows }).filter(({ where }) => where.startsWith("Table 3, GPT-4"));
  deepEqual(added.map(({ kind, cause, printed, expected }) => [kind, cause, printed, expected]), [
    ["average", "misprint", "91.8", "91.583"],
    ["rank", "misprint", "2", "1"],
    ["effective length", "misprint", "32k", "64K"],
  ]);
});

const EDITIONS = { v1: "first", v3: "third", repository: "repository" };

/** The places that differ, those of one reason together. */
function listText(): string {
  const groups = Map.groupBy(
    disagreements(published),
    ({ cause, why }) => `**${cause[0]!.toUpperCase()}${cause.slice(1)}.** ${why}`,
  );
  const parts = Array.from(groups, ([reason, places]) => {
    const lines = places.map(({ edition, where, printed, expected }) =>
      `  - ${EDITIONS[edition]}, ${where.replaceAll("*", "\\*")}: ${printed}, expected ${expected}`
    );
    return `- ${reason}\n${lines.join("\n")}\n`;
  });
  return parts.join("");
}

Deno.test("data/published/ruler_disagreements.txt lists every place", async () => {
  const text = await Deno.readTextFile("data/published/ruler_disagreements.txt");
  equal(text.slice(text.indexOf("\n- ") + 1), listText());
});
