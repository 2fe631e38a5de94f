import type { Command } from "commander";
import { readRun, type RecordedRun, type ScoredReply, scoreRecords } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { addModelFlags } from "./_model_flags.ts";
import { wholeNumber } from "./_parsers.ts";

/** Adds what a command takes that has a second model look at the replies of a run. */
export function addSecondModelFlags(
  command: Command,
  { rows, examples }: { readonly rows: string; readonly examples: readonly string[] },
): Command {
  command.argument("<run>", "the run's name")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--json", `print one JSON object: rows of ${rows}`);
  return addModelFlags(command).addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
}

/** Reads those replies of a run that a second model is to look at, scored. */
export async function readRepliesFor(
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
  for (const note of run.notes) output.tell(note);
  const replies = scoreRecords(run.records).filter(({ record }) => scoring(record.scoring));
  if (replies.length > 0) return { run, replies };
  throw new RangeError(`Cannot ${verb} the run as it must have ${tasks}: current value is "${name}"`);
}

/** A score in percent as a cell; a dash where there is none. */
export function percentCell(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)}%`;
}

/** A line of a table: a name, and cells flush right. */
export function tableLine(
  [name = "", ...cells]: readonly string[],
  { first, rest }: { readonly first: number; readonly rest: number },
): string {
  return `${name.padEnd(first)}${cells.map((cell) => cell.padStart(rest)).join("")}\n`;
}
