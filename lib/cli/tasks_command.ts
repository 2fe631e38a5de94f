import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readChanges } from "./flags.ts";
import { type Benchmark, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Family, Materials, Task } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("tasks")
    .description(
      "Lists every benchmark's tasks with category, answer room and shortest length, in tokens. With the name of a benchmark, " +
        "lists its default tasks and its scores; with a family or task, prints its knobs with range, default and help, and the " +
        "words of its prompt; cdme and counting_stars are both.",
    )
    .argument("[task]", "a benchmark such as ruler, a family such as niah, or a task such as niah_single_2")
    .option("--json", "print a JSON object per task")
    .option("--chat-template <name>", "chat template of the printed prompt, as in `fathom generate`", "base");
  addMaterialFlags(addBenchmarkFlag(command)).addHelpText(
    "after",
    "\nExamples:\n  fathom tasks\n  fathom tasks niah\n  fathom tasks vt --variant paper --chat-template meta-chat\n  fathom tasks vt --json | jq .options",
  );
  command.action(async (name: string | undefined, flags: Flags) => {
    const benchmarks = await openBenchmarks(flags);
    const family = name === undefined ? undefined : findFamily(name, benchmarks);
    const names = name === undefined
      ? benchmarks.flatMap(({ families }) => families.flatMap(({ tasks }) => tasks))
      : namedTasks(name, benchmarks);
    if (family?.tasks.length === 0) return await output.write(rowsCard(family));
    const study = checkStudy({ ...readChanges(flags), tasks: names }, { where: "the flags" });
    const tasks = makeTasks(study, benchmarks);
    const materials = await openMaterials(study);
    const rest = benchmarks.filter((candidate) => candidate.name === name).map(listRest).join("");
    if (flags.json) { for (const task of tasks) await output.write(toJson(task, materials)); }
    else if (family === undefined) await output.write(listTasks(tasks, benchmarks, materials) + rest + LIST_END);
    else {
      const template = chatTemplate(String(flags["chatTemplate"]));
      const isBoth = tasks.length > 1;
      if (isBoth) await output.write(`${listTasks(tasks, benchmarks, materials)}${rest}\n`);
      await output.write(taskCard(family, isBoth ? family.make() : tasks[0]!, { materials, template }));
    }
  });
}

function listTasks(tasks: readonly Task[], benchmarks: readonly Benchmark[], materials: Materials): string {
  const width = Math.max(...tasks.map(({ name }) => name.length));
  const lineOf = (task: Task): string =>
    `  ${task.name.padEnd(width)}  ${task.category.padEnd(18)}  answer ${answerText(task).padStart(4)}  from ${
      String(task.leastLength(materials)).padStart(4)
    } tokens\n`;
  const parts = benchmarks.flatMap(({ title, source, families }) => {
    const own = tasks.filter(({ name }) => families.some((family) => family.tasks.includes(name)));
    return own.length === 0 ? [] : `${title} (${source})\n${own.map(lineOf).join("")}`;
  });
  return parts.join("\n");
}

/** Returns the rest of a benchmark: tasks that are not asked by default, and how replies are scored. */
function listRest({ families, tasks }: Benchmark): string {
  const further = families.flatMap((family) => family.tasks).filter((task) => !tasks.includes(task));
  const scorers = new Map(families.flatMap((family) => family.scorers).map(({ name, about }) => [name, about]));
  const scores = Array.from(scorers, ([name, about]) => `  ${name}: ${about}\n`);
  const others = further.length === 0 ? "" : `\nNot asked by default: ${further.join(", ")}\n`;
  return `${others}\nScores\n${scores.join("")}`;
}

const LIST_END =
  "\nThe knobs of one: fathom tasks niah; to change one: fathom generate --tasks niah --set keys=8 --lengths 4096\n";

/** Returns the tokens kept free for an answer, or their largest share of a length. */
function answerText({ answerRoom, answerShare }: Task): string {
  return answerShare === undefined ? String(answerRoom) : `${Math.round(100 * answerShare)}%`;
}

function taskCard(
  family: Family,
  task: Task,
  { materials, template }: { readonly materials: Materials; readonly template: ChatTemplate },
): string {
  const { suite, category, answerShare, scorer, options, name } = task;
  const { before, after, answerPrefix } = task.words(materials, template);
  return [
    `${name}: ${family.about}\n`,
    `  suite      ${suite}`,
    `  category   ${category}`,
    `  score      ${scorer.name}: ${scorer.about}`,
    `  answer     ${answerText(task)} ${answerShare === undefined ? "tokens" : "of the length at most"}`,
    `  from       ${task.leastLength(materials)} tokens`,
    `  tasks      ${family.tasks.join(", ")}`,
    ...knobLines(family, options),
    "\nThe words of a sample's prompt; {context} marks the text:\n",
    after === null ? before : `${before}{context}${after}`,
    ...(answerPrefix === "" ? [] : [`\nStart of the answer: ${JSON.stringify(answerPrefix)}`]),
    "",
  ].join("\n");
}

/** Returns the card of a family whose samples are the rows of its authors' files. */
function rowsCard(family: Family): string {
  const scores = family.scorers.map(({ name, about }) => `  score      ${name}: ${about}`);
  return [`${family.name}: ${family.about}\n`, ...scores, ...knobLines(family, family.make().options), ""].join("\n");
}

function knobLines({ knobs }: Family, options: Task["options"]): readonly string[] {
  return [
    "\nKnobs, as --set knob=value or in a study file, with their values here:",
    ...Object.entries(knobs).flatMap(([knob, { wanted, help, omitDefault, byDefault }]) => [
      `  ${`${knob}=${options[knob] ?? (omitDefault ? byDefault : undefined) ?? ""}`.padEnd(26)} ${wanted}`,
      `  ${"".padEnd(26)} ${help}`,
    ]),
  ];
}

function toJson(task: Task, materials: Materials): string {
  const { suite, name, category, options, answerRoom, answerShare, scorer } = task;
  const room = answerShare === undefined ? { answerRoom } : { answerShare };
  const row = { suite, task: name, category, ...room, leastLength: task.leastLength(materials) };
  return `${JSON.stringify({ ...row, scoring: scorer.name, options })}\n`;
}
