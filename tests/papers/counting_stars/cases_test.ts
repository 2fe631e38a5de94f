import { deepEqual, equal, match, ok } from "node:assert/strict";
import { countingStarsLengths } from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  openStarsPublished,
  printedStarCases,
  starCases,
  starCaseTable,
  starValueFigure,
} from "@/lib/papers/counting_stars/mod.ts";
import { starCase, starValues } from "@/lib/papers/counting_stars/cases.ts";
import { openMeasured } from "@/lib/records/mod.ts";

const RIGHT = [3, 5, 9, 15, 19, 21, 26, 29].map(String);

Deno.test.each(
  [
    ["Case 1, each number twice", `{"小企鹅": [3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]}`, "counts on"],
    ["steps of five", `[5, 10, 15, 20, 25, 30, 35]`, "counts on"],
    ["Case 2", `{"小企鹅": [${Array(339).fill(3).join(",")}]}`, "repeats one number"],
    [
      "Case 3",
      `["\\n小企鹅数了3颗★\\n", "\\n小企鹅数了5颗★\\n", "\\n小企鹅数了9颗★\\n", "\\n小企鹅数了15颗★\\n", "\\n小企鹅数了19颗★\\n"]`,
      "lists sentences",
    ],
    [
      "Case 3 in English",
      JSON.stringify(RIGHT.map((count) => `The little penguin counted ${count} ★`)),
      "lists sentences",
    ],
    ["a right list", `{"小企鹅": [${RIGHT}]}`, null],
    ["counts with a unit", JSON.stringify(RIGHT.map((count) => `${count}颗★`)), null],
    ["four numbers show nothing", "[3, 3, 3, 3]", null],
    ["no list", "I do not know.", null],
  ] as [string, string, string | null][],
)("starCase() of %s", (_name, reply, wanted) => {
  equal(starCase(reply, RIGHT), wanted);
});

Deno.test("printedStarCases() are what the picture shows: 3 to 150 twice and one 3 more, and 339 threes", () => {
  const [first, second, third] = printedStarCases();
  // Cut to 64 entries the list ends with 34: of the counts it holds 3 5 9 15 19 21 26 29.
  deepEqual([first!.entries, first!.right, first!.wanted], [297, 8, 64]);
  deepEqual([second!.entries, second!.right, second!.wanted], [339, 1, 32]);
  equal(third!.kind, "lists sentences");
});

Deno.test("starCases() gives each model a row for each case, and its replies among those scored", async () => {
  const runs = await openMeasured({ benchmark: "counting_stars" });
  for (const { replies } of runs) {
    const rows = starCases(replies);
    deepEqual(rows.map(({ kind }) => kind), ["counts on", "repeats one number", "lists sentences"]);
    ok(rows.every(({ replies, asked }) => replies <= asked!));
  }
  match(starCaseTable(printedStarCases(), { title: "Cases", origin: "published" }).markdown, /Case 3/);
  equal(starCases([]).length, 0);
});

Deno.test("starValues() are the published lists, none with a 1 first, and the shorter are prefixes of the longer", async () => {
  const { values, replies } = await openStarsPublished();
  const points = Map.groupBy(starValues(), ({ version }) => version);
  const lists = [...points.values()].map((rows) => rows.map(({ value }) => value));
  deepEqual(lists.map(({ length }) => length), [64, 32, 64, 128, 256, 512, 1024]);
  deepEqual(lists.at(-1), values.map(({ right }) => right));
  for (const list of lists.slice(1)) deepEqual(list, lists.at(-1)!.slice(0, list.length));
  const asked = replies.find(({ figure }) => figure === "stone_32_16")!.references.map(Number);
  deepEqual(lists[0]!.slice(0, 32), asked);
  ok(lists.every(([first]) => first !== 1));
  equal(countingStarsLengths(32).length, 32);
});

Deno.test("starValueFigure() draws a panel for each version, and the lengths", async () => {
  const svg = await starValueFigure({ title: "Increasing or shuffled" }).svg();
  for (const name of ["M = 16, 32 and 64, increasing", "M = 1024, shuffled", "N = 16"]) ok(svg.includes(name), name);
});
