import { deepEqual, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { findLong } from "./_rules.ts";
import { listFiles, readSources } from "./_source.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";

// The sizes of rooms and tests in all languages, against limits.json.

interface Limits {
  readonly rooms: Readonly<Record<string, number>>;
  /** All files of lib together. */
  readonly lib: number;
  /** The most lines of a file of lib. */
  readonly "lines of a file": number;
  /** All files of tests together. */
  readonly tests: number;
  readonly "docs words": number;
  /** Of one notebook, outputs included, and of all together. */
  readonly "notebook bytes": number;
  readonly "notebooks bytes": number;
  /** Of one notebook, without blank lines. */
  readonly "notebook code lines": number;
  readonly "notebook cells": number;
}

/** The limits that the owner holds too. */
const HELD = ["lib", "tests", "docs words", "notebook bytes", "notebooks bytes", "notebook code lines"] as const;

const LANGUAGES = /\.(?:ts|js|css|py|j2)$/;

/** The limits that the project's owner holds, where they are known. */
const OWNERS = new URL("../../../shared/limits.json", import.meta.url);

const limits = readLimits(new URL("limits.json", import.meta.url));

function readLimits(file: URL): Limits {
  return JSON.parse(Deno.readTextFileSync(file));
}

/** The number of line breaks in the files of a folder. */
function countLines(folder: string): number {
  const texts = listFiles(folder).filter((path) => LANGUAGES.test(path)).map((path) => Deno.readTextFileSync(path));
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

for (const [room, most] of Object.entries({ ...limits.rooms, lib: limits.lib, tests: limits.tests })) {
  Deno.test(`${room} has at most ${most.toLocaleString("en")} lines`, () => {
    const lines = countLines(room);
    if (Deno.args.includes("--show")) console.log(`${room} has ${lines} of ${most} lines`);
    ok(lines <= most, `${room} has ${lines} lines: redesign it, or take something out; its limit stays`);
  });
}

Deno.test("a file of lib is a chapter", () => deepEqual(findLong(readSources("lib"), limits["lines of a file"]), []));

Deno.test("every room has a limit", () => {
  const rooms = [...Deno.readDirSync("lib")].filter(({ isDirectory }) => isDirectory).map(({ name }) => `lib/${name}`);
  deepEqual(Object.keys(limits.rooms).sort(), rooms.sort());
});

Deno.test("docs have at most so many words as their limit says", () => {
  const words = listFiles("docs").filter((path) => path.endsWith(".md"))
    .reduce((sum, path) => sum + Deno.readTextFileSync(path).split(/\s+/).filter((word) => word !== "").length, 0);
  ok(words <= limits["docs words"], `docs have ${words} words`);
});

Deno.test("notebooks keep their limits of bytes, cells and lines of code", () => {
  const notebooks = listFiles("notebooks").filter((path) => path.endsWith(".ipynb"))
    .map((path) => ({ path, text: Deno.readTextFileSync(path) }));
  const sizes = notebooks.map(({ path, text }) => {
    const { cells } = parseNotebook(text);
    const code = cells.filter(({ kind }) => kind === "code").flatMap(({ source }) => source.split("\n"));
    const lines = code.filter((line) => line.trim() !== "").length;
    return { path, bytes: new TextEncoder().encode(text).length, cells: cells.length, lines };
  });
  const over = sizes.filter(({ bytes, cells, lines }) =>
    bytes > limits["notebook bytes"] || cells > limits["notebook cells"] || lines > limits["notebook code lines"]
  );
  deepEqual(over, []);
  ok(sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= limits["notebooks bytes"]);
});

Deno.test({
  name: `no limit is above the owner's${existsSync(OWNERS) ? "" : " (skipped: ../shared/limits.json is not there)"}`,
  ignore: !existsSync(OWNERS),
  fn(): void {
    const owners = readLimits(OWNERS);
    const raised = Object.entries(limits.rooms).filter(([room, most]) => most > (owners.rooms[room] ?? 0));
    deepEqual(raised, []);
    deepEqual(HELD.filter((name) => limits[name] > owners[name]), []);
  },
});
