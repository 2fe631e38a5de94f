import type { Command } from "commander";
import { join } from "node:path";
import { addPriceFlags, readPrices } from "./cost_flags.ts";
import { type Output, writeTables } from "./output.ts";
import { addReadingFlags, type NamedRun, type ReadingFlags, readRuns } from "./reading_flags.ts";
import { type Flags, names } from "./task_flags.ts";
import { claimTable, depthMap, saveFigure } from "@/lib/figures/mod.ts";
import { checkRunClaims } from "@/lib/papers/mod.ts";
import { priorKnowledge, priorKnowledgeTable, PROMPT_DEPENDENCE_PAPER } from "@/lib/papers/prompt_dependence/mod.ts";
import { depthFigure, drawnFrom, runFailures, runLimits, runLimitTable } from "@/lib/reports/mod.ts";
import {
  modelName,
  retryReasons,
  retryTable,
  runCost,
  runCostTable,
  runFolder,
  type ScoredRun,
} from "@/lib/records/mod.ts";
import { priceOfModel, type Prices } from "@/lib/studies/mod.ts";
import { failureFinding, type FailureRow } from "@/lib/statistics/failures/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** A part of a run's report: a subcommand of `fathom report`. */
interface ReportPart {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** Adds the flags that only this part has. */
  readonly addFlags?: (command: Command) => Command;
  /** Prints the part of a run, or returns the fields of its JSON object. */
  readonly print: (run: NamedRun, flags: PartFlags, output: Output) => Promise<object | void>;
}

interface PartFlags extends ReadingFlags {
  readonly json?: boolean;
  readonly figures?: boolean;
  readonly level: number;
  readonly closedBook: string;
  readonly models?: string;
}

const PARTS: readonly ReportPart[] = [
  {
    name: "failures",
    about: "Prints how replies failed, by task and length, with examples.",
    example: "fathom report failures first",
    print: printFailures,
  },
  {
    name: "depths",
    about: "Prints scores by depth of the target, tests whether a third of the context is lost, and draws heatmaps.",
    example: "fathom report depths first",
    addFlags: (command) => command.option("--no-figures", "write no figures"),
    print: printDepths,
  },
  {
    name: "limits",
    about: "Prints effective context limits: the length at which each task's score falls below an accuracy.",
    example: "fathom report limits first --level 0.8",
    addFlags: (command) => command.option("--level <share>", "the accuracy, in (0, 1]", Number, 0.75),
    print: printLimits,
  },
  {
    name: "cost",
    about: "Prints what a run took, by task and length: tokens, cache, retries, time, money.",
    example: "fathom report cost first --price-in 0.15 --price-out 0.6",
    addFlags: (command) =>
      addPriceFlags(command).option("--models <file>", "your own file of models, for the price of the run's model"),
    print: printCost,
  },
  {
    name: "memory",
    about:
      "Prints which wrong answers of prompt dependence come from prior knowledge, by a run of the same questions without a text.",
    example: "fathom report memory tests --closed-book alone",
    addFlags: (command) =>
      command.requiredOption(
        "--closed-book <run>",
        "run of the questions alone, such as data/studies/09-closed-book.yaml asks",
      ),
    print: printMemory,
  },
];

/** Adds the parts of a run's report as subcommands. */
export function addReportParts(report: Command, output: Output): void {
  for (const { name, about, example, addFlags, print } of PARTS) {
    const command = report.command(name)
      .description(`${about} No call is made.`)
      .summary(about.charAt(0).toLowerCase() + about.slice(1, -1))
      .argument("<runs...>", "names of runs, separated by spaces or commas")
      .option("--json", "print a JSON object per run")
      .addHelpText("after", `\nExample:\n  ${example}`)
      .action(async (given: readonly string[], flags: PartFlags) => {
        const runs = await readRuns(given.flatMap(names), flags, output);
        for (const [at, run] of runs.entries()) {
          if (at > 0 && !flags.json) await output.write("\n");
          const json = await print(run, flags, output);
          if (json === undefined) continue;
          const { model, origin, samples } = run.manifest;
          await output.write(`${JSON.stringify({ run: run.name, model, origin, samples, ...json })}\n`);
        }
      });
    addReadingFlags(command);
    addFlags?.(command);
  }
}

