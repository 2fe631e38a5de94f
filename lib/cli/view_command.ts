import type { Command } from "commander";
import { basename, dirname, join } from "node:path";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addScoredFlag, type Flags, openBenchmarks, readScored, wholeNumber } from "./task_flags.ts";
import { readScoredRun, runFolder } from "@/lib/records/mod.ts";
import { samplePages } from "@/lib/reports/mod.ts";

/** Adds `fathom view`: a page on which the samples of a run can be browsed. */
export function addViewCommand(program: Command, output: Output): void {
  const command = program.command("view")
    .description(
      "Writes an HTML file, which runs no script and asks no network: filters by task, length, depth, score and failure; each " +
        "reply with its matches marked, its score and why; the text around each planted fact. More than 1,000 samples become a " +
        "folder of pages and a file that lists them. No call is made.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .argument("[other]", "a second run of the same samples, to see both side by side")
    .option("--out <file>", "where to write the page (default: view.html in the run's folder)")
    .option(
      "--most <n>",
      "samples to show; where there are more, those with the lowest scores",
      wholeNumber(1),
      1000,
    )
    .option("--characters <n>", "characters of text on each side of a fact", wholeNumber(0, 100_000), 160)
    .addHelpText(
      "after",
      "\nExamples:\n  fathom view first\n  fathom view first second --out compared.html\n  fathom view measured/gemma-3-270m/ruler --out gemma.html",
    )
    .action(async (name: string, other: string | undefined, flags: ViewFlags) => {
      const reading = { benchmarks: await openBenchmarks(flags), scored: readScored(flags) };
      const names = [name, ...(other === undefined ? [] : [other])];
      const runs = await Promise.all(names.map((each) => readScoredRun(each, reading)));
      for (const note of runs.flatMap(({ notes }) => notes)) output.note(note);
      const { most, characters, out: path = join(runFolder(name), "view.html") } = flags;
      for await (const page of samplePages(runs, { most, characters, file: basename(path) })) {
        await writeLines([page.html], { path: join(dirname(path), page.path), output, makesFolder: true });
      }
      await output.write(`${path}\n`);
    });
  addScoredFlag(addBenchmarkFlag(command));
}

interface ViewFlags extends Flags {
  readonly out?: string;
  readonly most: number;
  readonly characters: number;
}
