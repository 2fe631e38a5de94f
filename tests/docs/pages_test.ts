import { deepEqual, ok } from "node:assert/strict";
import { shell } from "../cli/_shell.ts";

const PAGES = [
  "README.md",
  ...[...Deno.readDirSync("docs")].map(({ name }) => `docs/${name}`),
  ...[...Deno.readDirSync("docs/benchmarks")].map(({ name }) => `docs/benchmarks/${name}`),
].filter((path) => path.endsWith(".md")).sort();

/** The flags of a command, those that its help leaves out among them. */
async function flagsOf(command: string): Promise<ReadonlySet<string>> {
  const { out } = await shell(...command.split(" "), command === "run" ? "--help-all" : "--help");
  const shown = Array.from(out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag!);
  return new Set([...shown, "--no-color", "--help"]);
}

Deno.test("every command on a page has the flags with which it is called there", async () => {
  const called = PAGES.flatMap((page) =>
    Deno.readTextFileSync(page).split("\n").flatMap((line) => {
      const [, words, rest] =
        /^[^#|]*?\btask fathom (data \w+|report (?:failures|depths|limits|cost|memory)|[a-z]+)\b(.*)$/.exec(
          line.replace(/ # .*/, ""),
        ) ?? [];
      return words === undefined ? [] : [{ page, words, flags: rest!.match(/(?<=\s)--[a-z][\w-]*/g) ?? [] }];
    })
  );
  ok(called.length > 60, `${called.length} commands`);
  const known = new Map<string, ReadonlySet<string>>();
  for (const words of new Set(called.map(({ words }) => words))) known.set(words, await flagsOf(words));
  deepEqual(
    called.flatMap(({ page, words, flags }) =>
      flags.filter((flag) => !known.get(words)!.has(flag)).map((flag) => `${page}: fathom ${words} ${flag}`)
    ),
    [],
  );
});
