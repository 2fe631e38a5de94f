import { type Command, Option } from "commander";
import { startFile, writeLines } from "./files.ts";
import { type ExportFlags, type ExportRequest, oneRun, outOf, writeLmEval, writeRuler } from "./export_runs.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./reading_flags.ts";
import { names, openBenchmarks } from "./task_flags.ts";
import { bundleRun, jsonLine, openReplyRows, ROW_FILES, type TableRow, writeRows } from "@/lib/exchange/mod.ts";
import { listRuns, type ScoredRun } from "@/lib/records/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** A format that runs can be exported in. */
interface Exporter {
  readonly about: string;
  readonly write: (request: ExportRequest) => Promise<void>;
}

/** The formats by their names. */
const EXPORTERS: Readonly<Record<string, Exporter>> = {
  replies: {
    about: `one row per reply, to a ${ROW_FILES.join(", ")} file`,
    write: (request) => writeTable(request, { unit: "reply", rowsOf: openReplyRows }),
  },
  scores: {
    about: "one row per task and length: n, score, interval, failed calls",
    write: (request) => writeTable(request, { unit: "score", rowsOf: scoreRows }),
  },
  bundle: {
    about: "one run as one file for fathom import, with hashes and without secrets",
    write: writeBundle,
  },
  "lm-eval": {
    about: "one run as a folder of tasks with their replies, which lm_eval --model dummy scores",
    write: writeLmEval,
  },
  ruler: {
    about: "a folder of predictions and scores as RULER's code writes them (default: --scored whole)",
    write: writeRuler,
  },
};

/** Adds `fathom export`: runs as tables and in other programs' formats. */
export function addExportCommand(program: Command, output: Output): void {
  const command = program.command("export")
    .description(
      "Writes runs as a table of replies or scores, as one file for a colleague, or in another program's format; docs/data.md " +
        "describes them. No call is made.\n\nFormats:\n" +
        Object.entries(EXPORTERS).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`).join("\n"),
    )
    .argument("[runs...]", "names of runs, separated by spaces or commas; for tables, all recorded runs by default")
    .addOption(new Option("--format <name>", "the format").choices(Object.keys(EXPORTERS)).default("replies"))
    .option("--out <path>", "file or folder to write (default: for tables, JSON lines on standard output)")
    .addOption(new Option("--scores").hideHelp())
    .addOption(new Option("--bundle <file>").hideHelp())
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom export first --out first.parquet\n" +
        "  fathom export --format scores --out all.csv\n" +
        "  fathom export first | jq 'select(.score == 0) | .reply'\n" +
        "  fathom export first --format bundle --out first.zip\n" +
        "  fathom export first --format lm-eval --out harness/ && lm_eval --model dummy --include_path harness --tasks fathom\n" +
        "  fathom export first --format ruler --out outputs/first\n\n" +
        "  duckdb -c \"select task, length, avg(score) from 'first.parquet' group by all\"\n" +
        "  python -c \"import pandas; print(pandas.read_parquet('first.parquet').groupby(['task', 'length']).score.mean())\"",
    )
    .action(
      async (runs: readonly string[], given: ExportFlags & { readonly scores?: true; readonly bundle?: string }) => {
        const { scores, bundle, ...flags } = given;
        const old = bundle !== undefined ? { format: "bundle", out: bundle } : scores ? { format: "scores" } : {};
        const asked = { ...flags, ...old };
        await EXPORTERS[asked.format]!.write({ given: runs.flatMap(names), flags: asked, output });
      },
    );
  addReadingFlags(command);
}

/** Writes a table of the rows of each run; no more than one run is held in memory. */
async function writeTable(
  { given, flags, output }: ExportRequest,
  { unit, rowsOf }: {
    readonly unit: string;
    readonly rowsOf: (run: ScoredRun) => Iterable<TableRow> | Promise<Iterable<TableRow>>;
  },
): Promise<void> {
  const runs = given.length === 0 ? await listRuns() : given;
  const rows = (async function* (): AsyncGenerator<TableRow> {
    for (const name of runs) {
      for (const run of await readRuns([name], flags, output)) yield* await rowsOf(run);
    }
  })();
  if (flags.out === undefined) {
    const lines = (async function* (): AsyncGenerator<string> {
      for await (const row of rows) yield jsonLine(row);
    })();
    return void await writeLines(lines, { path: undefined, output });
  }
  const count = await writeRows(rows, flags.out);
  output.note(`${flags.out}: ${count} ${plural(count, unit)} of ${runs.length} ${plural(runs.length, "run")}`);
}

function scoreRows({ manifest, replies }: ScoredRun): TableRow[] {
  const { name: run, model, origin } = manifest;
  return summarise(replies).map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { run, model, origin, task, length, n, score, low, high, failed, noAnswer }
  ));
}

/** Writes a run as one file, and prints the file's hash. */
async function writeBundle({ given, flags, output }: ExportRequest): Promise<void> {
  const [name, path] = [oneRun(given, flags), outOf(flags)];
  const { content, sha256, files, notes } = await bundleRun(name, { benchmarks: await openBenchmarks(flags) });
  for (const note of notes) output.note(note);
  const file = await startFile(path);
  await file.write(content);
  await file.finish();
  output.note(`${path}: ${name}, ${files.length} ${plural(files.length, "file")}, ${content.length} bytes`);
  await output.write(`${sha256}  ${path}\n`);
}
