import { deepEqual } from "node:assert/strict";
import plugin from "./lint_plugin.ts";

function lint(source: string, file = "lib/room/file.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

const FORM =
  "An error's message must name what was expected, as in: Cannot <do> as <name> must be <wanted>: current value is <v>";

Deno.test.each([
  ["a full stop in a literal", 'throw new Error("Cannot go.");', "An error's message must not end in a full stop"],
  [
    "a full stop in a template",
    "throw new Error(`Cannot go past ${limit}.`);",
    "An error's message must not end in a full stop",
  ],
  ["lower case", 'throw new RangeError("invalid depth");', "An error's message must open in upper case"],
  ["a contraction", 'throw new Error("Cannot go as it doesn\'t fit");', "An error's message must have no contraction"],
  ["another form in a literal", 'throw new RangeError("Depth is out of range");', FORM],
  ["another form in a template", "throw new TypeError(`Depth ${depth} is out of range`);", FORM],
  ["another form put together", 'throw new SyntaxError("Line " + line + " is no record");', FORM],
] as [string, string, string][])("error-message refuses %s", (_name, source, message) => {
  deepEqual(lint(source), [message]);
});

Deno.test.each([
  [
    "the form",
    "throw new RangeError(`Cannot place the needle as depth must be in [0, 1]: current value is ${depth}`);",
  ],
  [
    "a wanted thing from elsewhere",
    "throw new TypeError(`Cannot draw ${title} as ${wanted}: current value is ${shown}`);",
  ],
  ["two flags", 'throw new RangeError("--adaptive cannot be combined with batches");'],
  ["a message made elsewhere", "throw new RangeError(explain(value));"],
  ["an error of another kind", 'throw new Deno.errors.Interrupted("stopped.");'],
] as [string, string][])("error-message lets pass %s", (_name, source) => deepEqual(lint(source), []));

Deno.test("error-message leaves tests alone", () => {
  deepEqual(lint('throw new RangeError("too dear");', "/project/tests/room/file_test.ts"), []);
});

Deno.test.each([
  ["the time of day", "const now = (): number => Date.now();", "clock"],
  ["today", "const now = (): Date => new Date();", "clock"],
  ["a stopwatch", "const start = (): number => performance.now();", "clock"],
  ["chance as a default", "export function draw(random = Math.random): number { return random(); }", "chance"],
  ["a request", 'const get = (): Promise<Response> => fetch("http://a");', "network"],
  ["a variable of the module", "export let count = 0;", "module state"],
  ["a store of the module", "const seen = new Map<string, number>();", "module state"],
  ["a list of the module to be filled", "const found: string[] = [];", "module state"],
] as [string, string, string][])("pure-room refuses %s", (_name, source, what) => {
  for (
    const room of [
      "random",
      "text",
      "scorers",
      "generators",
      "statistics",
      "figures",
      "benchmarks/ruler",
      "papers/ruler",
    ]
  ) {
    deepEqual(lint(source, `/project/lib/${room}/file.ts`), [
      `A pure room must have no ${what}: take it as an argument`,
    ]);
  }
  deepEqual(lint(source, "/project/lib/models/file.ts"), []);
  deepEqual(lint(source, "/project/tests/text/file_test.ts"), []);
});

Deno.test("pure-room lets a date be read, a table stand and a function count", () => {
  const source = "const WORDS = new Set(['a']); const LONG = [1]; " +
    "export function count(date: string): number { let sum = 0; sum += new Date(date).getTime(); return sum; }";
  deepEqual(lint(source, "/project/lib/text/file.ts"), []);
});

Deno.test("interface-once refuses a second declaration, exported or not", () => {
  const message = "Interface Run is declared twice in this file";
  deepEqual(lint("export interface Run { a: string } export interface Run { b: string }"), [message]);
  deepEqual(lint("interface Run { a: string } export interface Run { b: string }"), [message]);
  deepEqual(lint("interface Run { a: string } interface Plan { b: string }"), []);
});

Deno.test.each([
  ["joined-fields", "const a = { ...{ b, c }, d };"],
  ["joined-fields", "const a = { ...{ b, c } as const, d };"],
  ["nested-conditional", "const a = b ? c : d ? e : f;"],
  ["nested-conditional", "const a = (b ? c : d) ? e : f;"],
  ["few-exports", Array.from({ length: 16 }, (_, at) => `export type A${at} = string;`).join("\n")],
] as [string, string][])("%s refuses %s in lib, and not in tests", (_rule, source) => {
  deepEqual(lint(source).length, 1);
  deepEqual(lint(source, "tests/room/file_test.ts"), []);
});

Deno.test.each([
  ["a spread of a name", "const a = { ...b, c };"],
  ["a spread of a condition", "const a = { ...(b && { c }) };"],
  ["two conditions side by side", "const a = [b ? c : d, e ? f : g];"],
  ["a condition in an argument of a branch", "const a = b ? c(d ? e : f) : g;"],
] as [string, string][])("rules of form let pass %s", (_name, source) => deepEqual(lint(source), []));
