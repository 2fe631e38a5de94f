import { join } from "node:path";
import { type Command, Option } from "commander";
import { writeLines } from "./files.ts";
import type { Output } from "./output.ts";
import {
  addBenchmarkFlag,
  addFirstFlag,
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  lengths,
  names,
  noteRenamed,
  openBenchmarks,
  readFirstFlag,
  readMaterialFlags,
  readTaskChoices,
  wholeNumber,
} from "./task_flags.ts";
import { type FormCell, SAMPLE_FORMS, type SampleForm, writeForm } from "./sample_forms.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Sample, SampleRequest, Task } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials, SERVER_TOKENIZER } from "@/lib/runs/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom generate`: samples as JSON lines. */
export function addGenerateCommand(program: Command, output: Output): void {
  const command = program.command("generate")
    .description(
      "Prints samples as JSON lines, with the fields of RULER's own files: `index, input, answer_prefix, outputs, " +
        "length, length_w_model_temp`, where `length` counts input, prefix and answer room in tokens, and the other field " +
        "--template-tokens too.\n" +
        "Sample i is the same whatever is printed with it, so --first-sample 2 --samples 1 prints sample 2 alone.\n" +
        "The 2024 variant keeps the prefix at the end of `input`, as RULER's files of 2024 do.",
    )
    .requiredOption(
      "--task <names>",
      "comma-separated tasks, families or benchmarks, or all; see `fathom tasks`",
      names,
    )
    .requiredOption(
      "--length <tokens>",
      "tokens of prompt and answer room together, such as 4096 or 4K; comma-separated, if --out is a folder",
      lengths,
    )
    .option("--samples <n>", "samples per task", wholeNumber(1), 1)
    .option("--chat-template <name>", `chat template to put the prompt into: ${CHAT_TEMPLATES.join(", ")}`)
    .addOption(new Option("--template <name>").hideHelp())
    .option(
      "--template-tokens <n>",
      "tokens that the model's own template adds when the samples are asked, by which they are shortened",
      wholeNumber(0, 100_000),
      0,
    )
    .addOption(
      new Option(
        "--format <name>",
        "whose form: fathom's or reference, lines with its own fields or those of the benchmark's own test files alone (RULER, Counting-Stars, Needle Threading); lm-eval or inspect, a folder of samples with their task and its scores; openai, a line of OpenAI's batches each",
      ).choices([...LINE_FORMS, ...SAMPLE_FORMS]).default("fathom"),
    )
    .option("--model <name>", "with --format openai, the model that the lines ask")
    .option("--facts", "also print every planted fact with its depth and token offset")
    .option(
      "--out <path>",
      "write to a file instead of standard output; with / at its end a folder, laid out as RULER's: " +
        "LENGTH/data/TASK/validation.jsonl",
    );
  addKnobFlags(addMaterialFlags(addBenchmarkFlag(addFirstFlag(command))));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom generate --task niah_single_2 --length 4096 --samples 3 --seed 42 --tokenizer cl100k_base\n" +
      "  fathom generate --task niah --set keys=8 --set haystack=noise --length 32K | head -1\n" +
      "  fathom generate --task qa_1 --squad dev-v2.0.json --length 8K --samples 500 --out qa_1.jsonl\n" +
      "  fathom generate --task all --length 4K,8K --samples 500 --out ruler/\n" +
      "  fathom generate --task threading_single_needle --length 1200 --samples 11 --format reference\n" +
      "  fathom generate --task all --length 4K,8K --samples 25 --format openai --model gpt-4o-mini --out batch.jsonl\n" +
      "  fathom generate --task niah_single_2,vt --length 4K --samples 25 --format lm-eval --out harness/\n" +
      "  lm_eval --include_path harness --tasks fathom --log_samples --output_path results …\n" +
      "  fathom generate --task niah_single_2,vt --length 4K --samples 25 --format inspect --out inspect/\n" +
      "  inspect eval inspect/fathom_task.py --model openai/gpt-4o-mini",
  );
  command.action(async (flags: Flags) => {
    if (flags.template !== undefined) noteRenamed("--template", "--chat-template", output);
    const { cells, linesOf, formCellOf } = await openCells(flags, output);
    const out = flags.out as string | undefined;
    const form = flags.format as SampleForm | typeof LINE_FORMS[number];
    if (isSampleForm(form)) {
      const fitting = cells.filter(({ length, least }) => length >= least);
      const count = await writeForm(form, fitting.map(formCellOf), {
        ...{ path: out, output, model: flags.model as string | undefined },
      });
      for (const { task, length, least } of cells.filter((cell) => !fitting.includes(cell))) {
        output.note(`${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`);
      }
      if (out !== undefined) output.note(`${out}: ${count} ${plural(count, "sample")}`);
      return;
    }
    if (out?.endsWith("/")) {
      let files = 0;
      for (const cell of cells) {
        const { task, length, least } = cell;
        if (length < least) {
          output.note(`${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`);
          continue;
        }
        const path = join(out, String(length), "data", task.name, "validation.jsonl");
        await writeLines(linesOf(cell), { path, output, makesFolder: true });
        files++;
      }
      return output.note(`${out}: ${files} ${plural(files, "file")}`);
    }
    const [first] = cells;
    if (cells.some(({ length }) => length !== first!.length)) {
      throw new RangeError(
        `Cannot generate several lengths as --out must be a folder, with / at its end: current value is ${
          out ?? "none"
        }`,
      );
    }
    const lines = (function* (): Generator<string> {
      for (const cell of cells) yield* linesOf(cell);
    })();
    const count = await writeLines(lines, { path: out, output });
    if (out !== undefined) output.note(`${out}: ${count} ${plural(count, "line")}`);
  });
}

