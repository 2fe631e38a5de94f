import { type Command, Option } from "commander";
import { startFile, writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addScoredFlag, type Flags, openBenchmarks, readScored } from "./task_flags.ts";
import { type FormCell, type FormSample, writeForm } from "./sample_forms.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { renderText, replyOrigin, scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import { bundleRun, jsonLine, openReplyRows, ROW_FILES, type TableRow, writeRows } from "@/lib/exchange/mod.ts";
import { listRuns, readScoredRun, type RecordedScores } from "@/lib/records/mod.ts";
import { type OpenStudy, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";
import { type ChatTemplate, isSingleTurn, messageFields, type Prompt, withoutSystem } from "@/lib/generators/mod.ts";

/** Adds `fathom export`: the replies or scores of runs as one table. */
export function addExportCommand(program: Command, output: Output): void {
  const command = program.command("export")
    .description(
      "Writes one row for each reply of the runs, with its place, score, reason, failure, tokens and settings; docs/data.md " +
        "describes the columns. Or one run as a file for a colleague (--bundle), or for another program (--format). No call is made.",
    )
    .argument("[runs...]", "the runs' names; all recorded ones without any")
    .option("--out <file>", `where to, ending in ${ROW_FILES.join(", ")} (default: JSON lines on standard output)`)
    .addOption(
      new Option(
        "--bundle <file>",
        "instead write one run as one file that a colleague opens with fathom import: manifest, records, study, model, hashes; no secrets",
      ).conflicts(["out", "scores", "format"]),
    )
    .addOption(
      new Option(
        "--format <name>",
        "instead write prompts and replies of one run in another program's form: lm-eval, a folder of tasks that lm_eval --model dummy scores",
      ).choices(["lm-eval"]).conflicts("scores"),
    )
    .option("--scores", "one row for each task and length instead: n, score, interval, failed calls")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom export first --out first.parquet\n  fathom export --scores --out all.csv\n" +
        "  fathom export first | jq 'select(.score == 0) | .reply'\n" +
        "  fathom export first --bundle first.zip\n" +
        "  fathom export first --format lm-eval --out harness/ && lm_eval --model dummy --include_path harness --tasks fathom\n\n" +
        "  duckdb -c \"select task, length, avg(score) from 'first.parquet' group by all\"\n" +
        "  python -c \"import pandas; print(pandas.read_parquet('first.parquet').groupby(['task', 'length']).score.mean())\"",
    )
    .action(async (given: readonly string[], flags: ExportFlags) => {
      if (flags.bundle !== undefined) return await writeBundle(given, { flags, output });
      if (flags.format !== undefined) return await writeHarnessForm(given, { flags, output });
      const names = given.length === 0 ? await listRuns() : given;
      const reading = { benchmarks: await openBenchmarks(flags), scored: readScored(flags) };
      const rows = rowsOf(names, { flags, reading, output });
      if (flags.out === undefined) return void await writeLines(linesOf(rows), { path: undefined, output });
      const count = await writeRows(rows, flags.out);
      const what = flags.scores ? "score" : "reply";
      output.note(`${flags.out}: ${count} ${plural(count, what)} of ${names.length} ${plural(names.length, "run")}`);
    });
  addScoredFlag(addBenchmarkFlag(command));
}

/** The rows of one run after another; no more than a run is held. */
async function* rowsOf(
  names: readonly string[],
  { flags, reading, output }: WriteRunOptions & { readonly reading: Parameters<typeof readScoredRun>[1] },
): AsyncGenerator<TableRow> {
  for (const name of names) {
    const run = await readScoredRun(name, reading);
    for (const note of run.notes) output.note(note);
    yield* flags.scores ? scoreRows(run) : await openReplyRows(run);
  }
}

async function* linesOf(rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  for await (const row of rows) yield jsonLine(row);
}

interface ExportFlags extends Flags {
  readonly out?: string;
  readonly scores?: boolean;
  readonly bundle?: string;
  readonly format?: "lm-eval";
}

/** What is written of one run, and where. */
interface WriteRunOptions {
  readonly flags: ExportFlags;
  readonly output: Output;
}

