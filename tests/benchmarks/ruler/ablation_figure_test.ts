import { equal, match, ok, throws } from "node:assert/strict";
import { markLabels, written } from "../../figures/_read_svg.ts";
import {
  ablationFigure,
  type AblationFigureOptions,
  openPublished,
  publishedAblationLines,
  type ScoreLine,
} from "@/lib/benchmarks/ruler/mod.ts";

const lines = publishedAblationLines(await openPublished());
const OPTIONS: AblationFigureOptions = {
  title: "A finding",
  caption: "How to read it.",
  figure: 2,
  origin: "published",
  n: "500 samples a point",
};

Deno.test.each([[2], [3]] as [2 | 3][])("ablationFigure() draws every digitised point of Figure %d", async (figure) => {
  const svg = await ablationFigure(lines, { ...OPTIONS, figure }).svg();
  const points = lines.filter(({ panel }) =>
    (figure === 2 ? ["needle type", "keys", "values", "queries"] : ["hops", "chains", "alpha", "qa"]).includes(panel)
  ).flatMap((line) => line.points.map(({ score }) => score));
  const drawn = markLabels(svg).filter((label) => /^[^:]*: \d/.test(label));
  ok(drawn.length >= points.length, `${drawn.length} of ${points.length}`);
});

Deno.test("ablationFigure() draws the scores without context, and labels them once", async () => {
  const text = written(await ablationFigure(lines, { ...OPTIONS, figure: 3 }).svg());
  match(text, /without context: SQuAD 28\.8, HotpotQA 31\.6/);
});

Deno.test("ablationFigure() says which panels it leaves out, and refuses to draw none", () => {
  const keys = lines.filter(({ panel }) => panel === "keys");
  match(ablationFigure(keys, OPTIONS).caption, /Not drawn, for want of a score: needle type, values, queries\./);
  equal(ablationFigure(lines, OPTIONS).caption, OPTIONS.caption);
  for (const none of [[], lines.map((line): ScoreLine => ({ ...line, points: [] }))]) {
    throws(() => ablationFigure(none, OPTIONS), {
      name: "RangeError",
      message:
        'Cannot draw "A finding" as a panel of needle type, keys, values, queries must have a score: current value is "none"',
    });
  }
});

Deno.test("ablationFigure() shows intervals where it is told to", () => {
  match(ablationFigure(lines, { ...OPTIONS, withIntervals: true }).note, /bars: 95% interval/);
  match(ablationFigure(lines, OPTIONS).note, /no interval/);
});
