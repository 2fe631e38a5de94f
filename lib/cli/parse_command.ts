import type { Command } from "commander";
import { type ParsedRow, parsedRows } from "@/lib/analysis/mod.ts";
import { parsedFile, parseReplies, readRun, scoreRecords } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { addModelFlags, openFlaggedModel } from "./_model_flags.ts";
import { wholeNumber } from "./_parsers.ts";
import type { Flags } from "./_task_flags.ts";

/** Adds `fathom parse`: a model rewrites replies to Needle Threading before they are scored. */
export function addParseCommand(program: Command, output: Output): void {
  const command = program.command("parse")
    .summary("have a model rewrite replies to Needle Threading as lists, and score them again")
    .description(
      "Asks a model to rewrite each reply as a list of values, as Needle Threading does, scores the lists, and compares that\n" +
        "with the replies read by rule. What it made of replies is kept in results/runs/RUN/parsed-MODEL.jsonl; the same line\n" +
        "again asks only for those that are missing.",
    )
    .argument("<run>", "the run's name")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--json", "print one JSON object: rows of task, replies, unparsed, byRule, byModel, changed");
  addModelFlags(command).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom parse first --model gpt-4o-mini\n" +
      "  fathom parse first --model my-parser --base-url http://127.0.0.1:8000/v1 --json",
  );
  command.action((name: string, flags: Flags) => parse(name, { flags, output }));
}

async function parse(
  name: string,
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const run = await readRun(name);
  for (const note of run.notes) output.tell(note);
  const replies = scoreRecords(run.records).filter(({ record }) => record.scoring.startsWith("values "));
  if (replies.length === 0) {
    throw new RangeError(`Cannot parse the run as it must have tasks of Needle Threading: current value is "${name}"`);
  }
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
  await output.write(line(["", "replies", "by rule", "rewritten", "changed", "not rewritten"]));
  for (const row of rows) await output.write(line(cellsOf(row)));
  output.tell(file);
}

function cellsOf({ task, replies, byRule, byModel, changed, unparsed }: ParsedRow): readonly string[] {
  const percent = (value: number | null): string => value === null ? "–" : `${value.toFixed(1)}%`;
  return [task, `${replies}`, percent(byRule), percent(byModel), percent(changed), `${unparsed}`];
}

function line([name = "", ...cells]: readonly string[]): string {
  return `${name.padEnd(32)}${cells.map((cell) => cell.padStart(15)).join("")}\n`;
}
