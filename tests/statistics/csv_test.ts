import { deepEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { column, readCsv, readRows } from "@/lib/statistics/mod.ts";

const columns = {
  name: column.text("name"),
  score: column.optional(column.score("score")),
  samples: column.count("n"),
  kept: column.yesNo("kept"),
  kind: column.choice("kind", ["red", "blue"]),
};
const header = "kind,kept,n,other,score,name\n";

Deno.test("readRows() reads columns in any order and skips the rest", () => {
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

Deno.test("readCsv() reads quoted fields with commas, quotes and line ends, and counts lines", () => {
  const text = '\uFEFFtask,note\r\nvt,"a, ""b"""\n"x\ny",\nlast,line';
  deepEqual(readCsv(text, "a.csv"), [
    { line: 1, fields: ["task", "note"] },
    { line: 2, fields: ["vt", 'a, "b"'] },
    { line: 3, fields: ["x\ny", ""] },
    { line: 5, fields: ["last", "line"] },
  ]);
});

Deno.test("readCsv() gives back any table that is written with every field quoted", () => {
  const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(fc.string(), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 })
  );
  fc.assert(fc.property(tables, (table) => {
    const text = table.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(",") + "\n").join("");
    deepEqual(readCsv(text, "a.csv").map(({ fields }) => fields), table);
  }));
});

Deno.test.each([
  ["an empty text", "", 'Cannot read a.csv as it must have a header line: current value is ""'],
  ["a short line", "a,b\n1,2\n3\n", "Cannot read a.csv as line 3 must have 2 fields: current value is 1"],
  ["a blank line", "a,b\n\n1,2\n", "Cannot read a.csv as line 2 must have 2 fields: current value is 1"],
  [
    "an open quote",
    'a,b\n1,"2\n',
    "Cannot read a.csv as line 2 must have its quotes in pairs: current value is a quote without its pair",
  ],
  [
    "a quote inside a bare field",
    'a\nb"c\n',
    "Cannot read a.csv as line 2 must have its quotes in pairs: current value is a quote without its pair",
  ],
] as [string, string, string][])("readCsv() refuses %s", (_name, text, message) => {
  throws(() => readCsv(text, "a.csv"), { name: "SyntaxError", message });
});

Deno.test("readCsv() refuses a quote without its pair before a long text, and does not try every way of reading it", () => {
  throws(() => readCsv(`a,b\n"x,${"y ".repeat(50_000)}\n`, "file.csv"), {
    name: "SyntaxError",
    message: /^Cannot read file\.csv as line 2 must have its quotes in pairs/,
  });
});
