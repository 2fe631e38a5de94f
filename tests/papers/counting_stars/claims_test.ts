import { deepEqual, equal, match, ok } from "node:assert/strict";
import { checkOnce } from "../_checked.ts";
import { STAR_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { COUNTING_STARS_PAPER } from "@/lib/papers/counting_stars/paper.ts";
import { openStarsPublished, type StarsPublished } from "@/lib/papers/counting_stars/published.ts";
import { starChanges } from "@/lib/papers/counting_stars/star_changes.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openStarsPublished();
const checked = await checkOnce(COUNTING_STARS_PAPER.claims.find(({ name }) => name === "text")!);

Deno.test("STAR_CLAIMS cover C1 to C18, in their order", () => {
  const numbers = new Set(STAR_CLAIMS.map(({ id }) => Number(id.match(/\d+/)![0])));
  deepEqual([...numbers], Array.from({ length: 19 }, (_, number) => number));
});

Deno.test.each(
  [
    ["C2b", /1 marks a found star/],
    ["C3", /means are 0\.952 and 0\.907/],
    ["C3b", /16-32 0\.965 and 0\.988.*64-32 0\.897 and 0\.931/],
    ["C4", /0\.101 in English; .* 0\.104 in the same version and 0\.045 on average.* 0\.154, 0\.158, 0\.152/],
    ["C5", /26 of 64, 0 .*24 of 64, 0/],
    ["C6", /34 of 64.*92K 34, 104K 34, 120K 36/],
    ["C7", /GPT-4 in 3 of 11 .*: 34 at 92K, 56 at 100K; Kimi in 3 of 11 .*: 24 at 92K, 64 at 100K/],
    ["C7b", /GPT-4 in 1 of 12 panels, .* 4% .*; Kimi in 7 of 12 panels, .* 21%/],
    ["C8", /GPT-4 0\.27.*Kimi 0\.25/],
    ["C9", /0\.001 apart.*0\.005 apart/],
    ["C10", /0\.037, 0\.155, 0\.173, on average by 0\.122/],
    ["C11", /GPT-4 finds 30 of 32 and Kimi 1/],
    ["C12", /1,620 of 2,926 errors, 55%; it has most in 16 of 24 panels/],
    ["C12b", /GPT-4 22%, 47%, 31% of 751; Kimi 6%, 30%, 64% of 2,175\..* 11 of 11/],
    ["C12c", /34% of all errors, and most in 5 of 24 panels: GPT-4 stone 32 16 82%, GPT-4 stone 32 32 58%/],
    ["C12d", /middle third has most in 6 of 6 panels; .* GPT-4 Turbo acquisition 61% and 23%/],
    [
      "C13",
      /GPT-4, Stone 0\.965, 0\.968, 0\.897; .*Kimi, Stone 0\.988, 0\.864, 0\.931.*: lower with more in 9 of 12 pairs/,
    ],
    ["C14", /0\.979 after 0\.968.*0\.846 after 0\.864/],
    ["C16", /begin with 3, the shuffled one with 15/],
    ["C17", /GPT-4 64-32 -0\.060 .*Kimi 64-32 0\.147 .*: large in 2 of 6/],
  ] as [string, RegExp][],
)("STAR_CLAIMS state the numbers behind %s", (id, observed) => {
  match(checked.find((claim) => claim.id === id)!.observed, observed);
});

Deno.test("STAR_CLAIMS: what shuffling costs has one interval, that of the table of changes with the same seed", () => {
  const changes = starChanges(published, "42").filter(({ change }) => change.startsWith("increasing"));
  const claim = checked.find(({ id }) => id === "C8")!;
  for (const { difference, low, high } of changes) {
    const [middle, from, to] = [difference, low, high].map((value) => value.toFixed(3));
    ok(claim.observed.includes(`${middle} (95% interval ${from} to ${to})`), claim.observed);
  }
});

Deno.test.each(
  [
    ["C3", "fails"],
    ["C5", "fails"],
    ["C10", "fails"],
    ["C13", "fails"],
  ] as [string, string][],
)("STAR_CLAIMS: %s %s of figures with the two models and the two ends exchanged", (id, verdict) => {
  equal(verdictOf(id, exchanged(published)), verdict);
});

Deno.test("STAR_CLAIMS: the places of errors decide C12 and C12c", () => {
  const middling: StarsPublished = {
    ...published,
    panels: published.panels.map((panel) => ({
      ...panel,
      columns: panel.columns.map(({ length, cells }) => ({
        length,
        cells: cells.map((_, star) => Math.floor(3 * star / cells.length) === 1 ? 0 : 1),
      })),
    })),
  };
  equal(verdictOf("C12", middling), "fails");
  equal(verdictOf("C12c", middling), "fails");
});

function verdictOf(id: string, numbers: StarsPublished): string {
  return checkClaims(STAR_CLAIMS.filter((claim) => claim.id === id), { ...numbers, seed: "42" })[0]!.verdict;
}

/** The published panels with each model's numbers under the other's name, stars in reverse, and 16 and 64 stars exchanged. */
function exchanged({ panels, ...rest }: StarsPublished): StarsPublished {
  const other = (figure: string): string =>
    figure.replace(/_(16|64)_32$/, (_, stars) => `_${stars === "16" ? 64 : 16}_32`);
  return {
    ...rest,
    panels: panels.map((panel) => {
      const source = panels.find(({ figure, model }) => figure === panel.figure && model !== panel.model)!;
      const columns = source.columns.map(({ length, cells }) => ({ length, cells: cells.toReversed() }));
      const title = panels.find(({ figure, model }) => figure === other(panel.figure) && model === source.model)!;
      return { ...panel, columns, printed: title.printed };
    }),
  };
}
