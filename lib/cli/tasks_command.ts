import type { Command } from "commander";
import type { Output } from "./main.ts";
import { addMaterialFlags, type Flags, readMaterialFlags } from "./task_flags.ts";
import type { Materials, Task } from "@/lib/generators/mod.ts";
import { checkStudy, makeTasks, openMaterials, TASK_NAMES } from "@/lib/runs/mod.ts";

/** Adds `fathom tasks`: what can be asked. */
export function addTasksCommand(program: Command, output: Output): void {
  const command = program.command("tasks")
    .summary("list the tasks, their knobs and least lengths")
    .description("Lists every task with its category, the tokens kept for the answer, its least length and its knobs.")
    .option("--json", "print one JSON object a task");
  addMaterialFlags(command).addHelpText(
    "after",
    "\nExamples:\n  fathom tasks\n  fathom tasks --tokenizer o200k_base --json",
  );
  command.action(async (flags: Flags) => {
    const study = checkStudy({ ...readMaterialFlags(flags), tasks: TASK_NAMES }, "the flags");
    const materials = await openMaterials(study);
    for (const task of makeTasks(study)) {
      await output.write(flags.json ? toJson(task, materials) : toText(task, materials));
    }
    if (!flags.json) {
      await output.write("\nAny knob can be set: fathom generate --task niah --num-keys 8 --length 4096\n");
    }
  });
}

function toText(task: Task, materials: Materials): string {
  const knobs = Object.entries(task.options).map(([knob, value]) => `${knob}=${value}`).join(" ");
  return `${task.name.padEnd(28)} ${task.category.padEnd(19)} answer ${String(task.answerRoom).padStart(3)}  from ${
    String(task.leastLength(materials)).padStart(4)
  } tokens  ${knobs}\n`;
}

function toJson(task: Task, materials: Materials): string {
  const { suite, name, category, options, answerRoom, scoring } = task;
  return `${
    JSON.stringify({
      suite,
      task: name,
      category,
      answerRoom,
      leastLength: task.leastLength(materials),
      scoring,
      options,
    })
  }\n`;
}
