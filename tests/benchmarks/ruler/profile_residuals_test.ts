import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { expectedCategoryScore } from "@/lib/benchmarks/ruler/expected_score.ts";
import { openPublished, profileResiduals } from "@/lib/benchmarks/ruler/mod.ts";
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
