import {
  effectiveLength,
  effectiveLengthChances,
  lengthMeans,
  lengthText,
  replyTimes,
  RULER_GROUPS,
  RULER_OVERALL,
  RULER_THRESHOLD,
  type ScoreRow,
  summarise,
} from "@/lib/analysis/mod.ts";
import { type RecordedRun, type ScoredReply, suiteText } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";

/** A run that was read back, with its scores. */
export type ScoredRun = Pick<RecordedRun, "manifest"> & { readonly replies: readonly ScoredReply[] };

/** Summarises a run: a row for each task and length, then for each of RULER's means all of whose tasks were asked. */
export function reportRows(run: ScoredRun): ScoreRow[] {
  const rows = summarise(run.replies);
  const groups = RULER_GROUPS.filter(({ tasks }) => tasks.every((task) => rows.some((row) => row.task === task)));
  return [...rows, ...lengthMeans(rows, { groups })].map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { task, length, n, score, low, high, failed, noAnswer }
  ));
}

/** Prints a run's scores as a table: tasks down, lengths across, with the 95% interval under each score. */
export async function printReport(run: ScoredRun, output: Output): Promise<void> {
  const rows = reportRows(run);
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
  const { model, origin } = run.manifest;
  await output.write(`${model} (${origin}), ${suiteText(run.manifest)}: score in percent, with its 95% interval\n\n`);
  const width = Math.max(20, ...rows.map(({ task }) => task.length + 1));
  await output.write(`${"".padEnd(width)}${lengths.map((length) => lengthText(length).padStart(20)).join("")}\n`);
  for (const [task, ofTask] of Map.groupBy(rows, (row) => row.task)) {
    const cells = lengths.map((length) => cellText(ofTask.find((row) => row.length === length)).padStart(20));
    await output.write(`${task.padEnd(width)}${cells.join("")}\n`);
  }
  await output.write(timesText(run, { lengths, width }));
  const count = (isOne: (reply: ScoredReply) => boolean | undefined): number => run.replies.filter(isOne).length;
  const unparsable = count((reply) => reply.unparsable);
  await output.write(
    `\n${run.replies.length} questions, ${count((reply) => reply.failed)} failed calls (in no score), ${
      count((reply) => reply.noAnswer)
    } without an answer (score 0)${unparsable > 0 ? `, ${unparsable} that could not be read (score 0)` : ""}\n`,
  );
  await output.write(effectiveText(rows.filter(({ task }) => task === RULER_OVERALL)));
}

/** How long answers took, a column a length; nothing where none was timed. */
function timesText(
  run: ScoredRun,
  { lengths, width }: { readonly lengths: readonly number[]; readonly width: number },
): string {
  const times = replyTimes(run.replies.map(({ record }) => record));
  if (times.length === 0) return "";
  const cells = lengths.map((length) => {
    const found = times.find((row) => row.length === length);
    return (found ? `${seconds(found.medianMs)} (${seconds(found.p95Ms)})` : "").padStart(20);
  });
  const resent = times.reduce((sum, row) => sum + row.resent, 0);
  const again = resent === 0 ? "" : `; ${resent} questions were sent again`;
  return `\n${"seconds a reply".padEnd(width)}${cells.join("")}   median, and 95% within (…)${again}\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0);
}

function cellText(row: ScoreRow | undefined): string {
  if (row === undefined) return "";
  const { score, low, high } = row;
  if (score === null || low === null || high === null) return "no score";
  return `${score.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

function effectiveText(overall: readonly ScoreRow[]): string {
  if (overall.every(({ score }) => score === null)) return "";
  const { text } = effectiveLength(overall, RULER_THRESHOLD);
  const chances = effectiveLengthChances(overall, RULER_THRESHOLD)
    .filter(({ chance }) => chance >= 0.005)
    .sort((left, right) => right.chance - left.chance)
    .map(({ text, chance }) => `${text} ${Math.round(100 * chance)}%`);
  return `Effective length at the paper's threshold of ${RULER_THRESHOLD}: ${text} (chances: ${chances.join(", ")})\n`;
}
