import type { Command } from "commander";
import { chooseBySearch } from "@/lib/analysis/mod.ts";
import {
  checkStudy,
  estimateRun,
  openStudy,
  placeOf,
  type Plan,
  planStudy,
  readStudyFile,
  type RunStore,
  runStudy,
  shellProgress,
  type Study,
} from "@/lib/runs/mod.ts";
import type { Output } from "./_guard.ts";
import { addModelFlags, openFlaggedModel } from "./_model_flags.ts";
import { lengths, names, number, wholeNumber } from "./_parsers.ts";
import { printReport } from "./_print_report.ts";
import { addSearchFlags, printSearch, readAim } from "./_search.ts";
import { addKnobFlags, addMaterialFlags, type Flags, readMaterialFlags, readTaskChoices } from "./_task_flags.ts";

/** Adds `fathom run`: asks a model and records its replies. */
export function addRunCommand(program: Command, output: Output): void {
  const command = program.command("run")
    .summary("ask a model, and record its replies")
    .description(
      "Asks a model every task at every length and appends each reply to results/runs/RUN/records.jsonl.\n" +
        "The same line again goes on where it stopped: answers are never asked twice, failed calls are asked again.\n" +
        "Ctrl-C waits for the calls under way; a second one ends them.",
    )
    .option("--study <file>", "a study file (YAML); flags change what it says")
    .option("--tasks <names>", "tasks parted by commas, or all", names)
    .option("--lengths <tokens>", "lengths parted by commas, such as 4096,8192 or 4K,8K", lengths)
    .option("--samples <n>", "samples of each task at each length", wholeNumber(1))
    .option("--first <n>", "the number of the first sample", wholeNumber(0))
    .option("--name <run>", "the run's name; made of the model's name unless given")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--price-in <amount>", "price of a million prompt tokens, to tell the cost beforehand", number(0))
    .option("--price-out <amount>", "price of a million answer tokens", number(0))
    .option("--dry-run", "tell what would be asked and what it costs, and stop");
  addKnobFlags(addMaterialFlags(addModelFlags(addSearchFlags(command)), { defaults: false }));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom run --tasks all --lengths 4096,8192 --samples 25 --model sim:ideal --name first\n" +
      "  fathom run --study data/studies/ruler.yaml --model my-model --base-url http://127.0.0.1:8000/v1\n" +
      "  fathom run --adaptive --threshold 85.6 --lengths 4K,8K,16K,32K,64K,128K --samples 500 --model my-model\n" +
      "  fathom run --tasks niah --num-keys 8 --lengths 32K --samples 100 --model gpt-4o --price-in 2.5 --price-out 10 --dry-run",
  );
  command.action((flags: Flags) => flags.dryRun ? tellPlan(flags, output) : ask(flags, output));
}

async function readStudy(flags: Flags): Promise<Study> {
  const base = flags.study === undefined ? {} : await readStudyFile(flags.study as string);
  const own = Object.fromEntries(
    ["lengths", "samples", "first"].filter((key) => flags[key] !== undefined).map((key) => [key, flags[key]]),
  );
  const tasks = flags.tasks === undefined
    ? (flags.study === undefined ? readTaskChoices(["all"], flags) : undefined)
    : readTaskChoices(flags.tasks as string[], flags);
  return checkStudy(
    { ...base, ...readMaterialFlags(flags), ...own, ...(tasks === undefined ? {} : { tasks }) },
    "the flags",
  );
}

async function ask(flags: Flags, output: Output): Promise<void> {
  const [study, aim] = [await readStudy(flags), readAim(flags)];
  const model = openFlaggedModel(flags);
  const name = (flags.name as string | undefined) ?? model.name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const progress = shellProgress({
    write: output.draw,
    isTerminal: Deno.stderr.isTerminal(),
    ...(Deno.stderr.isTerminal() ? { columns: Deno.consoleSize().columns } : {}),
  });
  using interrupt = onInterrupt(output);
  try {
    const run = await runStudy(study, {
      name,
      model,
      concurrency: flags.concurrency as number,
      stop: interrupt.stop,
      signal: interrupt.end,
      onPlan: (plan, store) => describePlan(plan, { store, flags, output }),
      onProgress: progress.update,
      ...(aim === undefined ? {} : { choose: chooseBySearch(aim) }),
    });
    progress.end();
    for (const note of [...run.notes, ...run.summary.notMade]) output.tell(note);
    await printReport(run, output);
    if (aim !== undefined) await printSearch(run, aim, output);
    output.tell(
      `${name}: ${run.summary.answered} of ${run.summary.total} answered, ${run.summary.failed} failed; see \`fathom report ${name}\``,
    );
    // A script must not take a part of a run for the whole of it.
    if (run.summary.isStopped) {
      throw new Error(`Stopped before the end of run "${name}": the same line goes on with it`);
    }
  } finally {
    progress.end();
  }
}

async function tellPlan(flags: Flags, output: Output): Promise<void> {
  const opened = await openStudy(await readStudy(flags));
  const [plan, aim] = [planStudy(opened, openFlaggedModel(flags)), readAim(flags)];
  if (aim !== undefined) chooseBySearch(aim)([], plan);
  describePlan(plan, { flags, output });
}

function describePlan(
  plan: Plan,
  { store, flags, output }: { readonly store?: RunStore; readonly flags: Flags; readonly output: Output },
): void {
  const { priceIn, priceOut, thinkingTokens, concurrency } = flags as Record<string, number | undefined>;
  const estimate = estimateRun(plan, {
    ...(store ? { isAnswered: (sample) => store.outcome(placeOf(sample)) === "answer" } : {}),
    ...(priceIn === undefined && priceOut === undefined
      ? {}
      : { prices: { input: priceIn ?? 0, output: priceOut ?? 0 } }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
    ...(concurrency === undefined ? {} : { concurrency }),
    exactUpTo: 2_000_000,
  });
  const { questions, promptTokens, isExact, answerTokens, price } = estimate;
  for (const note of store?.notes ?? []) output.tell(note);
  for (const { task, length, least } of plan.tooShort) {
    output.tell(`${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`);
  }
  const tokens = `${isExact ? "" : "at most "}${promptTokens.toLocaleString("en")} prompt tokens and at most ${
    answerTokens.toLocaleString("en")
  } to answer`;
  output.tell(
    `${flags.adaptive ? "at most " : ""}${questions} of ${plan.questions} questions to ask: ${tokens}${
      price === null ? "" : `, at most ${price.toFixed(2)} in the currency of the prices`
    }`,
  );
}

/** Turns Ctrl-C into a quiet stop, and a second one into an end at once. */
function onInterrupt(output: Output): { readonly stop: AbortSignal; readonly end: AbortSignal } & Disposable {
  const [stop, end] = [new AbortController(), new AbortController()];
  const listener = (): void => {
    if (stop.signal.aborted) return end.abort();
    stop.abort();
    output.tell("\nStopping: waiting for the calls under way; Ctrl-C again ends them. The same line goes on later.");
  };
  Deno.addSignalListener("SIGINT", listener);
  return { stop: stop.signal, end: end.signal, [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", listener) };
}
