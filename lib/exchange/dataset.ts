import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeRows } from "./rows.ts";
import { defined, plural, sum } from "@/lib/base/mod.ts";
import { splitTexts } from "@/lib/generators/mod.ts";
import { FATHOM_VERSION, pathsOf, type Study, yamlText } from "@/lib/studies/mod.ts";

/** A row of a data set: texts, numbers, lists of texts, and messages of a prompt; `null` is a missing value. */
export type DataRow = Readonly<Record<string, string | number | null | readonly string[] | readonly object[]>>;

/** A data set in the layout of the Hugging Face Hub. */
export interface Dataset {
  /** Its configurations, each of the split `test`; rows, at least one, are not held in memory. */
  readonly configs: readonly { readonly name: string; readonly rows: Iterable<DataRow> | AsyncIterable<DataRow> }[];
  readonly title: string;
  readonly tags: readonly string[];
  /** Returns the paragraphs of the card, once the rows are written: what they are, and how to make them again. */
  about(): readonly string[];
  /** The study of the samples, which is written beside them; none for the replies of a run, whose licence is the model's. */
  readonly study?: Study | undefined;
}

const FILE = "test.jsonl";

/** Marks the card of a data set that Fathom may replace. */
const MARK = "Made by Fathom";

/**
 * Writes a data set that `datasets.load_dataset` opens: a file of JSON lines per configuration, and `README.md`, a card with the licence
 * and the files in its YAML header.
 *
 * @returns The number of rows.
 * @throws {RangeError} If a configuration has no rows, or the folder has a README.md that is not of such a data set.
 */
export async function writeDataset(folder: string, dataset: Dataset): Promise<number> {
  const card = await readFile(join(folder, "README.md"), "utf8").catch(() => MARK);
  if (!card.includes(MARK)) {
    const wanted = "its folder must be new or a data set of Fathom's";
    throw new RangeError(
      `Cannot write the data set as ${wanted}: current value is "${folder}", whose README.md is not`,
    );
  }
  const counts: number[] = [];
  for (const { name, rows } of dataset.configs) counts.push(await writeRows(rows, join(folder, name, FILE)));
  const { study } = dataset;
  if (study !== undefined) await writeFile(join(folder, "study.yaml"), await studyText(study, folder));
  await writeFile(join(folder, "README.md"), await cardText(dataset, counts));
  return sum(counts);
}

async function cardText({ title, tags, study, configs, about }: Dataset, counts: readonly number[]): Promise<string> {
  const own = study === undefined ? [] : ownTexts(study);
  let licence = "Every text comes with Fathom, under the MIT licence.";
  if (study === undefined) licence = "The licence of replies is that of their model.";
  if (own.length > 0) {
    licence = `The samples contain ${plural(own.length, "text")} of their maker's own, whose licence applies.`;
  }
  const header = await yamlText({
    "pretty_name": title,
    // The Hub's name for a licence that is not stated.
    license: study === undefined || own.length > 0 ? "unknown" : "mit",
    tags: ["long-context", "fathom", ...tags],
    configs: configs.map(({ name }) => ({
      "config_name": name,
      "data_files": [{ split: "test", path: `${name}/${FILE}` }],
    })),
  });
  return [
    `---\n${header}---\n`,
    `# ${title}\n`,
    `${MARK} ${FATHOM_VERSION}, which measures how much of its context a language model uses. ${licence}\n`,
    "```python",
    "from datasets import load_dataset\n",
    `rows = load_dataset("FOLDER", "${configs[0]!.name}", split="test")`,
    "```\n",
    "| Configuration | Rows | File |",
    "| --- | ---: | --- |",
    ...configs.map(({ name }, at) => `| \`${name}\` | ${counts[at]} | [${name}/${FILE}](${name}/${FILE}) |`),
    ...about().map((paragraph) => `\n${paragraph}`),
    "",
  ].join("\n");
}

function ownTexts({ essays, squad, hotpotqa, mmlu }: Study): readonly string[] {
  const own = /^essays_(en|zh)$/.test(essays) ? [] : splitTexts(essays);
  return [...own, squad, hotpotqa, mmlu].filter((path) => path !== undefined);
}

/** Returns the text of a file for `fathom run --study`, with paths as seen from a folder. */
async function studyText({ tasks, ...rest }: Study, folder: string): Promise<string> {
  const listed = tasks.map(({ task, name, knobs }) =>
    name === undefined && knobs === undefined ? task : { task, ...defined({ name }), ...knobs }
  );
  return await yamlText({ ...rest, tasks: listed, ...pathsOf(rest, { from: "", to: folder }) });
}
