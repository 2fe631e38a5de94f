import { deepEqual, equal, match, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { shell, withRunName } from "./_shell.ts";
import { PLAIN_STYLE } from "@/lib/cli/terminal_style.ts";
import { fathom } from "@/lib/cli/main.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

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

Deno.test("a terminal gets tables in colours; a pipe gets one line a row and none", async () => {
  const run = "measured/gemma-3-270m/cdme";
  const { out } = await inTerminal(80, "report", run, "--no-figures");
  match(out, COLOURS);
  const plain = out.replaceAll(COLOURS, "");
  const piped = (await shell("report", run, "--no-figures")).out;
  equal(piped.match(COLOURS), null);
  equal(PLAIN_STYLE.columns, undefined);
  for (const score of plain.match(/\d+\.\d \[\d+\.\d, \d+\.\d\]/g)!) ok(piped.includes(score), score);
});

/** Runs of one suite each and the widths that they are printed in. */
const SCREENS = ([60, 80, 100, 140] as const).flatMap((columns, at) => {
  const runs = ["cdme", "babilong", "mrcr"];
  return runs.filter((_, place) => place === at % 3 || cases(false, true)).map((run) => [columns, run] as const);
});

Deno.test.each(SCREENS)("a report for %d columns is no wider: %s", async (columns, suite) => {
  const { out } = await inTerminal(columns, "report", `measured/gemma-3-270m/${suite}`, "--no-figures");
  const lines = out.replaceAll(COLOURS, "").split("\n");
  deepEqual(lines.filter((line) => [...line].length > columns), []);
  match(lines[0]!, /^Effective length {5}gemma-3-270m /);
  match(
    lines.join("\n"),
    /\nShortest to longest [^]*\nFailures [^]*\nScore by length [^]*\ngemma-3-270m: the run\n/,
  );
  ok(!/ 0 +0\.0 +/.test(out.slice(out.indexOf("outcomes of the calls"))));
  const hasParagraphs = lines.some((line) => /^ {2}Checked: /.test(line));
  equal(hasParagraphs, columns < 140 && suite !== "cdme");
});

Deno.test("fathom run ends with its answer and the page of its replies, whose path it knows once it is written", async () => {
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "vt", "--lengths", "1K,2K", "--samples", "2", "--model", "sim:mute", "--name", name];
    const first = await inTerminal(80, ...ask);
    const plain = first.out.replaceAll(COLOURS, "");
    match(
      plain,
      /\n\nEffective length {5}sim:mute, a simulated control, [^]*\nScore by length {6}▁▁ 1K 0\.0, 2K 0\.0\n$/,
    );
    match(first.err, new RegExp(`The replies as a page: fathom view ${name}$`));
    await Deno.writeTextFile(`${RUNS_FOLDER}/${name}/view.html`, "");
    match((await inTerminal(80, ...ask)).err, new RegExp(`${name}/view\\.html$`));
  });
});

Deno.test("help and errors are coloured in a terminal, and --no-color is taken anywhere in a command", async () => {
  match((await inTerminal(100, "plan", "--help")).out, COLOURS);
  match((await inTerminal(100, "reprot")).err, COLOURS);
  const { code, out } = await shell("plan", "--no-color", "--samples", "5");
  equal(code, 0);
  match(out, /^Precision of 5 samples/);
});
