import { type Command, Option } from "commander";
import { quoteText } from "@/lib/base/mod.ts";
import { SOME_FAILED } from "./ask_study.ts";
import { openProgress } from "./files.ts";
import { type Flags, openBenchmarks } from "./flags.ts";
import { addConcurrencyFlag, addModelFlags, concurrencyOf, openFlaggedModel } from "./model_flags.ts";
import { CommandFailure, type Output, writeTables } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { findRegrader, type Regrader } from "@/lib/benchmarks/mod.ts";
import {
  type RegradedReply,
  regradeReplies,
  regradeRows,
  regradeTable,
  verdictFile,
  verdictOrigin,
} from "@/lib/asking/mod.ts";
import { drawnFrom } from "@/lib/reports/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("regrade")
    .description(
      "Asks a second model about the replies of a run, as a benchmark's authors do, scores the replies by its answers, and " +
        "compares these scores with those by the rules:\n" +
        "  --by judge      grades replies from 1 to 5 (prompt dependence)\n" +
        "  --by judge-10   grades them from 1 to 10, as Kamradt's Needle In A Haystack does\n" +
        "  --by extractor  rewrites replies as lists before they are matched (Needle Threading)\n" +
        "Its answers are kept in results/runs/RUN/BY-MODEL.jsonl; the same command asks only for missing ones. An unreadable answer " +
        "is asked for once more; then a judge's counts in no mean, and the rules score the reply in place of an extractor's.",
    )
    .addOption(
      new Option("--by <name>", "task of the second model").choices(["judge", "judge-10", "extractor"])
        .makeOptionMandatory(),
    );
  command.argument("<run>", "the run's name")
    .option("--json", "print one JSON object: rows of task, replies, failed, unread, byRules, byModel, alike, kappa");
  addModelFlags(addConcurrencyFlag(addReadingFlags(command))).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom regrade first --by judge --model gpt-4-turbo\n" +
      "  fathom regrade first --by extractor --model gpt-4o-mini\n" +
      "  fathom regrade first --by judge --model sim:ideal      (tests the judge's prompt with the keywords)",
  ).action((name: string, flags: Flags) => regrade(name, flags, output));
}

async function regrade(name: string, flags: Flags, output: Output): Promise<void> {
  const by = flags["by"] as Regrader["name"];
  const benchmarks = await openBenchmarks(flags);
  const [run] = await readRuns([name], flags, output);
  const scored = run!.replies.filter(({ record }) => findRegrader(by, record.scoring, benchmarks) !== undefined);
  if (scored.length === 0) {
    const suites = benchmarks.filter(({ regraders = [] }) => regraders.some((regrader) => regrader.name === by));
    throw new RangeError(
      `Cannot regrade the run by ${by} as it must have tasks of ${suites.map(({ title }) => title).join(" or ")}: ` +
        `current value is ${Object.keys(run!.manifest.tasks).join(", ")}`,
    );
  }
  const model = await openFlaggedModel(flags, { output });
  const file = verdictFile(name, { by, model: model.name });
  const progress = openProgress(output);
  const replies = await regradeReplies(scored, {
    by,
    model,
    file,
    benchmarks,
    concurrency: concurrencyOf(flags, model),
    onProgress: progress.update,
  }).finally(progress.end);
  const verdicts = verdictOrigin(model, replies);
  const { model: asked, origin } = run!.manifest;
  const unread = replies.filter(({ verdict }) => verdict !== null && verdict.unread !== null).length;
  if (flags.json) {
    const rows = regradeRows(replies, by, benchmarks);
    const regrader = { regrader: model.name, regraderOrigin: verdicts };
    await output.write(`${JSON.stringify({ run: name, model: asked, origin, by, ...regrader, rows })}\n`);
  } else {
    const title = `${asked} (${originText(origin)}), by ${model.name} (${verdicts})`;
    await writeTables([regradeTable(replies, { by, title, ...drawnFrom(run!), verdicts, benchmarks })], output);
    await output.write("\n");
  }
  const read = unread === 0
    ? "all answers could be read"
    : `${unread} of ${replies.length} replies have no readable answer`;
  output.note(`${file}: ${read}`);
  refuseGaps(replies, by);
}

/** Fails if some calls failed, or if no answer could be read, so that no script mistakes partial verdicts for all. */
function refuseGaps(replies: readonly RegradedReply[], by: Regrader["name"]): void {
  const verdicts = replies.flatMap(({ verdict }) => verdict ?? []);
  const unread = verdicts.filter((verdict) => verdict.unread !== null);
  const failed = unread.filter(({ text }) => text === "");
  const isNone = unread.length > 0 && unread.length === verdicts.length;
  if (!isNone && failed.length === 0) return;
  const gaps = isNone ? unread : failed;
  const message = `${gaps.length} of ${verdicts.length} replies have no answer of the ${by} that can be used (${
    quoteText(gaps.at(-1)!.unread!, 300)
  }): the same command asks again`;
  throw isNone ? new Error(message) : new CommandFailure(message, SOME_FAILED);
}
