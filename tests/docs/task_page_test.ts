import { ok } from "node:assert/strict";
import { BENCHMARKS, listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Family, Materials } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

// After a change of tasks or knobs: deno test -A tests/docs/task_page_test.ts -- --update
const PAGE = new URL("../../docs/tasks.md", import.meta.url);

Deno.test("docs/tasks.md has every task and knob, and the settings of RULER's Table 5", async () => {
  const page = taskPage(await openMaterials());
  if (Deno.args.includes("--update")) return await Deno.writeTextFile(PAGE, page);
  for (const { tasks, knobs } of listFamilies()) {
    for (const name of [...tasks, ...Object.keys(knobs)]) ok(page.includes(`| \`${name}\` |`), name);
  }
  for (
    const row of [
      "`niah_single_1` | `haystack=noise`",
      "`niah_multikey_3` | `haystack=needle` `keyType=uuids` `valueType=uuids`",
      "`niah_multiquery` | `keys=4` `queries=4`",
      "`qa_2` | `hops=2`",
    ]
  ) ok(page.includes(`| ${row} |`), row);
  ok(
    await Deno.readTextFile(PAGE) === page,
    "docs/tasks.md is not in step: write it again by `deno test -A tests/docs/task_page_test.ts -- --update`",
  );
});

/** Formats the Markdown page of all families, by benchmark. */
function taskPage(materials: Materials): string {
  const parts = BENCHMARKS.flatMap(({ title, source, families }) => [
    `## ${title}\n\n${source}.\n`,
    ...families.map((family) => familySection(family, materials)),
  ]);
  return `${PAGE_HEAD}\n${parts.join("\n")}`;
}

const PAGE_HEAD = `<!-- deno-fmt-ignore-file -->

# Tasks and their knobs

Written by tests/docs/task_page_test.ts, which keeps it in step with the code. Lengths are in tokens of cl100k_base. A knob is
set by \`--set knob=value\` in the shell, by its name in a study file, and by \`FAMILY.make({ knob: value })\` in a script. A task's
settings are the knobs that differ from the default; RULER's are Table 5 of its paper. \`fathom tasks NAME\` also
prints the words of a task's prompt.
`;

function familySection(family: Family, materials: Materials): string {
  const { name, about, suite, scorers, knobs } = family;
  const usual = family.make().options;
  const tasks = family.tasks.map((task) => {
    const { category, answerRoom, answerShare, scorer, options, ...made } = family.task(task);
    const room = answerShare === undefined ? answerRoom : `${Math.round(100 * answerShare)}%`;
    const settings = Object.entries(options)
      .filter(([knob, value]) => knob in knobs && value !== (usual[knob] ?? knobs[knob]!.byDefault));
    const set = settings.map(([knob, value]) => `\`${knob}=${value}\``).join(" ");
    return `| \`${task}\` | ${cell(set)} | ${category} | ${scorer.name} | ${room} | ${made.leastLength(materials)} |`;
  });
  const rows = Object.entries(knobs).map(([knob, { wanted, byDefault, help }]) => {
    return `| \`${knob}\` | ${cell(wanted)} | ${byDefault === undefined ? "" : cell(`${byDefault}`)} | ${cell(help)} |`;
  });
  return `### ${name}\n\n${about[0]!.toUpperCase()}${about.slice(1)}. Suite \`${suite}\`.\n\n` +
    `${scorers.map((scorer) => `- Score **${scorer.name}**: ${scorer.about}`).join("\n")}\n\n` +
    `| Task | Settings | Category | Score | Answer room | Least length |\n|---|---|---|---|--:|--:|\n${
      tasks.join("\n")
    }\n\n` +
    `| Knob | Takes | Default | Help |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
