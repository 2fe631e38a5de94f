import { defined, lengthText, shownText } from "@/lib/base/mod.ts";
import { harmless, type Output, writeTables } from "./output.ts";
import { painted } from "./terminal_style.ts";
import { scoreTable, type Table, terminalLines } from "@/lib/figures/mod.ts";
import { modelName, type ScoredRun, scoreRecords } from "@/lib/records/mod.ts";
import { drawnFrom, type RunAnswer, runAnswer, type RunReport } from "@/lib/reports/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";

/** Prints the tables of a report and why calls failed, then the claims, if any, and on request the manifest. */
export async function printTables(
  run: ScoredRun,
  report: RunReport,
  { output, hasOverview = false }: { readonly output: Output; readonly hasOverview?: boolean },
): Promise<void> {
  const { scores, lengths, nativeLengths, repeats, outcomes, claims, overview } = report;
  const weighed = probabilityTable(run);
  const tables = [scores, weighed, lengths, nativeLengths, repeats, outcomes].filter((each) => each !== null);
  await writeTables(tables, output);
  await printFailedCalls(run, output);
  const last = [claims, ...(hasOverview ? [overview] : [])].filter((each) => each !== null);
  if (last.length > 0) await output.write("\n");
  await writeTables(last, output);
}

/** Makes a table of the probabilities of the right answers; `null` if they were not measured. */
function probabilityTable(run: ScoredRun): Table | null {
  const records = run.replies.map(({ record }) => record);
  if (!records.some(({ likelihood }) => likelihood !== undefined)) return null;
  const { benchmarks } = run;
  const rows = summarise(scoreRecords(records, { measure: "answer-probability", ...defined({ benchmarks }) }));
  const title = `${modelName(run.manifest)}: mean probability of the right answer, in percent`;
  return scoreTable(rows, { title, ...drawnFrom(run), digits: 1 });
}

const LABEL_COLUMNS = 21;

/** Prints the answer of a run in three lines, and its means by length as bars. */
export async function printAnswer(run: ScoredRun, output: Output): Promise<void> {
  const { lines, means } = await runAnswer(run);
  const bars = means.length < 2 ? [] : [{ label: "Score by length", text: barsText(means) }];
  const printed = [...lines, ...bars].flatMap(({ label, text }) =>
    terminalLines(text, roomOf(output) - LABEL_COLUMNS).map((line, at) => {
      const head = (at === 0 ? label : "").padEnd(LABEL_COLUMNS);
      return `${output.style?.colours ? painted("head", head) : head}${line}\n`;
    })
  );
  await output.write(harmless(printed.join("")));
}

/** Returns the width of the output, at least that of a table. */
export function roomOf({ style }: Output): number {
  return Math.max(style?.columns ?? Infinity, 40);
}

const BARS = "▁▂▃▄▅▆▇█";

/** Returns a bar for each mean, from 0 to 100%, then the numbers. */
function barsText(means: RunAnswer["means"]): string {
  const bars = means.map(({ score }) => BARS[Math.min(BARS.length - 1, Math.floor(score * BARS.length / 100))]);
  return `${bars.join("")} ${means.map(({ length, score }) => `${lengthText(length)} ${score.toFixed(1)}`).join(", ")}`;
}

const COUNT_COLUMNS = 9;

/** Prints each reason why calls failed, the most frequent first; nothing if none failed. */
async function printFailedCalls({ replies }: Pick<ScoredRun, "replies">, output: Output): Promise<void> {
  const reasons = replies.flatMap(({ record: { reply } }) =>
    reply.kind === "failure" ? [`${reply.failure}: ${shownText(reply.message, 500)}`] : []
  );
  if (reasons.length === 0) return;
  const counted = [...Map.groupBy(reasons, (reason) => reason)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([reason, { length }]) => {
      const lines = reason.split("\n").flatMap((line) => terminalLines(line, roomOf(output) - COUNT_COLUMNS));
      return `${String(length).padStart(6)} × ${lines.join(`\n${" ".repeat(COUNT_COLUMNS)}`)}\n`;
    });
  await output.write(`\nWhy calls failed:\n${counted.join("")}`);
}
