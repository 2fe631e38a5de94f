import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { markLabels, withOwnAttributes, written } from "../../figures/_read_svg.ts";
import {
  opencompassMap,
  opencompassMaps,
  readOpencompassPredictions,
  readOpencompassSummary,
} from "@/lib/papers/cdme/opencompass.ts";
import type { DepthMapCell } from "@/lib/figures/mod.ts";

function cell(length: number, depth: number, score: number | null, changes: Partial<DepthMapCell> = {}): DepthMapCell {
  return { length, depth, score, n: 10, failed: 0, noAnswer: 0, ...changes };
}

const CELLS = [cell(1000, 0, 100), cell(1000, 100, 50), cell(2000, 0, 25), cell(2000, 100, null, { n: 0, failed: 10 })];

Deno.test("opencompassMap() words title, axes and overall score as OpenCompass does", async () => {
  const figure = opencompassMap(CELLS, { model: "gpt-4", origin: "measured" });
  equal(figure.title, 'gpt-4 8K Context Performance: Fact Retrieval Across Context Lengths ("Needle In A Haystack")');
  // (75 + 25) / 2: the mean of the columns' means, and not of the three cells.
  match(figure.caption, /^Overall Score for gpt-4: 50\.00\./);
  match(figure.note, /n = 0 to 10 a cell, 10 failed calls/);
  const text = written(await figure.svg());
  match(text, /Token Limit/);
  match(text, /Depth Percent/);
});

Deno.test("opencompassMap() runs from red to green, with a white line of means and grey gaps", async () => {
  const svg = await opencompassMap([...CELLS, cell(3000, 0, 0)], { model: "m", origin: "measured" }).svg();
  match(svg, /fill="#93e8ae"[^>]*><title>1000, 0: 100/);
  match(svg, /fill="#dd793b"[^>]*><title>1000, 100: 50/);
  match(svg, /fill="#7a0f2b"[^>]*><title>3000, 0: 0/);
  deepEqual(markLabels(svg).filter((label) => label.startsWith("mean ")), ["mean 75", "mean 25", "mean 0"]);
  equal([...withOwnAttributes(svg).matchAll(/<path[^>]*fill="#dcdcdc"/g)].length, 2);
});

Deno.test("opencompassMaps() gives all models the same axes, and names each with its overall score", async () => {
  const models = [
    { model: "whole", cells: CELLS },
    { model: "part", cells: [cell(2000, 0, 80)] },
    { model: "none", cells: [cell(2000, 0, null)] },
  ];
  const figure = opencompassMaps(models, { title: "Two of three", origin: { whole: "measured", part: "simulated" } });
  const text = written(await figure.svg());
  for (const words of [/whole: 50\.00/, /part: 80\.00/]) match(text, words);
  equal(/none/.test(text), false);
  equal(text.match(/Token Limit/g)?.length, 2);
  equal(text.match(/1K/g)?.length, 2);
  match(figure.caption, /^Above each map: its Overall Score/);
});

function overallScore(cells: readonly DepthMapCell[]): number {
  const { caption } = opencompassMap(cells, { model: "m", origin: "measured" });
  return Number(/^Overall Score for m: ([\d.]+)\. /.exec(caption)![1]);
}

Deno.test("opencompassMap() gives an overall score between the least and the greatest cell, in any order", () => {
  const place = fc.record({ length: fc.integer({ min: 1, max: 4 }), depth: fc.integer({ min: 0, max: 4 }) });
  const scored = fc.tuple(place, fc.double({ min: 0, max: 100, noNaN: true }));
  const cells = fc.uniqueArray(scored, { minLength: 1, selector: ([{ length, depth }]) => `${length} ${depth}` });
  fc.assert(fc.property(cells, (some) => {
    const drawn = some.map(([{ length, depth }, score]) => cell(length, depth, score));
    const overall = overallScore(drawn);
    const scores = some.map(([, score]) => score);
    ok(overall >= Math.min(...scores) - 0.0051 && overall <= Math.max(...scores) + 0.0051);
    ok(Math.abs(overall - overallScore(drawn.toReversed())) < 0.011);
  }));
});

const HEADER = "dataset,version,metric,mode,internlm-chat-20b-turbomind,gpt-4";

