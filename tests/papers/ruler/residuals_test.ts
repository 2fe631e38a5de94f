import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { expectedCategoryScore } from "@/lib/papers/ruler/expected_score.ts";
import { openPublished, profileResiduals, residualFigure, residualTable } from "@/lib/papers/ruler/mod.ts";
import { openProfile, PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

const rows = profileResiduals();

Deno.test("profileResiduals() has four categories of each fitted profile, at six lengths or at Llama2-7B's two", () => {
  const counts = [...Map.groupBy(rows, ({ profile }) => profile)].map(([profile, { length }]) => [profile, length]);
  deepEqual(counts, PUBLISHED_PROFILES.map(({ name }) => [name, name === "llama2-7b" ? 8 : 24]));
});

Deno.test("profileResiduals() has the published scores of Table 13, and the scores that the profiles are expected to reach", async () => {
  const published = (await openPublished()).rows.find((row) =>
    row.edition === "v1" && row.category === "retrieval" && row.model.startsWith("Mixtral (")
  )!;
  const mixtral = rows.filter(({ profile, category }) => profile === "mixtral" && category === "retrieval");
  deepEqual(mixtral.map(({ length, published }) => ({ length, score: published })), published.scores);
  for (const { profile, category, length, expected } of rows) {
    ok(Math.abs(expectedCategoryScore(openProfile(profile), { category, length }) - expected) <= 0.051);
  }
});

Deno.test("profileResiduals() are small: 3 points typically, 14 at most", () => {
  const square = rows.reduce((sum, { residual }) => sum + residual ** 2, 0) / rows.length;
  ok(Math.sqrt(square) <= 3, `${Math.sqrt(square)}`);
  ok(rows.every(({ residual }) => Math.abs(residual) <= 14));
});

Deno.test("profileResiduals() of profiles that were not fitted are none, and of unknown ones an error", () => {
  equal(profileResiduals(["ideal"]).length, 0);
  throws(() => profileResiduals(["nope"]), { name: "RangeError" });
});

Deno.test("residualFigure() shows published and simulated scores of four categories beside a diagonal", async () => {
  const figure = residualFigure(profileResiduals(), { title: "Profiles are near" });
  match(figure.note, /Published: published scores; simulated: expected scores/);
  match(figure.note, /dotted: published and expected are the same/);
  match(await figure.svg(), /multi-hop tracing/);
});

Deno.test("residualTable() has the root of the mean square and the largest residual of each profile", () => {
  const rows = [{ residual: 3, expected: 93 }, { residual: -4, expected: 86 }].map((row, at) => (
    { ...row, profile: "one", category: "retrieval", length: 4096 * 2 ** at, published: 90 } as const
  ));
  // sqrt((9 + 16) / 2) = 3.54
  match(residualTable(rows, { title: "Near" }).text, /^one +2 +3\.5 +[-−]4\.0 +retrieval at 8K: 86\.0 for 90\.0$/m);
});

Deno.test("residualFigure() and residualTable() refuse a profile that was not fitted", () => {
  for (const show of [residualFigure, residualTable]) {
    throws(() => show(profileResiduals(["ideal"]), { title: "None" }), { name: "RangeError" });
  }
});
