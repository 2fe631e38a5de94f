import { SCALES } from "./recipe.ts";
import { PUBLISHED_STAR_VALUES } from "./counts.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

const BREAK = "\n\n\n\n";

/**
 * Counting-Stars' own test files, such as `Counting_Stars_EN_multi-evidence-retrieval-searching_128000_32_32.jsonl`: a line has the
 * whole prompt (`question`), its question, the size of its text in characters or words (`sky_size` in the first edition), and the
 * right counts.
 */
export const STAR_TEST_FILES: TestFiles = {
  taskOf(name): string | undefined {
    const [, language, kind] = /^counting_stars_(en|zh)_.*?(searching|acquisition|reasoning)/i.exec(name) ?? [];
    if (language === undefined) return undefined;
    const asked = kind!.toLowerCase() === "reasoning" ? "reasoning" : "shuffled";
    return `counting_stars_${asked}_${language.toLowerCase()}`;
  },
  write({ prompt, references, length }: Sample): Readonly<Record<string, unknown>> {
    const user = userText(prompt);
    return {
      question: user,
      context_size: Math.floor(length * scaleOf(user, "v3")),
      retrieval_question: user.slice(user.lastIndexOf(BREAK)),
      reference_counting_results: references.map(Number),
      parameters: { temperature: 0 },
    };
  },
  read(line): TestLine | null {
    const { question, "reference_counting_results": counts, "context_size": size = line["sky_size"] } = line;
    if (typeof question !== "string" || !Array.isArray(counts) || typeof size !== "number") return null;
    const distractors = publishedWrongs(counts);
    return {
      input: question,
      references: counts.map(String),
      length: Math.round(size / scaleOf(question, "context_size" in line ? "v3" : "v1")),
      ...(distractors === undefined ? {} : { distractors }),
    };
  },
};

/** Returns the characters, or words, of a token in an edition, by the language of the question. */
function scaleOf(prompt: string, edition: keyof typeof SCALES): number {
  return SCALES[edition][/\p{Script=Han}/u.test(prompt.slice(prompt.lastIndexOf(BREAK))) ? "zh" : "en"].factor;
}

/** Returns the wrong counts, which the files lack, of right ones that begin the published list. */
function publishedWrongs(counts: readonly unknown[]): readonly string[] | undefined {
  const published = PUBLISHED_STAR_VALUES.slice(0, counts.length);
  const isPublished = published.length === counts.length && published.every(({ right }, at) => right === counts[at]);
  return isPublished ? published.map(({ wrong }) => String(wrong)) : undefined;
}

/**
 * Renames the fields of a line of Counting-Stars' own result files (gen_test_data.ipynb, viz.ipynb) to those of prediction files:
 * `answer`, a text or parsed JSON, becomes `pred`, `reference_counting_results` becomes `outputs`. Other lines are unchanged.
 *
 * The files lack the wrong counts of the reasoning task. If the right ones begin the published list, the wrong ones are those of
 * that list, as in the authors' scorer.
 */
export function starResultFields(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { answer, "reference_counting_results": counts } = line;
  if (answer === undefined || !Array.isArray(counts)) return line;
  const distractors = publishedWrongs(counts);
  return {
    ...line,
    pred: typeof answer === "string" ? answer : JSON.stringify(answer),
    outputs: counts.map(String),
    ...(distractors === undefined ? {} : { distractors }),
  };
}
