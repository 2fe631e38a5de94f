import {
  explainRun,
  failedReplies,
  failureFinding,
  type FailureRow,
  failureRows,
  lengthText,
} from "@/lib/analysis/mod.ts";
import type { Output } from "./_guard.ts";
import type { ScoredRun } from "./_print_report.ts";

/** Prints in which ways the replies of a run failed, for each task and length, and a reply or two for each way. */
export async function printFailures(
  run: ScoredRun,
  { output, json, name }: { readonly output: Output; readonly json: boolean; readonly name: string },
): Promise<void> {
  const { replies, notes } = await explainRun(run);
  for (const note of notes) output.tell(note);
  const rows = failureRows(replies);
  const { model, origin, samples } = run.manifest;
  const shown = failedReplies(replies);
  if (json) {
    return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, replies: shown })}\n`);
  }
  await output.write(`${model} (${origin}): ${failureFinding(rows)}\n\n`);
  await output.write(`${line("task", "length", "n", "failed")}primary way of failing\n`);
  for (const row of rows) {
    const { task, length, n, failures } = row;
    await output.write(`${line(task, lengthText(length), `${n}`, `${failures}`)}${waysText(row)}\n`);
  }
  for (const { class: way, task, length, index, wanted, reply, why } of shown) {
    await output.write(`\n${way}: ${task} at ${lengthText(length)}, sample ${index}: ${why}\n`);
    await output.write(`  wanted ${wanted}\n  reply  ${reply}\n`);
  }
}

function line(task: string, ...cells: readonly string[]): string {
  return `${task.padEnd(20)}${cells.map((cell) => cell.padStart(8)).join("")}  `;
}

function waysText({ classes, unexplained }: FailureRow): string {
  const ways = classes.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
    .map(({ class: way, count, share }) => `${way} ${count} (${share.toFixed(1)}%)`);
  return [...ways, ...(unexplained > 0 ? [`unexplained ${unexplained}`] : [])].join(", ");
}
