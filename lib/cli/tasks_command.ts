import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readMaterialFlags } from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import type { Family, Materials, Task } from "@/lib/generators/mod.ts";
import { checkStudy, findFamily, makeTasks, openMaterials } from "@/lib/runs/mod.ts";

/** Adds `fathom tasks`: what can be asked, and what can be set of it. */
export function addTasksCommand(program: Command, output: Output): void {
  const command = program.command("tasks")
    .summary("list the tasks, or the knobs of one")
    .description(
      "Lists every benchmark's tasks with their categories, the tokens kept for the answer and their least lengths.\n" +
        "With the name of a family or a task, tells its knobs with ranges, defaults and meanings.",
    )
    .argument("[task]", "a family such as niah, or a task such as niah_single_2")
    .option("--json", "print one JSON object a task");
  addMaterialFlags(addBenchmarkFlag(command)).addHelpText(
    "after",
    "\nExamples:\n  fathom tasks\n  fathom tasks niah\n  fathom tasks vt --json | jq .options",
  );
  command.action(async (name: string | undefined, flags: Flags) => {
    const benchmarks = await openBenchmarks(flags);
    const family = name === undefined ? undefined : findFamily(name, benchmarks);
    const names = name === undefined ? benchmarks.flatMap(listTaskNames) : [name];
    const study = checkStudy({ ...readMaterialFlags(flags), tasks: names }, "the flags");
    const tasks = makeTasks(study, benchmarks);
    const materials = await openMaterials(study);
    if (flags.json) { for (const task of tasks) await output.write(toJson(task, materials)); }
    else if (family !== undefined) await output.write(taskCard(family, tasks[0]!, materials));
    else await output.write(listTasks(tasks, { benchmarks, materials }));
  });
}

function listTaskNames({ families }: Benchmark): readonly string[] {
  return families.flatMap(({ tasks }) => tasks);
}

function listTasks(
  tasks: readonly Task[],
  { benchmarks, materials }: { readonly benchmarks: readonly Benchmark[]; readonly materials: Materials },
): string {
  const parts = benchmarks.map(({ title, source, families }) => {
    const own = tasks.filter(({ name }) => families.some((family) => family.tasks.includes(name)));
    return `${title} (${source})\n${own.map((task) => toLine(task, materials)).join("")}`;
  });
  return `${
    parts.join("\n")
  }\nThe knobs of one: fathom tasks niah; to change one: fathom generate --task niah --set keys=8 --length 4096\n`;
}

function toLine(task: Task, materials: Materials): string {
  return `  ${task.name.padEnd(28)} ${task.category.padEnd(19)} answer ${String(task.answerRoom).padStart(4)}  from ${
    String(task.leastLength(materials)).padStart(4)
  } tokens\n`;
}

/** What is known of a task before any sample: its card. */
function taskCard(family: Family, task: Task, materials: Materials): string {
  const { suite, category, answerRoom, scorer, options, name } = task;
  const rows = Object.entries(family.knobs).map(([knob, { wanted, help, aliases }]) => {
    const value = options[knob];
    const other = aliases.length === 0 ? "" : ` (--${aliases.join(", --")})`;
    return `  ${`${knob}=${value ?? ""}`.padEnd(26)} ${wanted}\n  ${"".padEnd(26)} ${help}${other}\n`;
  });
  return `${name}: ${family.about}\n\n` +
    `  suite      ${suite}\n  category   ${category}\n  score      ${scorer.name}: ${scorer.about}\n` +
    `  answer     ${answerRoom} tokens\n  from       ${task.leastLength(materials)} tokens\n` +
    `  tasks      ${
      family.tasks.join(", ")
    }\n\nKnobs, as --set knob=value or in a study file, with their values here:\n${rows.join("")}`;
}

function toJson(task: Task, materials: Materials): string {
  const { suite, name, category, options, answerRoom, scorer } = task;
  const row = { suite, task: name, category, answerRoom, leastLength: task.leastLength(materials) };
  return `${JSON.stringify({ ...row, scoring: scorer.name, options })}\n`;
}
