import { join } from "node:path";
import { type Command, Option } from "commander";
import { type GrowingFile, plural, startFile, sum } from "@/lib/base/mod.ts";
import { openProgress } from "./files.ts";
import type { Output } from "./output.ts";
import { type Block, type BlockSource, type MadeBlock, openBlocks, planBlocks } from "./sample_blocks.ts";
import { openCells, type SampleCell, tooShortNotes } from "./sample_cells.ts";
import { SAMPLE_FORMS, type SampleForm, writeForm } from "./sample_forms.ts";
import { wholeNumber } from "./flag_values.ts";
import { addBenchmarkFlag, addSampleFlags, addTaskFlags, type Flags, openBenchmarks, readStudyFlags } from "./flags.ts";
import { CHAT_TEMPLATES } from "@/lib/models/mod.ts";
import { makeTasks, samplesOf, type Study } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = addTaskFlags(program.command("generate"))
    .description(
      "Prints samples as JSON lines with the fields of RULER's files: `index, input, answer_prefix, outputs, length, " +
        "length_w_model_temp`. `length` counts input, prefix and answer room in tokens; `length_w_model_temp` adds " +
        "--template-tokens.\n" +
        "A sample depends only on its number: --first-sample 2 --samples 1 prints sample 2 alone.\n" +
        "The 2024 variant keeps the prefix at the end of `input`, as RULER's files of 2024 do.",
    )
    .option("--all", "RULER as published: its 13 tasks at 4K, 8K, 16K, 32K, 64K and 128K, 500 samples of each")
    .option("--study <file>", "the tasks, lengths, samples and materials of a study file (YAML); flags override it")
    .option("--workers <n>", "threads that make samples (default: the cores, if it takes long)", wholeNumber(1, 256))
    .option("--chat-template <name>", `chat template to put the prompt into: ${CHAT_TEMPLATES.join(", ")}`)
    .option("--template-tokens <n>", "tokens kept free for the model's own template", wholeNumber(0, 100_000), 0)
    .addOption(
      new Option(
        "--format <name>",
        "fathom: all fields; reference: only those of the benchmark's own test files (RULER, Counting-Stars, Needle Threading); lm-eval or inspect: a folder of samples with their task and scores (those that are not RULER's need `fathom verify-server`); gym: lines of NeMo Gym's data; hf or kvpress: a data set for Hugging Face datasets or NVIDIA's kvpress, a folder of JSON lines with a card, or lines if --out ends in .jsonl",
      ).choices([...LINE_FORMS, ...SAMPLE_FORMS]).default("fathom"),
    )
    .option("--facts", "also print the question, and every planted fact with its depth and token offset")
    .option("--out <path>", "a file instead of standard output; with / at its end a folder in RULER's layout");
  addSampleFlags(addBenchmarkFlag(command));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom generate --tasks niah_single_2 --lengths 4096 --samples 3 --seed 42 --tokenizer cl100k_base\n" +
      "  fathom generate --tasks niah --set keys=8 --set haystack=noise --lengths 32K | head -1\n" +
      "  fathom generate --tasks qa_1 --squad dev-v2.0.json --lengths 8K --samples 500 --out qa_1.jsonl\n" +
      "  fathom generate --all --out ruler/\n" +
      "  fathom generate --tasks niah_single_2,vt --lengths 4K --samples 25 --format lm-eval --out harness/\n" +
      "  lm_eval --include_path harness --tasks fathom --log_samples --output_path results …\n" +
      "  fathom generate --tasks niah_single_2,vt --lengths 4K --samples 25 --format inspect --out inspect/\n" +
      "  inspect eval inspect/fathom_task.py --model openai/gpt-4o-mini\n" +
      "  fathom generate --tasks ruler --lengths 4K,8K --samples 100 --format kvpress --out kvpress/evaluation/simonjegou/ruler/",
  );
  command.action(async (flags: GenerateFlags) => {
    const study = await readAsked(flags);
    const { out, format: form } = flags;
    const other = SAMPLE_FORMS.find((name) => name === form);
    if (other !== undefined) return await writeOtherForm(other, { study, flags, output });
    if (form === "reference" && !out?.endsWith("/") && new Set(study.lengths).size > 1) {
      throw new RangeError(
        `Cannot generate several lengths as --out must be a folder, with / at its end, as the lines have no length: current value is ${
          out ?? "none"
        }`,
      );
    }
    const tasks = makeTasks(study, await openBenchmarks(flags)).length;
    const tokens = sum(study.lengths, (length) => tasks * length * samplesOf(study, length));
    const workers = flags.workers ?? Math.min(navigator.hardwareConcurrency, Math.ceil(tokens / TOKENS_OF_WORKER));
    const source = await openBlocks({ study, flags }, workers);
    try {
      await writeLines(source, { out, output });
    } finally {
      source.close();
    }
  });
}

interface GenerateFlags extends Flags {
  readonly all?: boolean;
  readonly workers?: number;
  readonly templateTokens: number;
  readonly format: SampleForm | typeof LINE_FORMS[number];
}

/** Tokens that a thread makes in half a second, the time that a worker takes to start. */
const TOKENS_OF_WORKER = 20_000_000;

