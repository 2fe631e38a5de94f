import { defined } from "@/lib/base/mod.ts";
import type { FormCell } from "./sample_forms.ts";
import { type Flags, openBenchmarks } from "./flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { type RulerRow, rulerRow } from "@/lib/benchmarks/ruler/ruler_rows.ts";
import {
  answerRoomAt,
  type ChatTemplate,
  type Sample,
  type SampleRequest,
  splitPrompt,
  type Task,
} from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { makeTasks, openMaterials, samplesOf, SERVER_TOKENIZER, type Study } from "@/lib/studies/mod.ts";

/** A request for samples, which can be posted to a worker. */
export interface CellsRequest {
  readonly study: Study;
  readonly flags: Flags;
}

/** A task at a length: its name, its shortest length, and the number of samples. */
export interface SampleCell {
  readonly name: string;
  readonly length: number;
  readonly least: number;
  readonly samples: number;
}

/** The cells of a request, ready to make samples. */
export interface OpenCells {
  /** By length, then by task. */
  readonly cells: readonly SampleCell[];
  /** Makes lines of a cell without line breaks, lazily: samples `from` to before `to`, from 0. */
  lines(cell: number, from: number, to: number): Iterable<string>;
  /** Returns a cell for another program's format. */
  formCell(cell: number): FormCell;
}

export async function openCells({ study, flags }: CellsRequest): Promise<OpenCells> {
  const benchmarks = await openBenchmarks(flags);
  const template = withTokens(chatTemplate(String(flags["chatTemplate"] ?? "base")), Number(flags["templateTokens"]));
  const tasks = makeTasks(study, benchmarks);
  if (study.tokenizer === SERVER_TOKENIZER) {
    throw new RangeError(
      `Cannot generate samples as the tokenizer must be one that counts without a server: current value is "${study.tokenizer}"`,
    );
  }
  const materials = await openMaterials(study);
  const { seed, first } = study;
  const isReference = flags.format === "reference";
  const lineOf = new Map(tasks.map((task) => [task, isReference ? ownFields(task, { benchmarks, template }) : null]));
  const withFacts = flags.facts === true;
  const opened = [...new Set(study.lengths)].flatMap((length) => tasks.map((task) => ({ task, length })));
  const cells = opened.map(({ task, length }): SampleCell => ({
    name: task.name,
    length,
    least: task.leastLength(materials, template),
    samples: samplesOf(study, length),
  }));
  const request = (cell: number, place: number): SampleRequest & { readonly template: ChatTemplate } => ({
    length: opened[cell]!.length,
    seed,
    index: first + place,
    materials,
    template,
  });
  return {
    cells,
    *lines(cell, from, to): Generator<string> {
      const { task } = opened[cell]!;
      const write = lineOf.get(task);
      for (let place = from; place < to; place++) {
        const asked = request(cell, place);
        yield writeRow(write?.(task.sample(asked)) ?? toRow(task, { ...asked, withFacts }));
      }
    },
    formCell(cell): FormCell {
      const { task, length } = opened[cell]!;
      const { name, scorer } = task;
      const samples = Array.from({ length: cells[cell]!.samples }).keys().map((place) => {
        const sample = task.sample(request(cell, place));
        const { index, id, sha256, references, answerRoom, distractors = [] } = sample;
        const row = rulerRow(task, sample, template);
        const { input, messages = [{ role: "user", content: input! }] } = row;
        return {
          index,
          messages,
          answerPrefix: row.answer_prefix,
          answerRoom,
          references,
          distractors,
          sample: id,
          sha256,
          parts: isBare(template) ? splitPrompt(sample) : null,
          answerOffset: row.token_position_answer,
        };
      });
      return { task: name, length, seed, scorer, answerRoom: answerRoomAt(task, length), samples };
    },
  };
}

const INPUT = '"input":';

/** Formats a row as `JSON.stringify` does, but three times as fast if fields follow a long text. */
function writeRow(row: object & { readonly input?: string }): string {
  const { input } = row;
  if (input === undefined) return JSON.stringify(row);
  const rest = JSON.stringify({ ...row, input: "" });
  // Quotes in texts are escaped, so this match is the field.
  const at = rest.indexOf(`${INPUT}""`) + INPUT.length;
  return `${rest.slice(0, at)}${JSON.stringify(input)}${rest.slice(at + 2)}`;
}

/** Returns a function that formats a sample as in the test files of the benchmark's authors. */
function ownFields(
  task: Task,
  { benchmarks, template }: { readonly benchmarks: readonly Benchmark[]; readonly template: ChatTemplate },
): (sample: Sample) => object {
  const benchmark = benchmarks.find(({ families }) => families.some(({ suites }) => suites.includes(task.suite)));
  const { name, testFiles } = benchmark!;
  if (name === "ruler") return (sample) => rulerRow(task, sample, template);
  if (testFiles !== undefined && isBare(template)) return (sample) => testFiles.write(sample, task);
  const [wanted, value] = testFiles === undefined
    ? ["the benchmark must have such files", name]
    : ["the chat template must be base", template.name];
  throw new RangeError(
    `Cannot write ${task.name} in the format of its authors' test files as ${wanted}: current value is "${value}"`,
  );
}

/** Adds the tokens of the model's own template to a template and to its name, as in a run. */
function withTokens(template: ChatTemplate, tokens: number): ChatTemplate {
  if (tokens === 0) return template;
  const extraTokens = template.extraTokens + tokens;
  return { ...template, name: `${template.name}+extra-${extraTokens}`, extraTokens };
}

function isBare({ before, after }: ChatTemplate): boolean {
  return before + after === "";
}

/** Returns a line of RULER's data files with Fathom's fields. */
function toRow(
  task: Task,
  request: SampleRequest & { readonly template: ChatTemplate; readonly withFacts: boolean },
): RulerRow & Pick<Sample, "sha256" | "distractors"> & Readonly<Record<"task" | "sample", string>> {
  const { template, withFacts } = request;
  const sample = task.sample(request);
  return {
    ...rulerRow(task, sample, template),
    task: task.name,
    sample: sample.id,
    sha256: sample.sha256,
    // `fathom score` needs the wrong answers that lower the score.
    ...(task.scorer.needsDistractors ? { distractors: sample.distractors ?? [] } : {}),
    ...(withFacts ? { question: sample.question, facts: sample.facts } : {}),
    // A run of the file then knows which samples share a context.
    ...(task.options["questions"] === undefined ? {} : defined({ cluster: sample.cluster })),
  };
}
