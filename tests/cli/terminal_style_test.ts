import { equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { PLAIN_STYLE } from "@/lib/cli/terminal_style.ts";
import { fathom } from "@/lib/cli/main.ts";

/** What a command prints in a terminal of so many columns, with colours. */
async function inTerminal(columns: number, ...args: readonly string[]): Promise<{ out: string; err: string }> {
  const [out, err]: string[][] = [[], []];
  await fathom(args, {
    write: (text) => Promise.resolve(void out!.push(text)),
    print: (text) => void out!.push(text),
    note: (line) => void err!.push(line),
    redraw: () => {},
    style: { columns, colours: true, noteColours: true },
  });
  return { out: out!.join(""), err: err!.join("\n") };
}

// deno-lint-ignore no-control-regex -- these are the colours
const COLOURS = /\x1b\[\d+m/g;

Deno.test("a terminal gets tables as wide as it is, in colours; a pipe gets one line a row and none", async () => {
  const run = "measured/gemma-3-270m/cdme";
  const { out } = await inTerminal(80, "report", run, "--no-figures");
  match(out, COLOURS);
  const plain = out.replaceAll(COLOURS, "");
  ok(plain.split("\n").every((line) => [...line].length <= 80), plain);
  const piped = (await shell("report", run, "--no-figures")).out;
  equal(piped.match(COLOURS), null);
  equal(PLAIN_STYLE.columns, undefined);
  for (const score of plain.match(/\d+\.\d \[\d+\.\d, \d+\.\d\]/g)!) ok(piped.includes(score), score);
});

Deno.test("help and errors are coloured in a terminal, and --no-color is taken anywhere in a command", async () => {
  match((await inTerminal(100, "plan", "--help")).out, COLOURS);
  match((await inTerminal(100, "reprot")).err, COLOURS);
  const { code, out } = await shell("plan", "--no-color", "--samples", "5");
  equal(code, 0);
  match(out, /^Precision of 5 samples/);
});
