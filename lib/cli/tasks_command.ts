import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readMaterialFlags } from "./task_flags.ts";
import { type Benchmark, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Family, Materials, PromptWords, Task } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials } from "@/lib/studies/mod.ts";

/** Adds `fathom tasks`: the tasks and their knobs. */
export function addTasksCommand(program: Command, output: Output): void {
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
    )
    .option("--markdown", "print every family and its knobs as a Markdown page");
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
    if (flags.markdown) await output.write(taskPage(benchmarks, materials));
    else if (flags.json) { for (const task of tasks) await output.write(toJson(task, materials)); }
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

/** Formats the Markdown page of all families, by benchmark. */
function taskPage(benchmarks: readonly Benchmark[], materials: Materials): string {
  const parts = benchmarks.flatMap(({ title, source, families }) => [
    `## ${title}\n\n${source}.\n`,
    ...families.map((family) => familySection(family, materials)),
  ]);
  return `${PAGE_HEAD}\n${parts.join("\n")}`;
}

const PAGE_HEAD = `<!-- deno-fmt-ignore-file -->

# Tasks and their knobs

Written by \`fathom tasks --markdown\`; a test keeps it in step with the code. Lengths are in tokens of cl100k_base. A knob is
set by \`--set knob=value\` in the shell, by its name in a study file, and by \`FAMILY.make({ knob: value })\` in a script. A task's
settings are the knobs that it has otherwise than by default; for RULER's that is Table 5 of its paper. \`fathom tasks NAME\` also
prints the words of a task's prompt.
`;

function familySection(family: Family, materials: Materials): string {
  const { name, about, suite, scorers, knobs } = family;
  const usual = family.make().options;
  const tasks = family.tasks.map((task) => {
    const { category, answerRoom, scorer, options, ...made } = family.task(task);
    const settings = Object.entries(options)
      .filter(([knob, value]) => knob in knobs && value !== (usual[knob] ?? knobs[knob]!.byDefault));
    const set = settings.map(([knob, value]) => `\`${knob}=${value}\``).join(" ");
    return `| \`${task}\` | ${cell(set)} | ${category} | ${scorer.name} | ${answerRoom} | ${
      made.leastLength(materials)
    } |`;
  });
  const rows = Object.entries(knobs).map(([knob, { wanted, byDefault, help, aliases }]) => {
    const flags = aliases.map((alias) => `\`--${alias}\``).join(" ");
    return `| \`${knob}\` | ${cell(wanted)} | ${byDefault === undefined ? "" : cell(`${byDefault}`)} | ${
      cell(help)
    } | ${flags} |`;
  });
  return `### ${name}\n\n${about[0]!.toUpperCase()}${about.slice(1)}. Suite \`${suite}\`.\n\n` +
    `${scorers.map((scorer) => `- Score **${scorer.name}**: ${scorer.about}`).join("\n")}\n\n` +
    `| Task | Settings | Category | Score | Answer room | Least length |\n|---|---|---|---|--:|--:|\n${
      tasks.join("\n")
    }\n\n` +
    `| Knob | Takes | Default | Help | Flags of its own |\n|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function toJson(task: Task, materials: Materials): string {
  const { suite, name, category, options, answerRoom, scorer } = task;
  const row = { suite, task: name, category, answerRoom, leastLength: task.leastLength(materials) };
  return `${JSON.stringify({ ...row, scoring: scorer.name, options })}\n`;
}
