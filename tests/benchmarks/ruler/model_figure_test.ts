import { equal, match, throws } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";
import {
  familyLines,
  modelFigure,
  type ModelFigureOptions,
  openPublished,
  publishedModelLines,
} from "@/lib/benchmarks/ruler/mod.ts";

const lines = publishedModelLines(await openPublished());
const OPTIONS: ModelFigureOptions = { title: "A finding", caption: "How to read it.", origin: "published", n: 6500 };

Deno.test("modelFigure() draws the four families of Figure 4, dashed beyond the training length", async () => {
  const figure = modelFigure(lines, OPTIONS);
  const texts = writtenTexts(await figure.svg());
  for (const title of ["Training length: LWM, chat", "Training length: LWM, base", "Model size: Yi", "Architecture"]) {
    equal(texts.filter((text) => text === title).length, 1, title);
  }
});

Deno.test("modelFigure() draws one family as one chart, with its intervals", () => {
  const yi = lines.filter(({ panel }) => panel === "Yi");
  const figure = modelFigure(yi, { ...OPTIONS, withIntervals: true });
  match(figure.note, /band: 95% interval/);
  equal(figure.caption, OPTIONS.caption);
});

Deno.test("modelFigure() refuses models without a single mean of the 13 tasks", () => {
  const none = familyLines([{ model: "a", replies: [], trained: 0 }]);
  throws(() => modelFigure(none, OPTIONS), {
    name: "RangeError",
    message: 'Cannot draw "A finding" as one model or more must have a mean of all 13 tasks: current value is "none"',
  });
});
