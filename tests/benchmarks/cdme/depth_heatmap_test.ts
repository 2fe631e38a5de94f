import { deepEqual, equal, match, throws } from "node:assert/strict";
import { markLabels, written } from "../../figures/_read_svg.ts";
import { type DepthCell, depthHeatmap, readOpencompassSummary } from "@/lib/benchmarks/cdme/mod.ts";

function cell(length: number, depth: number, score: number | null, changes: Partial<DepthCell> = {}): DepthCell {
  return { length, depth, score, n: 10, failed: 0, noAnswer: 0, ...changes };
}

const CELLS = [cell(1000, 0, 100), cell(1000, 100, 50), cell(2000, 0, 25), cell(2000, 100, null, { n: 0, failed: 10 })];

Deno.test("depthHeatmap() words title, axes and overall score as OpenCompass does", async () => {
  const figure = depthHeatmap(CELLS, { model: "gpt-4", origin: "measured" });
  equal(figure.title, 'gpt-4 8K Context Performance: Fact Retrieval Across Context Lengths ("Needle In A Haystack")');
  // (75 + 25) / 2: the mean of the columns' means, and not of the three cells.
  match(figure.caption, /^Overall Score for gpt-4: 50\.00\./);
  match(figure.note, /n = 0 to 10 a cell, 10 failed calls/);
  const text = written(await figure.svg());
  match(text, /Token Limit/);
  match(text, /Depth Percent/);
});

Deno.test("depthHeatmap() runs from #F0496E over #EBB839 to #0CD79F, with a white line of means and grey gaps", async () => {
  const svg = await depthHeatmap([...CELLS, cell(3000, 0, 0)], { model: "m", origin: "measured" }).svg();
  match(svg, /aria-label="1000, 0: 100"[^>]*fill="rgb\(12, 215, 159\)"/);
  match(svg, /aria-label="1000, 100: 50"[^>]*fill="rgb\(235, 184, 57\)"/);
  match(svg, /aria-label="3000, 0: 0"[^>]*fill="rgb\(240, 73, 110\)"/);
  deepEqual(markLabels(svg).filter((label) => label.startsWith("mean ")), ["mean 75", "mean 25", "mean 0"]);
  equal([...svg.matchAll(/fill="#dcdcdc"/g)].length, 2);
});

Deno.test("depthHeatmap() changes its title alone by the dataset's length", async () => {
  const [short, long] = await Promise.all(
    ["8K", "200K"].map((datasetLength) => depthHeatmap(CELLS, { model: "m", origin: "measured", datasetLength }).svg()),
  );
  match(written(long!), /m 200K Context Performance/);
  const marks = (svg: string): string[] => markLabels(svg).filter((label) => !label.includes("Context Performance"));
  deepEqual(marks(short!), marks(long!));
});

Deno.test("depthHeatmap() says that a summary does not tell its samples, and draws Chinese names", async () => {
  const { models } = readOpencompassSummary(
    "dataset,version,metric,mode,书生·浦语\nCDME_Length1000Depth0,a,score,gen,1\n",
    "a.csv",
  );
  const figure = depthHeatmap(models[0]!.cells, { model: models[0]!.model, origin: "measured" });
  match(figure.note, /samples a cell are not told/);
  match(written(await figure.svg()), /书生·浦语/);
});

Deno.test("depthHeatmap() refuses cells without any score", () => {
  throws(
    () => depthHeatmap([cell(1000, 0, null)], { model: "m", origin: "measured" }),
    /must be a number in one row or more/,
  );
});
