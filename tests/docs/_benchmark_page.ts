import { checkOnce } from "../papers/_checked.ts";
import { lengthText } from "@/lib/base/mod.ts";
import type { Benchmark, Paper } from "@/lib/benchmarks/benchmark.ts";
import { BENCHMARKS, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { listRuns } from "@/lib/records/mod.ts";
import { readStudyFile, type Study } from "@/lib/studies/mod.ts";

/** What the code, the studies, the notebooks and docs/citing.md say of a benchmark, as the second half of its page. */
export async function factsOf(benchmark: Benchmark, materials: Materials): Promise<string> {
  const paper = await benchmark.paper?.() ?? { claims: [], runClaims: [] };
  const parts = [
    ["Tasks", tasksText(benchmark, materials)],
    ["Studies", await studiesText(benchmark)],
    ["Notebooks", await notebooksText(benchmark)],
    ["Measured", await measuredText(benchmark)],
    ["What the paper says, checked", await claimsText(paper)],
    ["What is asked of your run", runClaimsText(paper)],
    ["Cite", await citingText(benchmark)],
  ];
  return parts.filter(([, text]) => text !== "").map(([title, text]) => `## ${title}\n\n${text}\n`).join("\n");
}

function tasksText({ families, tasks }: Benchmark, materials: Materials): string {
  const abouts = families.map(({ name, about, knobs, scorers }) =>
    `- [\`${name}\`](../tasks.md#${name}) ${about}. Knobs: ${
      Object.keys(knobs).map((knob) => `\`${knob}\``).join(", ")
    }.\n${scorers.map((scorer) => `  - Score **${scorer.name}**: ${scorer.about}.`).join("\n")}`
  );
  const rows = families.flatMap((family) =>
    family.tasks.map((name) => {
      const task = family.task(name);
      const isDefault = tasks.includes(name) ? "yes" : "";
      return [
        `\`${name}\``,
        isDefault,
        task.category,
        task.scorer.name,
        task.answerShare === undefined ? `${task.answerRoom}` : `${Math.round(100 * task.answerShare)}%`,
        `${task.leastLength(materials)}`,
      ];
    })
  );
  const heads = ["Task", "By default", "Category", "Score", "Answer room", "From, in tokens"];
  return `${abouts.join("\n")}\n\n${tableText(heads, rows)}`;
}

async function studiesText({ name }: Benchmark): Promise<string> {
  const rows: string[][] = [];
  for (const file of filesOf("data/studies", ".yaml")) {
    const path = `data/studies/${file}`;
    const study = await readStudyFile(path);
    if (benchmarkOf(study) !== name) continue;
    const [least, most] = [Math.min(...study.lengths), Math.max(...study.lengths)].map(lengthText);
    const lengths = least === most ? least! : `${least} to ${most}`;
    rows.push([`[\`${file}\`](../../${path})`, study.title ?? "", lengths, `${study.samples}`]);
  }
  return rows.length === 0 ? "" : tableText(["Study", "What it asks", "Lengths", "Samples"], rows);
}

/** The benchmark that a study's first task is of. */
function benchmarkOf({ tasks: [first] }: Study): string | undefined {
  const [task] = namedTasks(first!.task, BENCHMARKS);
  const family = findFamily(task!, BENCHMARKS);
  return BENCHMARKS.find(({ families }) => families.some((each) => each === family))?.name;
}

async function notebooksText({ name }: Benchmark): Promise<string> {
  const lines: string[] = [];
  for (const file of filesOf("notebooks", ".ipynb")) {
    const text = await Deno.readTextFile(`notebooks/${file}`);
    if (!["benchmarks", "papers"].some((room) => text.includes(`@/lib/${room}/${name}/`))) continue;
    const [, title] = /^# (.+)$/m.exec((JSON.parse(text).cells[0].source as string[]).join(""))!;
    lines.push(`- [${file.replace(".ipynb", "")}](../../notebooks/${file}): ${title}`);
  }
  return lines.join("\n");
}

async function measuredText({ name }: Benchmark): Promise<string> {
  const runs = (await listRuns()).filter((run) => run.startsWith("measured/") && run.endsWith(`/${name}`));
  return runs.map((run) => `- \`deno task fathom report ${run}\``).join("\n");
}

async function claimsText({ claims }: Paper): Promise<string> {
  const parts: string[] = [];
  for (const set of claims) {
    const rows = (await checkOnce(set)).map(({ id, statement, source, verdict, kind }) => [
      id,
      kind === "check" ? `${statement} (our check)` : statement,
      source,
      verdict,
    ]);
    parts.push(
      `### ${set.title}\n\n${tableText(["Claim", "What is checked", "Where", "On the published numbers"], rows)}`,
    );
  }
  return parts.join("\n\n");
}

function runClaimsText({ runClaims }: Paper): string {
  if (runClaims.length === 0) return "";
  const rows = runClaims.map(({ id, statement, source }) => [id, statement, source]);
  return `\`fathom report\` decides these for a run that has what they need.\n\n${
    tableText(["Claim", "What is checked", "Where"], rows)
  }`;
}

/** The entries of docs/citing.md for a benchmark. */
async function citingText({ title }: Benchmark): Promise<string> {
  const page = await Deno.readTextFile("docs/citing.md");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`));
  return section === undefined ? "" : section.slice(title.length + 1).trim();
}

function filesOf(folder: string, ending: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(ending)).sort();
}

function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
