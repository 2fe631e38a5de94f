import { defined } from "@/lib/base/mod.ts";
import type { Benchmark, TestLine } from "./benchmark.ts";
import { rulerRow } from "./ruler/ruler_rows.ts";
import { type ChatTemplate, largestFit, lastText, type Prompt, type Sample, type Task } from "@/lib/generators/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

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

/** What a prompt of a row is fitted to. */
export interface FitOptions {
  readonly cut: TestLine["cut"];
  /** Names the row in messages. */
  readonly what: string;
  /** The value of the knob `overlong`. */
  readonly overlong: unknown;
  /** The most tokens of the prompt, as `count` counts them. */
  readonly tokens: number;
  readonly tokenizer: Tokenizer;
  readonly count: (prompt: Prompt) => number;
}

/**
 * Cuts the last message of a prompt as its authors do, so that the prompt fits some tokens.
 *
 * @returns The prompt, and how many of its tokens were cut out if it did not fit. A prompt that may not be cut is returned whole.
 * @throws {RangeError} If it does not fit, and `overlong` is `skip` or the words around its text do not fit.
 */
export function fitPrompt(
  prompt: Prompt,
  { cut, what, overlong, tokens, tokenizer, count }: FitOptions,
): { readonly prompt: Prompt; readonly cutTokens?: number } {
  const whole = cut === undefined ? 0 : count(prompt);
  if (cut === undefined || whole <= tokens) return { prompt };
  let kept = overlong === "skip" ? 0 : tokenizer.count(cut.part) - (whole - tokens);
  while (kept > 0) {
    const text = lastText(prompt).replace(cut.part, () => keepTokens(cut, kept, tokenizer));
    const fitted: Prompt = { ...prompt, messages: [...prompt.messages.slice(0, -1), { role: "user", text }] };
    const excess = count(fitted) - tokens;
    if (excess <= 0) return { prompt: fitted, cutTokens: whole - tokens - excess };
    kept -= excess;
  }
  const why = overlong === "skip" ? "if overlong is skip" : "and the words around its text are not cut";
  throw new RangeError(
    `Cannot ask ${what} as its prompt must have at most ${tokens} tokens, ${why}: current value is ${whole}`,
  );
}

/** Keeps tokens at the start of a text or, for a cut in the middle, half of them at each end; half a character becomes U+FFFD. */
function keepTokens({ part, at }: NonNullable<TestLine["cut"]>, kept: number, tokenizer: Tokenizer): string {
  const longest = (tokens: number, partOf: (size: number) => string): string => {
    const costOf = (size: number): number => tokenizer.count(partOf(size));
    return partOf(largestFit(tokens, costOf, { least: 0, most: part.length, guess: (room) => 4 * room }));
  };
  const first = at === "end" ? kept : Math.floor(kept / 2);
  const head = longest(first, (size) => part.slice(0, size));
  const tail = first === kept ? "" : longest(kept - first, (size) => part.slice(part.length - size));
  return (head + tail).toWellFormed();
}
