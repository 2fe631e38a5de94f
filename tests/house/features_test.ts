import { deepEqual, ok } from "node:assert/strict";
import { Command } from "commander";
import { COMMANDS } from "@/lib/cli/commands.ts";
import { listFiles } from "./_source.ts";
import type { Output } from "@/lib/cli/output.ts";

// Commands, flags and formats have a price for every reader of the help. A line that is new in features.txt is written by hand, and the
// message of its commit says what the feature replaces.

const SILENT: Output = { print: () => {}, note: () => {} } as unknown as Output;

/** A line for each command and each of its flags, with the values that a flag is limited to. */
async function listFeatures(): Promise<string[]> {
  const program = new Command("fathom");
  for (const { load } of COMMANDS) (await load()).addCommand(program, SILENT);
  return program.commands.flatMap((command) => listCommand(command, command.name()));
}

function listCommand(command: Command, name: string): string[] {
  const flags = command.options.map(({ long, argChoices = [] }) => [name, long, ...argChoices].join(" "));
  return [name, ...flags, ...command.commands.flatMap((part) => listCommand(part, `${name} ${part.name()}`))];
}

Deno.test("the shell has the commands, flags and formats of features.txt, and no others", async () => {
  const text = await Deno.readTextFile(new URL("features.txt", import.meta.url));
  const listed = new Set(text.trimEnd().split("\n"));
  const found = new Set(await listFeatures());
  deepEqual({
    "new, to be added to features.txt by hand": [...found.difference(listed)],
    "gone, to be deleted from features.txt": [...listed.difference(found)],
  }, { "new, to be added to features.txt by hand": [], "gone, to be deleted from features.txt": [] });
});

/** The commands in a page or a notebook, as `plan --json`. */
function commandsIn(text: string): readonly string[] {
  return Array.from(text.replaceAll('\\n"', "\n").matchAll(/\bfathom ([a-z][^`\n]*)/g), ([, command]) => command!);
}

Deno.test("commands on pages and in notebooks have only flags that exist", async () => {
  const text = await Deno.readTextFile(new URL("features.txt", import.meta.url));
  const flags = Map.groupBy(text.trimEnd().split("\n"), (line) => line.split(" --")[0]!);
  const names = [...flags.keys()].sort((one, other) => other.length - one.length);
  const pages = ["README.md", ...listFiles("docs"), ...listFiles("notebooks")].filter((path) =>
    /\.(?:md|ipynb)$/.test(path)
  );
  const called = pages.flatMap((path) =>
    commandsIn(Deno.readTextFileSync(path)).flatMap((command) => {
      const name = names.find((name) => `${command} `.startsWith(`${name} `));
      return name === undefined ? [] : [{ path, command, known: `${flags.get(name)!.join(" ")} --no-color --help ` }];
    })
  );
  ok(called.length > 60, `${called.length} commands`);
  const unknown = called.flatMap(({ path, command, known }) => {
    const own = command.split(/[|&;]| # /)[0]!.match(/(?<= )--[a-z][a-z-]+/g) ?? [];
    return own.filter((flag) => !known.includes(`${flag} `)).map((flag) =>
      `${path}: fathom ${command.slice(0, 60)} has no ${flag}`
    );
  });
  deepEqual(unknown, []);
});
