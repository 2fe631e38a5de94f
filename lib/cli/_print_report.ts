import {
  effectiveLength,
  effectiveLengthChances,
  lengthMeans,
  lengthText,
  RULER_GROUPS,
  RULER_OVERALL,
  RULER_THRESHOLD,
  type ScoreRow,
  summarise,
} from "@/lib/analysis/mod.ts";
import type { RecordedRun, ScoredReply } from "@/lib/runs/mod.ts";
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
  await output.write(`${model} (${origin}): score in percent, with its 95% interval\n\n`);
  const width = Math.max(20, ...rows.map(({ task }) => task.length + 1));
  await output.write(`${"".padEnd(width)}${lengths.map((length) => lengthText(length).padStart(20)).join("")}\n`);
  for (const [task, ofTask] of Map.groupBy(rows, (row) => row.task)) {
    const cells = lengths.map((length) => cellText(ofTask.find((row) => row.length === length)).padStart(20));
    await output.write(`${task.padEnd(width)}${cells.join("")}\n`);
  }
  const count = (isOne: (reply: ScoredReply) => boolean | undefined): number => run.replies.filter(isOne).length;
  const unparsable = count((reply) => reply.unparsable);
  await output.write(
    `\n${run.replies.length} questions, ${count((reply) => reply.failed)} failed calls (in no score), ${
      count((reply) => reply.noAnswer)
    } without an answer (score 0)${unparsable > 0 ? `, ${unparsable} that could not be read (score 0)` : ""}\n`,
  );
  await output.write(effectiveText(rows.filter(({ task }) => task === RULER_OVERALL)));
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
