import { equal, ok } from "node:assert/strict";
import { checkOnce } from "../_checked.ts";
import { STAR_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { COUNTING_STARS_PAPER } from "@/lib/papers/counting_stars/paper.ts";
import { openStarsPublished, type StarsPublished } from "@/lib/papers/counting_stars/published.ts";
import { starChanges } from "@/lib/papers/counting_stars/star_changes.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openStarsPublished();
const checked = await checkOnce(COUNTING_STARS_PAPER.claims.find(({ name }) => name === "text")!);

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
