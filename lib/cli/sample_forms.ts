import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import type { SampleCell } from "./sample_cells.ts";
import { type RulerRow, rulerRow } from "@/lib/benchmarks/ruler/ruler_rows.ts";
import type { DataRow } from "@/lib/exchange/mod.ts";
import { answerRoomAt, questionsInId, type Sample, splitPrompt } from "@/lib/generators/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import type { Study } from "@/lib/studies/mod.ts";

/** Formats of other programs: tasks of lm-evaluation-harness and of Inspect, lines of NeMo Gym, data sets. */
export const SAMPLE_FORMS = ["lm-eval", "inspect", "gym", "hf", "kvpress"] as const;
/** The name of a format. */
export type SampleForm = typeof SAMPLE_FORMS[number];

/** A message in the format of chat endpoints and Inspect. */
type FormMessage = NonNullable<RulerRow["messages"]>[number];

/** A sample with its line of RULER's data files. */
interface FormSample {
  readonly sample: Sample;
  readonly row: RulerRow;
  /** The prompt without the answer prefix; several messages if it has several turns. */
  readonly messages: readonly FormMessage[];
}

/** Where samples are written, and what they are made of. */
export interface FormOptions {
  /** A folder, or a file for lines (by default standard output). */
  readonly path: string | undefined;
  readonly output: Output;
  readonly study: Study;
  /** The flags that make the samples of the study again, for the card of a data set. */
  readonly again: string;
}

/**
 * Writes samples in the format of another program.
 *
 * @returns The number of samples.
 * @throws {RangeError} If the folder is missing, or the program cannot ask a task's prompts.
 */
export async function writeForm(form: SampleForm, cells: readonly SampleCell[], options: FormOptions): Promise<number> {
  const { path, output } = options;
  if (form === "gym") return await writeLines(linesOf(cells, gymRow), { path, output });
  if (form === "hf" || form === "kvpress") return await writeDataForm(form, cells, options);
  if (path === undefined) {
    throw new RangeError(`Cannot write the format ${form} as --out must name a folder: current value is none`);
  }
  if (form === "lm-eval") return await writeHarness(cells, path, output);
  const count = await writeLines(linesOf(cells, inspectRow), { path: join(path, "samples.jsonl"), output });
  await copyCode(["fathom_task.py", "fathom_scores.py"], path);
  return count;
}

type RowOf<Row extends object = object> = (cell: SampleCell, sample: FormSample) => Row;

function* rowsOf<Row extends object>(cells: readonly SampleCell[], rowOf: RowOf<Row>): Generator<Row> {
  for (const cell of cells) {
    for (const sample of cell.samples(0, cell.count)) {
      const row = rulerRow(cell.task, sample, cell.template);
      yield rowOf(cell, { sample, row, messages: row.messages ?? [{ role: "user", content: row.input! }] });
    }
  }
}

function* linesOf(cells: readonly SampleCell[], rowOf: RowOf): Generator<string> {
  for (const row of rowsOf(cells, rowOf)) yield `${JSON.stringify(row)}\n`;
}

/** Appends the answer prefix to the last message. */
function withPrefix({ messages, row }: FormSample): readonly FormMessage[] {
  const { role, content } = messages.at(-1)!;
  return [...messages.slice(0, -1), { role, content: content + row.answer_prefix }];
}

function inspectRow({ task: { name: task, scorer }, length }: SampleCell, made: FormSample): object {
  const { index, answerRoom, references, id, sha256 } = made.sample;
  const metadata = {
    task,
    "max_length": length,
    index,
    scoring: scorer.contains ?? scorer.name,
    scorer: scorer.name,
    "max_tokens": answerRoom,
    "answer_prefix": made.row.answer_prefix,
    sample: id,
    sha256,
    ...wrongAnswers(scorer, made),
  };
  const messages = withPrefix(made);
  const input = messages.length === 1 ? messages[0]!.content : messages;
  return { id: `${task}-${length}-${index}`, input, target: references, metadata };
}

/** Returns the wrong answers in the text, for scores that depend on them. */
function wrongAnswers({ needsDistractors }: Scorer, { sample: { distractors = [] } }: FormSample): object {
  return needsDistractors ? { distractors } : {};
}

/** Returns a line of NeMo Gym's data: the request to the model, and the facts that `fathom verify-server` scores by. */
function gymRow({ task: { scorer } }: SampleCell, made: FormSample): object {
  const { answerRoom, references, id } = made.sample;
  return {
    "responses_create_params": { input: withPrefix(made), "max_output_tokens": answerRoom },
    "verifier_metadata": { sample: id, scorer: scorer.name, references, ...wrongAnswers(scorer, made) },
  };
}

/** Writes a task per cell in the group `fathom`, their samples to `data/`, and the code that reads and scores them. */
async function writeHarness(cells: readonly SampleCell[], path: string, output: Output): Promise<number> {
  const template = await readFile(new URL("sample_forms/task.yaml", import.meta.url), "utf8");
  const names: string[] = [];
  let count = 0;
  for (const cell of cells) {
    const task = cell.task.name.replaceAll(/[^\w-]+/g, "_");
    const [name, file] = [`fathom_${task}_${cell.length}`, `data/${cell.length}/${task}.jsonl`];
    names.push(name);
    count += await writeLines(linesOf([cell], harnessRow), { path: join(path, file), output });
    await writeFile(join(path, `${name}.yaml`), harnessTask(template, cell, { name, file }));
  }
  const group = ["group: fathom", "task:", ...names.map((name) => `  - ${name}`), ""].join("\n");
  await writeFile(join(path, "fathom.yaml"), group);
  await copyCode(["fathom_tasks.py", "fathom_scores.py"], path);
  return count;
}

