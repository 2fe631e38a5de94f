import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readMaterialFlags } from "./flags.ts";
import { type Benchmark, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Family, Materials, PromptWords, Task } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials } from "@/lib/studies/mod.ts";

/** Adds `fathom tasks`: the tasks and their knobs. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("tasks")
    .description(
      "Lists every benchmark's tasks with category, answer room and shortest length, in tokens. With the name of a benchmark, " +
        "lists its default tasks; with a family or task, prints its knobs with range, default and help, and the words of its " +
        "prompt; cdme and counting_stars are both.",
    )
    .argument("[task]", "a benchmark such as ruler, a family such as niah, or a task such as niah_single_2")
    .option("--json", "print a JSON object per task")
    .option(
      "--chat-template <name>",
      "chat template of the printed prompt, as in `fathom generate`",
      "base",
    );
  addMaterialFlags(addBenchmarkFlag(command)).addHelpText(
    "after",
    "\nExamples:\n  fathom tasks\n  fathom tasks niah\n  fathom tasks vt --variant paper --chat-template meta-chat\n  fathom tasks vt --json | jq .options",
  );
  command.action(async (name: string | undefined, flags: Flags) => {
    const benchmarks = await openBenchmarks(flags);
    const family = name === undefined ? undefined : findFamily(name, benchmarks);
    const names = name === undefined ? benchmarks.flatMap(listTaskNames) : namedTasks(name, benchmarks);
    const study = checkStudy({ ...readMaterialFlags(flags), tasks: names }, { where: "the flags" });
    const tasks = makeTasks(study, benchmarks);
    const materials = await openMaterials(study);
    if (flags.json) { for (const task of tasks) await output.write(toJson(task, materials)); }
    else if (family === undefined) await output.write(listTasks(tasks, { benchmarks, materials }) + LIST_END);
    else {
      const template = chatTemplate(flags["chatTemplate"] as string);
      const [isBoth, card] = [tasks.length > 1, { materials, template }];
      if (isBoth) {
        await output.write(`${listTasks(tasks, { benchmarks, materials })}
`);
      }
      await output.write(taskCard(family, isBoth ? family.make() : tasks[0]!, card));
    }
  });
}

function listTaskNames({ families }: Benchmark): readonly string[] {
  return families.flatMap(({ tasks }) => tasks);
}

function listTasks(
  tasks: readonly Task[],
  { benchmarks, materials }: { readonly benchmarks: readonly Benchmark[]; readonly materials: Materials },
): string {
  const parts = benchmarks.flatMap(({ title, source, families }) => {
    const own = tasks.filter(({ name }) => families.some((family) => family.tasks.includes(name)));
    return own.length === 0 ? [] : `${title} (${source})\n${own.map((task) => toLine(task, materials)).join("")}`;
  });
  return parts.join("\n");
}

const LIST_END =
  "\nThe knobs of one: fathom tasks niah; to change one: fathom generate --tasks niah --set keys=8 --lengths 4096\n";

function toLine(task: Task, materials: Materials): string {
  return `  ${task.name.padEnd(28)} ${task.category.padEnd(19)} answer ${String(task.answerRoom).padStart(4)}  from ${
    String(task.leastLength(materials)).padStart(4)
  } tokens\n`;
}

/** Formats a task's card: family, scorer, knobs and prompt. */
function taskCard(
  family: Family,
  task: Task,
  { materials, template }: { readonly materials: Materials; readonly template: ChatTemplate },
): string {
  const { suite, category, answerRoom, scorer, options, name } = task;
  const rows = Object.entries(family.knobs).map(([knob, { wanted, help }]) => {
    const value = options[knob];
    return `  ${`${knob}=${value ?? ""}`.padEnd(26)} ${wanted}\n  ${"".padEnd(26)} ${help}\n`;
  });
  return `${name}: ${family.about}\n\n` +
    `  suite      ${suite}\n  category   ${category}\n  score      ${scorer.name}: ${scorer.about}\n` +
    `  answer     ${answerRoom} tokens\n  from       ${task.leastLength(materials)} tokens\n` +
    `  tasks      ${
      family.tasks.join(", ")
    }\n\nKnobs, as --set knob=value or in a study file, with their values here:\n${rows.join("")}\n${
      promptText(task.words(materials, template))
    }`;
}

/** Formats the words of a prompt, with a mark for its context. */
function promptText({ before, after, answerPrefix }: PromptWords): string {
  const prompt = after === null ? before : `${before}{context}${after}`;
  const ending = answerPrefix === "" ? "" : `\n\nStart of the answer: ${JSON.stringify(answerPrefix)}`;
  return `The words of a sample's prompt; {context} marks the text:\n\n${prompt}${ending}\n`;
}

function toJson(task: Task, materials: Materials): string {
  const { suite, name, category, options, answerRoom, scorer } = task;
  const row = { suite, task: name, category, answerRoom, leastLength: task.leastLength(materials) };
  return `${JSON.stringify({ ...row, scoring: scorer.name, options })}\n`;
}
