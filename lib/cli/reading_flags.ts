import { type Command, Option } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./task_flags.ts";
import type { ScoredPart } from "@/lib/models/mod.ts";
import { readScoredRun, type RecordedScores } from "@/lib/records/mod.ts";

/** The flags of commands that read and score recorded runs. */
export interface ReadingFlags extends Flags {
  readonly scored?: ScoredPart | undefined;
}

/** Adds the flags of commands that read and score recorded runs. */
export function addReadingFlags(command: Command): Command {
  return addBenchmarkFlag(command).addOption(
    new Option(
      "--scored <part>",
      "score the first answer of each reply, or the whole reply as RULER's code does (default: first for a base model, asked " +
        "by completions with the template base; otherwise whole)",
    ).choices(["whole", "first"]),
  );
}

/** A recorded run with the name that it was opened by. */
export interface NamedRun extends RecordedScores {
  /** The name, or the path of its folder. */
  readonly name: string;
}

/** Reads and scores runs, and prints what they note. */
export async function readRuns(
  names: readonly string[],
  flags: ReadingFlags,
  output: Output,
): Promise<readonly NamedRun[]> {
  const options = { benchmarks: await openBenchmarks(flags), scored: flags.scored };
  const runs = await Promise.all(names.map(async (name) => ({ ...await readScoredRun(name, options), name })));
  for (const { manifest, notes } of runs) {
    for (const note of notes) output.note(runs.length === 1 ? note : `${manifest.name}: ${note}`);
  }
  return runs;
}