/** The forms in which each sample is a line. */
const LINE_FORMS = ["fathom", "reference"] as const;

function isSampleForm(form: string): form is SampleForm {
  return SAMPLE_FORMS.some((name) => name === form);
}

/** Samples of one task and length. */
interface SampleCell {
  readonly task: Task;
  readonly length: number;
  /** The task's least length. */
  readonly least: number;
}

/** What is to be generated. */
interface OpenCells {
  /** By length, then by task, as given. */
  readonly cells: readonly SampleCell[];
  /** Makes the lines of one, one by one. */
  linesOf(cell: SampleCell): Iterable<string>;
  /** One of them as other programs' forms have it. */
  formCellOf(cell: SampleCell): FormCell;
}

async function openCells(flags: Flags, output: Output): Promise<OpenCells> {
  const benchmarks = await openBenchmarks(flags);
  const study = checkStudy({
    ...readMaterialFlags(flags),
    tasks: readTaskChoices(flags.task as string[], { flags, benchmarks }),
    lengths: flags.length,
    samples: flags.samples,
    first: readFirstFlag(flags, output) ?? 0,
  }, { where: "the flags" });
  const template = withTokens(
    chatTemplate((flags.chatTemplate ?? flags.template ?? "base") as string),
    flags.templateTokens as number,
  );
  const tasks = makeTasks(study, benchmarks);
  if (study.tokenizer === SERVER_TOKENIZER) {
    throw new RangeError(
      `Cannot generate samples as the tokenizer must be one that counts without a server: current value is "${study.tokenizer}"`,
    );
  }
  const materials = await openMaterials(study);
  const { seed, first, samples } = study;
  const isReference = flags.format === "reference";
  const lineOf = new Map(tasks.map((task) => [task, isReference ? ownFields(task, { benchmarks, template }) : null]));
  const withFacts = flags.facts === true;
  const requestsOf = function* (
    { length }: SampleCell,
  ): Generator<SampleRequest & { readonly template: ChatTemplate }> {
    for (let index = first; index < first + samples; index++) yield { length, seed, index, materials, template };
  };
  return {
    cells: [...new Set(study.lengths)].flatMap((length) =>
      tasks.map((task) => ({ task, length, least: task.leastLength(materials, template) }))
    ),
    *linesOf(cell): Generator<string> {
      const write = lineOf.get(cell.task);
      for (const request of requestsOf(cell)) {
        yield `${JSON.stringify(write?.(cell.task.sample(request)) ?? toRow(cell.task, { ...request, withFacts }))}\n`;
      }
    },
    formCellOf: (cell) => {
      const { task: { name, scorer, answerRoom }, length } = cell;
      const samples = requestsOf(cell).map((request) => {
        const row = toRow(cell.task, { ...request, withFacts });
        return {
          ...{ index: row.index, input: row.input, answerPrefix: row.answer_prefix, references: row.outputs },
          ...{ sample: row.sample, sha256: row.sha256 },
        };
      });
      return { task: name, length, scoring: scorer.name, answerRoom, samples };
    },
  };
}

/** How a sample is written in the form of the benchmark's own test files. */
function ownFields(
  task: Task,
  { benchmarks, template }: { readonly benchmarks: readonly Benchmark[]; readonly template: ChatTemplate },
): (sample: Sample) => object {
  const benchmark = benchmarks.find(({ families }) => families.some(({ suite }) => suite === task.suite));
  const { name, testFiles } = benchmark!;
  if (name === "ruler") return (sample) => rulerRow(task, sample, template);
  if (testFiles === undefined) {
    throw new RangeError(
      `Cannot write ${task.name} in the form of its authors' test files as the benchmark must have such files: current value is "${name}"`,
    );
  }
  if (template.before + template.after !== "") {
    throw new RangeError(
      `Cannot write ${task.name} in the form of its authors' test files as the chat template must be base: current value is "${template.name}"`,
    );
  }
  return (sample) => testFiles.write(sample, task);
}

/** A template with the tokens that a model's own adds; its name says so, as for a run. */
function withTokens(template: ChatTemplate, tokens: number): ChatTemplate {
  if (tokens === 0) return template;
  const extraTokens = template.extraTokens + tokens;
  return { ...template, name: `${template.name}+extra-${extraTokens}`, extraTokens };
}

/** A row of RULER's data files. */
interface RulerRow {
  readonly index: number;
  readonly input: string;
  readonly outputs: readonly string[];
  readonly length: number;
  readonly "length_w_model_temp": number;
  readonly "answer_prefix": string;
  readonly "token_position_answer": number | null;
}

/** The same, then what Fathom adds. */
interface Row extends RulerRow {
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
  return {
    ...rulerRow(task, sample, template),
    task: task.name,
    sample: sample.id,
    sha256: sample.sha256,
    ...(task.scorer.needsDistractors ? { distractors: sample.distractors ?? [] } : {}),
    ...(withFacts ? { facts: sample.facts } : {}),
  };
}

function rulerRow(task: Task, sample: Sample, template: ChatTemplate): RulerRow {
  const { user, answerPrefix = "", wrapping: { before, after } = template } = sample.prompt;
  const tokens = sample.promptTokens + sample.answerRoom;
  const prefixInside = task.options.variant === "2024";
  return {
    index: sample.index,
    input: before + user + after + (prefixInside ? answerPrefix : ""),
    outputs: sample.references,
    length: tokens - template.extraTokens,
    length_w_model_temp: tokens,
    answer_prefix: prefixInside ? "" : answerPrefix,
    token_position_answer: sample.facts.find(({ role }) => role === "target")?.tokenOffset ?? null,
  };
}
