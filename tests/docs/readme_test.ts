import { ok } from "node:assert/strict";
import { shell } from "../cli/_shell.ts";

/** Rows of a table on the page, with the command that prints it. */
const SHOWN = /(?<=\(`deno task fathom ([^`]+)`\):\n\n```\n)(.*?)(?=\n```)/s;

// Where the measured runs have grown: deno test -A tests/docs/readme_test.ts -- --update
Deno.test("the rows that README.md shows are what the command beside it prints", async () => {
  const page = await Deno.readTextFile("README.md");
  const [, command, shown] = SHOWN.exec(page)!;
  const { out } = await shell(...command!.split(" "), "--no-figures");
  const names = shown!.split("\n").map((line) => line.split("  ")[0]!);
  const wanted = names.map((name) => out.split("\n").find((line) => line.startsWith(`${name}  `))).join("\n");
  if (Deno.args.includes("--update")) return await Deno.writeTextFile("README.md", page.replace(SHOWN, () => wanted));
  ok(names.length >= 4 && wanted === shown, wanted);
});
