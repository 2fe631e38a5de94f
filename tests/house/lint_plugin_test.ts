import { deepEqual } from "node:assert/strict";
import plugin from "./lint_plugin.ts";

function lint(source: string, file = "lib/room/file.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

const FORM =
  "An error's message must name what was expected, as in: Cannot <do> as <name> must be <wanted>: current value is <v>";
const FULL_STOP = "An error's message must not end in a full stop";

Deno.test.each([
  ["a full stop in a literal", 'new Error("Cannot go.");', [FULL_STOP]],
  ["a full stop in a template", "new Error(`Cannot go past ${limit}.`);", [FULL_STOP]],
  ["lower case", 'new RangeError("invalid depth");', ["An error's message must open in upper case"]],
  ["a contraction", 'new Error("Cannot go as it doesn\'t fit");', ["An error's message must have no contraction"]],
  ["another form in a literal", 'new RangeError("Depth is out of range");', [FORM]],
  ["another form in a template", "new TypeError(`Depth ${depth} is out of range`);", [FORM]],
  ["another form put together", 'new SyntaxError("Line " + line + " is no record");', [FORM]],
  ["the form", "new RangeError(`Cannot go as depth must be in [0, 1]: current value is ${depth}`);", []],
  ["a wanted thing from elsewhere", "new TypeError(`Cannot draw as ${wanted}: current value is ${shown}`);", []],
  ["two flags", 'new RangeError("--adaptive cannot be combined with batches");', []],
  ["a message made elsewhere", "new RangeError(explain(value));", []],
  ["an error of another kind", 'new Deno.errors.Interrupted("stopped.");', []],
] as [string, string, string[]][])("error-message on %s, in lib alone", (_name, error, messages) => {
  deepEqual(lint(`throw ${error}`), messages);
  deepEqual(lint(`throw ${error}`, "/project/tests/room/file_test.ts"), []);
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
  const rooms = "random text scorers generators statistics figures benchmarks/ruler papers/ruler".split(" ");
  const message = `A pure room must have no ${what}: take it as an argument`;
  for (const room of rooms) deepEqual(lint(source, `/project/lib/${room}/file.ts`), [message]);
  deepEqual(lint(source, "/project/lib/models/file.ts"), []);
  deepEqual(lint(source, "/project/tests/text/file_test.ts"), []);
});

const COUNTS = "const WORDS = new Set(['a']); const LONG = [1]; " +
  "export function count(date: string): number { let sum = 0; sum += new Date(date).getTime(); return sum; }";

Deno.test.each([
  ["interface-once", "export interface Run { a: string } export interface Run { b: string }", 1],
  ["interface-once", "interface Run { a: string } export interface Run { b: string }", 1],
  ["interface-once", "interface Run { a: string } interface Plan { b: string }", 0],
  ["joined-fields", "const a = { ...{ b, c }, d };", 1],
  ["joined-fields", "const a = { ...{ b, c } as const, d };", 1],
  ["joined-fields", "const a = { ...b, c, ...(d && { e }) };", 0],
  ["nested-conditional", "const a = b ? c : d ? e : f;", 1],
  ["nested-conditional", "const a = (b ? c : d) ? e : f;", 1],
  ["nested-conditional", "const a = [b ? c : d, e ? f : g]; const h = b ? c(d ? e : f) : g;", 0],
  ["few-exports", Array.from({ length: 16 }, (_, at) => `export type A${at} = string;`).join("\n"), 1],
  ["pure-room", COUNTS, 0],
] as [string, string, number][])("%s on %s: %d", (rule, source, count) => {
  deepEqual(lint(source, "/project/lib/text/file.ts").length, count);
  if (rule !== "interface-once") deepEqual(lint(source, "tests/room/file_test.ts"), []);
});
