import { deepEqual, ok } from "node:assert/strict";
import {
  findBackdoors,
  findCircles,
  findDeno,
  findLonely,
  findLong,
  findProtocolNames,
  findScattered,
  findTests,
  findUnshown,
  findUnused,
  findUpward,
  listLoaded,
} from "./_rules.ts";
import { PROTOCOLS } from "@/lib/models/protocols/protocols.ts";
import { listFiles, readCode, readSource, readSources, type Source } from "./_source.ts";

const lib = readSources("lib");
const pages = [...Deno.readDirSync(".")].map(({ name }) => name).filter((name) => name.endsWith(".md"));
const outside = [...pages, ...listFiles("docs"), ...listFiles("notebooks")]
  .filter((path) => /\.(?:md|ts|ipynb)$/.test(path)).map(readCode);

// Every file once, and each rule over all of them.
Deno.test.each([
  ["rooms import only rooms before them", () => findUpward(lib)],
  ["rooms are entered through their doors", () => findBackdoors([...lib, ...outside])],
  ["no files import one another", () => findCircles(lib)],
  ["what a door exports is used outside", () => findUnused(lib, outside)],
  ["what the user's door exports is used on a page, in a notebook or in a test", () => {
    return findUnshown(lib, [...outside, ...readSources("tests")]);
  }],
  ["each package enters through one room", () => findScattered(lib)],
  ["private files are shared", () => findLonely(lib)],
  ["no file of lib is named as a test", () => findTests(lib)],
  ["the library runs without Deno", () => findDeno(lib)],
  ["only protocols compare the name of a protocol", () => findProtocolNames(lib, Object.keys(PROTOCOLS))],
] as [string, () => string[]][])("house: %s", (_rule, find) => {
  const problems = find();
  ok(problems.length === 0, `${problems.length} places:\n${problems.join("\n")}`);
});

/** Packages that the making of samples loads: small, and needed at once. */
const OF_SAMPLES = [
  "@huggingface/jinja",
  "@huggingface/tokenizers",
  "fastest-levenshtein",
  "js-tiktoken",
  "seedrandom",
  "valibot",
];

Deno.test.each([
  ["lib/cli/main.ts", ["commander", "fastest-levenshtein"]],
  ["lib/cli/generate_command.ts", ["commander", ...OF_SAMPLES]],
  ["lib/mod.ts", [...OF_SAMPLES, "d3-dsv", "d3-interpolate", "fflate", "simple-statistics"]],
] as [string, string[]][])("%s loads no package before it is needed", (entry, packages) => {
  const loaded = listLoaded(lib, entry).filter((module) => module.startsWith("npm:"));
  deepEqual(loaded, packages.map((name) => `npm:${name}`).sort());
});

Deno.test("fathom generate loads at most 110 files of lib beside its suites, and no statistics, figures, papers or reports", () => {
  const loaded = listLoaded(lib, "lib/cli/generate_command.ts").filter((module) => module.startsWith("lib/"));
  const shared = loaded.filter((path) => !/^lib\/benchmarks\/[^/]+\//.test(path));
  ok(shared.length <= 110, `${shared.length} files`);
  const rooms = ["statistics", "figures", "papers", "records", "asking", "reports", "exchange", "jupyter"];
  deepEqual(loaded.filter((path) => rooms.includes(path.split("/")[1]!)), []);
});

Deno.test("listLoaded() goes through doors, and not through types and calls of import()", () => {
  const files = house({
    "lib/cli/main.ts": 'import { a } from "@/lib/text/mod.ts"; await import("@/lib/models/mod.ts");',
    "lib/text/mod.ts": 'export { a } from "./a.ts"; export type { B } from "./b.ts";',
    "lib/text/a.ts": 'import one from "one"; import type { C } from "two";',
    "lib/text/b.ts": 'import "three";',
    "lib/models/mod.ts": 'import "four";',
  });
  deepEqual(listLoaded(files, "lib/cli/main.ts"), ["lib/cli/main.ts", "lib/text/a.ts", "lib/text/mod.ts", "npm:one"]);
});

/** A house of a few files, given as text. */
function house(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([path, text]) => readSource(path, text));
}

