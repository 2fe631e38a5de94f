import { type Command, Option } from "commander";
import {
  anytimeInterval,
  lengthText,
  type LengthVerdict,
  RULER_THRESHOLD,
  type SearchAim,
  searchRun,
} from "@/lib/analysis/mod.ts";
import type { StudyRun } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { number } from "./_parsers.ts";
import type { Flags } from "./_task_flags.ts";

const AIM_FLAGS = ["threshold", "share", "rule"] as const;

/** Adds the flags of an adaptive search. */
export function addSearchFlags(command: Command): Command {
  const options = [
    new Option("--adaptive", "ask only what decides the effective length; --samples is the most then"),
    new Option("--threshold <percent>", `what the mean of the tasks must reach; ${RULER_THRESHOLD} unless given`)
      .argParser(number(0, 100)),
    new Option("--share <share>", "instead: a share of the mean at the shortest length, such as 0.85")
      .argParser(number(0, 1)),
    new Option("--rule <name>", "which length counts: the longest that passes, or the last before one that does not")
      .choices(["published", "strict", "contiguous"]),
  ];
  for (const option of options) command.addOption(option.helpGroup("Search for the effective length:"));
  return command;
}

/**
 * Reads what is searched for; `undefined` where every sample is to be asked.
 *
 * @throws {RangeError} If it is said what to search for but not to search, or both a threshold and a share are given.
 */
export function readAim(flags: Flags): SearchAim | undefined {
  const given = AIM_FLAGS.filter((name) => flags[name] !== undefined);
  if (!flags.adaptive) {
    if (given.length === 0) return undefined;
    throw new RangeError(
      `Cannot use --${given[0]} as --adaptive must be given too: current value is "${flags[given[0]!]}"`,
    );
  }
  const { threshold = RULER_THRESHOLD, share, rule = "published" } = flags as Partial<Record<string, number>>;
  if (share !== undefined && flags.threshold !== undefined) {
    throw new RangeError(`Cannot search with --share as --threshold must be left out: current value is ${threshold}`);
  }
  return { threshold: share === undefined ? threshold : { share }, rule: rule as NonNullable<SearchAim["rule"]> };
}

/** Prints what the search found, a line a length. */
export async function printSearch(
  run: Pick<StudyRun, "plan" | "replies">,
  aim: SearchAim,
  output: Output,
): Promise<void> {
  const { answer, isSettled, lengths } = searchRun(run, aim);
  const wanted = typeof aim.threshold === "number" ? aim.threshold : `${aim.threshold.share} of that at the shortest`;
  const asked = `${run.replies.length} of ${run.plan.questions} samples asked`;
  const state = answer === null
    ? "still open; the same line goes on"
    : `${answer.text}, ${isSettled ? "settled: wrong in at most 5% of searches" : "not settled: see below"}`;
  await output.write(`\nEffective length by a mean of ${wanted} (${asked}): ${state}\n`);
  for (const verdict of lengths) await output.write(`  ${verdictText(verdict)}\n`);
}

function verdictText({ length, rounds, passes, isSettled }: LengthVerdict): string {
  const scores = rounds.flat();
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const { low, high } = anytimeInterval(rounds);
  const [score, from, to] = [mean, low, high].map((share) => (100 * share).toFixed(1));
  const known = rounds.length === 0 ? "no score" : `${score} [${from}, ${to}] in ${rounds.length} rounds`;
  const verdict = passes === null
    ? "not needed"
    : `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
  return `${lengthText(length).padStart(6)}  ${known.padEnd(36)}${verdict}`;
}
