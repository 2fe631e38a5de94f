import type { Command } from "commander";
import { writeLines } from "./files.ts";
import { CommandFailure, isWrongInput, type Output, writeTables } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { type Flags, names, number } from "./flags.ts";
import { csvLines } from "@/lib/exchange/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import {
  apartTable,
  compareReplies,
  compareRuns,
  drawnFromAll,
  type RepliesCompared,
  type RunsCompared,
} from "@/lib/reports/mod.ts";
import { judgeLoss, type LossVerdict } from "@/lib/statistics/mod.ts";

/** Adds `fathom compare`: runs against a baseline, sample by sample. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("compare")
    .description(
      "Compares runs with the first of them on the samples whose text is the same in both: a leaderboard, paired differences over " +
        "all samples, by length, task and third of the context (95% intervals, p-values corrected for all of these), and the " +
        "failure classes that changed. No call is made.",
    )
    .argument("<runs...>", "names or folders of runs; the first is the baseline")
    .option("--samples", "also print each sample that only one run got right, with both replies")
    .option("--csv", "print one CSV row per pair of replies instead")
    .option("--json", "print a JSON object instead: board, and for each run rows, verdict, changes and notes")
    .option(
      "--fail-if-worse <points>",
      "exit with code 1 if a run loses more than this many points against the first, with 95% confidence",
      number(0, 100),
    )
    .addHelpText(
      "after",
      "\n--fail-if-worse 2 exits with 1 if the whole 95% interval of the loss over all samples is above 2 points and a paired test\n" +
        "finds a difference: a run that loses exactly 2 fails in 2.5% of builds. It exits with 0 otherwise, even if the samples are\n" +
        "too few to decide, which it prints; with 2 for wrong input; with 3 for any other error. Each run is judged separately.\n" +
        "\nExamples:\n" +
        "  fathom compare before after\n" +
        "  fathom compare f16 q8_0 q4_0 --samples\n" +
        "  fathom compare ../main/results/runs/nightly nightly --fail-if-worse 2\n" +
        "  fathom compare before after --csv > pairs.csv",
    )
    .action((given: readonly string[], flags: CompareFlags) =>
      compare(given.flatMap(names), flags, output).catch((error) => {
        if (error instanceof CommandFailure || isWrongInput(error)) throw error;
        throw new CommandFailure((error as Error).message, WENT_WRONG, { cause: error });
      })
    );
  addReadingFlags(command);
}

interface CompareFlags extends Flags {
  readonly csv?: boolean;
  readonly failIfWorse?: number;
}

/** Exit codes: a run is worse; any error but wrong input. */
const WORSE = 1;
const WENT_WRONG = 3;

async function compare(given: readonly string[], flags: CompareFlags, output: Output): Promise<void> {
  if (given.length < 2) {
    throw new RangeError(`Cannot compare runs as there must be at least two: current value is ${given.join(", ")}`);
  }
  const runs = await readRuns(given, flags, output);
  const compared = await compareRuns(runs);
  if (compared.missing !== null) {
    throw new RangeError(`Cannot compare the runs as there must be ${compared.missing}: current value is 0`);
  }
  const { failIfWorse: margin } = flags;
  const verdicts = margin === undefined
    ? []
    : compared.others.map(({ name, pairs }) => judgeLoss(pairs, { margin, models: [compared.names[0]!, name] }));
  const replies = await compareReplies(runs, compared);
  for (const note of [...compared.notes, ...replies.flatMap(({ notes }) => notes)]) output.note(note);
  const { names, board, settings, others } = compared;
  if (flags.csv) await writeLines(csvLines(replies.flatMap(({ rows }) => rows)), { path: undefined, output });
  else if (flags.json) await output.write(`${toJson(compared, replies, verdicts)}\n`);
  else {
    const print = async (table: Table): Promise<void> => {
      await writeTables([table], output);
      await output.write("\n");
    };
    for (const each of [board, settings]) if (each !== null) await print(each);
    for (const [at, { name, table, note }] of others.entries()) {
      const { changeTable, apart } = replies[at]!;
      const pair = [names[0]!, name] as const;
      await writeTables([table], output);
      await output.write(`${note}\n\n`);
      await print(changeTable);
      const drawn = drawnFromAll([runs[0]!, runs[at + 1]!], pair);
      if (flags.samples) await print(apartTable(apart, { names: pair, most: Infinity, ...drawn }));
    }
  }
  failIfWorse(verdicts, output);
}

function toJson(
  { names, boardRows, others }: RunsCompared,
  replies: readonly RepliesCompared[],
  verdicts: readonly LossVerdict[],
): string {
  const runs = others.map(({ name, rows, shared: { samples, changed, alone, dropped } }, at) => ({
    ...{ run: name, shared: samples.length, changed, alone, dropped, rows },
    changes: replies[at]!.changes,
    ...(verdicts.length === 0 ? {} : { verdict: verdicts[at] }),
  }));
  return JSON.stringify({ baseline: names[0], board: boardRows, runs });
}

/** Prints the verdicts, and fails if a run loses more than the margin. */
function failIfWorse(verdicts: readonly LossVerdict[], output: Output): void {
  for (const { finding } of verdicts.filter(({ verdict }) => verdict !== "worse")) output.note(finding);
  const worse = verdicts.filter(({ verdict }) => verdict === "worse").map(({ finding }) => finding);
  if (worse.length > 0) throw new CommandFailure(worse.join("; "), WORSE);
}
