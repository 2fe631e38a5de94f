import { equal } from "node:assert/strict";
import { STAR_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { openStarsPublished, type StarsPublished } from "@/lib/papers/counting_stars/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openStarsPublished();

Deno.test.each(
  [
    ["C3", "fails"],
    ["C13", "fails"],
  ] as [string, string][],
)("STAR_CLAIMS: %s %s of figures with the two models and the two ends exchanged", (id, verdict) => {
  equal(verdictOf(id, exchanged(published)), verdict);
});

Deno.test("STAR_CLAIMS: the places of lost stars decide C12 and C12c", () => {
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

Deno.test("STAR_CLAIMS: the later tables decide L1 to L3", () => {
  const later: StarsPublished = {
    ...published,
    leaders: published.leaders.map((leader) => ({
      ...leader,
      average: leader.average === null ? null : 1 - leader.average,
      acquisitionZh: leader.model === "GPT-4 Turbo (1106)" ? 0 : leader.acquisitionZh,
    })),
    byQuarter: published.byQuarter.map((row) => ({ ...row, accuracy: 1 - row.accuracy })),
  };
  for (const id of ["L1", "L2", "L3"]) equal(verdictOf(id, later), "fails", id);
});

function verdictOf(id: string, numbers: StarsPublished): string {
  return checkClaims(STAR_CLAIMS.filter((claim) => claim.id === id), numbers)[0]!.verdict;
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
