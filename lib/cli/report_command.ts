import type { Command } from "commander";
import { csvText, replyRows, replyTimes } from "@/lib/analysis/mod.ts";
import { listRuns, readRun, scoreRecords, suiteText } from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { printDepths } from "./_print_depths.ts";
import { printFailures } from "./_print_failures.ts";
import { printReport, reportRows } from "./_print_report.ts";
import type { Flags } from "./_task_flags.ts";
import { writeRunFigures } from "./_write_run_figures.ts";

/** Adds `fathom report`: the scores of a recorded run. */
export function addReportCommand(program: Command, output: Output): void {
  program.command("report")
    .summary("print the scores of a run, and draw its figures")
    .description(
      "Scores the replies of a run, prints the table and writes figures to results/figures/RUN/. No call is made.",
    )
    .argument("[run]", "the run's name; without one, the runs are listed")
    .option(
      "--json",
      "print one JSON object: rows of task, length, n, score, low, high (percent, 95% interval), failed; and times of replies",
    )
    .option("--no-figures", "write no figures")
    .option("--failures", "print in which ways replies failed instead, by task and length, with replies to look at")
    .option("--depths", "print scores by the depth of the target instead, and whether a third of the context is lost")
    .option("--csv", "print a CSV row a reply instead: sample, depth, score, why, way of failing, reply")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom report\n  fathom report first\n  fathom report first --failures\n  fathom report first --depths\n  fathom report first --csv > first.csv\n  fathom report first --json | jq '.rows[] | select(.length == 4096)'",
    )
    .action(async (name: string | undefined, flags: Flags) => {
      if (name === undefined) return await output.write((await listRuns()).map((run) => `${run}\n`).join(""));
      const recorded = await readRun(name);
      const run = { ...recorded, replies: scoreRecords(recorded.records) };
      for (const note of run.notes) output.tell(note);
      if (flags.csv) return await output.write(csvText(await replyRows(run)));
      if (flags.depths) {
        return await printDepths(run, { output, name, json: Boolean(flags.json), figures: Boolean(flags.figures) });
      }
      if (flags.failures) return await printFailures(run, { output, json: Boolean(flags.json), name });
      if (flags.json) {
        const { model, origin, samples } = run.manifest;
        const times = replyTimes(run.records);
        const suite = suiteText(run.manifest);
        const report = { run: name, model, origin, suite, samples, rows: reportRows(run), times };
        await output.write(`${JSON.stringify(report)}\n`);
      } else await printReport(run, output);
      if (flags.figures && !flags.json) { for (const path of await writeRunFigures(run)) output.tell(path); }
    });
}
