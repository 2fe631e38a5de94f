import type { Command } from "commander";
import { basename, dirname, join } from "node:path";
import { writeLines } from "./files.ts";
import { type Flags, wholeNumber } from "./flags.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { runFolder } from "@/lib/records/mod.ts";
import { samplePages } from "@/lib/reports/mod.ts";

/** Adds `fathom view`: a page to browse the samples of a run. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("view")
    .description(
      "Writes an HTML file without scripts or network access: filters by task, length, depth, score and failure; each reply with " +
        "its matches marked, its score and reason; the text around each planted fact. More than 1,000 samples become several " +
        "linked pages. No call is made.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .argument("[other]", "a second run of the same samples, to show both side by side")
    .option("--out <file>", "the page to write (default: view.html in the run's folder)")
    .option("--most <n>", "maximum number of samples, those with the lowest scores", wholeNumber(1), 1000)
    .option("--characters <n>", "characters of text on each side of a fact", wholeNumber(0, 100_000), 160)
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom view first\n" +
        "  fathom view first second --out compared.html\n" +
        "  fathom view measured/gemma-3-270m/ruler --out gemma.html",
    )
    .action(async (name: string, other: string | undefined, flags: ViewFlags) => {
      const runs = await readRuns([name, ...(other === undefined ? [] : [other])], flags, output);
      const { most, characters, out: path = join(runFolder(name), "view.html") } = flags;
      for await (const { file, html } of samplePages(runs, { limit: most, characters, file: basename(path) })) {
        await writeLines([html], { path: join(dirname(path), file), output });
      }
      await output.write(`${path}\n`);
    });
  addReadingFlags(command);
}

interface ViewFlags extends Flags {
  readonly out?: string;
  readonly most: number;
  readonly characters: number;
}
