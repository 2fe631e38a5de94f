import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined, grouped, plural, shownText } from "@/lib/base/mod.ts";
import type { Flags } from "./flags.ts";
import { concurrencyOf, priceText, readMaxCost, readPrices } from "./model_flags.ts";
import { openProgress } from "./files.ts";
import { CommandFailure, type Output, writeTables } from "./output.ts";
import { jsonOf } from "./recorded_runs.ts";
import { printAnswer, printTables } from "./run_screen.ts";
import { tooShortNotes } from "./sample_cells.ts";
import {
  type Batching,
  chooseBySearch,
  decisionNotes,
  findingTexts,
  type Interrupts,
  measuresTemplate,
  NothingCameYet,
  type Preflight,
  runStudy,
  searchRun,
  type StopSignal,
  type StudyRun,
  takeInterrupts,
} from "@/lib/asking/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { searchTable } from "@/lib/figures/mod.ts";
import { placeOf, priceOfRecords, runFolder, type RunStore } from "@/lib/records/mod.ts";
import { checkPapers, drawnFrom, reportJson, runReport } from "@/lib/reports/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";
import {
  allowanceOf,
  budgetNotes,
  estimateRun,
  type OpenedModel,
  type Plan,
  repeatNotes,
  type Study,
} from "@/lib/studies/mod.ts";

export interface AskStudyOptions {
  readonly name: string;
  readonly model: OpenedModel;
  readonly benchmarks: readonly Benchmark[];
  /** The aim of an adaptive search; `undefined` to ask all samples. */
  readonly aim: SearchAim | undefined;
  readonly batching?: Batching;
  readonly flags: Flags;
  readonly output: Output;
}

/** Asks a model a study, records its replies and prints the report. */
export async function askStudy(study: Study, options: AskStudyOptions): Promise<void> {
  const { name, model, benchmarks, aim, batching, flags, output } = options;
  const progress = openProgress(output);
  using interrupt = onInterrupt(output);
  const hasPreflight = flags.preflight !== false;
  try {
    const run = await runStudy(study, {
      name,
      // With a default name, another address may mean another run.
      anyAddress: flags.name !== undefined,
      model,
      benchmarks,
      batching,
      onProgress: progress.update,
      ...defined({ shard: flags.shard, maxFailures: flags.maxFailures }),
      concurrency: concurrencyOf(flags, model),
      maxCost: readMaxCost(flags, model.price),
      stop: interrupt.stop,
      signal: interrupt.end,
      onPlan: (plan, store) => {
        describePlan(plan, { store, flags, model, inBatches: batching !== undefined, output });
        if (!hasPreflight) warnUnmeasured(plan, model, output);
      },
      ...(hasPreflight ? { onServer: (look, changes) => describePreflight(look, { changes, output }) } : {}),
      ...(aim === undefined ? {} : { choose: chooseBySearch(aim), search: aim }),
    });
    progress.end();
    await printRun(run, options);
    refuseGaps(run, name);
  } catch (error) {
    if (interrupt.isTerminated()) {
      throw new CommandFailure(
        `Stopped by SIGTERM before the end of run "${name}": the same command or \`fathom resume ${name}\` resumes it`,
        TERMINATED,
        { cause: error },
      );
    }
    if (!(error instanceof NothingCameYet) || error.summary.isStopped) throw error;
    progress.end();
    output.note(error.message);
    if (flags.json) await output.write(`${JSON.stringify({ run: name, summary: error.summary })}\n`);
  } finally {
    progress.end();
  }
}

async function printRun(run: StudyRun, { name, model, aim, flags, output }: AskStudyOptions): Promise<void> {
  const { summary } = run;
  for (const note of [...run.notes, ...summary.notMade]) output.note(note);
  const report = runReport(run, { checked: flags.json ? await checkPapers(run) : [] });
  const prices = readPrices(flags, model.price);
  if (flags.json) {
    const search = aim === undefined ? {} : { search: searchRun(run, aim) };
    await output.write(`${jsonOf({ ...reportJson(name, run, report, prices), summary, ...search })}\n`);
  } else {
    await printTables(run, report, { output });
    if (aim !== undefined) await printSearch(run, aim, output);
  }
  const { answered, total, failed, underWay } = summary;
  output.note(`${name}: ${answered} of ${total} answered, ${failed} failed; see \`fathom report ${name}\``);
  if (prices !== undefined) {
    output.note(`${name}: ${priceText(priceOfRecords(run.records, prices))}, by the server's own counts of tokens`);
  }
  if (underWay !== undefined) {
    output.note(`${name}: ${underWay} in batches under way; see \`fathom batch status ${name}\``);
  }
  if (flags.json) return;
  await output.write("\n");
  await printAnswer(run, output);
  const page = join(runFolder(name), "view.html");
  // A page that was written before the last reply lacks it.
  const isWritten = summary.asked === 0 && existsSync(page);
  output.note(isWritten ? page : `The replies as a page: fathom view ${name}`);
}

