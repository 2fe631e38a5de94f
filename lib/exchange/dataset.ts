import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defined, plural, sum, writePieces } from "@/lib/base/mod.ts";
import { type DataRow, parquetBytes } from "./rows.ts";
import { splitTexts } from "@/lib/generators/mod.ts";
import type { Fields } from "@/lib/models/mod.ts";
import { FATHOM_VERSION, pathsOf, type Study, yamlText } from "@/lib/studies/mod.ts";

/** A configuration of a data set; its rows are the split `test`. */
export interface DatasetConfig {
  /** The name, such as `4096`; the folder of its file too. */
  readonly name: string;
  /** At least one; they are not held in memory. */
  readonly rows: Iterable<DataRow> | AsyncIterable<DataRow>;
}

/** A data set in the layout of the Hugging Face Hub. */
export interface Dataset {
  readonly configs: readonly DatasetConfig[];
  /** The name that people read. */
  readonly title: string;
  readonly tags: readonly string[];
  /** Returns the paragraphs of the card, once the rows are written: what they are, and how to make them again. */
  about(): readonly string[];
  /** The study of the samples, which is written beside them; none for the replies of a run, whose licence is the model's. */
  readonly study?: Study | undefined;
  /** Returns a text of a row, in which Chinese is recognised. */
  textOf(row: DataRow): string;
}

interface WrittenConfig {
  readonly name: string;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The file of a study beside its samples, from which `fathom import` makes them again. */
export const DATASET_STUDY = "study.yaml";

/** Marks the card of a data set that Fathom may replace. */
const MARK = "Made by Fathom";

/**
 * Writes a data set that `datasets.load_dataset` opens: a Parquet file per configuration, and `README.md`, a card with the licence,
 * the languages, the size and the files in its YAML header, and the hash of each file.
 *
 * @returns The number of rows.
 * @throws {RangeError} If a configuration has no rows, or the folder has a README.md that is not of such a data set.
 */
export async function writeDataset(folder: string, dataset: Dataset): Promise<number> {
  await checkCard(folder);
  const languages = new Set<string>();
  const written: WrittenConfig[] = [];
  for (const { name, rows } of dataset.configs) {
    let count = 0;
    const counted = async function* (): AsyncGenerator<DataRow> {
      for await (const row of rows) {
        count++;
        languages.add(/\p{Script=Han}/u.test(dataset.textOf(row)) ? "zh" : "en");
        yield row;
      }
      if (count === 0) throw new RangeError("Cannot write the rows as there must be at least one: current value is 0");
    };
    const path = `${name}/test-00000-of-00001.parquet`;
    const hash = createHash("sha256");
    let bytes = 0;
    const hashed = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of parquetBytes(counted())) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    };
    await writePieces(hashed(), join(folder, path));
    written.push({ name, path, rows: count, bytes, sha256: hash.digest("hex") });
  }
  const { study } = dataset;
  if (study !== undefined) {
    const paths = pathsOf(study, { from: "", to: folder });
    await writeFile(join(folder, DATASET_STUDY), await yamlText(studyFields(study, paths)));
  }
  await writeFile(join(folder, "README.md"), await cardText(dataset, written, [...languages].sort()));
  return sum(written, ({ rows }) => rows);
}

/** Refuses to replace a README.md that is not the card of such a data set. */
async function checkCard(folder: string): Promise<void> {
  const card = await readFile(join(folder, "README.md"), "utf8").catch(() => MARK);
  if (card.includes(MARK)) return;
  throw new RangeError(
    `Cannot write the data set as its folder must be new or a data set of Fathom's: current value is "${folder}", whose README.md is not`,
  );
}

/** The Hub's names of sizes, by the number of rows that they end before. */
const SIZES = { "n<1K": 1e3, "1K<n<10K": 1e4, "10K<n<100K": 1e5, "100K<n<1M": 1e6, "1M<n<10M": 1e7 };

async function cardText(
  { title, tags, study, ...dataset }: Dataset,
  written: readonly WrittenConfig[],
  languages: readonly string[],
): Promise<string> {
  const own = study === undefined ? [] : ownTexts(study);
  const rows = sum(written, (each) => each.rows);
  const header = await yamlText({
    "pretty_name": title,
    // The Hub's name for a licence that is not stated.
    license: study === undefined || own.length > 0 ? "unknown" : "mit",
    language: languages,
    "size_categories": [Object.entries(SIZES).find(([, end]) => rows < end)?.[0] ?? "10M<n<100M"],
    tags: ["long-context", "fathom", ...tags],
    configs: written.map(({ name, path }) => ({
      "config_name": name,
      "data_files": [{ split: "test", path }],
    })),
  });
  const made = study === undefined
    ? "The licence of replies is that of their model."
    : own.length === 0
    ? "Every text comes with Fathom, under the MIT licence."
    : `The samples contain ${plural(own.length, "text")} of their maker's own, whose licence applies.`;
  const lines = written.map(({ name, path, rows, bytes, sha256 }) =>
    `| \`${name}\` | ${rows} | [${path}](${path}) | ${bytes} | \`${sha256}\` |`
  );
  return [
    `---\n${header}---\n`,
    `# ${title}\n`,
    `${MARK} ${FATHOM_VERSION}, which measures how much of its context a language model uses. ${made}\n`,
    "```python",
    "from datasets import load_dataset\n",
    `rows = load_dataset("FOLDER", "${written[0]!.name}", split="test")`,
    "```\n",
    "| Configuration | Rows | File | Bytes | SHA-256 |",
    "| --- | ---: | --- | ---: | --- |",
    ...lines,
    ...dataset.about().map((paragraph) => `\n${paragraph}`),
    "",
  ].join("\n");
}

/** Lists the user's own texts that samples of a study are made of. */
function ownTexts({ essays, squad, hotpotqa, mmlu }: Study): readonly string[] {
  const own = /^essays_(en|zh)$/.test(essays) ? [] : splitTexts(essays);
  return [...own, squad, hotpotqa, mmlu].filter((path) => path !== undefined);
}

/** Returns the fields of a file for `fathom run --study`, with some changed. */
function studyFields({ tasks, ...rest }: Study, changes: Partial<Study> = {}): Fields {
  const listed = tasks.map(({ task, name, knobs }) =>
    name === undefined && knobs === undefined ? task : { task, ...defined({ name }), ...knobs }
  );
  return { ...rest, tasks: listed, ...changes };
}
