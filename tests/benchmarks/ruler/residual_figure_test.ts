import { match, throws } from "node:assert/strict";
import { profileResiduals, residualFigure } from "@/lib/benchmarks/ruler/mod.ts";

Deno.test("residualFigure() shows published and simulated scores of four categories beside a diagonal", async () => {
  const figure = residualFigure(profileResiduals(), { title: "Profiles are near" });
  match(figure.note, /Published: published scores; simulated: expected scores/);
  match(figure.note, /dotted: published and expected are the same/);
  match(await figure.svg(), /multi-hop tracing/);
});

Deno.test("residualFigure() refuses a profile that was not fitted", () => {
  throws(() => residualFigure(profileResiduals(["ideal"]), { title: "None" }), { name: "RangeError" });
});
