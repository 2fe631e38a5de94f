import { ok } from "node:assert/strict";
import { shell } from "../cli/_shell.ts";

Deno.test("the table that README.md shows is what the command beside it prints", async () => {
  const page = await Deno.readTextFile("README.md");
  const [, command, shown] = /\(`deno task fathom ([^`]+)`\):\n\n```\n(.*?)\n```/s.exec(page)!;
  const { out } = await shell(...command!.split(" "), "--no-figures");
  const missing = shown!.split("\n").filter((line) => !out.includes(`${line}\n`));
  ok(shown!.split("\n").length > 10 && missing.length === 0, missing.join("\n"));
});