export const SOME_FAILED = 3;

/** Exit code of a run ended by SIGTERM, as in shells: 128 + 15. */
const TERMINATED = 143;

/** Fails if a run is incomplete, so that no script mistakes a part for the whole. */
function refuseGaps({ summary: { trouble, isStopped, answered, total }, records }: StudyRun, name: string): void {
  if (trouble !== undefined) throw new Error(trouble);
  if (isStopped) throw new Error(`Stopped before the end of run "${name}": the same command resumes it`);
  const failures = records.map(({ reply }) => reply).filter((reply) => reply.kind === "failure");
  if (failures.length === 0) return;
  const message = `${total} ${plural(total, "question")} failed: the same command asks again`;
  if (answered > 0) throw new CommandFailure(`${failures.length} of ${message}`, SOME_FAILED);
  throw new Error(`All ${message}. The last failed with ${shownText(failures.at(-1)!.message, 500)}`);
}

/** Makes Ctrl-C and SIGTERM stop after the calls in flight, and a second one immediately. */
export function onInterrupt(output: Output, resuming = "The same command resumes the run."): Interrupts {
  const lines: Readonly<Record<StopSignal, string>> = {
    SIGINT: `\nStopping after the calls in flight; Ctrl-C again stops immediately. ${resuming}`,
    SIGTERM: `\nSIGTERM: stopping after the calls in flight, at the latest in 20 seconds. ${resuming}`,
  };
  return takeInterrupts((signal) => output.note(lines[signal]), { terminations: true });
}

/** Prints what a run will ask, its tokens and its price. */
export function describePlan(
  plan: Plan,
  { store, flags, model, inBatches, output }: Pick<AskStudyOptions, "flags" | "model" | "output"> & {
    /** The run's store, if some samples may be answered already. */
    readonly store?: RunStore;
    readonly inBatches: boolean;
  },
): void {
  const { questions, promptTokens, isExact, answerTokens, price } = estimateRun(plan, {
    ...(store ? { isAnswered: (sample) => store.outcome(placeOf(sample)) === "answer" } : {}),
    ...defined({ prices: readPrices(flags, model.price, { inBatches }) }),
    ...allowanceOf(model),
    exactUpTo: 2_000_000,
  });
  const notes = [...store?.notes ?? [], ...repeatNotes(plan, model), ...budgetNotes(plan, model.settings)];
  for (const note of [...notes, ...tooShortNotes(plan.tooShort)]) output.note(note);
  const asked = `${flags.adaptive ? "at most " : ""}${questions} of ${plan.questions}`;
  const tokens = `${isExact ? "" : "at most "}${grouped(promptTokens)} prompt tokens`;
  output.note(
    `${asked} ${plural(plan.questions, "question")} to ask: ${tokens} and at most ${grouped(answerTokens)} to answer${
      price === null ? "" : `, at most ${priceText(price)}`
    }`,
  );
  // A search asks no more than it needs.
  if (!flags.adaptive) { for (const note of decisionNotes(plan, model)) output.note(note); }
}

/** Warns if the tokens of the server's chat template are not measured. */
function warnUnmeasured({ template }: Plan, model: OpenedModel, output: Output): void {
  if (!measuresTemplate(model) || template.extraTokens !== model.template.extraTokens) return;
  output.note(
    `Warning: the tokens of the server's chat template are not measured; lengths count ${template.extraTokens} for it, or the number of --template-tokens`,
  );
}

export function describePreflight(
  { lines, warnings }: Preflight,
  { changes = [], output }: { readonly changes?: readonly string[]; readonly output: Output },
): void {
  for (const text of findingTexts({ lines, warnings: [...warnings, ...changes] })) output.note(text);
}

/** Prints the result of a search, a row per length. */
async function printSearch(run: StudyRun, aim: SearchAim, output: Output): Promise<void> {
  const { answer, isSettled, lengths } = searchRun(run, aim);
  const target = typeof aim.threshold === "number" ? aim.threshold : `${aim.threshold.share} of that at the shortest`;
  const { questions } = run.plan;
  const asked = `${run.replies.length} of ${questions} ${plural(questions, "sample")} asked`;
  const state = answer === null
    ? "undecided; the same command resumes the search"
    : `${answer.text}, ${isSettled ? "settled: wrong in at most 5% of searches" : "not settled: see below"}`;
  const title = `Effective length by a mean of ${target} (${asked}): ${state}`;
  await output.write("\n");
  await writeTables([searchTable(lengths, { title, ...drawnFrom(run) })], output);
}
