import { type Command, Option } from "commander";
import type { Output } from "./output.ts";
import {
  addBenchmarkFlag,
  addFirstFlag,
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  length,
  names,
  noteRenamed,
  openBenchmarks,
  readFirstFlag,
  readMaterialFlags,
  readTaskChoices,
  wholeNumber,
} from "./task_flags.ts";
import type { ChatTemplate, Sample, SampleRequest, Task } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials, SERVER_TOKENIZER } from "@/lib/runs/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom generate`: samples as JSON lines. */
export function addGenerateCommand(program: Command, output: Output): void {
  const command = program.command("generate")
    .summary("print samples as JSON lines")
    .description(
      "Prints samples as JSON lines, with the fields of RULER's own files: `index, input, answer_prefix, outputs, " +
        "length`, where `length` counts input, prefix and answer room in tokens.\n" +
        "Sample i is the same whatever is printed with it, so --first-sample 2 --samples 1 prints sample 2 alone.\n" +
        "The 2024 variant keeps the prefix at the end of `input`, as RULER's files of 2024 do.",
    )
    .requiredOption(
      "--task <names>",
      "comma-separated tasks, families or benchmarks, or all; see `fathom tasks`",
      names,
    )
    .requiredOption("--length <tokens>", "tokens of prompt and answer room together, such as 4096 or 4K", length)
    .option("--samples <n>", "samples per task", wholeNumber(1), 1)
    .option("--chat-template <name>", `chat template to put the prompt into: ${CHAT_TEMPLATES.join(", ")}`)
    .addOption(new Option("--template <name>").hideHelp())
    .option("--facts", "also print every planted fact with its depth and token offset")
    .option("--out <file>", "write to a file instead of standard output");
  addKnobFlags(addMaterialFlags(addBenchmarkFlag(addFirstFlag(command))));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom generate --task niah_single_2 --length 4096 --samples 3 --seed 42 --tokenizer cl100k_base\n" +
      "  fathom generate --task niah --set keys=8 --set haystack=noise --length 32K | head -1\n" +
      "  fathom generate --task qa_1 --squad dev-v2.0.json --length 8K --samples 500 --out qa_1.jsonl",
  );
  command.action(async (flags: Flags) => {
    if (flags.template !== undefined) noteRenamed("--template", "--chat-template", output);
    const lines = await generateLines(flags, output);
    await writeLines(lines, { path: flags.out as string | undefined, output });
  });
}

async function generateLines(flags: Flags, output: Output): Promise<Iterable<string>> {
  const benchmarks = await openBenchmarks(flags);
  const study = checkStudy({
    ...readMaterialFlags(flags),
    tasks: readTaskChoices(flags.task as string[], { flags, benchmarks }),
    lengths: [flags.length],
    samples: flags.samples,
    first: readFirstFlag(flags, output) ?? 0,
  }, { where: "the flags" });
  const template = chatTemplate((flags.chatTemplate ?? flags.template ?? "base") as string);
  const tasks = makeTasks(study, benchmarks);
  if (study.tokenizer === SERVER_TOKENIZER) {
    throw new RangeError(
      `Cannot generate samples as the tokenizer must be one that counts without a server: current value is "${study.tokenizer}"`,
    );
  }
  const materials = await openMaterials(study);
  const last = study.first + study.samples;
  function* lines(): Generator<string> {
    for (const task of tasks) {
      for (let index = study.first; index < last; index++) {
        const request = { length: study.lengths[0]!, seed: study.seed, index, materials, template };
        yield `${JSON.stringify(toRow(task, { ...request, withFacts: flags.facts === true }))}\n`;
      }
    }
  }
  return lines();
}

/** A row of RULER's data files, then what Fathom adds. */
interface Row {
  readonly index: number;
  readonly input: string;
  readonly outputs: readonly string[];
  readonly length: number;
  readonly "answer_prefix": string;
  readonly "token_position_answer": number | null;
  readonly task: string;
  readonly sample: string;
  readonly sha256: string;
  /** On which the score depends, so that `fathom score` needs them. */
  readonly distractors?: readonly string[];
  readonly facts?: Sample["facts"];
}

function toRow(
  task: Task,
  request: SampleRequest & { readonly template: ChatTemplate; readonly withFacts: boolean },
): Row {
  const { template, withFacts } = request;
  const sample = task.sample(request);
  const { user, answerPrefix = "", wrapping: { before, after } = template } = sample.prompt;
  const prefixInside = task.options.variant === "2024";
  return {
    index: sample.index,
    input: before + user + after + (prefixInside ? answerPrefix : ""),
    outputs: sample.references,
    length: sample.promptTokens + sample.answerRoom,
    answer_prefix: prefixInside ? "" : answerPrefix,
    token_position_answer: sample.facts.find(({ role }) => role === "target")?.tokenOffset ?? null,
    task: task.name,
    sample: sample.id,
    sha256: sample.sha256,
    ...(task.scorer.needsDistractors ? { distractors: sample.distractors ?? [] } : {}),
    ...(withFacts ? { facts: sample.facts } : {}),
  };
}

/**
 * Writes lines one by one, to a file or to the output.
 *
 * A file gets its name when it is complete. The first line is made before anything is written, so that wrong input leaves
 * nothing behind.
 */
async function writeLines(
  lines: Iterable<string>,
  { path, output }: { readonly path: string | undefined; readonly output: Output },
): Promise<void> {
  const iterator = lines[Symbol.iterator]();
  let next = iterator.next();
  if (path === undefined) {
    for (; !next.done; next = iterator.next()) await output.write(next.value);
    return;
  }
  await checkPlace(path);
  const part = `${path}.part`;
  const file = await createFile(part, path);
  try {
    const count = await writeAll(file, { next, iterator });
    await Deno.rename(part, path);
    output.note(`${path}: ${count} ${plural(count, "line")}`);
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
}

async function writeAll(
  file: Deno.FsFile,
  lines: { readonly next: IteratorResult<string>; readonly iterator: Iterator<string> },
): Promise<number> {
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  let count = 0;
  let { next } = lines;
  try {
    for (; !next.done; next = lines.iterator.next()) {
      await writer.write(encoder.encode(next.value));
      count++;
    }
  } finally {
    await writer.close();
  }
  return count;
}

/** Refuses to replace a folder or a device. */
async function checkPlace(path: string): Promise<void> {
  const there = await Deno.stat(path).catch(() => undefined);
  if (there === undefined || there.isFile) return;
  const wanted = there.isDirectory ? "it must not be a folder" : "it must be a file";
  throw new RangeError(`Cannot write the file as ${wanted}: current value is "${path}"`);
}

async function createFile(part: string, path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(part, { write: true, create: true, truncate: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new RangeError(
      `Cannot write the file as its folder must exist and be writable: current value is "${path}"`,
    );
  }
}
