import type { Command } from "commander";
import { type JudgeRow, judgeRows } from "@/lib/analysis/mod.ts";
import { judgeOrigin, judgeReplies, readRun, scoreRecords, verdictFile } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { addModelFlags, openFlaggedModel } from "./_model_flags.ts";
import { wholeNumber } from "./_parsers.ts";
import type { Flags } from "./_task_flags.ts";

/** Adds `fathom judge`: a model grades the replies of a prompt-dependence run. */
export function addJudgeCommand(program: Command, output: Output): void {
  const command = program.command("judge")
    .summary("have a model grade the replies of a prompt-dependence run from 1 to 5")
    .description(
      "Asks a judging model for a grade of each reply, in the words of Machlab and Battle's judge, and compares it with the rubric.\n" +
        "Verdicts are kept in results/runs/RUN/verdicts-JUDGE.jsonl; the same line again asks only for those that are missing.\n" +
        "A verdict without a grade is asked for once more; the reply then stays unscored and is in no mean.",
    )
    .argument("<run>", "the run's name")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--json", "print one JSON object: rows of task, replies, unscored, byRubric, byJudge, accepted, kappa");
  addModelFlags(command).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom judge first --model gpt-4-turbo\n" +
      "  fathom judge first --model my-judge --base-url http://127.0.0.1:8000/v1 --json\n" +
      "  fathom judge first --model sim:ideal      (the rubric itself, through the judge's words)",
  );
  command.action((name: string, flags: Flags) => judge(name, { flags, output }));
}

async function judge(
  name: string,
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const run = await readRun(name);
  for (const note of run.notes) output.tell(note);
  const replies = scoreRecords(run.records).filter(({ record }) => record.scoring === "recall rubric");
  if (replies.length === 0) {
    throw new RangeError(`Cannot judge the run as it must have prompt-dependence tests: current value is "${name}"`);
  }
  const model = openFlaggedModel(flags);
  const file = verdictFile(name, model.name);
  const judged = await judgeReplies(replies, { judge: model, file, concurrency: flags.concurrency as number });
  const rows = judgeRows(replies, judged);
  const origin = judgeOrigin(model, judged);
  if (flags.json) {
    return await output.write(
      `${JSON.stringify({ run: name, origin: run.manifest.origin, judge: model.name, judgeOrigin: origin, rows })}\n`,
    );
  }
  await output.write(`${run.manifest.model} (${run.manifest.origin}), judged by ${model.name} (${origin})\n\n`);
  await output.write(line(["", "replies", "unscored", "by rubric", "by judge", "alike", "kappa"]));
  for (const row of rows) await output.write(line(cellsOf(row)));
  output.tell(`${file}: verdicts, ${rows.at(-1)!.unscored} of them without a grade`);
}

function cellsOf({ task, replies, unscored, byRubric, byJudge, accepted, kappa }: JudgeRow): readonly string[] {
  const percent = (value: number | null): string => value === null ? "–" : `${value.toFixed(1)}%`;
  return [
    task,
    `${replies}`,
    `${unscored}`,
    percent(byRubric),
    percent(byJudge),
    percent(accepted),
    kappa?.toFixed(3) ?? "–",
  ];
}

function line([name = "", ...cells]: readonly string[]): string {
  return `${name.padEnd(24)}${cells.map((cell) => cell.padStart(11)).join("")}\n`;
}
