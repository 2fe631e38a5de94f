import type { Command } from "commander";
import type { Output } from "./output.ts";
import {
  addBenchmarkFlag,
  addScoredFlag,
  type Flags,
  length,
  openBenchmarks,
  readScored,
  wholeNumber,
} from "./task_flags.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { type CloseUp, closeUp, pickReply } from "@/lib/reports/mod.ts";
import { isAnswerCut, readScoredRun } from "@/lib/records/mod.ts";
import { lengthText, quoteText } from "@/lib/text/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";
import { promptFields } from "@/lib/generators/mod.ts";

/** Adds `fathom show`: one sample of a recorded run, close up. */
export function addShowCommand(program: Command, output: Output): void {
  const command = program.command("show")
    .description(
      "Rebuilds a sample of a run from its recipe, checks its hash, and shows the text around each planted fact, the reply, " +
        "the score with its reason, and how the reply failed. No call is made. Without --task, --length or --index, the " +
        "first reply with the lowest score is shown.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .option("--task <name>", "the sample's task")
    .option("--length <tokens>", "its length, such as 4096 or 4K", length)
    .option("--index <n>", "its number in that task and length, from 0", wholeNumber(0))
    .option("--repeat <n>", "which time it was asked, from 0, in a run with --repeats", wholeNumber(0))
    .option("--characters <n>", "characters of text to show on each side of a fact", wholeNumber(0, 100_000), 160)
    .option(
      "--facts <n>",
      "planted facts to show at most: targets first, then facts answered instead",
      wholeNumber(1),
      8,
    )
    .option("--prompt", "print the whole prompt instead, as it was sent")
    .option(
      "--json",
      "print one JSON object: reply, score, penalised, whole, answerCut, modes, facts, isSame and the sample with its prompt",
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom show first\n" +
        "  fathom show first --task niah_multikey_1 --length 16K --index 7\n" +
        "  fathom show first --task vt --length 4K --index 0 --prompt | less\n" +
        "  fathom show first --task vt --json | jq '.facts[] | select(.role == \"target\") | .depth'",
    )
    .action(async (name: string, flags: ShowFlags) => {
      const run = await readScoredRun(name, { benchmarks: await openBenchmarks(flags), scored: readScored(flags) });
      for (const note of run.notes) output.note(note);
      const shown = await closeUp(run, pickReply(run.replies, flags), { characters: flags.characters });
      if (!shown.isSame) output.note(`${name}: not the text that was asked, as ${whyOf(shown)}`);
      if (flags.prompt) return await output.write(`${joinPrompt(shown.sample.prompt, run.manifest.template)}\n`);
      if (flags.json) return await output.write(`${toJson(name, shown)}\n`);
      await output.write(toText(shown, { facts: flags.facts, characters: flags.characters }));
    });
  addScoredFlag(addBenchmarkFlag(command));
}

interface ShowFlags extends Flags {
  readonly task?: string;
  readonly length?: number;
  readonly index?: number;
  readonly repeat?: number;
  readonly characters: number;
  readonly facts: number;
  readonly prompt?: boolean;
  readonly json?: boolean;
}

function whyOf({ lines }: CloseUp): string {
  return lines.find(({ what }) => what === "Made again")!.said.replace(/^no: /, "");
}

function toJson(run: string, { reply, sample, isSame, facts, modes }: CloseUp): string {
  const { record, value, score, penalised, scored, whole } = reply;
  const { model, origin } = record;
  const answer = { reply: record.reply, value, score, penalised, scored, whole, answerCut: isAnswerCut(reply) };
  const written = { ...sample, prompt: promptFields(sample.prompt) };
  return JSON.stringify({ run, model, origin, isSame, ...answer, modes, facts, sample: written });
}

/** The widest name of a line. */
const WIDTH = 16;

function toText(shown: CloseUp, options: { readonly facts: number; readonly characters: number }): string {
  const { reply: { record }, facts, lines } = shown;
  const { task, length, index, model, origin } = record;
  const head = `${task} at ${lengthText(length)}, sample ${index}, asked of ${model} (${originText(origin)})`;
  const about = lines.map(({ what, said }) => line(what, quoteText(said, 2000)));
  const most = 2 * options.characters + 200;
  const around = facts.slice(0, options.facts).flatMap(({ role, key, depth, tokenOffset, before, text, after }) => [
    "",
    `${role} "${quoteText(key, 120)}" at ${(100 * depth!).toFixed(1)}% of the context${
      tokenOffset === null ? "" : `, ${tokenOffset} tokens before it`
    }`,
    line("  before", `…${quoteText(before, most)}`),
    line("  planted", quoteText(text, most)),
    line("  after", `${quoteText(after, most)}…`),
  ]);
  const rest = facts.length - options.facts;
  const more = rest > 0 ? ["", `and ${rest} more planted facts: --facts ${facts.length} shows all`] : [];
  return [head, "", ...about, ...around, ...more].map((text) => `${text}\n`).join("");
}

function line(name: string, text: string): string {
  return `${name.padEnd(WIDTH)}${text}`;
}