/** RULER's lengths and samples (paper, section 4). */
const PUBLISHED = { lengths: [4, 8, 16, 32, 64, 128].map((length) => 1024 * length), samples: 500 } as const;

async function readAsked(flags: GenerateFlags): Promise<Study> {
  const benchmarks = await openBenchmarks(flags);
  const { study: path, all, tasks, lengths } = flags;
  if (path !== undefined && all) {
    throw new RangeError(
      `Cannot generate samples as there must be --all or --study, not both: current value is "${path}"`,
    );
  }
  if (path === undefined && !all && (tasks === undefined || lengths === undefined)) {
    const missing = tasks === undefined ? "--tasks" : "--lengths";
    throw new RangeError(
      `Cannot generate samples as there must be ${missing}, --all or --study: current value is none`,
    );
  }
  return await readStudyFlags(flags, { benchmarks, defaults: { ...(all ? PUBLISHED : { samples: 1 }), first: 0 } });
}

async function writeOtherForm(
  form: SampleForm,
  { study, flags, output }: { readonly study: Study; readonly flags: GenerateFlags; readonly output: Output },
): Promise<void> {
  const { out } = flags;
  const cells = await openCells({ study, flags });
  const count = await writeForm(form, cells.filter(fits), {
    path: out,
    output,
    study,
    again: flags.templateTokens === 0 ? "" : ` --template-tokens ${flags.templateTokens}`,
  });
  noteLeftOut(cells, output);
  if (out !== undefined) output.note(`${out}: ${count} ${plural(count, "sample")}`);
}

function fits({ length, least }: SampleCell): boolean {
  return length >= least;
}

function noteLeftOut(cells: readonly SampleCell[], output: Output): void {
  for (const note of tooShortNotes(cells.filter((cell) => !fits(cell)))) output.note(note);
}

/** Writes lines to standard output, to a file or to the files of a folder. */
async function writeLines(
  source: BlockSource,
  { out, output }: { readonly out: string | undefined; readonly output: Output },
): Promise<void> {
  const { cells } = source;
  const isFolder = out?.endsWith("/") === true;
  // If nothing fits, the first sample throws.
  const leavesOut = cells.some(fits);
  if (leavesOut) noteLeftOut(cells, output);
  const blocks = planBlocks(cells).filter(({ cell }) => !leavesOut || fits(cells[cell]!));
  const pathOf = (cell: number): string | undefined => {
    const { task, length } = cells[cell]!;
    return isFolder ? join(out, String(length), "data", task.name, "validation.jsonl") : out;
  };
  const made = withProgress(source.make(blocks), { cells, blocks, output });
  const files = await writeBlocks(made, { pathOf, output });
  const lines = blocks.reduce((sum, { from, to }) => sum + to - from, 0);
  if (isFolder) output.note(`${out}: ${files} ${plural(files, "file")}`);
  else if (out !== undefined) output.note(`${out}: ${lines} ${plural(lines, "line")}`);
}

/** Writes blocks in order, and returns the number of files. */
async function writeBlocks(
  made: AsyncIterable<MadeBlock>,
  { pathOf, output }: { readonly pathOf: (cell: number) => string | undefined; readonly output: Output },
): Promise<number> {
  const write = output.writeBytes ?? ((bytes: Uint8Array) => output.write(new TextDecoder().decode(bytes)));
  let file: GrowingFile | undefined;
  let files = 0;
  try {
    for await (const { cell, bytes } of made) {
      const path = pathOf(cell);
      if (path !== undefined && file?.path !== path) {
        await file?.finish();
        file = undefined;
        file = await startFile(path);
        files++;
      }
      await (file ?? { write }).write(bytes);
    }
    await file?.finish();
  } catch (error) {
    await file?.drop();
    throw error;
  }
  return files;
}

/** Tokens that are made without showing progress. */
const TOKENS_WITH_PROGRESS = 200_000_000;

/** Shows the progress of large requests, with the remaining time. */
async function* withProgress(
  made: AsyncIterable<MadeBlock>,
  { cells, blocks, output }: {
    readonly cells: readonly SampleCell[];
    readonly blocks: readonly Block[];
    readonly output: Output;
  },
): AsyncGenerator<MadeBlock> {
  const samplesIn = ({ from, to }: Block): number => to - from;
  const tokensIn = (block: Block): number => samplesIn(block) * cells[block.cell]!.length;
  const total = sum(blocks, samplesIn);
  const totalTokens = sum(blocks, tokensIn);
  if (totalTokens < TOKENS_WITH_PROGRESS) return yield* made;
  const view = openProgress(output);
  const beganMs = performance.now();
  let [done, tokens] = [0, 0];
  try {
    for await (const block of made) {
      yield block;
      [done, tokens] = [done + samplesIn(block), tokens + tokensIn(block)];
      const elapsedMs = performance.now() - beganMs;
      view.update({
        done,
        total,
        failed: 0,
        asked: done,
        tokens,
        elapsedMs,
        leftMs: elapsedMs * (totalTokens - tokens) / tokens,
        isOver: done === total,
      });
    }
  } finally {
    view.end();
  }
}

const LINE_FORMS = ["fathom", "reference"] as const;