async function printFailures(run: NamedRun, { json }: PartFlags, output: Output): Promise<object | void> {
  const { rows, shown, notes } = await runFailures(run);
  for (const note of notes) output.note(note);
  if (json) return { rows, replies: shown };
  const { model, origin } = run.manifest;
  const { warning } = drawnFrom(run);
  const head = [
    `${model} (${originText(origin)}): ${failureFinding(rows)}`,
    ...(warning === undefined ? [] : [warning]),
  ];
  const lines = rows.map((row) =>
    `${cells(row.task, lengthText(row.length), `${row.n}`, `${row.failures}`)}${classesText(row)}`
  );
  await output.write(
    [...head, "", `${cells("task", "length", "n", "failed")}primary class of failure`, ...lines, ""].join("\n"),
  );
  for (const { class: name, task, length, index, wanted, reply, why } of shown) {
    await output.write(`\n${name}: ${task} at ${lengthText(length)}, sample ${index}: ${why}\n`);
    await output.write(`  wanted ${wanted}\n  reply  ${reply}\n`);
  }
}

function cells(task: string, ...rest: readonly string[]): string {
  return `${task.padEnd(20)}${rest.map((cell) => cell.padStart(8)).join("")}  `;
}

function classesText({ classes, unexplained }: FailureRow): string {
  const counted = classes.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
    .map(({ class: name, count, share }) => `${name} ${count} (${share.toFixed(1)}%)`);
  return [...counted, ...(unexplained > 0 ? [`unexplained ${unexplained}`] : [])].join(", ");
}

async function printDepths(run: NamedRun, { json, figures }: PartFlags, output: Output): Promise<object | void> {
  const { table, thirdsTable, thirds, rows, skipped, notes } = await depthFigure(run);
  for (const note of notes) output.note(note);
  if (table === null) {
    throw new RangeError(
      `Cannot report scores by depth as the run must have a scored task with one target: current value is "${run.name}"`,
    );
  }
  if (json) return { rows, left: skipped, thirds };
  await writeTables([table, thirdsTable], output);
  if (!figures) return;
  const path = join(runFolder(run.name), "figures/depths.svg");
  // The title of a file names the model.
  const title = `${run.manifest.model}: ${thirds.finding.charAt(0).toLowerCase()}${thirds.finding.slice(1)}`;
  await saveFigure(depthMap(rows, { title, ...drawnFrom(run) }), path);
  output.note(path);
}

async function printLimits(run: NamedRun, { json, level }: PartFlags, output: Output): Promise<object | void> {
  if (json) return { level, rows: runLimits(run, { level }).map(({ at: _, difficulty: __, ...row }) => row) };
  const limits = runLimitTable(run, { level });
  if (limits === null) {
    throw new RangeError(
      `Cannot find context limits as the run must have a scored reply: current value is "${run.name}"`,
    );
  }
  await writeTables([limits], output);
}

/** Returns the prices of a run: those of the flags, otherwise those of its model's entry. */
export async function pricesOf({ manifest: { model } }: ScoredRun, flags: Flags): Promise<Prices | undefined> {
  return readPrices(flags, await priceOfModel(model, flags.models));
}

async function printCost(run: NamedRun, flags: PartFlags, output: Output): Promise<object | void> {
  const records = run.replies.map(({ record }) => record);
  const [cost, retries] = [runCost(records, await pricesOf(run, flags)), retryReasons(records)];
  if (flags.json) return { ...cost, retries };
  const drawn = { model: modelName(run.manifest), ...drawnFrom(run) };
  await writeTables([runCostTable(cost, drawn), retryTable(retries, drawn)].filter((each) => each !== null), output);
}

async function printMemory(run: NamedRun, flags: PartFlags, output: Output): Promise<object | void> {
  const { closedBook } = flags;
  const [alone] = await readRuns([closedBook], { ...flags, scored: undefined }, output);
  const { manifest } = run;
  if (alone!.manifest.model !== manifest.model) {
    output.note(`${closedBook} is of ${alone!.manifest.model} and ${manifest.name} of ${manifest.model}`);
  }
  const tasks = { ...manifest.tasks, ...alone!.manifest.tasks };
  const rows = priorKnowledge([...run.replies, ...alone!.replies], tasks).filter(({ fromMemory }) =>
    fromMemory !== null
  );
  if (rows.length === 0) {
    throw new RangeError(
      `Cannot find prior knowledge as --closed-book must be a run of the same questions without a text, such as ` +
        `data/studies/09-closed-book.yaml asks: current value is "${closedBook}"`,
    );
  }
  const claims = checkRunClaims(PROMPT_DEPENDENCE_PAPER, [run, alone!]).filter(({ id }) => id === "P5");
  if (flags.json) return { closedBook, rows, claims };
  const title = `${modelName(manifest)}: wrong answers from prior knowledge`;
  const checked = claimTable(claims, { title: "The paper's claim about them", ...drawnFrom(run) });
  await writeTables([priorKnowledgeTable(rows, { title, ...drawnFrom(run) }), checked], output);
}
