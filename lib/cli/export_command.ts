import { type Command, Option } from "commander";
import { join } from "node:path";
import { plural } from "@/lib/base/mod.ts";
import { writeFilesBelow, writeLines } from "./files.ts";
import { names } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { copyCode } from "./sample_forms.ts";
import { findScorer, scorePredictions } from "@/lib/benchmarks/mod.ts";
import { type RulerPrediction, rulerScoreFiles } from "@/lib/benchmarks/ruler/ruler_files.ts";
import {
  jsonLine,
  openReplyRows,
  ROW_FILES,
  type TableRow,
  writeDataset,
  writeInspectLogs,
  writeRows,
} from "@/lib/exchange/mod.ts";
import { type ChatTemplate, type Sample, withoutSystem } from "@/lib/generators/mod.ts";
import { renderText, replyOrigin } from "@/lib/models/mod.ts";
import { listRuns, type RecordedScores, scoredAnswer, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import type { FileScore } from "@/lib/scorers/mod.ts";
import { originText, statedInterval, summarise } from "@/lib/statistics/mod.ts";
import { openStudy, remakeSample } from "@/lib/studies/mod.ts";

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
  hf: {
    about: "a data set of replies and scores for Hugging Face datasets: a folder of JSON lines with a card",
    write: writeRunDataset,
  },
  ruler: {
    about: "a folder of predictions and scores as RULER's code writes them (default: --scored whole)",
    write: writeRuler,
  },
  inspect: {
    about: "a folder of Inspect's logs, one per task, for inspect view and inspect score",
    write: writeInspect,
  },
};

/** The format of an export, and its destination. */
interface ExportRequest {
  readonly given: readonly string[];
  readonly flags: ExportFlags;
  readonly output: Output;
}

interface ExportFlags extends Flags {
  readonly format: string;
  readonly out?: string;
}

/** Returns the path of --out, which a format needs. */
function outOf({ format, out }: ExportFlags): string {
  if (out !== undefined) return out;
  throw new RangeError(`Cannot export as --format ${format} needs --out, the path to write: current value is none`);
}

/** Adds `fathom export`: runs as tables and in other programs' formats. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("export")
    .description(
      "Writes runs as a table of replies or scores, or in another program's format; docs/data.md describes them. No call is made.\n\nFormats:\n" +
        Object.entries(EXPORTERS).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`).join("\n"),
    )
    .argument("[runs...]", "names of runs, separated by spaces or commas; for tables, all recorded runs by default")
    .addOption(new Option("--format <name>", "the format").choices(Object.keys(EXPORTERS)).default("replies"))
    .option("--out <path>", "file or folder to write (default: for tables, JSON lines on standard output)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom export first --out first.csv\n" +
        "  fathom export --format scores --out all.csv\n" +
        "  fathom export first | jq 'select(.score == 0) | .reply'\n" +
        "  fathom export first --format ruler --out outputs/first\n" +
        "  fathom export first second --format hf --out first-and-second\n" +
        "  fathom export first --format inspect --out logs && inspect view --log-dir logs\n\n" +
        "  duckdb -c \"select task, length, avg(score) from 'first.csv' group by all\"",
    )
    .action((runs: readonly string[], flags: ExportFlags) =>
      EXPORTERS[flags.format]!.write({ given: runs.flatMap(names), flags, output })
    );
  addReadingFlags(command);
}

type RowsOf = (run: ScoredRun) => Iterable<TableRow> | Promise<Iterable<TableRow>>;

/** Makes the rows of each run; no more than one run is held in memory. */
async function* eachRow(
  runs: readonly string[],
  rowsOf: RowsOf,
  { flags, output }: Pick<ExportRequest, "flags" | "output">,
): AsyncGenerator<TableRow> {
  for (const name of runs) {
    for (const run of await readRuns([name], flags, output)) yield* await rowsOf(run);
  }
}

/** Writes a table of the rows of each run. */
async function writeTable(
  { given, flags, output }: ExportRequest,
  { unit, rowsOf }: { readonly unit: string; readonly rowsOf: RowsOf },
): Promise<void> {
  const runs = given.length === 0 ? await listRuns() : given;
  const rows = eachRow(runs, rowsOf, { flags, output });
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
  return summarise(replies).map((row) => {
    const { task, length, n, score, failed, noAnswer } = row;
    return { run, model, origin, task, length, n, score, ...statedInterval(row), failed, noAnswer };
  });
}

