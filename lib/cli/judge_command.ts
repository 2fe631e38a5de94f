import type { Command } from "commander";
import { type JudgeRow, judgeRows } from "@/lib/analysis/mod.ts";
import { judgeOrigin, judgeReplies, verdictFile } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { openFlaggedModel } from "./_model_flags.ts";
import { addSecondModelFlags, percentCell, readRepliesFor, tableLine } from "./_second_model.ts";
import type { Flags } from "./_task_flags.ts";

const WIDTHS = { first: 24, rest: 11 };

/** Adds `fathom judge`: a model grades the replies of a prompt-dependence run. */
export function addJudgeCommand(program: Command, output: Output): void {
  const command = program.command("judge")
    .summary("have a model grade the replies of a prompt-dependence run from 1 to 5")
    .description(
      "Asks a judging model for a grade of each reply, in the words of Machlab and Battle's judge, and compares it with the rubric.\n" +
        "Verdicts are kept in results/runs/RUN/verdicts-JUDGE.jsonl; the same line again asks only for those that are missing.\n" +
        "A verdict without a grade is asked for once more; the reply then stays unscored and is in no mean.",
    );
  addSecondModelFlags(command, {
    rows: "task, replies, unscored, byRubric, byJudge, accepted, kappa",
    examples: [
      "fathom judge first --model gpt-4-turbo",
      "fathom judge first --model my-judge --base-url http://127.0.0.1:8000/v1 --json",
      "fathom judge first --model sim:ideal      (the rubric itself, through the judge's words)",
    ],
  });
  command.action((name: string, flags: Flags) => judge(name, { flags, output }));
}

async function judge(
  name: string,
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const { run, replies } = await readRepliesFor(name, {
    verb: "judge",
    tasks: "prompt-dependence tests",
    scoring: (scoring) => scoring === "recall rubric",
    output,
  });
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
  await output.write(tableLine(["", "replies", "unscored", "by rubric", "by judge", "alike", "kappa"], WIDTHS));
  for (const row of rows) await output.write(tableLine(cellsOf(row), WIDTHS));
  output.tell(`${file}: verdicts, ${rows.at(-1)!.unscored} of them without a grade`);
}

function cellsOf({ task, replies, unscored, byRubric, byJudge, accepted, kappa }: JudgeRow): readonly string[] {
  return [
    task,
    `${replies}`,
    `${unscored}`,
    percentCell(byRubric),
    percentCell(byJudge),
    percentCell(accepted),
    kappa?.toFixed(3) ?? "–",
  ];
}
