import { join } from "node:path";
import { writeFilesBelow, writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import { type FormCell, type FormSample, writeForm } from "./sample_forms.ts";
import { type ReadingFlags, readRuns } from "./reading_flags.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { type RulerPrediction, rulerScoreFiles } from "@/lib/benchmarks/ruler/mod.ts";
import { type ChatTemplate, isSingleTurn, messageFields, type Prompt, withoutSystem } from "@/lib/generators/mod.ts";
import { renderText, replyOrigin, scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import type { RecordedScores } from "@/lib/records/mod.ts";
import { type FileScore, scorePredictions } from "@/lib/scorers/mod.ts";
import { type OpenStudy, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** What is exported, and where to. */
export interface ExportRequest {
  /** The runs' names. */
  readonly given: readonly string[];
  readonly flags: ExportFlags;
  readonly output: Output;
}

/** The flags of `fathom export`. */
export interface ExportFlags extends ReadingFlags {
  readonly format: string;
  readonly out?: string;
}

/** Returns the path of --out, which a format needs. */
export function outOf({ format, out }: ExportFlags): string {
  if (out !== undefined) return out;
  throw new RangeError(`Cannot export as --format ${format} needs --out, the path to write: current value is none`);
}

/** Returns the only run, as a format takes no more. */
export function oneRun(runs: readonly string[], { format }: ExportFlags): string {
  if (runs.length === 1) return runs[0]!;
  throw new RangeError(`Cannot export as --format ${format} takes one run: current value is ${runs.length}`);
}

/** A run whose samples are rebuilt for an export. */
interface RebuiltRun {
  readonly run: RecordedScores;
  readonly opened: OpenStudy;
  /** Counts the samples that are no longer the recorded text. */
  readonly lost: { count: number };
}

/** Writes prompts and replies of a run as tasks of lm-evaluation-harness, which scores the recorded replies. */
export async function writeLmEval({ given, flags, output }: ExportRequest): Promise<void> {
  const [name, path] = [oneRun(given, flags), outOf(flags)];
  const [run] = await readRuns([name], flags, output);
  const rebuilt = { run: run!, opened: await openStudy(run!.manifest.study, run!), lost: { count: 0 } };
  const answered = run!.replies.filter(({ failed }) => !failed);
  const cells = [...Map.groupBy(answered, ({ task, length }) => JSON.stringify([task, length])).values()];
  const count = await writeForm("lm-eval", cells.map((replies) => formCell(replies, rebuilt)), {
    ...{ path, output, model: undefined },
  });
  noteGaps(run!.replies.length - answered.length, rebuilt.lost.count, output);
  output.note(`${path}: ${count} ${plural(count, "reply")} of ${name}`);
  output.note(`lm_eval --model dummy --include_path ${path} --tasks fathom`);
}

function formCell(
  replies: readonly ScoredReply[],
  { run: { manifest, benchmarks }, opened, lost }: RebuiltRun,
): FormCell {
  const { task, length, record: { scoring } } = replies[0]!;
  const samples = Iterator.from(replies).map((reply): FormSample => {
    const { record } = reply;
    const { sample, isSame } = remakeSample(record, { ...opened, template: manifest.template });
    if (!isSame) lost.count++;
    const { system: _, ...template } = manifest.template;
    const { answerPrefix = "", ...prompt } = withoutSystem(sample.prompt);
    return {
      index: record.index,
      // The harness refuses an empty prompt.
      messages: isSame ? formMessages(prompt, template) : [{ role: "user", content: "(not known)" }],
      answerPrefix: isSame ? answerPrefix : "",
      references: record.references,
      sample: record.sample,
      sha256: record.sha256,
      replied: { reply: scoredAnswer(reply), model: manifest.model, origin: replyOrigin(record, record.reply) },
    };
  });
  const { answerRoom } = opened.tasks.find(({ name }) => name === task)!;
  return { task, length, scorer: findScorer(scoring, benchmarks), answerRoom, samples };
}

/** Returns one message with the rendered text, or the messages of a prompt of several turns. */
function formMessages(prompt: Prompt, template: ChatTemplate): FormSample["messages"] {
  if (!isSingleTurn(prompt)) return messageFields(prompt.messages);
  return [{ role: "user", content: renderText(prompt, template) }];
}

function noteGaps(failed: number, lost: number, output: Output): void {
  if (failed > 0) output.note(`${failed} failed ${plural(failed, "call")} left out, as in every score`);
  if (lost > 0) output.note(`${lost} ${plural(lost, "prompt")} left out: the rebuilt sample is not the recorded text`);
}

/**
 * Writes the RULER tasks of runs as RULER's code does: in {length}/pred/ a prediction file per task, summary.csv and submission.csv.
 * Prints the paths of the summaries. The scores are those that evaluate.py computes from these files.
 */
export async function writeRuler({ given, flags, output }: ExportRequest): Promise<void> {
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
  const rebuilt = { run, opened: await openStudy(manifest.study, run), lost: { count: 0 } };
  for (const [length, ofLength] of Map.groupBy(answered, (reply) => reply.length)) {
    const place = join(folder, String(length), "pred");
    const scores: FileScore[] = [];
    for (const [task, ofTask] of Map.groupBy(ofLength, (reply) => reply.task)) {
      const path = join(place, `${task}.jsonl`);
      await writeLines(predictionLines(ofTask, rebuilt), { path, output, makesFolder: true });
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
  noteGaps(replies.filter((reply) => reply.failed).length, rebuilt.lost.count, output);
}

function* predictionLines(
  replies: readonly ScoredReply[],
  { run: { manifest }, opened, lost }: RebuiltRun,
): Generator<string> {
  for (const reply of replies) {
    const { record } = reply;
    const { index, references, repeat = 0 } = record;
    const { sample, isSame } = remakeSample(record, { ...opened, template: manifest.template });
    if (!isSame) lost.count++;
    // RULER's files have no field for a system message.
    const { system: _, ...template } = manifest.template;
    const line: RulerPrediction = {
      index,
      pred: scoredAnswer(reply),
      input: isSame ? renderText(withoutSystem(sample.prompt), template) : "",
      outputs: references,
      others: { ...(repeat === 0 ? {} : { repeat }), origin: replyOrigin(record, record.reply) },
      truncation: -1,
      length: isSame ? sample.promptTokens + sample.answerRoom : -1,
    };
    yield `${JSON.stringify(line)}\n`;
  }
}