Deno.test.each([
  ["a room that stands later", { "lib/text/a.ts": 'import { cut } from "@/lib/figures/mod.ts";' }, [
    "lib/text/a.ts takes cut from figures, a room that does not stand before text",
  ]],
  ["a type of a room that stands later", { "lib/scorers/a.ts": 'import type { Task } from "../generators/mod.ts";' }, [
    "lib/scorers/a.ts takes Task from generators, a room that does not stand before scorers",
  ]],
  ["a type named in place", { "lib/text/a.ts": 'let run: import("@/lib/reports/mod.ts").Run;' }, [
    "lib/text/a.ts takes * from reports, a room that does not stand before text",
  ]],
  ["another suite", { "lib/benchmarks/one/a.ts": 'export { B } from "../two/mod.ts";' }, [
    "lib/benchmarks/one/a.ts takes B from benchmarks/two, a room that does not stand before benchmarks/one",
  ]],
  ["a paper, from a benchmark", {
    "lib/benchmarks/one/a.ts": 'import type { Claims } from "@/lib/papers/one/mod.ts";',
  }, ["lib/benchmarks/one/a.ts takes Claims from papers/one, a room that does not stand before benchmarks/one"]],
  ["the paper of another suite, loaded when asked for", {
    "lib/benchmarks/one/a.ts": 'const paper = () => import("@/lib/papers/two/paper.ts");',
    "lib/benchmarks/two/a.ts": 'const paper = () => import("@/lib/papers/two/paper.ts");',
  }, ["lib/benchmarks/one/a.ts takes * from papers/two, a room that does not stand before benchmarks/one"]],
  ["another paper", { "lib/papers/one/a.ts": 'import { B } from "@/lib/papers/two/mod.ts";' }, [
    "lib/papers/one/a.ts takes B from papers/two, a room that does not stand before papers/one",
  ]],
  ["the registry, from a suite", { "lib/benchmarks/one/a.ts": 'import { ALL } from "../registry.ts";' }, [
    "lib/benchmarks/one/a.ts takes ALL from benchmarks, a room that does not stand before benchmarks/one",
  ]],
  ["a room that nobody has put in order", { "lib/cellar/a.ts": 'import { cut } from "@/lib/text/mod.ts";' }, [
    "lib/cellar/a.ts takes cut from text, a room that does not stand before cellar",
  ]],
  ["the user's door, from a room", { "lib/cli/a.ts": 'import { openStudy } from "@/lib/mod.ts";' }, [
    "lib/cli/a.ts takes openStudy from lib/mod.ts, the user's door",
  ]],
  [
    "nothing: a suite takes what every suite is, and the registry takes suites",
    {
      "lib/benchmarks/one/a.ts":
        'import { Benchmark } from "@/lib/benchmarks/benchmark.ts"; import { cut } from "@/lib/text/mod.ts";',
      "lib/benchmarks/registry.ts": 'import { ONE } from "./one/mod.ts"; import { B } from "./benchmark.ts";',
    },
    [],
  ],
] as [string, Record<string, string>, string[]][])("findUpward() finds %s", (_name, files, problems) => {
  deepEqual(findUpward(house(files)), problems);
});

Deno.test("findBackdoors() finds what does not go through a door, from a notebook too", () => {
  const files = house({
    "lib/reports/a.ts": 'import { cut } from "@/lib/text/cut.ts"; import { B } from "@/lib/benchmarks/benchmark.ts";',
    "notebooks/01.ipynb.ts": 'import { cut } from "@/lib/text/cut.ts"; import { join } from "@/lib/text/mod.ts";',
    "lib/text/b.ts": 'import { cut } from "./cut.ts";',
  });
  deepEqual(findBackdoors(files), [
    "lib/reports/a.ts takes cut from lib/text/cut.ts, not from lib/text/mod.ts",
    "notebooks/01.ipynb.ts takes cut from lib/text/cut.ts, not from lib/text/mod.ts",
  ]);
});

Deno.test("findCircles() finds files that import one another, by types too", () => {
  const files = house({
    "lib/text/a.ts": 'import { b } from "./b.ts";',
    "lib/text/b.ts": 'export type { C } from "./c.ts";',
    "lib/text/c.ts": 'import type { A } from "./a.ts"; import { d } from "./d.ts";',
    "lib/text/d.ts": 'import { equal } from "node:assert/strict";',
  });
  deepEqual(findCircles(files), ["a circle: lib/text/a.ts, lib/text/b.ts, lib/text/c.ts"]);
});

Deno.test("findUnused() finds what a door offers to nobody; a type may be named by what is used", () => {
  const files = house({
    "lib/text/mod.ts":
      'export { cut, join, WAYS, type Cut, type Join } from "./cut.ts"; export { type Part } from "./part.ts";',
    "lib/text/cut.ts": `
      export interface Cut { readonly parts: readonly Part[]; readonly way: typeof WAYS[number] }
      export const WAYS = ["once", "twice"] as const;
      export interface Join { readonly parts: readonly Part[] }
      export function cut(text: string): Cut { return { parts: [] }; }
      export function join(parts: Join): string { return ""; }`,
    "lib/text/part.ts": "export interface Part { readonly text: string }",
    "lib/text/own.ts": 'import { join } from "./mod.ts";',
  });
  const page = house({ "notebooks/01.ipynb.ts": 'import * as text from "@/lib/text/mod.ts"; text.cut("");' });
  deepEqual(findUnused(files, page), [
    "lib/text/mod.ts exports join, which nobody outside uses",
    "lib/text/mod.ts exports Join, which nobody outside uses",
  ]);
});

