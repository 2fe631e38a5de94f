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

/** A house of a few files, given as text. */
function house(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([path, text]) => readSource(path, text));
}

// Each rule on a small house: one place that it must find, beside what it must let pass.
Deno.test.each([
  ["listLoaded(): doors, not types and calls of import()", (files) => listLoaded(files, "lib/cli/main.ts"), {
    "lib/cli/main.ts": 'import { a } from "@/lib/text/mod.ts"; await import("@/lib/models/mod.ts");',
    "lib/text/mod.ts": 'export { a } from "./a.ts"; export type { B } from "./b.ts";',
    "lib/text/a.ts": 'import one from "one"; import type { C } from "two";',
    "lib/text/b.ts": 'import "three";',
    "lib/models/mod.ts": 'import "four";',
  }, ["lib/cli/main.ts", "lib/text/a.ts", "lib/text/mod.ts", "npm:one"]],
  ["findUpward(): a later room, by types too, and another suite", findUpward, {
    "lib/text/a.ts": 'import { cut } from "@/lib/figures/mod.ts";',
    "lib/scorers/a.ts": 'import type { Task } from "../generators/mod.ts";',
    "lib/random/a.ts": 'let run: import("@/lib/reports/mod.ts").Run;',
    "lib/benchmarks/one/a.ts": 'export { B } from "../two/mod.ts"; import { cut } from "@/lib/text/mod.ts";',
    "lib/benchmarks/registry.ts": 'import { ONE } from "./one/mod.ts"; import { B } from "./benchmark.ts";',
    "lib/benchmarks/three/a.ts": 'import type { B } from "@/lib/benchmarks/mod.ts";',
  }, [
    "lib/text/a.ts takes cut from figures, a room that does not stand before text",
    "lib/scorers/a.ts takes Task from generators, a room that does not stand before scorers",
    "lib/random/a.ts takes * from reports, a room that does not stand before random",
    "lib/benchmarks/one/a.ts takes B from benchmarks/two, a room that does not stand before benchmarks/one",
    "lib/benchmarks/three/a.ts takes B from benchmarks, a room that does not stand before benchmarks/three: a suite takes it from @/lib/benchmarks/benchmark.ts",
  ]],
  ["findUpward(): a paper that is not the suite's own, loaded when asked for; and the user's door", findUpward, {
    "lib/benchmarks/one/a.ts": 'const paper = () => import("@/lib/papers/two/paper.ts");',
    "lib/benchmarks/two/a.ts": 'const paper = () => import("@/lib/papers/two/paper.ts");',
    "lib/papers/one/a.ts": 'import { B } from "@/lib/papers/two/mod.ts";',
    "lib/cli/a.ts": 'import { openStudy } from "@/lib/mod.ts";',
  }, [
    "lib/benchmarks/one/a.ts takes * from papers/two, a room that does not stand before benchmarks/one",
    "lib/papers/one/a.ts takes B from papers/two, a room that does not stand before papers/one",
    "lib/cli/a.ts takes openStudy from lib/mod.ts, the user's door",
  ]],
  ["findBackdoors(): past a door, from a notebook too", findBackdoors, {
    "lib/reports/a.ts": 'import { cut } from "@/lib/text/cut.ts"; import { B } from "@/lib/benchmarks/benchmark.ts";',
    "notebooks/01.ipynb.ts": 'import { cut } from "@/lib/text/cut.ts"; import { join } from "@/lib/text/mod.ts";',
    "lib/text/b.ts": 'import { cut } from "./cut.ts";',
  }, [
    "lib/reports/a.ts takes cut from lib/text/cut.ts, not from lib/text/mod.ts",
    "notebooks/01.ipynb.ts takes cut from lib/text/cut.ts, not from lib/text/mod.ts",
  ]],
  ["findCircles(): files that import one another, by types too", findCircles, {
    "lib/text/a.ts": 'import { b } from "./b.ts";',
    "lib/text/b.ts": 'export type { C } from "./c.ts";',
    "lib/text/c.ts": 'import type { A } from "./a.ts"; import { d } from "./d.ts";',
    "lib/text/d.ts": 'import { equal } from "node:assert/strict";',
  }, ["a circle: lib/text/a.ts, lib/text/b.ts, lib/text/c.ts"]],
  ["findScattered(): a package in two rooms, however it is named", findScattered, {
    "lib/text/a.ts":
      'import { mean } from "stats"; import { encode } from "@scope/tokens/fast"; import("npm:yaml@2.9.1");',
    "lib/reports/a.ts": 'import { mean } from "stats/lite"; import { parse } from "yaml/util"; import "node:fs";',
    "lib/text/b.ts": 'const { encode } = await import("npm:@scope/tokens@1.0.0/fast");',
  }, ["npm:stats enters through reports, text", "npm:yaml enters through reports, text"]],
  ["findLonely(): private files that one file needs, or none", findLonely, {
    "lib/text/_a.ts": "",
    "lib/text/_b.ts": "",
    "lib/text/_c.ts": "",
    "lib/text/d.ts": 'import "./_a.ts"; import "./_b.ts";',
    "lib/text/e.ts": 'import "./_a.ts";',
  }, ["lib/text/_b.ts is used by lib/text/d.ts alone", "lib/text/_c.ts is used by nobody"]],
  ["findTests(): files by name", findTests, { "lib/text/a_test.ts": "" }, ["lib/text/a_test.ts is named as a test"]],
  ["findLong(): files by length", (files) => findLong(files, 400), { "lib/text/a.ts": "// a line\n".repeat(401) }, [
    "lib/text/a.ts has 401 lines: at most 400",
  ]],
  ["findDeno(): functions and types of Deno, not comments", findDeno, {
    "lib/models/a.ts": 'const text = await Deno.readTextFile("a");',
    "lib/models/b.ts": "let file: Deno.FsFile;",
    "lib/models/c.ts": "// Deno.cwd()\nconst isDeno = 'Deno' in globalThis;",
    "lib/jupyter/e.ts": "Deno.exit(1);",
  }, ["lib/models/a.ts uses Deno, which Node and Bun lack", "lib/models/b.ts uses Deno, which Node and Bun lack"]],
  [
    "findProtocolNames(): comparisons outside of protocols",
    (files) => findProtocolNames(files, ["chat", "responses"]),
    {
      "lib/models/a.ts": 'const isChat = (api: string) => "chat" === api;',
      "lib/models/b.ts": 'const a = (api: string) => { switch (api) { case "responses": return 1; } };',
      "lib/models/c.ts": 'const names = ["chat"]; const other = names[0] === "chatty";',
      "lib/models/protocols/openai.ts": 'const isChat = (api: string) => api === "chat";',
    },
    [
      'lib/models/a.ts compares a value with the protocol "chat"',
      'lib/models/b.ts compares a value with the protocol "responses"',
    ],
  ],
] as [string, (files: readonly Source[]) => string[], Record<string, string>, string[]][])(
  "house: %s",
  (_name, find, files, problems) => deepEqual(find(house(files)), problems),
);

Deno.test("findUnused() and findUnshown() find what a door offers to nobody; a type may be named by what is used", () => {
  const files = house({
    "lib/mod.ts": 'export { cut, type Cut, join } from "@/lib/text/mod.ts";',
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
    "lib/jupyter/mod.ts": 'export * as text from "@/lib/text/mod.ts";',
  });
  const page = house({ "notebooks/01.ipynb.ts": 'import { text } from "@/lib/jupyter/mod.ts"; text.cut("");' });
  deepEqual(findUnused(files.slice(1), page), [
    "lib/text/mod.ts exports join, which nobody outside uses",
    "lib/text/mod.ts exports Join, which nobody outside uses",
  ]);
  const shown = house({ "docs/a.md.ts": 'import { cut } from "@/lib/text/mod.ts";' });
  deepEqual(findUnshown(files, shown), ["lib/mod.ts exports join, which no page, notebook or test uses"]);
});
