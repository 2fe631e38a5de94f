import { deepEqual, equal, throws } from "node:assert/strict";
import { depthAverage } from "@/lib/benchmarks/cdme/depth_map.ts";
import { readOpencompassSummary } from "@/lib/benchmarks/cdme/mod.ts";

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
  deepEqual(models[0]?.cells.map(({ length, depth, score, n }) => [length, depth, score, n]), [
    [1000, 0, 100, null],
    [1000, 100, 0, null],
    [2000, 0, 50, null],
  ]);
  deepEqual(models[1]?.cells.map(({ score }) => score), [100, 95.65, null]);
  equal(depthAverage(models[0]!.cells).overall, 50);
  equal(depthAverage(models[1]!.cells).overall, 97.825);
});

// Names as the configurations write them, at e975a96f and in the needle tests that followed, and as its tool reads them.
Deno.test.each(
  [
    ["CDME_Length1000Depth0", ["CDME", 1000, 0]],
    ["CDME_Length200000Depth100", ["CDME", 200_000, 100]],
    ["CDME_Length1000Depth0_x", ["CDME_x", 1000, 0]],
    ["CDME_Length1000Depth21_trim", ["CDME_trim", 1000, 21]],
    ["Length1000Depth0_origin_en_8k", ["origin_en_8k", 1000, 0]],
    ["Length32000Depth42_2needle_zh_32k", ["2needle_zh_32k", 32_000, 42]],
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
      "no model",
      "dataset,version,metric,mode\n",
      /as its columns must be dataset, version, metric, mode and a model each/,
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
    [
      "words",
      `${HEADER}\nCDME_Length1000Depth0,a,score,gen,high,1\n`,
      /line 2 must be a number .* current value is "high"/,
    ],
    ["an uneven line", `${HEADER}\nCDME_Length1000Depth0,a\n`, /line 2 must have 6 fields: current value is 2/],
    ["nothing", "", /must have a header line/],
  ] as [string, string, RegExp][],
)("readOpencompassSummary() refuses a file with %s", (_name, text, message) => {
  throws(() => readOpencompassSummary(text, "summary.csv"), { name: "SyntaxError", message });
});
