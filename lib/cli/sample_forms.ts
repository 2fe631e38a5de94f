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
interface FormSample {
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

/**
 * Writes samples in the format of another program.
 *
 * @param options `path` is a folder, for `openai` a file (by default standard output); `model` is the model to ask, for `openai`.
 * @returns The number of samples.
 * @throws {RangeError} If the folder or the model is missing, or the program cannot compute a task's score.
 */
export async function writeForm(
  form: SampleForm,
  cells: readonly FormCell[],
  { path, output, model }: {
    readonly path: string | undefined;
    readonly output: Output;
    readonly model: string | undefined;
  },
): Promise<number> {
  if (form === "openai") {
    if (model !== undefined) return await writeLines(linesOf(cells, batchRow(model)), { path, output });
    throw new RangeError("Cannot write batch lines as --model must name the model to ask: current value is none");
  }
  if (path === undefined) {
    throw new RangeError(`Cannot write the format ${form} as --out must name a folder: current value is none`);
  }
  const unsupported = cells.find(({ scorer }) => scorer.contains === undefined);
  if (unsupported !== undefined) {
    throw new RangeError(
      `Cannot write task ${unsupported.task} in that form as its scorer must declare "contains", as RULER's do: current value is the ` +
        `scorer "${unsupported.scorer.name}"`,
    );
  }
  if (form === "lm-eval") return await writeHarness(cells, path, output);
  const count = await writeLines(linesOf(cells, inspectRow), { path: join(path, "samples.jsonl"), output });
  await copyCode("fathom_task.py", path);
  return count;
}

type RowOf = (cell: FormCell, sample: FormSample) => object;

function* linesOf(cells: readonly FormCell[], rowOf: RowOf): Generator<string> {
  for (const cell of cells) {
    for (const sample of cell.samples) yield `${JSON.stringify(rowOf(cell, sample))}\n`;
  }
}

/** Returns lines of an OpenAI batch; `custom_id` is task, length and number. */
function batchRow(model: string): RowOf {
  return ({ task, length, answerRoom }, sample) => ({
    "custom_id": `${task}/${length}/${sample.index}`,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model, messages: withPrefix(sample), temperature: 0, "max_tokens": answerRoom },
  });
}

/** Appends the answer prefix to the last message. */
function withPrefix({ messages, answerPrefix }: FormSample): readonly FormMessage[] {
  const { role, content } = messages.at(-1)!;
  return [...messages.slice(0, -1), { role, content: content + answerPrefix }];
}

function inspectRow({ task, length, scorer, answerRoom }: FormCell, sample: FormSample): object {
  const { index, answerPrefix, references, sample: id, sha256 } = sample;
  const metadata = {
    ...{ task, max_length: length, index, scoring: scorer.contains, max_tokens: answerRoom },
    ...{ answer_prefix: answerPrefix, sample: id, sha256 },
  };
  const messages = withPrefix(sample);
  const input = messages.length === 1 ? messages[0]!.content : messages;
  return { id: `${task}-${length}-${index}`, input, target: references, metadata };
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
    await Deno.writeTextFile(join(path, `${name}.yaml`), harnessTask(cell, { name, file }));
  }
  const group = ["group: fathom", "task:", ...names.map((name) => `  - ${name}`), ""].join("\n");
  await Deno.writeTextFile(join(path, "fathom.yaml"), group);
  await copyCode("fathom_tasks.py", path);
  return count;
}

function harnessRow({ task, length }: FormCell, { messages, answerPrefix, references, ...sample }: FormSample): object {
  if (messages.length > 1) {
    throw new RangeError(
      `Cannot write task ${task} for lm-eval as its prompts must have one message, which the forms inspect and openai do not need: current value is ${messages.length} messages`,
    );
  }
  const { index, sample: id, sha256 } = sample;
  return {
    ...{ task, max_length: length, index, input: messages[0]!.content, answer_prefix: answerPrefix },
    ...{ outputs: references, sample: id, sha256 },
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
  file: ${file}
`;
}

/** Copies the Python code that reads and scores the samples. */
async function copyCode(name: string, folder: string): Promise<void> {
  await Deno.copyFile(new URL(`sample_forms/${name}`, import.meta.url), join(folder, name));
}
