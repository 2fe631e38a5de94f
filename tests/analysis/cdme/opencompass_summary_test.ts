import { deepEqual, equal, throws } from "node:assert/strict";
import { depthAverage, readOpencompassSummary } from "@/lib/analysis/mod.ts";

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
  equal(skipped, 2);
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
      /as it must have rows of CDME, such as CDME_Length1000Depth0: current value is 1 rows/,
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
