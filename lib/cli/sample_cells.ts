import { type Flags, openBenchmarks } from "./flags.ts";
import { sampleRows, testFileRows } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { type Cell, makeTasks, openMaterials, samplesOf, SERVER_TOKENIZER, type Study } from "@/lib/studies/mod.ts";

/** A request for samples, which can be posted to a worker. */
export interface CellsRequest {
  readonly study: Study;
  readonly flags: Flags;
}

/** A task at a length, ready to make samples. */
export interface SampleCell extends Cell {
  /** The number of samples. */
  readonly count: number;
  readonly template: ChatTemplate;
  /** Makes samples `from` to before `to`, from 0, lazily. */
  samples(from: number, to: number): Iterable<Sample>;
  /** Makes their lines without line breaks, lazily. */
  lines(from: number, to: number): Iterable<string>;
}

/** Opens the cells of a request, by length, then by task. */
export async function openCells({ study, flags }: CellsRequest): Promise<readonly SampleCell[]> {
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
  const opened = tasks.map((task) => ({
    task,
    rowOf: flags.format === "reference"
      ? testFileRows(task, { benchmarks, template })
      : sampleRows(task, { template, withFacts: flags.facts === true }),
  }));
  return [...new Set(study.lengths)].flatMap((length) =>
    opened.map(({ task, rowOf }): SampleCell => ({
      task,
      length,
      least: task.leastLength(materials, template),
      count: samplesOf(study, length),
      template,
      *samples(from, to): Generator<Sample> {
        for (let index = first + from; index < first + to; index++) {
          yield task.sample({ length, seed, index, materials, template });
        }
      },
      *lines(from, to): Generator<string> {
        for (const sample of this.samples(from, to)) yield writeRow(rowOf(sample));
      },
    }))
  );
}

/** Names the tasks that do not fit a length. */
export function tooShortNotes(tooShort: readonly Cell[]): readonly string[] {
  return tooShort.map(({ task, length, least }) =>
    `${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`
  );
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
