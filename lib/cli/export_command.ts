import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addScoredFlag, type Flags, openBenchmarks, readScored } from "./task_flags.ts";
import {
  bundleRun,
  jsonLines,
  listRuns,
  readScoredRun,
  replyRows,
  ROW_FILES,
  type TableRow,
  writeRows,
} from "@/lib/runs/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom export`: the replies or scores of runs as one table. */
export function addExportCommand(program: Command, output: Output): void {
  const command = program.command("export")
    .summary("write the replies or scores of runs as one table: CSV, Parquet or JSON lines")
    .description(
      "Writes one row for each reply of the runs, with its place, score, reason, failure, tokens and settings; docs/data.md " +
        "describes the columns. No call is made.",
    )
    .argument("[runs...]", "the runs' names; all recorded ones without any")
    .option("--out <file>", `where to, ending in ${ROW_FILES.join(", ")} (default: JSON lines on standard output)`)
    .option(
      "--bundle <file>",
      "instead write one run as one file that a colleague opens with fathom import: manifest, records, study, model, hashes; no secrets",
    )
    .option("--scores", "one row for each task and length instead: n, score, interval, failed calls")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom export first --out first.parquet\n  fathom export --scores --out all.csv\n" +
        "  fathom export first | jq 'select(.score == 0) | .reply'\n" +
        "  fathom export first --bundle first.zip\n\n" +
        "  duckdb -c \"select task, length, avg(score) from 'first.parquet' group by all\"\n" +
        "  python -c \"import pandas; print(pandas.read_parquet('first.parquet').groupby(['task', 'length']).score.mean())\"",
    )
    .action(async (given: readonly string[], flags: ExportFlags) => {
      if (flags.bundle !== undefined) return await writeBundle(given, { flags, output });
      const names = given.length === 0 ? await listRuns() : given;
      const reading = { benchmarks: await openBenchmarks(flags), scored: readScored(flags) };
      const rows: TableRow[] = [];
      for (const name of names) {
        const run = await readScoredRun(name, reading);
        for (const note of run.notes) output.note(note);
        rows.push(...flags.scores ? scoreRows(run) : await replyRows(run));
      }
      if (flags.out === undefined) return await output.write(jsonLines(rows));
      await writeRows(rows, flags.out);
      const what = flags.scores ? "score" : "reply";
      output.note(
        `${flags.out}: ${rows.length} ${plural(rows.length, what)} of ${names.length} ${plural(names.length, "run")}`,
      );
    });
  addScoredFlag(addBenchmarkFlag(command));
}

interface ExportFlags extends Flags {
  readonly out?: string;
  readonly scores?: boolean;
  readonly bundle?: string;
}

/** Writes a run as one file, and prints the file's own hash. */
async function writeBundle(
  given: readonly string[],
  { flags, output }: { readonly flags: ExportFlags; readonly output: Output },
): Promise<void> {
  const path = flags.bundle!;
  const other = ["out", "scores"].find((name) => flags[name] !== undefined);
  if (given.length !== 1 || other !== undefined) {
    throw new RangeError(
      `Cannot write the bundle as there must be one run and no --out or --scores: current value is ${
        [...given, ...(other === undefined ? [] : [`--${other}`])].join(" ") || "none"
      }`,
    );
  }
  const { content, sha256, files, notes } = await bundleRun(given[0]!, { benchmarks: await openBenchmarks(flags) });
  for (const note of notes) output.note(note);
  await Deno.writeFile(path, content);
  output.note(`${path}: ${given[0]}, ${files.length} ${plural(files.length, "file")}, ${content.length} bytes`);
  await output.write(`${sha256}  ${path}\n`);
}

function scoreRows({ manifest, replies }: Awaited<ReturnType<typeof readScoredRun>>): TableRow[] {
  const { name: run, model, origin } = manifest;
  return summarise(replies).map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { run, model, origin, task, length, n, score, low, high, failed, noAnswer }
  ));
}
