import { SCORERS, SECOND_QUESTION } from "./letters.ts";
import PROMPTS from "./prompts.json" with { type: "json" };
import { type Fields, shortHash } from "@/lib/base/mod.ts";
import { fileSuite, OVERLONG, readTexts, type RefuseField, type TestLine } from "@/lib/benchmarks/benchmark.ts";
import { oneOf } from "@/lib/generators/mod.ts";
import { type Scorer, stripText } from "@/lib/scorers/mod.ts";
import type { TaskGroup } from "@/lib/statistics/mod.ts";

/** The field of each place of a prompt, in the order in which pred.py fills them. */
const PLACES = [
  ["$DOC$", "context"],
  ["$Q$", "question"],
  ...["A", "B", "C", "D"].map((letter) => [`$C_${letter}$`, `choice_${letter}`]),
] as [string, string][];

/** The words of other fields. */
const WORDS = { difficulty: ["easy", "hard"], length: ["short", "medium", "long"], answer: ["A", "B", "C", "D"] };

/** Reads a row of data.json. */
function readRow(row: Fields, refuse: RefuseField, { prompt = "zero-shot" } = {}): TestLine | null {
  if (row["choice_A"] === undefined && row["difficulty"] === undefined) return null;
  for (const [name, words] of Object.entries(WORDS)) {
    if (!words.some((word) => word === row[name])) {
      throw refuse(`${name} must be one of ${words.join(", ")}`, row[name]);
    }
  }
  const texts = readTexts(row, PLACES.map(([, field]) => field), refuse);
  const fill = (template: string): string =>
    PLACES.reduce((text, [place, field]) => text.replaceAll(place, () => stripText(texts[field]!)), template);
  const input = fill(PROMPTS.prompts[prompt as keyof typeof PROMPTS.prompts]);
  return {
    task: `longbench_v2_${row["difficulty"]}_${row["length"]}`,
    input,
    question: fill(PROMPTS.question),
    references: [String(row["answer"])],
    cluster: `context:longbench_v2/${shortHash([texts["context"]!])}`,
    // The authors cut the whole prompt in the middle, not the text alone.
    cut: { part: input, at: "middle" },
  };
}

/** Returns the group of the tasks of a class, or of all; each sample weighs the same, as in the authors' result.py. */
function groupOf(name: string): TaskGroup {
  const classes = WORDS.difficulty.flatMap((difficulty) => WORDS.length.map((length) => `${difficulty}_${length}`));
  const own = classes.filter((each) => name === "overall" || each.split("_").includes(name));
  return { name: `LongBench v2 ${name}`, tasks: own.map((each) => `longbench_v2_${each}`), weigh: "samples" };
}

/** LongBench v2: Fathom has the prompts and the scores, and the user brings the texts. */
export const LONGBENCH_V2 = fileSuite({
  name: "longbench_v2",
  title: "LongBench v2",
  source: "Bai et al. 2024, arXiv 2412.15204; THUDM/LongBench at 2e00731",
  about: "rows of LongBench v2, asked by --samples-file",
  category: "question answering",
  knobs: {
    prompt: oneOf(["zero-shot", "cot", "no-context"], "which of the authors' prompts asks; cot is the first of two"),
    overlong: OVERLONG,
    unparsed: oneOf(["0", "0.25"], "score of a reply without a letter; 0.25 is the authors' compensated"),
  },
  scorers: SCORERS,
  scorerOf: ({ prompt, unparsed }): Scorer => SCORERS[(prompt === "cot" ? 2 : 0) + (unparsed === "0" ? 0 : 1)]!,
  answerRoom: ({ prompt }) => prompt === "cot" ? 1024 : 128,
  write: ([letter]) => `The correct answer is (${letter}).`,
  groups: ["overall", ...WORDS.difficulty, ...WORDS.length].map(groupOf),
  regraders: [SECOND_QUESTION],
  taskOf: () => undefined,
  read: readRow,
});
