import { type Command, Option } from "commander";
import type { Output } from "./output.ts";
import { type Flags, number } from "./task_flags.ts";
import { searchVerdict } from "@/lib/figures/mod.ts";
import { searchRun, type StudyRun } from "@/lib/asking/mod.ts";
import {
  anytimeInterval,
  type LengthVerdict,
  meanOfRounds,
  RULER_THRESHOLD,
  type SearchAim,
} from "@/lib/statistics/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

const AIM_FLAGS = ["threshold", "share", "rule"] as const;

interface SearchFlags {
  readonly threshold?: number;
  readonly share?: number;
  readonly rule?: NonNullable<SearchAim["rule"]>;
}

/** Adds the flags of an adaptive search. */
export function addSearchFlags(command: Command): Command {
  const options = [
    new Option("--adaptive", "ask only what decides the effective length, at most --samples each"),
    new Option("--threshold <percent>", `mean score of an effective length, in percent (default: ${RULER_THRESHOLD})`)
      .argParser(number(0, 100)),
    new Option("--share <share>", "the threshold as a share of the mean at the shortest length, such as 0.85")
      .argParser(number(0, 1)),
    new Option(
      "--rule <name>",
      "the effective length: published (default), the longest whose mean reaches the threshold; strict, the longest " +
        "that exceeds it; contiguous, the last before the first that misses it",
    ).choices(["published", "strict", "contiguous"]),
  ];
  for (const option of options) command.addOption(option.helpGroup("Search for the effective length:"));
  return command;
}

/** Reads the aim of a search; `undefined` without --adaptive. */
export function readAim(flags: Flags): SearchAim | undefined {
  const given = AIM_FLAGS.filter((name) => flags[name] !== undefined);
  if (!flags.adaptive) {
    if (given.length === 0) return undefined;
    throw new RangeError(
      `Cannot use --${given[0]} as --adaptive must be given too: current value is "${flags[given[0]!]}"`,
    );
  }
  const { threshold, share, rule = "published" } = flags as SearchFlags;
  if (share !== undefined && threshold !== undefined) {
    throw new RangeError(`Cannot use --share as --threshold must not be given: current value is ${threshold}`);
  }
  return { threshold: share === undefined ? threshold ?? RULER_THRESHOLD : { share }, rule };
}

/** Prints the result of a search, a line per length. */
export async function printSearch(run: StudyRun, aim: SearchAim, output: Output): Promise<void> {
  const { answer, isSettled, lengths } = searchRun(run, aim);
  const target = typeof aim.threshold === "number" ? aim.threshold : `${aim.threshold.share} of that at the shortest`;
  const { questions } = run.plan;
  const asked = `${run.replies.length} of ${questions} ${plural(questions, "sample")} asked`;
  const state = answer === null
    ? "undecided; the same command resumes the search"
    : `${answer.text}, ${isSettled ? "settled: wrong in at most 5% of searches" : "not settled: see below"}`;
  await output.write(`\nEffective length by a mean of ${target} (${asked}): ${state}\n`);
  for (const verdict of lengths) await output.write(`  ${verdictText(verdict)}\n`);
}

function verdictText({ length, passes, isSettled, ...given }: LengthVerdict): string {
  const { rounds } = given;
  const mean = rounds.length === 0 ? 0 : meanOfRounds(given);
  const { low, high } = anytimeInterval(given);
  const [score, from, to] = [mean, low, high].map((share) => (100 * share).toFixed(1));
  const known = rounds.length === 0
    ? "no score"
    : `${score} [${from}, ${to}] in ${rounds.length} ${plural(rounds.length, "round")}`;
  return `${lengthText(length).padStart(6)}  ${known.padEnd(36)}${searchVerdict({ passes, isSettled })}`;
}
