import type { Command } from "commander";
import { shownText } from "@/lib/base/mod.ts";
import { type Output, writeTables } from "./output.ts";
import { addReadingFlags, jsonOf, readRuns } from "./recorded_runs.ts";
import { names } from "./flag_values.ts";
import { addMeasureFlag, type Flags } from "./flags.ts";
import type { Table } from "@/lib/figures/mod.ts";
import { compareReplies, compareRuns, type RepliesCompared, type RunsCompared } from "@/lib/reports/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("compare")
    .description(
      "Compares runs with the first of them on the samples whose text is the same in both: paired differences over " +
        "all samples, by length, task and third of the context (95% intervals, p-values corrected for all of these), and the " +
        "failure classes that changed. Runs of other texts are compared by the means of each task and length. No call is made.",
    )
    .argument("<runs...>", "names or folders of runs; the first is the baseline")
    .option("--json", "print a JSON object instead: the finding, and for each run rows, changes and notes")
    .addHelpText(
      "after",
      "\nTo fail a build that loses accuracy: fathom certify --base-run before --change-run after --margin 2\n" +
        "\nExamples:\n" +
        "  fathom compare before after\n" +
        "  fathom compare f16 q8_0 q4_0\n" +
        "  fathom compare ../main/results/runs/nightly nightly\n" +
        "  fathom view before after                 # the replies side by side, sorted by difference; copies them as CSV",
    )
    .action((given: readonly string[], flags: Flags) => compare(given.flatMap(names), flags, output));
  addReadingFlags(addMeasureFlag(command));
}

async function compare(given: readonly string[], flags: Flags, output: Output): Promise<void> {
  if (given.length < 2) {
    throw new RangeError(`Cannot compare runs as there must be at least two: current value is ${given.join(", ")}`);
  }
  const runs = await readRuns(given, flags, output);
  const compared = await compareRuns(runs);
  if (compared.missing !== null && compared.apart.length > 0 && !flags.json) {
    output.note(`There are no ${compared.missing}: means of independent samples are compared`);
    return await writeTables([...compared.apart, ...compared.settings === null ? [] : [compared.settings]], output);
  }
  if (compared.missing !== null) {
    throw new RangeError(`Cannot compare the runs as there must be ${compared.missing}: current value is 0`);
  }
  const replies = await compareReplies(runs, compared);
  for (const note of [...compared.notes, ...replies.flatMap(({ notes }) => notes)]) output.note(note);
  const { finding, settings, others } = compared;
  if (flags.json) await output.write(`${toJson(compared, replies)}\n`);
  else {
    const print = async (table: Table): Promise<void> => {
      await writeTables([table], output);
      await output.write("\n");
    };
    if (finding !== null) await output.write(`${shownText(finding, 2000)}\n\n`);
    if (settings !== null) await print(settings);
    for (const [at, { table, note }] of others.entries()) {
      await writeTables([table], output);
      await output.write(`${note}\n\n`);
      await print(replies[at]!.changeTable);
    }
  }
}

function toJson({ names, finding, others }: RunsCompared, replies: readonly RepliesCompared[]): string {
  const runs = others.map(({ name, rows, shared: { samples, changed, alone, dropped } }, at) => ({
    run: name,
    shared: samples.length,
    changed,
    alone,
    dropped,
    rows,
    changes: replies[at]!.changes,
  }));
  return jsonOf({ baseline: names[0], finding, runs });
}
