import type { Command } from "commander";
import { type ParsedRow, parsedRows } from "@/lib/analysis/mod.ts";
import { parsedFile, parseReplies } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { openFlaggedModel } from "./_model_flags.ts";
import { addSecondModelFlags, percentCell, readRepliesFor, tableLine } from "./_second_model.ts";
import type { Flags } from "./_task_flags.ts";

const WIDTHS = { first: 32, rest: 15 };

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
  await output.write(tableLine(["", "replies", "by rule", "rewritten", "changed", "not rewritten"], WIDTHS));
  for (const row of rows) await output.write(tableLine(cellsOf(row), WIDTHS));
  output.tell(file);
}

function cellsOf({ task, replies, byRule, byModel, changed, unparsed }: ParsedRow): readonly string[] {
  return [task, `${replies}`, percentCell(byRule), percentCell(byModel), percentCell(changed), `${unparsed}`];
}
