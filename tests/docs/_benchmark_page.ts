import { disagreements } from "../papers/ruler/_disagreements.ts";
import { lengthText } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { BENCHMARKS, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { listRuns } from "@/lib/records/mod.ts";
import { readStudyFile, type Study } from "@/lib/studies/mod.ts";

/** The second half of a benchmark's page: its tasks, studies, notebooks and measured runs, and where it is cited. */
export async function factsOf(benchmark: Benchmark, materials: Materials): Promise<string> {
  const parts = [
    ["Tasks", tasksText(benchmark, materials)],
    ["Studies", await studiesText(benchmark)],
    ["Notebooks", await notebooksText(benchmark)],
    ["Measured", await measuredText(benchmark)],
    ["Where the published numbers disagree", benchmark.name === "ruler" ? await disagreementsText() : ""],
    ["Cite", await citingText(benchmark)],
  ];
  return parts.filter(([, text]) => text !== "").map(([title, text]) => `## ${title}\n\n${text}\n`).join("\n");
}

function tasksText({ families, tasks }: Benchmark, materials: Materials): string {
  const abouts = families.map((family) => {
    const categories = [...new Set(family.tasks.map((task) => family.task(task).category))].join(", ");
    const knobs = Object.keys(family.knobs).map((knob) => `\`${knob}\``).join(", ");
    return `- \`${family.name}\` (${categories}): ${family.about}. Knobs: ${knobs}.`;
  });
  const scores = families.flatMap(({ scorers }) =>
    scorers.map((scorer) => `- Score **${scorer.name}**: ${scorer.about}.`)
  );
  const rows = families.flatMap((family) =>
    family.tasks.map((name) => {
      const { scorer, answerRoom, answerShare, ...task } = family.task(name);
      return [
        `\`${name}\``,
        tasks.includes(name) ? "yes" : "",
        scorer.name,
        answerShare === undefined ? `${answerRoom}` : `${Math.round(100 * answerShare)}%`,
        `${task.leastLength(materials)}`,
      ];
    })
  );
  const heads = ["Task", "By default", "Score", "Answer room", "From, in tokens"];
  return `${[...abouts, ...new Set(scores)].join("\n")}\n\n${tableText(heads, rows)}\n\n` +
    "`fathom tasks NAME` prints the ranges of knobs and the words of a prompt.";
}

async function studiesText({ name }: Benchmark): Promise<string> {
  const lines: string[] = [];
  for (const file of filesOf("data/studies", ".yaml")) {
    const path = `data/studies/${file}`;
    const study = await readStudyFile(path);
    if (benchmarkOf(study) !== name) continue;
    const [least, most] = [Math.min(...study.lengths), Math.max(...study.lengths)].map(lengthText);
    const lengths = least === most ? least! : `${least} to ${most}`;
    const samples = study.samples === 1 ? "1 sample" : `${study.samples} samples`;
    lines.push(`- [\`${file}\`](../../${path}): ${study.title ?? ""}; ${lengths}, ${samples}`);
  }
  return lines.join("\n");
}

/** The benchmark that a study's first task is of. */
function benchmarkOf({ tasks: [first] }: Study): string | undefined {
  const [task] = namedTasks(first!.task, BENCHMARKS);
  const family = findFamily(task!, BENCHMARKS);
  return BENCHMARKS.find(({ families }) => families.some((each) => each === family))?.name;
}

async function notebooksText({ name, paper }: Benchmark): Promise<string> {
  const lines: string[] = [];
  const checking: string[] = [];
  for (const file of filesOf("notebooks", ".ipynb")) {
    const text = await Deno.readTextFile(`notebooks/${file}`);
    if (!["benchmarks", "papers"].some((room) => text.includes(`@/lib/${room}/${name}/`))) continue;
    const [, title] = /^# (.+)$/m.exec((JSON.parse(text).cells[0].source as string[]).join(""))!;
    lines.push(`- [${file.replace(".ipynb", "")}](../../notebooks/${file}): ${title}`);
    if (/claimTable/i.test(text) && text.includes(`@/lib/papers/${name}/`)) checking.push(file.slice(0, 2));
  }
  if (checking.length === 0) return lines.join("\n");
  const notebooks = checking.length === 1 ? `Notebook ${checking[0]} checks` : `Notebooks ${checking.join(", ")} check`;
  const ofRuns = (await paper?.())?.runClaims.length ? ", and `fathom report` those that a run decides" : "";
  return `${lines.join("\n")}\n\n${notebooks} the claims of its authors${ofRuns}.`;
}

async function measuredText({ name }: Benchmark): Promise<string> {
  const pattern = new RegExp(`^measured/[^/]+/${name}(_configurations)?$`);
  const runs = (await listRuns()).filter((run) => pattern.test(run));
  return runs.map((run) => `- \`deno task fathom report ${run}\``).join("\n");
}

const EDITIONS = { v1: "first", v3: "third", repository: "repository" };

/** RULER's numbers that disagree with each other, those of one reason together. */
async function disagreementsText(): Promise<string> {
  const found = disagreements(await openPublished());
  const groups = Map.groupBy(found, ({ cause, why }) => `**${cause[0]!.toUpperCase()}${cause.slice(1)}.** ${why}`);
  const parts = Array.from(groups, ([reason, places]) => {
    const lines = places.map(({ edition, where, printed, expected }) =>
      `  - ${EDITIONS[edition]}, ${where.replaceAll("*", "\\*")}: ${printed}, expected ${expected}`
    );
    return `- ${reason}\n${lines.join("\n")}`;
  });
  return "Every average, rank, effective length, total and threshold of the tables was computed again from the scores beside it, " +
    "and compared with the figures and the other version. These places of the paper's first and third version and of its " +
    "repository differ by more than rounding explains. Of a threshold it is " +
    "unknown which number is right; an edition agrees with itself, and a later one prints another value.\n\n" +
    parts.join("\n");
}

/** A link to the entries of docs/citing.md, where it has the benchmark. */
async function citingText({ title }: Benchmark): Promise<string> {
  const page = await Deno.readTextFile("docs/citing.md");
  if (!page.includes(`\n## ${title}\n`)) return "";
  return `[Entries for BibTeX](../citing.md#${title.toLowerCase().replaceAll(" ", "-")}).`;
}

function filesOf(folder: string, ending: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(ending)).sort();
}

function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