/** The one run that is wanted, or why there is none. */
function oneRun(given: readonly string[], wanted: string): string {
  if (given.length === 1) return given[0]!;
  throw new RangeError(
    `Cannot write ${wanted} as there must be one run: current value is ${given.join(" ") || "none"}`,
  );
}

/** Writes prompts and replies of a run as tasks of lm-evaluation-harness, which scores the replies that came. */
async function writeHarnessForm(given: readonly string[], { flags, output }: WriteRunOptions): Promise<void> {
  const name = oneRun(given, "the form");
  const run = await readScoredRun(name, { benchmarks: await openBenchmarks(flags), scored: readScored(flags) });
  const opened = await openStudy(run.manifest.study, run);
  const left = { changed: 0 };
  const answered = run.replies.filter(({ failed }) => !failed);
  const cells = [...Map.groupBy(answered, ({ task, length }) => JSON.stringify([task, length])).values()];
  const count = await writeForm("lm-eval", cells.map((replies) => formCell(replies, { run, opened, left })), {
    ...{ path: flags.out, output, model: undefined },
  });
  if (answered.length < run.replies.length) {
    output.note(`${run.replies.length - answered.length} failed calls are left out, and are in no score`);
  }
  if (left.changed > 0) {
    output.note(`${left.changed} prompts are left out: their samples, made again, are not the texts that were asked`);
  }
  output.note(`${flags.out}: ${count} ${plural(count, "reply")} of ${name}`);
  output.note(`lm_eval --model dummy --include_path ${flags.out} --tasks fathom`);
}

function formCell(
  replies: readonly ScoredReply[],
  { run: { manifest, benchmarks }, opened, left }: {
    readonly run: RecordedScores;
    readonly opened: OpenStudy;
    readonly left: { changed: number };
  },
): FormCell {
  const { task, length, record: { scoring } } = replies[0]!;
  const scorer = findScorer(scoring, benchmarks);
  const samples = Iterator.from(replies).map((reply): FormSample => {
    const { record } = reply;
    const { sample, isSame } = remakeSample(record, { ...opened, template: manifest.template });
    if (!isSame) left.changed++;
    const { system: _, ...template } = manifest.template;
    const { answerPrefix = "", ...prompt } = withoutSystem(sample.prompt);
    return {
      index: record.index,
      // The harness refuses to send nothing.
      messages: isSame ? formMessages(prompt, template) : [{ role: "user", content: "(not known)" }],
      answerPrefix: isSame ? answerPrefix : "",
      references: record.references,
      sample: record.sample,
      sha256: record.sha256,
      replied: {
        reply: scoredAnswer(reply),
        model: manifest.model,
        origin: replyOrigin({ origin: record.origin }, record.reply),
      },
    };
  });
  const { answerRoom } = opened.tasks.find(({ name }) => name === task)!;
  return { task, length, scorer, answerRoom, samples };
}

/** Returns one message with the text that was asked, or the messages of a prompt of several turns. */
function formMessages(prompt: Prompt, template: ChatTemplate): FormSample["messages"] {
  if (!isSingleTurn(prompt)) return messageFields(prompt.messages);
  return [{ role: "user", content: renderText(prompt, template) }];
}

/** Writes a run as one file, and prints the file's own hash. */
async function writeBundle(
  given: readonly string[],
  { flags, output }: WriteRunOptions,
): Promise<void> {
  const path = flags.bundle!;
  const name = oneRun(given, "the bundle");
  const { content, sha256, files, notes } = await bundleRun(name, { benchmarks: await openBenchmarks(flags) });
  for (const note of notes) output.note(note);
  const file = await startFile(path);
  await file.write(content);
  await file.finish();
  output.note(`${path}: ${name}, ${files.length} ${plural(files.length, "file")}, ${content.length} bytes`);
  await output.write(`${sha256}  ${path}\n`);
}

function scoreRows({ manifest, replies }: Awaited<ReturnType<typeof readScoredRun>>): TableRow[] {
  const { name: run, model, origin } = manifest;
  return summarise(replies).map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { run, model, origin, task, length, n, score, low, high, failed, noAnswer }
  ));
}
