import { deepEqual, throws } from "node:assert/strict";
import {
  choiceColumn,
  countColumn,
  optional,
  readRows,
  scoreColumn,
  textColumn,
  yesNoColumn,
} from "@/lib/statistics/mod.ts";

const columns = {
  name: textColumn("name"),
  score: optional(scoreColumn("score")),
  samples: countColumn("n"),
  kept: yesNoColumn("kept"),
  kind: choiceColumn("kind", ["red", "blue"]),
};
const header = "kind,kept,n,other,score,name\n";

Deno.test("readRows() reads columns in any order and passes over the rest", () => {
  deepEqual(readRows(`${header}red,1,5,x,99.6,vt\nblue,0,1,,,cwe\n`, { file: "a.csv", columns }), [
    { name: "vt", score: 99.6, samples: 5, kept: true, kind: "red" },
    { name: "cwe", score: null, samples: 1, kept: false, kind: "blue" },
  ]);
});

Deno.test.each([
  [
    "a missing column",
    "kind,kept,n,name\nred,1,5,vt\n",
    'line 1 must have the column "score": current value is "kind,kept,n,name"',
  ],
  ["a file without rows", header, "it must have at least one line below the header: current value is 0"],
  [
    "a word for a number",
    `${header}red,1,5,x,high,vt\n`,
    'line 2, column "score" must be a number from 0 to 100, or empty: current value is "high"',
  ],
  [
    "a number out of range",
    `${header}red,1,5,x,1,vt\nred,1,5,x,100.1,vt\n`,
    'line 3, column "score" must be a number from 0 to 100, or empty: current value is "100.1"',
  ],
  [
    "a number in another notation",
    `${header}red,1,5,x,1e2,vt\n`,
    'line 2, column "score" must be a number from 0 to 100, or empty: current value is "1e2"',
  ],
  [
    "a zero count",
    `${header}red,1,0,x,1,vt\n`,
    'line 2, column "n" must be a whole number from 1: current value is "0"',
  ],
  ["a yes", `${header}red,yes,1,x,1,vt\n`, 'line 2, column "kept" must be 0 or 1: current value is "yes"'],
  [
    "another choice",
    `${header}green,1,1,x,1,vt\n`,
    'line 2, column "kind" must be one of "red", "blue": current value is "green"',
  ],
  ["an empty name", `${header}red,1,1,x,1,\n`, 'line 2, column "name" must be a text: current value is ""'],
] as [string, string, string][])("readRows() refuses %s and names file, line and column", (_name, text, message) => {
  throws(() => readRows(text, { file: "a.csv", columns }), {
    name: "SyntaxError",
    message: `Cannot read a.csv as ${message}`,
  });
});
