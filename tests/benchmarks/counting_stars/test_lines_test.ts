import { deepEqual, equal } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { COUNTING_STARS, STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { starResultFields } from "@/lib/benchmarks/counting_stars/test_lines.ts";
import { type GivenKnobs, type Sample, userText } from "@/lib/generators/mod.ts";

/** Makes the error for a value of a row. */
const refuse = (wanted: string): Error => new SyntaxError(wanted);

const files = COUNTING_STARS.testFiles!;
const materials = await openTestMaterials("cl100k_base");

interface Written {
  readonly sample: Sample;
  readonly line: Readonly<Record<string, unknown>>;
  readonly read: ReturnType<typeof files.read>;
}

/** A sample, and what is read of the line that is written of it. */
function writeAndRead(knobs: GivenKnobs<typeof STARS.knobs>): Written {
  const task = STARS.make(knobs);
  const sample = task.sample({ length: 1000, seed: "1", index: 0, materials });
  const line = files.write(sample, task);
  return { sample, line, read: files.read(line, refuse) };
}

Deno.test("a sample in the form of the authors' test files has their fields, and its length is read", () => {
  for (const language of ["en", "zh"] as const) {
    const { sample, line, read } = writeAndRead({ language, stars: 4, sentence: "plain" });
    equal(read?.length, sample.length);
    deepEqual(line["reference_counting_results"], sample.references.map(Number));
    equal(Object.keys(line).join(), "question,context_size,retrieval_question,reference_counting_results,parameters");
    // In words of English and characters of Chinese, as gen_test_data.ipynb counts them.
    equal(line["context_size"], language === "en" ? 800 : 700);
    const question = String(line["retrieval_question"]);
    // The line breaks before the question, and none further on.
    equal(question.lastIndexOf("\n\n\n\n"), 0);
    equal(userText(sample.prompt).endsWith(question), true);
  }
});

Deno.test("a line has wrong counts where its right ones begin the published list, and none otherwise", () => {
  const knobs = { language: "en", order: "shuffled", sentence: "corrected", stars: 4 } as const;
  const { sample, read } = writeAndRead({ ...knobs, values: "reference" });
  deepEqual(sample.references, ["15", "117", "42", "69"]);
  deepEqual(read?.distractors, sample.distractors);
  const [right, wrong] = [[15, 117, 42], sample.distractors!.slice(0, 3)];
  const fields = (counts: readonly unknown[]) =>
    starResultFields({ "reference_counting_results": counts, answer: "" })["distractors"];
  deepEqual(fields(right), wrong);
  for (const counts of [[15, 117, 43], [16, 117, 42], [117, 15, 42], right.map(String)]) {
    equal(fields(counts), undefined);
  }
});

Deno.test("a line of another form is none of the authors' samples", () => {
  const line = { question: "How many?", "context_size": 100, "reference_counting_results": [3, 5] };
  equal(files.read(line, refuse)?.length, 125);
  const { context_size: _, ...older } = line;
  equal(files.read({ ...older, "sky_size": 90 }, refuse)?.length, 90);
  for (const name of Object.keys(line)) equal(files.read({ ...line, [name]: null }, refuse), null, name);
});

Deno.test.each([
  ["Counting_Stars_EN_multi-evidence-retrieval-searching_128000_32_32", "counting_stars_shuffled_en"],
  ["Counting_Stars_ZH_multi-evidence-retrieval-searching_128000_32_32", "counting_stars_shuffled_zh"],
  ["Counting_Stars_ZH_multi-evidence-retrieval-acquisition_128000_16_32", "counting_stars_shuffled_zh"],
  ["Counting_Stars_EN_multi-evidence-retrieval-reasoning_128000_32_32", "counting_stars_reasoning_en"],
  ["Counting_Stars_FR_multi-evidence-retrieval-searching_128000_32_32", undefined],
  ["my_counting_stars_en_searching", undefined],
] as [string, string | undefined][])("the task of a file called %s is %s", (name, task) => {
  equal(files.taskOf(name), task);
});