Deno.test("readOpencompassSummary() reads length and depth from the names, and a model from each column", () => {
  const { models, skipped } = readOpencompassSummary(
    [
      HEADER,
      "--------- 考试 ---------,-,-,-,-,-",
      "CDME_Length2000Depth0,f9e1a2,score,gen,50.00,-",
      "CDME_Length1000Depth100,f9e1a2,score,gen,0.00,95.65",
      "CDME_Length1000Depth0,f9e1a2,score,gen,100.00,100.00",
      "ceval,e4f8a1,naive_average,gen,60.1,70.2",
    ].join("\r\n"),
    "summary.csv",
  );
  deepEqual(skipped, ["--------- 考试 ---------", "ceval"]);
  deepEqual(models.map(({ model }) => model), ["internlm-chat-20b-turbomind", "gpt-4"]);
  deepEqual(models[0]?.cells.map(({ length, depth, score }) => [length, depth, score]), [
    [1000, 0, 100],
    [1000, 100, 0],
    [2000, 0, 50],
  ]);
  deepEqual(models[1]?.cells.map(({ score }) => score), [100, 95.65, null]);
});

// Names as the configurations write them, at e975a96f and in the needle tests that followed, and as its tool reads them.
Deno.test.each(
  [
    ["CDME_Length1000Depth0", ["CDME", 1000, 0]],
    ["CDME_Length1000Depth0_x", ["CDME_x", 1000, 0]],
    ["CDME_Length1000Depth21_trim", ["CDME_trim", 1000, 21]],
    ["Length1000Depth0_origin_en_8k", ["origin_en_8k", 1000, 0]],
    ["Length1000Depth0", ["needle", 1000, 0]],
    ["CDME_Length1000Depth1.798", ["CDME", 1000, 1.798]],
    ["CDME_Parallel_Length1000Depth5", ["CDME_Parallel", 1000, 5]],
    ["Length1000_parallel_en_8k", null],
    ["CDME_Length1000Depth", null],
    ["CDME_Length1000Depth101", null],
    ["CDME_Length1000Depth0x", null],
    ["CDME_Length-1000Depth0", null],
    ["LongBench_qa", null],
  ] as [string, [string, number, number] | null][],
)("readOpencompassSummary() reads a row called %s or names it", (name, place) => {
  const lines = [HEADER, `${name},a,score,gen,80,-`, "CDME_Length9Depth9,a,score,gen,1,2"];
  const { models, skipped } = readOpencompassSummary(lines.join("\n"), "summary.csv");
  const [found] = models.flatMap(({ dataset, cells }) =>
    cells.filter(({ score }) => score === 80).map(({ length, depth }) => [dataset, length, depth])
  );
  deepEqual(found ?? null, place);
  deepEqual(skipped, place === null ? [name] : []);
});

Deno.test("readOpencompassSummary() keeps tests of other names apart, each with every model", () => {
  const lines = [
    HEADER,
    "Length1000Depth0_origin_zh_8k,a,score,gen,80,70",
    "Length1000Depth0_2needle_zh_8k,a,score,gen,20,10",
  ];
  const { models } = readOpencompassSummary(lines.join("\n"), "summary.csv");
  deepEqual(models.map(({ dataset, cells }) => [dataset, cells.map(({ score }) => score)]), [
    ["origin_zh_8k", [80]],
    ["2needle_zh_8k", [20]],
    ["origin_zh_8k", [70]],
    ["2needle_zh_8k", [10]],
  ]);
});

Deno.test("readOpencompassSummary() averages a cell that stands twice, as the original's pivot does", () => {
  const { models } = readOpencompassSummary(
    `${HEADER}\nCDME_Length16000Depth5,a,score,gen,80,-\nCDME_Length16000Depth5,b,score,gen,90,-\n`,
    "summary.csv",
  );
  deepEqual(models.map(({ cells }) => cells[0]?.score), [85, null]);
});

Deno.test.each(
  [
    [
      "other columns",
      "model,score\na,1\n",
      /as its columns must be dataset, version, metric, mode and a model each: current value is model, score/,
    ],
    [
      "no needle scores",
      `${HEADER}\nceval,a,b,gen,1,2\n`,
      /as it must have rows of a needle test, such as CDME_Length1000Depth0: current value is 1 rows/,
    ],
    [
      "a score that is none",
      `${HEADER}\nCDME_Length1000Depth0,a,score,gen,1,101\n`,
      /as a score in line 2 must be a number in \[0, 100\] or -: current value is "101"/,
    ],
    ["an uneven line", `${HEADER}\nCDME_Length1000Depth0,a\n`, /line 2 must have 6 fields: current value is 2/],
    ["nothing", "", /must have a header line/],
  ] as [string, string, RegExp][],
)("readOpencompassSummary() refuses a file with %s", (_name, text, message) => {
  throws(() => readOpencompassSummary(text, "summary.csv"), { name: "SyntaxError", message });
});

Deno.test("readOpencompassPredictions() splits the answer and its keyword", () => {
  const text = '{"0": {"origin_prompt": "…", "prediction": "是Jack", "gold": "叫Jack*Jack"}}';
  deepEqual(readOpencompassPredictions(text, true), [{ prediction: "是Jack", references: ["叫Jack", "Jack"] }]);
});