Deno.test("findUnused() counts what a notebook uses of a room that the door for notebooks hands on", () => {
  const files = house({
    "lib/figures/mod.ts": 'export { bar, line } from "./charts.ts";',
    "lib/figures/charts.ts": "export function bar(): void {} export function line(): void {}",
    "lib/jupyter/mod.ts": 'export * as figures from "@/lib/figures/mod.ts";',
  });
  const page = house({ "notebooks/01.ipynb.ts": 'import { figures } from "@/lib/jupyter/mod.ts"; figures.bar();' });
  deepEqual(findUnused(files, page), ["lib/figures/mod.ts exports line, which nobody outside uses"]);
});

Deno.test("findUnshown() finds what the user's door offers and nobody shows; a type may be named by what is shown", () => {
  const files = house({
    "lib/mod.ts": 'export { cut, type Cut, join } from "@/lib/text/mod.ts";',
    "lib/text/mod.ts": 'export { cut, join, type Cut } from "./cut.ts";',
    "lib/text/cut.ts": "export interface Cut { readonly at: number } " +
      'export function cut(text: string): Cut { return { at: 0 }; } export function join(): string { return ""; }',
    "lib/reports/a.ts": 'import { join } from "@/lib/text/mod.ts";',
  });
  const page = house({ "docs/a.md.ts": 'import { cut } from "@/lib/text/mod.ts";' });
  deepEqual(findUnshown(files, page), ["lib/mod.ts exports join, which no page, notebook or test uses"]);
});

Deno.test("findScattered() finds a package in two rooms, however it is named", () => {
  const files = house({
    "lib/text/a.ts": 'import { mean } from "stats"; import { encode } from "@scope/tokens/fast";',
    "lib/reports/a.ts": 'import { mean } from "stats/lite"; import { equal } from "node:assert/strict";',
    "lib/text/b.ts": 'const { encode } = await import("@scope/tokens");',
  });
  deepEqual(findScattered(files), ["npm:stats enters through reports, text"]);
  const ways = ['"npm:yaml@2.9.1"', '"npm:/yaml@2.9.1/util"', "`npm:yaml`", '"yaml/util"'];
  for (const way of ways) {
    const two = house({
      "lib/text/a.ts": `const yaml = await import(${way});`,
      "lib/reports/a.ts": 'import { parse } from "yaml";',
    });
    deepEqual(findScattered(two), ["npm:yaml enters through reports, text"]);
  }
  const scoped = house({
    "lib/text/a.ts": 'import { encode } from "npm:@scope/tokens@1.0.0/fast";',
    "lib/reports/a.ts": 'import { encode } from "@scope/tokens";',
  });
  deepEqual(findScattered(scoped), ["npm:@scope/tokens enters through reports, text"]);
});

Deno.test("findLonely() finds private files that one file needs, or none", () => {
  const files = house({
    "lib/text/_a.ts": "",
    "lib/text/_b.ts": "",
    "lib/text/_c.ts": "",
    "lib/text/d.ts": 'import "./_a.ts"; import "./_b.ts";',
    "lib/text/e.ts": 'import "./_a.ts";',
  });
  deepEqual(findLonely(files), [
    "lib/text/_b.ts is used by lib/text/d.ts alone",
    "lib/text/_c.ts is used by nobody",
  ]);
});

Deno.test("findTests() and findLong() find files by name and by length", () => {
  const files = house({ "lib/text/a_test.ts": "", "lib/text/a.ts": "// a line\n".repeat(401) });
  deepEqual(findTests(files), ["lib/text/a_test.ts is named as a test"]);
  deepEqual(findLong(files, 400), ["lib/text/a.ts has 401 lines: at most 400"]);
});

Deno.test("findDeno() finds functions and types of Deno, not comments", () => {
  const files = house({
    "lib/models/a.ts": 'const text = await Deno.readTextFile("a");',
    "lib/models/b.ts": "let file: Deno.FsFile;",
    "lib/models/c.ts": "// Deno.cwd()\nconst isDeno = 'Deno' in globalThis;",
    "lib/cli/d.ts": "Deno.exit(1);",
    "lib/jupyter/e.ts": "Deno.exit(1);",
  });
  deepEqual(findDeno(files), [
    "lib/models/a.ts uses Deno, which Node and Bun lack",
    "lib/models/b.ts uses Deno, which Node and Bun lack",
    "lib/cli/d.ts uses Deno, which Node and Bun lack",
  ]);
});

Deno.test("findProtocolNames() finds comparisons outside of the protocols", () => {
  const files = house({
    "lib/models/a.ts": 'const isChat = (api: string) => "chat" === api;',
    "lib/models/b.ts":
      'const a = (api: string) => { switch (api) { case "completions": return api !== "responses"; } };',
    "lib/models/c.ts": 'const names = ["chat"]; const other = names[0] === "chatty";',
    "lib/models/protocols/completions.ts": 'const isChat = (api: string) => api === "chat";',
  });
  deepEqual(findProtocolNames(files, ["chat", "completions", "responses"]), [
    'lib/models/a.ts compares a value with the protocol "chat"',
    'lib/models/b.ts compares a value with the protocol "completions"',
    'lib/models/b.ts compares a value with the protocol "responses"',
  ]);
});