function harnessRow({ task: { name: task, scorer }, length }: SampleCell, made: FormSample): object {
  const { sample: { index, id, sha256, references }, row, messages } = made;
  if (messages.length > 1) {
    throw new RangeError(
      `Cannot write task ${task} for lm-eval as its prompts must have one message, which the form inspect does not need: current value is ${messages.length} messages`,
    );
  }
  return {
    task,
    "max_length": length,
    index,
    input: row.input,
    "answer_prefix": row.answer_prefix,
    outputs: references,
    sample: id,
    sha256,
    ...(scorer.contains === undefined ? { scorer: scorer.name, ...wrongAnswers(scorer, made) } : {}),
  };
}

/** Fills in the declaration of a task. */
function harnessTask(
  template: string,
  { task, length }: SampleCell,
  named: Readonly<Record<"name" | "file", string>>,
): string {
  const { contains } = task.scorer;
  const score = contains === undefined ? "server_score" : `${contains}_found`;
  const words: Readonly<Record<string, string | number>> = { ...named, score, room: answerRoomAt(task, length) };
  return template.replaceAll(/\$(\w+)/g, (_, word: string) => String(words[word]));
}

/** Copies Python code that reads and scores the samples. */
export async function copyCode(names: readonly string[], folder: string): Promise<void> {
  for (const name of names) await copyFile(new URL(`sample_forms/${name}`, import.meta.url), join(folder, name));
}

/** Forms of data sets: JSON lines on standard output or in a .jsonl file, otherwise a folder with a configuration per length. */
const DATA_FORMS = {
  hf: {
    rowOf: chatRow,
    about:
      "`messages` is the prompt; the reply continues `answer_prefix`, which is empty for some tasks. `references` are the right answers, scored by `scorer`.",
  },
  kvpress: {
    rowOf: kvpressRow,
    about:
      "The columns are those of the data sets of NVIDIA's kvpress: `context`, `question` and `answer_prefix` joined are the prompt, and kvpress compresses the cache of the context. `fathom import` reads kvpress's predictions.",
  },
} as const;

async function writeDataForm(
  form: keyof typeof DATA_FORMS,
  cells: readonly SampleCell[],
  { path, output, study, again }: FormOptions,
): Promise<number> {
  const { rowOf, about } = DATA_FORMS[form];
  // Every row of a data set has the same columns.
  const hasDistractors = cells.some(({ task }) => task.scorer.needsDistractors === true);
  const write = (cell: SampleCell, made: FormSample): DataRow => {
    const { index, distractors = [], id, sha256 } = made.sample;
    return {
      ...rowOf(cell, made),
      ...(hasDistractors ? { distractors } : {}),
      length: cell.length,
      index,
      seed: study.seed,
      sample: id,
      sha256,
    };
  };
  if (path === undefined || path.endsWith(".jsonl")) return await writeLines(linesOf(cells, write), { path, output });
  const configs = Array.from(Map.groupBy(cells, ({ length }) => length), ([length, ofLength]) => ({
    name: String(length),
    rows: rowsOf(ofLength, write),
  }));
  const tasks = [...new Set(cells.map(({ task }) => task.name))];
  // Imported on demand, as it loads the reports too.
  const { writeDataset } = await import("@/lib/exchange/mod.ts");
  return await writeDataset(path, {
    configs,
    tags: [form === "hf" ? "evaluation" : form],
    study,
    title: study.title === "untitled" ? study.tasks.map(({ task, name = task }) => name).join(", ") : study.title,
    about: () => [
      `Tasks: ${
        tasks.join(", ")
      }. A configuration has the prompts of a length in tokens, room for the answer included. ${about}`,
      `Each row is a function of its \`sample\`, an id, and has the SHA-256 of its prompt. Make the data set again:\n\n` +
      `\`\`\`sh\nfathom generate --study study.yaml --format ${form}${again} --out FOLDER/\n\`\`\``,
    ],
  });
}

function chatRow({ task }: SampleCell, { sample, row, messages }: FormSample): DataRow {
  return {
    messages,
    "answer_prefix": row.answer_prefix,
    question: sample.question,
    references: sample.references,
    task: task.name,
    scorer: task.scorer.name,
    "max_new_tokens": sample.answerRoom,
    "token_position_answer": row.token_position_answer,
  };
}

/**
 * Returns a row of kvpress's data sets (evaluation/benchmarks/ruler/create_huggingface_dataset.py). As kvpress has one answer prefix for
 * all questions about a context, such questions end with theirs.
 */
function kvpressRow({ task: { name: task }, template }: SampleCell, { sample }: FormSample): DataRow {
  const parts = template.before + template.after === "" ? splitPrompt(sample) : null;
  if (parts === null) {
    throw new RangeError(
      `Cannot write task ${task} for kvpress as its prompts must be one message, a question after its context, with --chat-template base: current value is another form`,
    );
  }
  const [question, prefix] = questionsInId(sample.id) === 1
    ? [parts.question, parts.answerPrefix]
    : [parts.question + parts.answerPrefix, ""];
  return {
    context: parts.context,
    question,
    "answer_prefix": prefix,
    answer: sample.references,
    task,
    "max_new_tokens": sample.answerRoom,
  };
}
