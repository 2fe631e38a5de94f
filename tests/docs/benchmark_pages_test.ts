import { deepEqual, equal, match } from "node:assert/strict";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";

// A page says in words what is measured and what differs; `fathom tasks NAME` prints the rest. Its last line, and the lists of
// suites in README.md and docs/comparison.md, follow from the registry: `deno task record` writes them.
const HEADINGS = ["## What it measures", "## What differs", "## Run it"];
const isUpdate = Deno.args.includes("--update");
const RECORD = "write it with `deno task record`";

/** The last line of a page, by its beginning. */
const LAST_LINE = /\n+`fathom tasks [^\n]*\n*$/;

/** Notebooks that check the claims of a paper, by number. */
function notebooksOf(name: string): readonly string[] {
  const files = [...Deno.readDirSync("notebooks")].map((file) => file.name).filter((file) => file.endsWith(".ipynb"));
  return files.sort().filter((file) => {
    const text = Deno.readTextFileSync(`notebooks/${file}`);
    return text.includes(`@/lib/papers/${name}/`) && /claimTable/i.test(text);
  });
}

/** Where else a reader finds something about a suite. */
function lastLineOf({ name, title, paper }: Benchmark): string {
  const links = notebooksOf(name).map((file) => `[${file.slice(0, 2)}](../../notebooks/${file})`);
  const anchor = title.toLowerCase().replaceAll(" ", "-");
  return [
    `\`fathom tasks ${name}\` prints tasks, knobs and scores.`,
    ...(links.length === 0 ? [] : [`Claims: ${links.length === 1 ? "notebook" : "notebooks"} ${links.join(", ")}.`]),
    ...(paper === undefined ? [] : [`[Cite](../citing.md#${anchor}).`]),
  ].join(" ");
}

/** Compares a text with what it must be, or writes it. */
async function keep(path: string, { text, wanted }: { readonly text: string; readonly wanted: string }): Promise<void> {
  if (isUpdate && text !== wanted) await Deno.writeTextFile(path, wanted);
  else equal(text, wanted, `${path}: ${RECORD}`);
}

Deno.test.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))(
  "docs/benchmarks/%s.md has its parts, and says at its end where to find more",
  async (name, benchmark) => {
    const path = `docs/benchmarks/${name}.md`;
    const text = await Deno.readTextFile(path);
    match(text, new RegExp(`^(?:<!-- deno-fmt-ignore-file -->\n\n)?# ${benchmark.title}\n`));
    const missing = HEADINGS.filter((heading) => !text.includes(`\n${heading}\n`));
    deepEqual(missing, [], `${path} must have the headings ${HEADINGS.join(", ")}`);
    await keep(path, { text, wanted: `${text.replace(LAST_LINE, "").trimEnd()}\n\n${lastLineOf(benchmark)}\n` });
    const cited = benchmark.paper === undefined ||
      (await Deno.readTextFile("docs/citing.md")).includes(`\n## ${benchmark.title}\n`);
    equal(cited, true, `docs/citing.md must have "## ${benchmark.title}", as the suite has a paper`);
  },
);

Deno.test("README.md and docs/comparison.md list the suites of the registry", async () => {
  const links = BENCHMARKS.map(({ name, title }) => `[${title}](docs/benchmarks/${name}.md)`).join(", ");
  const titles = BENCHMARKS.map(({ title }) => title).join(", ");
  const lists = {
    "README.md": [/(?<=Benchmarks: ).*?(?=\.\n)/, links],
    "docs/comparison.md": [/(?<=\nSuites of Fathom: ).*?(?=\.\n)/, titles],
  } as const;
  for (const [path, [place, list]] of Object.entries(lists)) {
    const text = await Deno.readTextFile(path);
    match(text, place);
    await keep(path, { text, wanted: text.replace(place, () => list) });
  }
});
