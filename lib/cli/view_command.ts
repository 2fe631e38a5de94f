import type { Command } from "commander";
import { join } from "node:path";
import { defined, sum } from "@/lib/base/mod.ts";
import { untilInterrupted, writeLines } from "./files.ts";
import { names, number, wholeNumber } from "./flag_values.ts";
import type { Flags, Given } from "./flags.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { runFolder } from "@/lib/records/mod.ts";
import { EXPLORER_LIMITS, type ExplorerOptions, openExplorer } from "@/lib/reports/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("view")
    .description(
      "Writes an HTML page to explore runs, complete in one file without network access: the answer of each run, and charts whose " +
        "marks filter the list of samples; each sample with its question, replies, scores and prompt. One to six runs are shown " +
        "side by side; of more, the page has scores alone. Prompts are made again from their recipes and checked against the " +
        "recorded hashes; the file holds those of the lowest scores. With --serve the page is served on this machine, shows every " +
        "prompt, and is updated while a run goes on. No call is made.",
    )
    .argument("<runs...>", "names of runs, separated by spaces or commas; fathom report lists them")
    .option("--out <file>", "the page to write (default: view.html in the first run's folder)")
    .option(
      "--serve [port]",
      "serve the page on 127.0.0.1 until Ctrl-C; without a port, on any that is free",
      wholeNumber(0, 65_535),
    )
    .option("--prompts <MB>", "about the size of the prompts in the file, compressed", number(0, 1000), 1.6)
    .option(
      "--rebuild <millions>",
      "maximum tokens of prompts to make again, in millions, the lowest scores first: their failures are classified (default: 20; " +
        "0.25 for more than 10,000 samples)",
      number(0, 1_000_000),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom view first\n" +
        "  fathom view first --serve                        # every prompt; while the run goes on, also new replies\n" +
        "  fathom view first second third --out compared.html\n" +
        "  fathom view first --rebuild 1000                 # classifies every failure of a long run, in minutes\n" +
        "  fathom view measured/gemma-3-270m/ruler --out gemma.html --prompts 8",
    )
    .action((given: readonly string[], flags: ViewFlags) => view([...new Set(given.flatMap(names))], flags, output));
  addReadingFlags(command);
}

interface ViewFlags extends Flags, Given<"prompts" | "rebuild", number>, Given<"serve", number | true> {}

async function view(named: readonly string[], flags: ViewFlags, output: Output): Promise<void> {
  if (flags.serve === undefined) return await writeExplorer(named, flags, output);
  const { serveExplorer } = await import("./serve_explorer.ts");
  const port = flags.serve === true ? 0 : flags.serve;
  await untilInterrupted(await serveExplorer(named, { ...pageOptions(flags), flags, port }), output);
}

function pageOptions({ rebuild, prompts = 1.6 }: ViewFlags): ExplorerOptions {
  const tokens = rebuild === undefined ? undefined : 1e6 * rebuild;
  return { promptBytes: 1e6 * prompts, ...defined({ tokens }) };
}

/** Writes the page of runs, by default to view.html in the folder of the first, and prints its path. */
export async function writeExplorer(named: readonly string[], flags: ViewFlags, output: Output): Promise<void> {
  const { out: path = join(runFolder(named[0]!), "view.html") } = flags;
  const runs = await readRuns(named, flags, output);
  if (sum(runs, ({ replies }) => replies.length) > EXPLORER_LIMITS.replies) {
    output.note("These are too many replies for a page. Tables of any size:");
    output.note(`  fathom export ${named.join(" ")} --out replies.csv`);
    output.note(
      "  duckdb -c \"select model, task, length, avg(score), count(*) from 'replies.csv' group by all order by all\"",
    );
  }
  const page = await openExplorer(runs, { ...pageOptions(flags), names: named });
  await writeLines(page.html(), { path, output });
  await output.write(`${path}\n`);
}
