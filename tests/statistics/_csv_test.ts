import { deepEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { readCsv } from "@/lib/statistics/mod.ts";

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
    'Cannot read a.csv as line 2, field 2 must have its quotes in pairs, round the whole field: current value is "\\"2\\n"',
  ],
  [
    "a quote inside a bare field",
    'a\nb"c\n',
    'Cannot read a.csv as line 2, field 1 must have its quotes in pairs, round the whole field: current value is "b\\"c\\n"',
  ],
] as [string, string, string][])("readCsv() refuses %s", (_name, text, message) => {
  throws(() => readCsv(text, "a.csv"), { name: "SyntaxError", message });
});

Deno.test("readCsv() refuses a quote without its pair before a long text, and does not try every way of reading it", () => {
  throws(() => readCsv(`a,b\n"x,${"y ".repeat(50_000)}\n`, "file.csv"), {
    name: "SyntaxError",
    message: /^Cannot read file\.csv as line 2, field 1 must have its quotes in pairs/,
  });
});
