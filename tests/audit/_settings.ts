import { findFaults } from "../generators/world/_world_solver.ts";
import { type Solution, unsolvable } from "./_solution.ts";
import { solveCdme } from "./_solve_cdme.ts";
import { solveCountingStars } from "./_solve_counting_stars.ts";
import { solveNeedleThreading } from "./_solve_needle_threading.ts";
import { solvePromptRecall } from "./_solve_prompt_recall.ts";
import { readDocuments, solveRuler } from "./_solve_ruler.ts";
import { CDME_TASK_NAMES, namedCdmeTask } from "@/lib/benchmarks/cdme/mod.ts";
import {
  COUNTING_STARS_TASK_NAMES,
  countingStarsTask,
  namedCountingStarsTask,
} from "@/lib/benchmarks/counting_stars/mod.ts";
import { namedThreadingTask, THREADING_TASK_NAMES } from "@/lib/benchmarks/needle_threading/mod.ts";
import { namedPromptRecallTask, PROMPT_RECALL_TASK_NAMES } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import {
  cweTask,
  fweTask,
  niahTask,
  qaTask,
  RULER_STUDY_TASK_NAMES,
  rulerTask,
  VARIANTS,
  vtTask,
} from "@/lib/benchmarks/ruler/mod.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";

/** The suites, by the names that their folders have. */
export type SuiteName = "ruler" | "counting_stars" | "needle_threading" | "prompt_recall" | "cdme";

/** How the prompts of each suite are solved. */
export const SOLVERS: Readonly<Record<SuiteName, (prompt: string, sample: Sample) => Solution>> = {
  ruler: (prompt, sample) => sample.task.startsWith("qa") ? solveQuestion(prompt, sample) : solveRuler(prompt),
  "counting_stars": solveCountingStars,
  "needle_threading": solveNeedleThreading,
  "prompt_recall": solvePromptRecall,
  cdme: solveCdme,
};

/** The world's solver takes the reference, and says whether it is the one answer that the documents give. */
function solveQuestion(prompt: string, { prompt: { user }, references }: Sample): Solution {
  const [fault] = findFaults(user, references[0]!);
  if (fault !== undefined) throw unsolvable(fault);
  return { ...readDocuments(prompt), answers: references.toSorted() };
}

const ruler = (name: typeof RULER_STUDY_TASK_NAMES[number]): Task[] =>
  VARIANTS.map((variant) => rulerTask(name, { variant }));
const stars = COUNTING_STARS_TASK_NAMES.map((name) => namedCountingStarsTask(name));
const languages = ["en", "zh"] as const;

/** What is audited: every task as it is named, the default variant first, and then knobs at their edges. */
export const SETTINGS: Readonly<
  Record<SuiteName, { readonly named: readonly Task[]; readonly further: readonly Task[] }>
