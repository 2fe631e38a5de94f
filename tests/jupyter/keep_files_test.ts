import { equal, match } from "node:assert/strict";
import { lineChart } from "@/lib/figures/mod.ts";
import { keepFigure } from "@/lib/jupyter/mod.ts";

Deno.test("keepFigure() saves a figure in the folder given, and returns it", async () => {
  const figure = lineChart([{ length: 4096, score: 90 }, { length: 8192, score: 80 }], {
    ...{ title: "Shorter is better", caption: "One task.", origin: "measured", n: 10, x: "length", y: "score" },
    ...{ xTitle: "Context length (tokens)", yTitle: "Score (%)" },
  });
  const folder = await Deno.makeTempDir();
  equal(await keepFigure(figure, "scores.svg", { folder }), figure);
  match(await Deno.readTextFile(`${folder}/scores.svg`), /Shorter is better/);
  await Deno.remove(folder, { recursive: true });
});
