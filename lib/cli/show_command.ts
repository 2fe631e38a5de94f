import { type Command, Option } from "commander";
import { lengthText, percent, quoteText } from "@/lib/base/mod.ts";
import { length, wholeNumber } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import { painted, PLAIN_STYLE, type Role } from "./terminal_style.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { promptFields } from "@/lib/generators/mod.ts";
import { answerProbability } from "@/lib/scorers/mod.ts";
import { isAnswerCut } from "@/lib/records/mod.ts";
import { type CloseUp, closeUp, markPrompt, pickReply, type PromptMark, type PromptPart } from "@/lib/reports/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("show")
    .description(
      "Rebuilds a sample of a run from its recipe, checks its hash, and prints the text around each planted fact, the reply, the " +
        "score with its reason, and how the reply failed. Without --task, --length or --index, prints the first reply with the " +
        "lowest score. No call is made.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .option("--task <name>", "the sample's task")
    .option("--length <tokens>", "its length, such as 4096 or 4K", length)
    .option("--index <n>", "its number in that task and length, from 0", wholeNumber(0))
    .option("--repeat <n>", "its repeat, from 0, in a run with --repeats", wholeNumber(0))
    .option("--characters <n>", "characters of text on each side of a fact", wholeNumber(0, 100_000), 160)
    .option(
      "--facts <n>",
      "maximum number of planted facts: targets first, then facts given instead",
      wholeNumber(1),
      8,
    )
    .addOption(
      new Option(
        "--prompt [form]",
        "print the prompt instead: whole, as it was sent; marked, message by message, with facts, answers and wrong answers given " +
          "marked; or short, around these marks. A terminal shows marks as colours",
      ).choices(PROMPT_FORMS).preset("whole"),
    )
    .option(
      "--json",
      "print a JSON object: reply, score, penalised, whole, answerCut, modes, facts, isSame and the sample with its prompt",
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom show first\n" +
        "  fathom show first --task niah_multikey_1 --length 16K --index 7\n" +
        "  fathom show first --task vt --length 4K --index 0 --prompt > prompt.txt\n" +
        "  fathom show first --task vt --prompt short\n" +
        "  fathom show first --task vt --json | jq '.facts[] | select(.role == \"target\") | .depth'",
    )
    .action(async (name: string, flags: ShowFlags) => {
      const [run] = await readRuns([name], flags, output);
      const shown = await closeUp(run!, pickReply(run!.replies, flags), { characters: flags.characters });
      if (!shown.isSame) output.note(`${name}: not the recorded text, as ${shown.why}`);
      if (flags.prompt !== undefined) {
        const { template } = run!.manifest;
        const parts = markPrompt(shown.sample, { template, modes: shown.modes, characters: flags.characters });
        return await output.write(promptForm(parts, flags.prompt, output));
      }
      await output.write(flags.json ? toJson(name, shown) : toText(shown, flags));
    });
  addReadingFlags(command);
}

interface ShowFlags extends Flags {
  readonly characters: number;
  readonly facts: number;
  readonly prompt?: string;
}

const PROMPT_FORMS = ["whole", "marked", "short"] as const;

/** The colours of marks on a terminal; noise has none. */
const MARK_ROLES: Partial<Record<PromptMark[2], Role>> = {
  target: "good",
  example: "caption",
  distractor: "open",
  answer: "best",
  given: "bad",
};

/** Writes a prompt with its marks: as colours on a terminal, otherwise such as `[answer: 17]`. */
function promptForm(parts: readonly PromptPart[], form: string, { style = PLAIN_STYLE }: Output): string {
  const { colours } = style;
  const marked = (text: string, kind: PromptMark[2]): string => {
    const role = MARK_ROLES[kind];
    if (role === undefined || (form === "whole" && !colours)) return text;
    return colours ? painted(role, text) : `[${kind}: ${text}]`;
  };
  const gap = (characters: number): string => characters === 0 ? "" : `\n… ${characters} characters …\n`;
  const texts = parts.map(({ role, text, marks, kept }) => {
    const stretches = form === "short" ? kept : [[0, text.length] as const];
    let [written, end] = ["", 0];
    for (const [from, to] of stretches) {
      written += gap(from - end);
      end = from;
      for (const [start, stop, kind] of marks.filter((mark) => mark[1] > from && mark[0] < to)) {
        const begin = Math.max(start, from);
        written += text.slice(end, begin) + marked(text.slice(begin, Math.min(stop, to)), kind);
        end = Math.min(stop, to);
      }
      written += text.slice(end, to);
      end = to;
    }
    written += gap(text.length - end);
    return form === "whole" ? written : `--- ${role}, ${text.length} characters\n${written.replace(/^\n/, "")}\n`;
  });
  return form === "whole" ? `${texts.join("")}\n` : texts.join("");
}

function toJson(run: string, { reply, sample, isSame, facts, modes }: CloseUp): string {
  const { record, value, score, penalised, scored, whole } = reply;
  const { model, origin } = record;
  const { likelihood } = record;
  const answer = {
    reply: record.reply,
    likelihood,
    value,
    score,
    penalised,
    scored,
    whole,
    answerCut: isAnswerCut(reply),
  };
  const written = { ...sample, prompt: promptFields(sample.prompt) };
  return `${JSON.stringify({ run, model, origin, isSame, ...answer, modes, facts, sample: written })}\n`;
}

function toText(shown: CloseUp, { facts: count, characters }: Pick<ShowFlags, "facts" | "characters">): string {
  const { reply: { record }, facts, lines } = shown;
  const { task, length, index, model, origin } = record;
  const maxChars = 2 * characters + 200;
  const around = facts.slice(0, count).flatMap(({ role, key, depth, tokenOffset, before, text, after }) => [
    "",
    `${role} "${quoteText(key, 120)}" at ${percent(depth!, 1)} of the context${
      tokenOffset === null ? "" : `, ${tokenOffset} tokens before it`
    }`,
    line("  before", `…${quoteText(before, maxChars)}`),
    line("  planted", quoteText(text, maxChars)),
    line("  after", `${quoteText(after, maxChars)}…`),
  ]);
  const hidden = facts.length - count;
  return [
    `${task} at ${lengthText(length)}, sample ${index}, asked of ${model} (${originText(origin)})`,
    "",
    ...lines.map(({ what, text }) => line(what, quoteText(text, 2000))),
    ...probabilityLines(record),
    ...around,
    ...(hidden > 0 ? ["", `and ${hidden} more planted facts: --facts ${facts.length} prints all`] : []),
  ].map((text) => `${text}\n`).join("");
}

/** Describes the probability of each right answer, and of its tokens. */
function probabilityLines({ likelihood }: CloseUp["reply"]["record"]): readonly string[] {
  if (likelihood === undefined) return [];
  if (likelihood.kind === "failure") {
    return [line("probability", `not measured: ${quoteText(likelihood.message, 500)}`)];
  }
  return likelihood.answers.map((answer) => {
    const tokens = answer.tokens.map(([text, logprob]) =>
      `${quoteText(text, 40)} ${Math.exp(logprob ?? -Infinity).toPrecision(2)}`
    );
    const whole = answerProbability({ answers: [answer] })?.toPrecision(3);
    return line("probability", quoteText(`${whole} of "${answer.text}", by token: ${tokens.join(", ")}`, 2000));
  });
}

function line(name: string, text: string): string {
  return `${name.padEnd(16)}${text}`;
}
