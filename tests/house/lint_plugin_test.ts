import { deepEqual } from "node:assert/strict";
import plugin from "./lint_plugin.ts";

function lint(source: string, file = "lib/room/file.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

const FORM = "An error's message must read: Cannot <do> as <name> must be <wanted>: current value is <v>";

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
  ["a message made elsewhere", "throw new RangeError(explain(value));"],
  ["an error of another kind", 'throw new Deno.errors.Interrupted("stopped.");'],
] as [string, string][])("error-message lets pass %s", (_name, source) => deepEqual(lint(source), []));

Deno.test("error-message leaves tests alone", () => {
  deepEqual(lint('throw new RangeError("too dear");', "/project/tests/room/file_test.ts"), []);
});
