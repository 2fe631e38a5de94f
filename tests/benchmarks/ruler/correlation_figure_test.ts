import { equal, match, throws } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";
import {
  correlationFigure,
  type CorrelationFigureOptions,
  openPublished,
  publishedCorrelationStudy,
} from "@/lib/benchmarks/ruler/mod.ts";

const study = publishedCorrelationStudy(await openPublished());
const OPTIONS: CorrelationFigureOptions = {
  title: "A finding",
  caption: "How to read it.",
  origin: "published",
  n: "8 models",
  unit: "r, rescaled",
};

Deno.test("correlationFigure() draws Figure 5 in its own order, the five removed tasks in red", async () => {
  const svg = await correlationFigure(study, OPTIONS).svg();
  const labels = writtenTexts(svg).filter((text) => study.tasks.includes(text));
  equal(labels.slice(0, 18).join(), study.tasks.join());
  // Each stands at its row and at its column.
  equal([...svg.matchAll(/fill="#c1121f"/g)].length, 10);
});

Deno.test("correlationFigure() names what was left out", () => {
  const leftOut = [{ task: "CWE", reason: "the same score in all 8 places" }];
  match(
    correlationFigure({ ...study, leftOut }, OPTIONS).caption,
    /left out: CWE \(the same score in all 8 places\)\.$/,
  );
});

Deno.test("correlationFigure() refuses a study without tasks", () => {
  throws(
    () => correlationFigure({ ...study, tasks: [], matrix: [] }, OPTIONS),
    /there must be at least one row of distances/,
  );
});
