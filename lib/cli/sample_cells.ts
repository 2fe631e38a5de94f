import type { FormCell } from "./sample_forms.ts";
import { type Flags, openBenchmarks } from "./flags.ts";
import { sampleRows, testFileRows } from "@/lib/benchmarks/mod.ts";
import { rulerRow } from "@/lib/benchmarks/ruler/ruler_rows.ts";
import { answerRoomAt, type ChatTemplate, type SampleRequest, splitPrompt } from "@/lib/generators/mod.ts";
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
  const rowOf = new Map(tasks.map((task) => [
    task,
    flags.format === "reference"
      ? testFileRows(task, { benchmarks, template })
      : sampleRows(task, { template, withFacts: flags.facts === true }),
  ]));
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
      const row = rowOf.get(task)!;
      for (let place = from; place < to; place++) yield writeRow(row(task.sample(request(cell, place))));
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
          question: sample.question,
          references,
          distractors,
          sample: id,
          sha256,
          parts: template.before + template.after === "" ? splitPrompt(sample) : null,
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

/** Adds the tokens of the model's own template to a template and to its name, as in a run. */
function withTokens(template: ChatTemplate, tokens: number): ChatTemplate {
  if (tokens === 0) return template;
  const extraTokens = template.extraTokens + tokens;
  return { ...template, name: `${template.name}+extra-${extraTokens}`, extraTokens };
}