> = {
  ruler: {
    named: RULER_STUDY_TASK_NAMES.map((name) => rulerTask(name)),
    further: [
      ...RULER_STUDY_TASK_NAMES.flatMap((name) => ruler(name).slice(1)),
      niahTask({ haystack: "noise", keys: 40, values: 3, queries: 7 }),
      niahTask({ haystack: "essay", keyType: "uuids", valueType: "words", keys: 12, queries: 2 }),
      niahTask({ haystack: "needle", keyType: "numbers", valueType: "words", queries: 3, values: 2 }),
      niahTask({ haystack: "essay", keyType: "numbers", valueType: "numbers", queries: 2 }),
      niahTask({ haystack: "essay", depth: 0 }),
      niahTask({ haystack: "noise", depth: 1, values: 2 }),
      ...VARIANTS.map((variant) => vtTask({ variant, chains: 3, hops: 9 })),
      vtTask({ chains: 12, hops: 1 }),
      vtTask({ chains: 1, hops: 25 }),
      cweTask({ common: 3, asked: 3 }),
      cweTask({ common: 20, asked: 5, commonFrequency: 12, uncommonFrequency: 2 }),
      fweTask({ alpha: 1.1 }),
      fweTask({ alpha: 10, wordLength: 4 }),
      fweTask({ alpha: 2, vocabulary: 40, wordLength: 20, variant: "paper" }),
      qaTask({ hops: 1, documents: 10 }),
      qaTask({ hops: 2, documents: 3 }),
    ],
  },
  "counting_stars": {
    named: stars,
    further: languages.flatMap((language) => [
      countingStarsTask({ language, stars: 1 }),
      countingStarsTask({ language, stars: 64, values: "reference" }),
      countingStarsTask({ language, stars: 128, order: "shuffled", sentence: "corrected", values: "reference" }),
      countingStarsTask({ language, stars: 8, ask: "sum", sentence: "linked", order: "shuffled" }),
      countingStarsTask({ language, stars: 16, ask: "list_and_sum", sentence: "miscounted", order: "shuffled" }),
      countingStarsTask({ language, edition: "v1" }),
      countingStarsTask({ language, edition: "v1", values: "reference" }),
      countingStarsTask({ language, edition: "v3", stars: 16 }),
      countingStarsTask({ language, edition: "v3", sentence: "corrected", order: "shuffled", values: "reference" }),
    ]),
  },
  "needle_threading": {
    named: THREADING_TASK_NAMES.map((name) => namedThreadingTask(name)),
    further: [
      namedThreadingTask("threading_single_needle", { depth: 0 }),
      namedThreadingTask("threading_single_needle", { depth: 1 }),
      namedThreadingTask("threading_multi_needle", { needles: 25, placement: "clustered" }),
      namedThreadingTask("threading_conditional_needle", { needles: 10, placement: "clustered", character: "&" }),
      namedThreadingTask("threading_conditional_needle", { needles: 1, character: "Z" }),
      namedThreadingTask("threading_single_thread", { steps: 2, direction: "forward" }),
      namedThreadingTask("threading_single_thread", { steps: 25, direction: "backward" }),
      namedThreadingTask("threading_multi_thread", { threads: 5, steps: 4, direction: "forward" }),
      namedThreadingTask("threading_multi_thread", { threads: 2, steps: 10, direction: "backward" }),
      namedThreadingTask("threading_branched_thread", { steps: 3, branching: 10 }),
      namedThreadingTask("threading_branched_thread", { steps: 9, branching: 3, direction: "forward" }),
      namedThreadingTask("threading_branched_thread", { steps: 7, direction: "backward" }),
      namedThreadingTask("threading_multi_needle", { needles: 3, pairs: 20 }),
      namedThreadingTask("threading_single_thread", { characters: 1600 }),
    ],
  },
  "prompt_recall": {
    named: PROMPT_RECALL_TASK_NAMES.map((name) => namedPromptRecallTask(name)),
    further: [
      ...(["openai", "llama", "mistral"] as const).flatMap((template) =>
        (["published", "short", "none"] as const).map((system) =>
          namedPromptRecallTask("recall_thornfield", { template, system, asking: "request" })
        )
      ),
      namedPromptRecallTask("recall_pistachio", { asking: "distant", spacing: "linear", points: 7 }),
      namedPromptRecallTask("recall_san_francisco", { depth: 0 }),
      namedPromptRecallTask("recall_san_francisco", { depth: 1, asking: "distant", template: "llama" }),
    ],
  },
  cdme: {
    named: CDME_TASK_NAMES.map((name) => namedCdmeTask(name)),
    further: [
      ...languages.flatMap((language) => [
        namedCdmeTask(`cdme_${language}`, { guide: "off", spacing: "sigmoid", points: 9 }),
        namedCdmeTask(`cdme_${language}`, { depth: 1, trim: "on", lengthBuffer: 64 }),
        namedCdmeTask(`cdme_multi_${language}`, { diff: 0 }),
        namedCdmeTask(`cdme_multi_${language}`, { depth: 0, diff: 50, guide: "off" }),
        namedCdmeTask(`cdme_multi2_${language}`, { diff: 100 }),
      ]),
      namedCdmeTask("cdme_original", { guide: "off", spacing: "sigmoid" }),
      namedCdmeTask("cdme_original_multi", { diff: 10, lengthBuffer: 400 }),
    ],
  },
};

/** Seeds as people write them, and as they do not; their number is prime, so that each meets every encoding and frame. */
export const SEEDS: readonly string[] = [
  "42",
  "",
  "A",
  "Ł",
  "𝔘",
  "kk2",
  "0",
  'a sentence that somebody took for a seed, "quoted", with a line\nbreak and a\ttab, '.repeat(9),
  "00042",
  "\0",
  "\ud800",
];

/** Whether a length is a budget in tokens; editions that keep to a reference go over it as that does. */
export function isBudget({ options: { edition } }: Task): boolean {
  return edition === undefined || edition === "exact" || edition === "fixed";
}

/** Whether prompts fill their budget; a number of pairs or documents that is given does not follow from the length. */
export function isFilled(task: Task): boolean {
  const { pairs, documents } = task.options;
  return isBudget(task) && pairs === undefined && documents === undefined;
}

/** Whether samples differ: the reference's text with the reference's counts is one and the same. */
export function areDifferent(task: Task): boolean {
  return isBudget(task) || task.options["values"] !== "reference";
}

/** Whether depths are spread evenly, which those of a grid, of a cluster, and of a thread that branches in its order are not. */
export function isSpread(task: Task): boolean {
  const { depth, points, branching, placement } = task.options;
  return isBudget(task) && placement !== "clustered" && [depth, points, branching].every((knob) => knob === undefined);
}
