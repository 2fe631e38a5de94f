import { deepEqual, ok } from "node:assert/strict";
import { type Disagreement, disagreements } from "./_disagreements.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const published = await openPublished();
const found = disagreements(published);

function listKind(kind: string): readonly string[] {
  return found.filter((one) => one.kind === kind).map(({ edition, where, printed, expected }: Disagreement) =>
    `${edition}: ${where}: ${printed}, not ${expected}`
  );
}

Deno.test.each(
  [
    ["average", [
      "v1: Table 11, Together (7B), Avg.: 66.7, not 66.633",
      "v3: Table 16, Gemini-1.5, wAvg. (dec): 78.0, not 78.052",
      "repository: Table 3, Qwen2.5-14B-Instruct-1M* (14B), Avg.: 95.7, not 95.200",
    ]],
    ["rank", []],
    ["effective length", [
      "repository: Table 3, Qwen3-14B* (14B), effective length: >128K, not 64K",
      "repository: Table 3, Qwen2.5-7B-Instruct-1M* (7B), effective length: >128K, not 64K",
      "repository: Table 3, Qwen3-8B* (8B), effective length: 64K, not 32K",
      "repository: Table 3, Qwen3-4B* (4B), effective length: 64K, not 32K",
      "repository: Table 3, EXAONE-4.0-1.2B* (1.2B), effective length: 32K, not 16K",
    ]],
    ["categories", []],
    ["threshold", [
      "v1: Table 3, Llama2-7B (chat), 4K: 85.6, not 87.22",
      "v1: Table 12, Llama2-7B (base), 4K: 79.4, not 79.18",
    ]],
    ["figure", [
      "v3: Table 14, Yi (34B), 64K: 92.5, not 94.0",
      "v3: Table 3, Llama2-7B (chat), 4K: 85.6, not 84.9",
    ]],
    ["editions", [
      "v1: Table 13, Yi (34B), 4K: 98.1, not 98.2",
      "v1: Table 13, Yi (34B), 8K: 96.9, not 96.8",
      "v1: Table 13, Yi (34B), 16K: 97.4, not 97.3",
    ]],
    ["name", [
      "v1: Table 16, Command-R (34B): Command-R (34B), not Command-R (35B)",
      "v3: Table 11, Command-R-plus (35B): Command-R-plus (35B), not Command-R-plus (104B)",
    ]],
    ["claimed length", [
      "v1: Table 4, ChatGLM (6B), claimed length: 128M, not 128K",
      "v3: Table 11, GLM4 (9B), claimed length: 128K, not 1M",
    ]],
    ["ordinal", [
      "v1: Table 3, Yi (34B), rank of wAvg. (inc): 3th, not 3rd",
      "v1: Table 3, Yi (34B), rank of wAvg. (dec): 3th, not 3rd",
      "v1: Table 13, Jamba-base (52B), rank of wAvg. (inc): 3th, not 3rd",
      "v1: Table 14, LWM-base (7B), rank of wAvg. (inc): 3th, not 3rd",
    ]],
    ["notation", [
      "v3: Table 14, Jamba-base (52B), effective length: 128K, not >128K",
      "v3: Table 14, LWM-base (7B), effective length: 128K, not >128K",
    ]],
  ] as [string, string[]][],
)("disagreements() lists those of kind %s, and no others", (kind, wanted) => {
  deepEqual(listKind(kind), wanted);
});

Deno.test("disagreements() distinguishes misprints from rounding, thresholds and later editions", () => {
  const first = found.filter(({ edition }) => edition === "v1");
  const causes = Object.groupBy(first, ({ cause }) => cause);
  deepEqual(Object.entries(causes).map(([cause, all]) => [cause, all.map(({ where }) => where)]), [
    ["rounding", ["Table 11, Together (7B), Avg."]],
    ["threshold", ["Table 3, Llama2-7B (chat), 4K", "Table 12, Llama2-7B (base), 4K"]],
    ["edition", ["Table 13, Yi (34B), 4K", "Table 13, Yi (34B), 8K", "Table 13, Yi (34B), 16K"]],
    ["misprint", [
      "Table 16, Command-R (34B)",
      "Table 4, ChatGLM (6B), claimed length",
      "Table 3, Yi (34B), rank of wAvg. (inc)",
      "Table 3, Yi (34B), rank of wAvg. (dec)",
      "Table 13, Jamba-base (52B), rank of wAvg. (inc)",
      "Table 14, LWM-base (7B), rank of wAvg. (inc)",
    ]],
  ]);
  const third = found.filter(({ edition }) => edition === "v3");
  deepEqual(
    ["misprint", "rounding", "threshold", "edition"].map((cause) => third.filter((one) => one.cause === cause).length),
    [5, 1, 1, 0],
  );
});

Deno.test("disagreements() names the effective lengths that depend on the threshold", () => {
  const why = (expected: string): string | undefined => found.find((one) => one.expected === expected)?.why;
  ok(
    why("87.22")?.endsWith(
      "A threshold of 87.2 changes the effective length of GPT-4 from 64K to 32K, of Mixtral (8x7B) from 32K to 16K, " +
        "of Mistral (7B) from 16K to 8K.",
    ),
  );
  ok(why("84.9")?.endsWith("A threshold of 84.9 changes the effective length of Command-R (35B) from 32K to 64K."));
});

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

Deno.test("notebook 01 counts the disagreements of each edition", () => {
  const { cells } = JSON.parse(Deno.readTextFileSync("notebooks/01-ruler-leaderboard.ipynb"));
  const text = cells.map(({ source }: { readonly source: readonly string[] }) => source.join("")).join("\n");
  const count = (edition: string, cause: string): number =>
    found.filter((one) => one.edition === edition && one.cause === cause).length;
  deepEqual(
    ["v1", "v3", "repository"].map((edition) =>
      ["misprint", "rounding", "threshold", "edition"].map((cause) => count(edition, cause))
    ),
    [[6, 1, 2, 3], [5, 1, 1, 0], [6, 0, 0, 0]],
  );
  ok(text.includes("six misprints, one average rounded to the wrong side (Together's in Table 11), two thresholds"));
  ok(text.includes("three scores of Table 13 that the third version prints differently"));
  ok(text.includes("seven places of the third version"));
  ok(text.includes("one average and five effective lengths of the repository's leaderboard"));
});
