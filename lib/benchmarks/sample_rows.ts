import { defined } from "@/lib/base/mod.ts";
import type { Benchmark } from "./benchmark.ts";
import { rulerRow } from "./ruler/ruler_rows.ts";
import type { ChatTemplate, Message, Sample, Task } from "@/lib/generators/mod.ts";

/** Writes a sample as a row of a file. */
export type RowWriter = (sample: Sample) => object;

/** Returns a writer of rows of RULER's data files with Fathom's fields; on request with the question and the planted facts. */
export function sampleRows(
  task: Task,
  { template, withFacts = false }: { readonly template: ChatTemplate; readonly withFacts?: boolean },
): RowWriter {
  return (sample) => ({
    ...rulerRow(task, sample, template),
    task: task.name,
    sample: sample.id,
    sha256: sample.sha256,
    // `fathom score` needs the wrong answers that lower the score.
    ...(task.scorer.needsDistractors ? { distractors: sample.distractors ?? [] } : {}),
    ...(withFacts ? { question: sample.question, facts: sample.facts } : {}),
    // A run of the file then knows which samples share a context.
    ...(task.options["questions"] === undefined ? {} : defined({ cluster: sample.cluster })),
  });
}

/**
 * Returns a writer of rows of the test files of a benchmark's authors.
 *
 * @throws {RangeError} If the task's benchmark has no such files, or they have no chat template.
 */
export function testFileRows(
  task: Task,
  { benchmarks, template }: { readonly benchmarks: readonly Benchmark[]; readonly template: ChatTemplate },
): RowWriter {
  const benchmark = benchmarks.find(({ families }) => families.some(({ suites }) => suites.includes(task.suite)));
  const { name, testFiles } = benchmark!;
  if (name === "ruler") return (sample) => rulerRow(task, sample, template);
  const isBare = template.before + template.after === "";
  if (testFiles !== undefined && isBare) return (sample) => testFiles.write(sample, task);
  const [wanted, value] = testFiles === undefined
    ? ["the benchmark must have such files", name]
    : ["the chat template must be base", template.name];
  throw new RangeError(
    `Cannot write ${task.name} in the format of its authors' test files as ${wanted}: current value is "${value}"`,
  );
}

/** Joins neighbouring messages of one role, which chat templates refuse. */
export function joinNeighbours(
  messages: readonly Message[],
  joinTexts: (text: string, next: string) => string,
): Message[] {
  const joined: Message[] = [];
  for (const { role, text } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) joined[joined.length - 1] = { role, text: joinTexts(last.text, text) };
    else joined.push({ role, text });
  }
  return joined;
}
