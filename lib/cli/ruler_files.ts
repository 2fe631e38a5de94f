import { join } from "node:path";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import { type RulerPrediction, rulerScoreFiles } from "@/lib/benchmarks/ruler/mod.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { renderText, replyOrigin, scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import { type OpenStudy, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import type { RecordedScores } from "@/lib/records/mod.ts";
import { type FileScore, scorePredictions } from "@/lib/scorers/mod.ts";
import { withoutSystem } from "@/lib/generators/mod.ts";

/** Where RULER's files of a run go. */
export interface RulerFilesOptions {
  /** The folder above those of the lengths. */
  readonly folder: string;
  readonly output: Output;
}

/**
 * Writes the RULER tasks of a run as RULER's own code leaves them: in {length}/pred/ a prediction file for each task, summary.csv
 * and submission.csv; prints the paths of the summaries.
 *
 * The scores are those of the predictions in these files, which evaluate.py gives too. Failed calls have no line.
 *
 * @throws {RangeError} If the run has no task of RULER's that was answered.
 */
export async function writeRulerFiles(run: RecordedScores, { folder, output }: RulerFilesOptions): Promise<void> {
  const { manifest, replies } = run;
  const answered = replies.filter(({ task, failed }) =>
    !failed && manifest.tasks[task]?.suite.startsWith("ruler-") === true
  );
  if (answered.length === 0) {
    throw new RangeError(
      `Cannot write RULER's files as the run must have an answered task of RULER's, such as vt: current value is ${
        Object.keys(manifest.tasks).join(", ")
      }`,
    );
  }
  const opened = await openStudy(manifest.study, run);
  const inputs: InputCount = { missing: 0 };
  for (const [length, ofLength] of Map.groupBy(answered, (reply) => reply.length)) {
    const place = join(folder, String(length), "pred");
    const scores: FileScore[] = [];
    for (const [task, ofTask] of Map.groupBy(ofLength, (reply) => reply.task)) {
      const path = join(place, `${task}.jsonl`);
      await writeLines(predictionLines(ofTask, { run, opened, inputs }), { path, output, makesFolder: true });
      scores.push(await scoreReplies(task, ofTask));
    }
    for (const { path, text } of rulerScoreFiles(scores)) await Deno.writeTextFile(join(place, path), text);
    await output.write(`${join(place, rulerScoreFiles(scores)[0]!.path)}\n`);
  }
  const failed = replies.filter((reply) => reply.failed).length;
  if (failed > 0) output.note(`${failed} failed calls have no line, and are in no score`);
  if (inputs.missing > 0) {
    output.note(
      `${inputs.missing} inputs are left empty: their samples, made again, are not the texts that were asked`,
    );
  }
}

/** Counts what could not be made again. */
interface InputCount {
  missing: number;
}

function* predictionLines(
  replies: readonly ScoredReply[],
  { run: { manifest }, opened, inputs }: {
    readonly run: Pick<RecordedScores, "manifest">;
    readonly opened: OpenStudy;
    readonly inputs: InputCount;
  },
): Generator<string> {
  for (const reply of replies) {
    const { record } = reply;
    const { index, references, repeat = 0, origin } = record;
    const { sample, isSame } = remakeSample(record, { ...opened, template: manifest.template });
    if (!isSame) inputs.missing++;
    // A system message is sent beside the prompt, and RULER's files have no place for one.
    const { system: _, ...template } = manifest.template;
    const line: RulerPrediction = {
      index,
      pred: scoredAnswer(reply),
      input: isSame ? renderText(withoutSystem(sample.prompt), template) : "",
      outputs: references,
      others: { ...(repeat === 0 ? {} : { repeat }), origin: replyOrigin({ origin }, record.reply) },
      truncation: -1,
      length: isSame ? sample.promptTokens + sample.answerRoom : -1,
    };
    yield `${JSON.stringify(line)}\n`;
  }
}

async function scoreReplies(task: string, replies: readonly ScoredReply[]): Promise<FileScore> {
  const predictions = replies.map((reply) => {
    const { references, index } = reply.record;
    return { prediction: scoredAnswer(reply), references, id: index };
  });
  return await scorePredictions(predictions, { task, scorer: findScorer(replies[0]!.record.scoring) });
}
