import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import type { DataRow } from "@/lib/exchange/mod.ts";
import { type PromptParts, questionsInId, type Role } from "@/lib/generators/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import type { Study } from "@/lib/studies/mod.ts";

/** Formats of other programs: tasks of lm-evaluation-harness and of Inspect, lines of NeMo Gym, data sets. */
export const SAMPLE_FORMS = ["lm-eval", "inspect", "gym", "hf", "kvpress"] as const;
/** The name of a format. */
export type SampleForm = typeof SAMPLE_FORMS[number];

/** Samples of one task and length. */
export interface FormCell {
  readonly task: string;
  readonly length: number;
  readonly seed: string;
  readonly scorer: Scorer;
  /** The largest output budget of its samples, in tokens. */
  readonly answerRoom: number;
  /** The samples, made lazily. */
  readonly samples: Iterable<FormSample>;
}

/** A message in the format of chat endpoints and Inspect. */
export interface FormMessage {
  readonly role: Role;
  readonly content: string;
}

/** A sample for another program. */
interface FormSample {
  readonly index: number;
  /** The prompt without the answer prefix; several messages if it has several turns. */
  readonly messages: readonly FormMessage[];
  readonly answerPrefix: string;
  /** Output budget in tokens. */
  readonly answerRoom: number;
  /** The prompt in parts; `null` if it cannot be split, or a chat template is around it. */
  readonly parts: PromptParts | null;
  /** The part of the prompt that asks. */
  readonly question: string;
  readonly references: readonly string[];
  /** Wrong answers that lower some scores. */
  readonly distractors: readonly string[];
  /** Tokens before the first target; `null` if it has no single place. */
  readonly answerOffset: number | null;
  readonly sample: string;
  /** Hash of the prompt. */
  readonly sha256: string;
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
export async function writeForm(form: SampleForm, cells: readonly FormCell[], options: FormOptions): Promise<number> {
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

type RowOf<Row extends object = object> = (cell: FormCell, sample: FormSample) => Row;

function* rowsOf<Row extends object>(cells: readonly FormCell[], rowOf: RowOf<Row>): Generator<Row> {
  for (const cell of cells) {
    for (const sample of cell.samples) yield rowOf(cell, sample);
  }
}

function* linesOf(cells: readonly FormCell[], rowOf: RowOf): Generator<string> {
  for (const row of rowsOf(cells, rowOf)) yield `${JSON.stringify(row)}\n`;
}

/** Appends the answer prefix to the last message. */
function withPrefix({ messages, answerPrefix }: FormSample): readonly FormMessage[] {
  const { role, content } = messages.at(-1)!;
  return [...messages.slice(0, -1), { role, content: content + answerPrefix }];
}

function inspectRow({ task, length, scorer }: FormCell, sample: FormSample): object {
  const { index, answerPrefix, answerRoom, references, sample: id, sha256 } = sample;
  const metadata = {
    task,
    "max_length": length,
    index,
    scoring: scorer.contains ?? scorer.name,
    scorer: scorer.name,
    "max_tokens": answerRoom,
    "answer_prefix": answerPrefix,
    sample: id,
    sha256,
    ...wrongAnswers(scorer, sample),
  };
  const messages = withPrefix(sample);
  const input = messages.length === 1 ? messages[0]!.content : messages;
  return { id: `${task}-${length}-${index}`, input, target: references, metadata };
}

/** Returns the wrong answers in the text, for scores that depend on them. */
function wrongAnswers({ needsDistractors }: Scorer, { distractors }: Pick<FormSample, "distractors">): object {
  return needsDistractors ? { distractors } : {};
}

/** Returns a line of NeMo Gym's data: the request to the model, and the facts that `fathom verify-server` scores by. */
function gymRow({ scorer }: FormCell, sample: FormSample): object {
  const { answerRoom, references, sample: id } = sample;
  return {
    "responses_create_params": { input: withPrefix(sample), "max_output_tokens": answerRoom },
    "verifier_metadata": { sample: id, scorer: scorer.name, references, ...wrongAnswers(scorer, sample) },
  };
}

/** Writes a task per cell in the group `fathom`, their samples to `data/`, and the code that reads and scores them. */
async function writeHarness(cells: readonly FormCell[], path: string, output: Output): Promise<number> {
  const names: string[] = [];
  let count = 0;
  for (const cell of cells) {
    const task = cell.task.replaceAll(/[^\w-]+/g, "_");
    const [name, file] = [`fathom_${task}_${cell.length}`, `data/${cell.length}/${task}.jsonl`];
    names.push(name);
    count += await writeLines(linesOf([cell], harnessRow), { path: join(path, file), output });
    await writeFile(join(path, `${name}.yaml`), harnessTask(cell, { name, file }));
  }
  const group = ["group: fathom", "task:", ...names.map((name) => `  - ${name}`), ""].join("\n");
  await writeFile(join(path, "fathom.yaml"), group);
  await copyCode(["fathom_tasks.py", "fathom_scores.py"], path);
  return count;
}

function harnessRow(
  { task, length, scorer }: FormCell,
  { messages, answerPrefix, references, distractors, ...sample }: FormSample,
): object {
  if (messages.length > 1) {
    throw new RangeError(
      `Cannot write task ${task} for lm-eval as its prompts must have one message, which the form inspect does not need: current value is ${messages.length} messages`,
    );
  }
  const { index, sample: id, sha256 } = sample;
  return {
    task,
    "max_length": length,
    index,
    input: messages[0]!.content,
    "answer_prefix": answerPrefix,
    outputs: references,
    sample: id,
    sha256,
    ...(scorer.contains === undefined ? { scorer: scorer.name, ...wrongAnswers(scorer, { distractors }) } : {}),
  };
}

function harnessTask(
  { scorer, answerRoom }: FormCell,
  { name, file }: { readonly name: string; readonly file: string },
): string {
  return `task: ${name}
dataset_path: ""
custom_dataset: !function fathom_tasks.load
test_split: test
output_type: generate_until
doc_to_text: "{{input}}{{answer_prefix}}"
doc_to_target: "{{outputs}}"
process_results: !function fathom_tasks.${scorer.contains === undefined ? "server_score" : `${scorer.contains}_found`}
metric_list:
  - metric: score
    aggregation: mean
    higher_is_better: true
generation_kwargs:
  do_sample: false
  temperature: 0.0
  max_gen_toks: ${answerRoom}
  until: []
metadata:
  version: 1.0
  file: ${file}
`;
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
  cells: readonly FormCell[],
  { path, output, study, again }: FormOptions,
): Promise<number> {
  const { rowOf, about } = DATA_FORMS[form];
  // Every row of a data set has the same columns.
  const hasDistractors = cells.some(({ scorer }) => scorer.needsDistractors === true);
  const write = (cell: FormCell, sample: FormSample): DataRow => {
    const { index, distractors, sample: id, sha256 } = sample;
    return {
      ...rowOf(cell, sample),
      ...(hasDistractors ? { distractors } : {}),
      length: cell.length,
      index,
      seed: cell.seed,
      sample: id,
      sha256,
    };
  };
  if (path === undefined || path.endsWith(".jsonl")) return await writeLines(linesOf(cells, write), { path, output });
  const configs = Array.from(Map.groupBy(cells, ({ length }) => length), ([length, ofLength]) => ({
    name: String(length),
    rows: rowsOf(ofLength, write),
  }));
  const tasks = [...new Set(cells.map(({ task }) => task))];
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

function chatRow({ task, scorer }: FormCell, sample: FormSample): DataRow {
  const { messages, answerPrefix, answerRoom, question, references, answerOffset } = sample;
  return {
    messages,
    "answer_prefix": answerPrefix,
    question,
    references,
    task,
    scorer: scorer.name,
    "max_new_tokens": answerRoom,
    "token_position_answer": answerOffset,
  };
}

/**
 * Returns a row of kvpress's data sets (evaluation/benchmarks/ruler/create_huggingface_dataset.py). As kvpress has one answer prefix for
 * all questions about a context, such questions end with theirs.
 */
function kvpressRow({ task }: FormCell, { parts, answerRoom, references, sample }: FormSample): DataRow {
  if (parts === null) {
    throw new RangeError(
      `Cannot write task ${task} for kvpress as its prompts must be one message, a question after its context, with --chat-template base: current value is another form`,
    );
  }
  const [question, prefix] = questionsInId(sample) === 1
    ? [parts.question, parts.answerPrefix]
    : [parts.question + parts.answerPrefix, ""];
  return {
    context: parts.context,
    question,
    "answer_prefix": prefix,
    answer: references,
    task,
    "max_new_tokens": answerRoom,
  };
}
