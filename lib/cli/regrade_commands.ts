import type { Command } from "commander";
import type { Output } from "./main.ts";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import { type Flags, wholeNumber } from "./task_flags.ts";
import { type ParsedRow, parsedRows } from "@/lib/benchmarks/needle_threading/mod.ts";
import { type JudgeRow, judgeRows } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import {
  judgeOrigin,
  judgeReplies,
  parsedFile,
  parseReplies,
  readRun,
  type RecordedRun,
  scoreRecords,
  verdictFile,
} from "@/lib/runs/mod.ts";

const JUDGE_WIDTHS = { first: 24, rest: 11 };

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
  await output.write(tableLine(["", "replies", "unscored", "by rubric", "by judge", "alike", "kappa"], JUDGE_WIDTHS));
  for (const row of rows) await output.write(tableLine(judgeCells(row), JUDGE_WIDTHS));
  output.note(`${file}: verdicts, ${rows.at(-1)!.unscored} of them without a grade`);
}

function judgeCells({ task, replies, unscored, byRubric, byJudge, accepted, kappa }: JudgeRow): readonly string[] {
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

/** Adds what a command takes that has a second model look at the replies of a run. */
function addSecondModelFlags(
  command: Command,
  { rows, examples }: { readonly rows: string; readonly examples: readonly string[] },
): Command {
  command.argument("<run>", "the run's name")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--json", `print one JSON object: rows of ${rows}`);
  return addModelFlags(command).addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
}

/** Reads those replies of a run that a second model is to look at, scored. */
async function readRepliesFor(
  name: string,
  { verb, tasks, scoring, output }: {
    /** What is done with the run, and the tasks it must have, for the message where it has none. */
    readonly verb: string;
    readonly tasks: string;
    readonly scoring: (scoring: string) => boolean;
    readonly output: Output;
  },
): Promise<{ readonly run: RecordedRun; readonly replies: readonly ScoredReply[] }> {
  const run = await readRun(name);
  for (const note of run.notes) output.note(note);
  const replies = scoreRecords(run.records).filter(({ record }) => scoring(record.scoring));
  if (replies.length > 0) return { run, replies };
  throw new RangeError(`Cannot ${verb} the run as it must have ${tasks}: current value is "${name}"`);
}

/** A score in percent as a cell; a dash where there is none. */
function percentCell(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)}%`;
}

/** A line of a table: a name, and cells flush right. */
function tableLine(
  [name = "", ...cells]: readonly string[],
  { first, rest }: { readonly first: number; readonly rest: number },
): string {
  return `${name.padEnd(first)}${cells.map((cell) => cell.padStart(rest)).join("")}\n`;
}

const PARSE_WIDTHS = { first: 32, rest: 15 };

/** Adds `fathom parse`: a model rewrites replies to Needle Threading before they are scored. */
export function addParseCommand(program: Command, output: Output): void {
  const command = program.command("parse")
    .summary("have a model rewrite replies to Needle Threading as lists, and score them again")
    .description(
      "Asks a model to rewrite each reply as a list of values, as Needle Threading does, scores the lists, and compares that\n" +
        "with the replies read by rule. What it made of replies is kept in results/runs/RUN/parsed-MODEL.jsonl; the same line\n" +
        "again asks only for those that are missing.",
    );
  addSecondModelFlags(command, {
    rows: "task, replies, unparsed, byRule, byModel, changed",
    examples: [
      "fathom parse first --model gpt-4o-mini",
      "fathom parse first --model my-parser --base-url http://127.0.0.1:8000/v1 --json",
    ],
  });
  command.action((name: string, flags: Flags) => parse(name, { flags, output }));
}

async function parse(
  name: string,
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const { run, replies } = await readRepliesFor(name, {
    verb: "parse",
    tasks: "tasks of Needle Threading",
    scoring: (scoring) => scoring.startsWith("values "),
    output,
  });
  const parser = openFlaggedModel(flags);
  const file = parsedFile(name, parser.name);
  const parsed = await parseReplies(replies, { parser, file, concurrency: flags.concurrency as number });
  const rows = parsedRows(replies, parsed);
  const { model, origin } = run.manifest;
  if (flags.json) {
    const whose = { model, origin, parser: parser.name, parserOrigin: parser.origin };
    return await output.write(`${JSON.stringify({ run: name, ...whose, rows })}\n`);
  }
  await output.write(`${model} (${origin}), replies rewritten by ${parser.name} (${parser.origin})\n\n`);
  await output.write(tableLine(["", "replies", "by rule", "rewritten", "changed", "not rewritten"], PARSE_WIDTHS));
  for (const row of rows) await output.write(tableLine(parseCells(row), PARSE_WIDTHS));
  output.note(file);
}

function parseCells({ task, replies, byRule, byModel, changed, unparsed }: ParsedRow): readonly string[] {
  return [task, `${replies}`, percentCell(byRule), percentCell(byModel), percentCell(changed), `${unparsed}`];
}