/** Writes the replies and scores of runs as a data set with two configurations. */
async function writeRunDataset({ given, flags, output }: ExportRequest): Promise<void> {
  const folder = outOf(flags);
  const runs = given.length === 0 ? await listRuns() : given;
  const about = new Set<string>();
  const repliesOf = async (run: ScoredRun): Promise<Iterable<TableRow>> => {
    const { name, model, origin, samples } = run.manifest;
    about.add(
      `- \`${name}\`: ${model} (${originText(origin)}), ${samples.count} ${
        plural(samples.count, "sample")
      }, whose ids and hashes have the SHA-256 \`${samples.sha256}\``,
    );
    return await openReplyRows(run);
  };
  const count = await writeDataset(folder, {
    configs: [
      { name: "replies", rows: eachRow(runs, repliesOf, { flags, output }) },
      { name: "scores", rows: eachRow(runs, scoreRows, { flags, output }) },
    ],
    title: `Fathom ${plural(runs.length, "run")}: ${runs.join(", ")}`,
    tags: ["evaluation"],
    about: () => [
      "`replies` has a row for each reply, `scores` one for each task and length. A failed call has no score.",
      [...about].join("\n"),
      `Make the data set again from the ${plural(runs.length, "run")}:\n\n` +
      `\`\`\`sh\nfathom export ${runs.join(" ")} --format hf --out FOLDER\n\`\`\``,
    ],
  });
  output.note(`${folder}: ${count} ${plural(count, "row")} of ${runs.length} ${plural(runs.length, "run")}`);
}

/** Writes each run as logs of Inspect, and the code that scores them; prints the paths of the logs. */
async function writeInspect({ given, flags, output }: ExportRequest): Promise<void> {
  const folder = outOf(flags);
  if (given.length === 0) throw new RangeError("Cannot export as --format inspect needs a run: current value is none");
  for (const run of await readRuns(given, flags, output)) {
    const { paths, failed, lost } = await writeInspectLogs(run, given.length === 1 ? folder : join(folder, run.name));
    await output.write(paths.map((path) => `${path}\n`).join(""));
    if (failed > 0) output.note(`${failed} failed ${plural(failed, "call")}, each the error of its sample`);
    if (lost > 0) noteLost(lost, output);
  }
  await copyCode(["fathom_task.py", "fathom_scores.py"], folder);
}

function noteLost(lost: number, output: Output): void {
  output.note(`${lost} ${plural(lost, "prompt")} left out: the rebuilt sample is not the recorded text`);
}

/**
 * Writes the RULER tasks of runs as RULER's code does: in {length}/pred/ a prediction file per task, summary.csv and submission.csv.
 * Prints the paths of the summaries. The scores are those that evaluate.py computes from these files.
 */
async function writeRuler({ given, flags, output }: ExportRequest): Promise<void> {
  const folder = outOf(flags);
  for (const run of await readRuns(given, { ...flags, scored: flags.scored ?? "whole" }, output)) {
    await writeRulerRun(run, given.length === 1 ? folder : join(folder, run.name), output);
  }
}

async function writeRulerRun(run: RecordedScores, folder: string, output: Output): Promise<void> {
  const { manifest, replies } = run;
  const answered = replies.filter(({ task, failed }) => !failed && manifest.tasks[task]?.suite.startsWith("ruler-"));
  if (answered.length === 0) {
    throw new RangeError(
      `Cannot write RULER's files as the run must have an answered task of RULER's, such as vt: current value is ${
        Object.keys(manifest.tasks).join(", ")
      }`,
    );
  }
  const opened = await openStudy(manifest.study, run);
  let lost = 0;
  for (const [length, ofLength] of Map.groupBy(answered, (reply) => reply.length)) {
    const place = join(folder, String(length), "pred");
    const scores: FileScore[] = [];
    for (const [task, ofTask] of Map.groupBy(ofLength, (reply) => reply.task)) {
      const path = join(place, `${task}.jsonl`);
      // Prompts are made one at a time, as all of them may not fit into memory.
      const lines = Iterator.from(ofTask).map((reply) => {
        const { sample, isSame } = remakeSample(reply.record, { ...opened, template: manifest.template });
        if (!isSame) lost++;
        return predictionLine(reply, isSame ? sample : undefined, manifest.template);
      });
      await writeLines(lines, { path, output });
      const predictions = ofTask.map((reply) => {
        const { references, index } = reply.record;
        return { prediction: scoredAnswer(reply), references, id: index };
      });
      scores.push(await scorePredictions(predictions, { task, scorer: findScorer(ofTask[0]!.record.scoring) }));
    }
    const files = rulerScoreFiles(scores);
    await writeFilesBelow(place, files);
    await output.write(`${join(place, files[0]!.path)}\n`);
  }
  const failed = replies.filter((reply) => reply.failed).length;
  if (failed > 0) output.note(`${failed} failed ${plural(failed, "call")} left out, as in every score`);
  if (lost > 0) noteLost(lost, output);
}

/** Returns a line of RULER's prediction files; the prompt is left out without its sample. */
function predictionLine(
  reply: ScoredReply,
  sample: Sample | undefined,
  { system: _, ...template }: ChatTemplate,
): string {
  const { record } = reply;
  const { index, references, repeat = 0 } = record;
  const line: RulerPrediction = {
    index,
    pred: scoredAnswer(reply),
    // RULER's files have no field for a system message.
    input: sample === undefined ? "" : renderText(withoutSystem(sample.prompt), template),
    outputs: references,
    others: { ...(repeat === 0 ? {} : { repeat }), origin: replyOrigin(record, record.reply) },
    truncation: -1,
    length: sample === undefined ? -1 : sample.promptTokens + sample.answerRoom,
  };
  return `${JSON.stringify(line)}\n`;
}
