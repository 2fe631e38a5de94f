import { equal } from "node:assert/strict";
import { STAR_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { openStars, type StarEvidence } from "@/lib/papers/counting_stars/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const rows = await openStars();

function verdictOf(id: string, change: (row: StarEvidence) => Partial<StarEvidence>): string {
  const changed = rows.map((row) => ({ ...row, ...change(row) }));
  return checkClaims(STAR_CLAIMS.filter((claim) => claim.id === id), changed)[0]!.verdict;
}

Deno.test("STAR_CLAIMS compare models, orders and numbers of stars", () => {
  const byModel = (gpt: number, kimi: number) =>
    verdictOf("C3", ({ model }) => ({ score: model.startsWith("GPT") ? gpt : kimi }));
  equal([byModel(90, 50), byModel(50, 90)].join(), "holds,fails");
  equal(verdictOf("C8", ({ knobs }) => ({ score: knobs["order"] === "shuffled" ? 90 : 50 })), "fails");
  equal(verdictOf("C13", ({ knobs }) => ({ score: Number(knobs["stars"]) })), "fails");
  equal(verdictOf("C7", ({ length }) => ({ score: 100 - length! / 2000 })), "fails");
});

Deno.test("STAR_CLAIMS: the places of lost stars decide C12 and C12c", () => {
  const middling = ({ cells }: StarEvidence) => ({
    cells: cells?.map((_, star) => Math.floor(3 * star / cells.length) === 1 ? 0 : 1) ?? null,
  });
  for (const id of ["C12", "C12c"]) equal(verdictOf(id, middling), "fails", id);
});

Deno.test("STAR_CLAIMS: the later tables decide L1 to L4", () => {
  const upsideDown = ({ score }: StarEvidence) => ({ score: 100 - score });
  for (const id of ["L1", "L3", "L4"]) equal(verdictOf(id, upsideDown), "fails", id);
  const worse = ({ model, score }: StarEvidence) => ({
    score: model === "GPT-4 Turbo (1106)" ? score % 20 * 5 : score,
  });
  equal(verdictOf("L2", worse), "fails");
});
