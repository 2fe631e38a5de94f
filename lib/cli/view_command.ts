import type { Command } from "commander";
import { join } from "node:path";
import { defined } from "@/lib/base/mod.ts";
import { untilInterrupted, writeLines } from "./files.ts";
import { names, number, wholeNumber } from "./flag_values.ts";
import type { Flags, Given } from "./flags.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { runFolder } from "@/lib/records/mod.ts";
import { type ExplorerOptions, openExplorer } from "@/lib/reports/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("view")
    .description(
      "Writes an HTML page to explore runs, complete in one file: the answer of each, charts whose marks filter the samples, and " +
        "each sample with question, replies, scores and prompt, if there is room for it; of more than six runs, scores alone.",
    )
    .argument("<runs...>", "names of runs, separated by spaces or commas; fathom report lists them")
    .option("--out <file>", "the page to write (default: view.html in the first run's folder)")
    .option("--serve [port]", "serve the page on 127.0.0.1 until Ctrl-C (default: a free port)", wholeNumber(0, 65_535))
    .option("--prompts <MB>", "about the size of the prompts in the file, compressed (default: 1.6)", millions(1000))
    .option(
      "--rebuild <millions>",
      "tokens of prompts to make again, so that their failures are classified (default: 20; 0.25 for over 10,000 samples)",
      millions(1_000_000),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom view first\n" +
        "  fathom view first --serve                        # while the run goes on, with each reply as it comes\n" +
        "  fathom view first second third --out compared.html\n" +
        "  fathom view measured/gemma-3-270m/ruler --out gemma.html --prompts 8",
    )
    .action((given: readonly string[], flags: ViewFlags) => view([...new Set(given.flatMap(names))], flags, output));
  addReadingFlags(command);
}

interface ViewFlags extends Flags, Given<"prompts" | "rebuild", number>, Given<"serve", number | true> {}

async function view(named: readonly string[], flags: ViewFlags, output: Output): Promise<void> {
  if (flags.serve === undefined) return await writeExplorer(named, flags, output);
  const { serveExplorer } = await import("./serve_explorer.ts");
  await untilInterrupted(await serveExplorer(named, { ...pageOptions(flags), flags, port: flags.serve }), output);
}

function pageOptions({ rebuild: tokens, prompts: promptBytes }: ViewFlags): ExplorerOptions {
  return defined({ tokens, promptBytes });
}

/** Parses a number of millions. */
function millions(most: number): (text: string) => number {
  return (text) => 1e6 * number(0, most)(text);
}

/** Writes the page of runs, by default to view.html in the folder of the first, and prints its path. */
export async function writeExplorer(named: readonly string[], flags: ViewFlags, output: Output): Promise<void> {
  const { out: path = join(runFolder(named[0]!), "view.html") } = flags;
  const runs = await readRuns(named, flags, output);
  const page = await openExplorer(runs, { ...pageOptions(flags), names: named });
  await writeLines(page.html(), { path, output });
  await output.write(`${path}\n`);
}
