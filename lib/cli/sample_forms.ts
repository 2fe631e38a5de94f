import { join } from "node:path";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import type { Role } from "@/lib/generators/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** Formats of other programs: tasks of lm-evaluation-harness and of Inspect, lines of OpenAI batches. */
export const SAMPLE_FORMS = ["lm-eval", "inspect", "openai"] as const;
/** The name of a format. */
export type SampleForm = typeof SAMPLE_FORMS[number];

/** Samples of one task and length. */
export interface FormCell {
  readonly task: string;
  readonly length: number;
  readonly scorer: Scorer;
  /** Output budget in tokens. */
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
export interface FormSample {
  readonly index: number;
  /** The prompt without the answer prefix; several messages if it has several turns. */
  readonly messages: readonly FormMessage[];
  readonly answerPrefix: string;
  readonly references: readonly string[];
  /** Its id. */
  readonly sample: string;
  /** Hash of the prompt. */
  readonly sha256: string;
}

/** Options for {@linkcode writeForm}. */
export interface WriteFormOptions {
  /** A folder; for `openai` a file, by default standard output. */
  readonly path: string | undefined;
  readonly output: Output;
  /** The model to ask, for `openai`. */
  readonly model: string | undefined;
}

/**
 * Writes samples in the format of another program.
 *
 * @returns The number of samples.
 * @throws {RangeError} If the folder or the model is missing, or the program cannot compute a task's score.
 */
export async function writeForm(
  form: SampleForm,
  cells: readonly FormCell[],
  { path, output, model }: WriteFormOptions,
): Promise<number> {
  if (form === "openai") {
    if (model === undefined) {
      throw new RangeError("Cannot write batch lines as --model must name the model to ask: current value is none");
    }
    return await writeLines(batchLines(cells, model), { path, output, makesFolder: true });
  }
  if (path === undefined) {
    throw new RangeError(`Cannot write the format ${form} as --out must name a folder: current value is none`);
  }
  for (const { task, scorer } of cells) checkScorer(task, scorer);
  return form === "lm-eval" ? await writeHarness(cells, { path, output }) : await writeInspect(cells, { path, output });
}

/** Refuses scores that the Python code beside the samples cannot compute. */
function checkScorer(task: string, { name, contains }: Scorer): void {
  if (contains !== undefined) return;
  throw new RangeError(
    `Cannot write task ${task} in that form as its scorer must declare "contains", as RULER's do: current value is the ` +
      `scorer "${name}"`,
  );
}

/** Yields a line of an OpenAI batch for each sample; `custom_id` is task, length and number. */
function* batchLines(cells: readonly FormCell[], model: string): Generator<string> {
  for (const { task, length, answerRoom, samples } of cells) {
    for (const { index, messages, answerPrefix } of samples) {
      const line = {
        "custom_id": `${task}/${length}/${index}`,
        method: "POST",
        url: "/v1/chat/completions",
        body: {
          model,
          messages: appendPrefix(messages, answerPrefix),
          temperature: 0,
          "max_tokens": answerRoom,
        },
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

/** Appends the answer prefix to the last message. */
function appendPrefix(messages: readonly FormMessage[], answerPrefix: string): readonly FormMessage[] {
  const { role, content } = messages.at(-1)!;
  return [...messages.slice(0, -1), { role, content: content + answerPrefix }];
}

/** Returns the text of the only message; lm-evaluation-harness supports no more. */
function onlyText(messages: readonly FormMessage[], task: string): string {
  if (messages.length === 1) return messages[0]!.content;
  throw new RangeError(
    `Cannot write task ${task} for lm-eval as its prompts must have one message, which the forms inspect and openai do not need: current value is ${messages.length} messages`,
  );
}

/** What is known of a folder of files. */
interface FolderOptions {
  readonly path: string;
  readonly output: Output;
}

/** Writes a task per cell in the group `fathom`, their samples to `data/`, and the code that reads and scores them. */
async function writeHarness(cells: readonly FormCell[], { path, output }: FolderOptions): Promise<number> {
  let count = 0;
  for (const cell of cells) {
    count += await writeLines(harnessLines(cell), {
      path: join(path, harnessData(cell)),
      output,
      makesFolder: true,
    });
    await Deno.writeTextFile(join(path, `${harnessName(cell)}.yaml`), harnessTask(cell));
  }
  const group = ["group: fathom", "task:", ...cells.map((cell) => `  - ${harnessName(cell)}`), ""].join("\n");
  await Deno.writeTextFile(join(path, "fathom.yaml"), group);
  await copyCode("fathom_tasks.py", path);
  return count;
}

function harnessName({ task, length }: FormCell): string {
  return `fathom_${task.replaceAll(/[^\w-]+/g, "_")}_${length}`;
}

function harnessData({ task, length }: FormCell): string {
  return `data/${length}/${task.replaceAll(/[^\w-]+/g, "_")}.jsonl`;
}

function* harnessLines({ task, length, samples }: FormCell): Generator<string> {
  for (const { index, messages, answerPrefix, references, sample, sha256 } of samples) {
    const input = onlyText(messages, task);
    const row = {
      ...{ task, max_length: length, index, input, answer_prefix: answerPrefix, outputs: references, sample, sha256 },
    };
    yield `${JSON.stringify(row)}\n`;
  }
}

function harnessTask(cell: FormCell): string {
  const { scorer, answerRoom } = cell;
  return `task: ${harnessName(cell)}
dataset_path: ""
custom_dataset: !function fathom_tasks.load
test_split: test
output_type: generate_until
doc_to_text: "{{input}}{{answer_prefix}}"
doc_to_target: "{{outputs}}"
process_results: !function fathom_tasks.${scorer.contains}_found
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
  file: ${harnessData(cell)}
`;
}

/** Writes all samples to one data set, and a task that asks and scores them. */
async function writeInspect(cells: readonly FormCell[], { path, output }: FolderOptions): Promise<number> {
  const count = await writeLines(inspectLines(cells), { path: join(path, "samples.jsonl"), output, makesFolder: true });
  await copyCode("fathom_task.py", path);
  return count;
}

function* inspectLines(cells: readonly FormCell[]): Generator<string> {
  for (const { task, length, scorer, answerRoom, samples } of cells) {
    for (const { index, messages, answerPrefix, references, sample, sha256 } of samples) {
      const metadata = {
        ...{
          task,
          max_length: length,
          index,
          scoring: scorer.contains,
          max_tokens: answerRoom,
          answer_prefix: answerPrefix,
        },
        ...{ sample, sha256 },
      };
      const whole = appendPrefix(messages, answerPrefix);
      const input = whole.length === 1 ? whole[0]!.content : whole;
      const row = { id: `${task}-${length}-${index}`, input, target: references, metadata };
      yield `${JSON.stringify(row)}\n`;
    }
  }
}

/** Copies the Python code that reads and scores the samples. */
async function copyCode(name: string, folder: string): Promise<void> {
  const code = await Deno.readTextFile(new URL(`sample_forms/${name}`, import.meta.url));
  await Deno.writeTextFile(join(folder, name), code);
}
