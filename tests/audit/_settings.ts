import { findFaults } from "../generators/world/_world_solver.ts";
import { type Solution, unsolvable } from "./_solution.ts";
import { solveBabilong } from "./_solve_babilong.ts";
import { solveCdme } from "./_solve_cdme.ts";
import { solveCountingStars } from "./_solve_counting_stars.ts";
import { solveGraphwalks } from "./_solve_graphwalks.ts";
import { solveMrcr } from "./_solve_mrcr.ts";
import { solveNeedleThreading } from "./_solve_needle_threading.ts";
import { solvePromptRecall } from "./_solve_prompt_recall.ts";
import { solveSeveralNeedles } from "./_solve_several_needles.ts";
import { solveRepeatedWords } from "./_solve_repeated_words.ts";
import { solveRuler2 } from "./_solve_ruler2.ts";
import { readDocuments, solveRuler } from "./_solve_ruler.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { SEVERAL_NEEDLES } from "@/lib/benchmarks/prompt_dependence/several_needles.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { COMMON_WORDS } from "@/lib/benchmarks/ruler/common_words.ts";
import { FREQUENT_WORDS } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_FAMILIES, RULER_STUDY_TASK_NAMES, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import { RULER2_NIAH, RULER2_QUESTIONS } from "@/lib/benchmarks/ruler/ruler2.ts";
import { type Sample, type Task, userText } from "@/lib/generators/mod.ts";

/** The suites, by the names that their folders have. */
export type SuiteName =
  | "ruler"
  | "counting_stars"
  | "needle_threading"
  | "several_needles"
  | "prompt_recall"
  | "cdme"
  | "repeated_words"
  | "ruler2"
  | "babilong"
  | "graphwalks"
  | "mrcr";

/** How the prompts of each suite are solved. */
export const SOLVERS: Readonly<Record<SuiteName, (prompt: string, sample: Sample) => Solution>> = {
  ruler: (prompt, sample) => sample.task.startsWith("qa") ? solveQuestion(prompt, sample) : solveRuler(prompt),
  "counting_stars": solveCountingStars,
  "needle_threading": solveNeedleThreading,
  "several_needles": solveSeveralNeedles,
  "prompt_recall": solvePromptRecall,
  cdme: solveCdme,
  "repeated_words": solveRepeatedWords,
  ruler2: solveRuler2,
  babilong: solveBabilong,
  graphwalks: solveGraphwalks,
  mrcr: solveMrcr,
};

/** The world's solver takes the reference, and says whether it is the one answer that the documents give. */
function solveQuestion(prompt: string, { prompt: asked, references }: Sample): Solution {
  const [fault] = findFaults(userText(asked), references[0]!);
  if (fault !== undefined) throw unsolvable(fault);
  return { ...readDocuments(prompt), answers: references.toSorted() };
}

/** Every task of RULER; those of its study first, as the place in a plan decides a task's seeds. */
const RULER_NAMES: readonly RulerTaskName[] = [
  ...new Set([...RULER_STUDY_TASK_NAMES, ...RULER_FAMILIES.flatMap<RulerTaskName>(({ tasks }) => tasks)]),
];
/** Things to count that no essay has, and sentences about them. */
const OTHER_THINGS = {
  en: { language: "en", thing: "balloons" },
  zh: { language: "zh", thing: "气球", measure: "只" },
} as const;
const OTHER_SENTENCES = {
  en: "A child let {count} {thing} go over the roofs.",
  zh: "一个孩子放走了{count}只{thing}。",
};

/** As long as the penguin, as the solver puts it in their place and then says where each count stands. */
const OTHER_COUNTERS = { en: "bearded keeper", zh: "老牧人" } as const;

const stars = STARS.tasks.map((name) => STARS.task(name));
const languages = ["en", "zh"] as const;

/** What is audited: every task as it is named, the default variant first, and then knobs at their edges. */
export const SETTINGS: Readonly<
  Record<SuiteName, { readonly named: readonly Task[]; readonly further: readonly Task[] }>
> = {
  ruler: {
    named: RULER_NAMES.map((name) => rulerTask(name)),
    further: [
      ...RULER_NAMES.flatMap((name) => VARIANTS.slice(1).map((variant) => rulerTask(name, { variant }))),
      NIAH.make({ haystack: "noise", keys: 40, values: 3, queries: 7 }),
      NIAH.make({ haystack: "essay", keyType: "uuids", valueType: "words", keys: 12, queries: 2 }),
      NIAH.make({ haystack: "needle", keyType: "numbers", valueType: "words", queries: 3, values: 2 }),
      NIAH.make({ haystack: "essay", keyType: "numbers", valueType: "numbers", queries: 2 }),
      NIAH.make({ haystack: "essay", depth: 0 }),
      NIAH.make({ haystack: "noise", depth: 1, values: 2 }),
      ...VARIANTS.map((variant) => VARIABLE_TRACKING.make({ variant, chains: 3, hops: 9 })),
      VARIABLE_TRACKING.make({ chains: 12, hops: 1 }),
      VARIABLE_TRACKING.make({ chains: 1, hops: 25 }),
      VARIABLE_TRACKING.make({ haystack: "essay" }),
      VARIABLE_TRACKING.make({ haystack: "essay", chains: 3, hops: 2, examples: 0 }),
      COMMON_WORDS.make({ common: 3, asked: 3 }),
      COMMON_WORDS.make({ examples: 3 }),
      COMMON_WORDS.make({ common: 20, asked: 5, commonFrequency: 12, uncommonFrequency: 2 }),
      FREQUENT_WORDS.make({ alpha: 1.1 }),
      FREQUENT_WORDS.make({ alpha: 10, wordLength: 4 }),
      FREQUENT_WORDS.make({ alpha: 2, vocabulary: 40, wordLength: 20, variant: "paper" }),
      QUESTION_ANSWERING.make({ hops: 1, documents: 10 }),
      QUESTION_ANSWERING.make({ hops: 2, documents: 3 }),
    ],
  },
  "counting_stars": {
    named: stars,
    further: languages.flatMap((language) => [
      STARS.make({ language, stars: 1 }),
      STARS.make({ language, stars: 64, values: "reference" }),
      STARS.make({ language, stars: 128, order: "shuffled", sentence: "corrected", values: "reference" }),
      STARS.make({ language, stars: 8, ask: "sum", sentence: "linked", order: "shuffled" }),
      STARS.make({ language, stars: 16, ask: "list_and_sum", sentence: "miscounted", order: "shuffled" }),
      ...(["plain", "corrected", "miscounted", "linked"] as const).map((sentence) =>
        STARS.make({ language, stars: 4, sentence, order: "shuffled", examples: 1 })
      ),
      STARS.make({ language, stars: 2, ask: "list_and_sum", examples: 3 }),
      STARS.make({ language, stars: 1024, values: "reference", ask: "sum", examples: 1 }),
      STARS.make({ language, edition: "v1" }),
      STARS.make({ language, edition: "v1", values: "reference" }),
      STARS.make({ language, edition: "v3", stars: 16 }),
      STARS.make({ language, edition: "v3", sentence: "corrected", order: "shuffled", values: "reference" }),
      ...(["plain", "corrected", "miscounted", "linked"] as const).map((sentence) =>
        STARS.make({ ...OTHER_THINGS[language], stars: 4, sentence, order: "shuffled", examples: 1 })
      ),
      STARS.make({ ...OTHER_THINGS[language], edition: "v1" }),
      STARS.make({ ...OTHER_THINGS[language], wording: OTHER_SENTENCES[language], stars: 8 }),
      ...(["corrected", "miscounted", "linked"] as const).map((sentence) =>
        STARS.make({ ...OTHER_THINGS[language], counter: OTHER_COUNTERS[language], sentence, stars: 4, examples: 1 })
      ),
    ]),
  },
  "needle_threading": {
    named: THREADING.tasks.map((name) => THREADING.task(name)),
    further: [
      THREADING.task("threading_single_needle", { depth: 0 }),
      THREADING.task("threading_single_needle", { depth: 1 }),
      THREADING.task("threading_multi_needle", { needles: 25, placement: "clustered" }),
      THREADING.task("threading_conditional_needle", { needles: 10, placement: "clustered", character: "&" }),
      THREADING.task("threading_conditional_needle", { needles: 1, character: "Z" }),
      THREADING.task("threading_single_thread", { steps: 2, direction: "forward" }),
      THREADING.task("threading_single_thread", { steps: 25, direction: "backward" }),
      THREADING.task("threading_multi_thread", { threads: 5, steps: 4, direction: "forward" }),
      THREADING.task("threading_multi_thread", { threads: 2, steps: 10, direction: "backward" }),
      THREADING.task("threading_branched_thread", { steps: 3, branching: 10 }),
      THREADING.task("threading_branched_thread", { steps: 9, branching: 3, direction: "forward" }),
      THREADING.task("threading_branched_thread", { steps: 7, direction: "backward" }),
      ...THREADING.tasks.map((name) => THREADING.task(name, { examples: 2 })),
      THREADING.task("threading_conditional_needle", { needles: 2, character: "{", pairs: 4, examples: 1 }),
      THREADING.task("threading_single_thread", { steps: 2, pairs: 3, direction: "backward", examples: 1 }),
      THREADING.task("threading_multi_needle", { needles: 3, pairs: 20 }),
      THREADING.task("threading_single_thread", { characters: 1600 }),
    ],
  },
  "several_needles": {
    named: SEVERAL_NEEDLES.tasks.map((name) => SEVERAL_NEEDLES.task(name)),
    further: [
      SEVERAL_NEEDLES.task("recall_pizza", { depth: 0, system: "none" }),
      SEVERAL_NEEDLES.task("recall_pizza", { depth: 1, ending: "none" }),
      SEVERAL_NEEDLES.task("recall_pizza", { spacing: "sigmoid", depths: 7, system: "published" }),
    ],
  },
  "prompt_recall": {
    named: PROMPT_RECALL.tasks.map((name) => PROMPT_RECALL.task(name)),
    further: [
      ...(["openai", "llama", "mistral"] as const).flatMap((template) =>
        (["published", "short", "none"] as const).map((system) =>
          PROMPT_RECALL.task("recall_thornfield", { template, system, wording: "request" })
        )
      ),
      PROMPT_RECALL.task("recall_pistachio", { wording: "distant", spacing: "linear", depths: 7 }),
      PROMPT_RECALL.task("recall_san_francisco", { depth: 0 }),
      PROMPT_RECALL.task("recall_san_francisco", { depth: 1, wording: "distant", template: "llama" }),
    ],
  },
  cdme: {
    named: CDME_NEEDLES.tasks.map((name) => CDME_NEEDLES.task(name)),
    further: [
      ...languages.flatMap((language) => [
        CDME_NEEDLES.task(`cdme_${language}`, { guide: "off", spacing: "sigmoid", depths: 9 }),
        CDME_NEEDLES.task(`cdme_${language}`, { depth: 1, trim: "on", lengthBuffer: 64 }),
        CDME_NEEDLES.task(`cdme_multi_${language}`, { gap: 0 }),
        CDME_NEEDLES.task(`cdme_multi_${language}`, { depth: 0, gap: 50, guide: "off" }),
        CDME_NEEDLES.task(`cdme_multi2_${language}`, { gap: 100 }),
      ]),
      CDME_NEEDLES.task("cdme_original", { guide: "off", spacing: "sigmoid" }),
      CDME_NEEDLES.task("cdme_original_multi", { gap: 10, lengthBuffer: 400 }),
    ],
  },
  ruler2: {
    named: [
      ...RULER2_NIAH.tasks.map((name) => RULER2_NIAH.task(name)),
      ...RULER2_QUESTIONS.tasks.map((name) => RULER2_QUESTIONS.task(name)),
    ],
    further: [
      RULER2_NIAH.make({ values: 12 }),
      RULER2_QUESTIONS.make({ ask: "all", same: 11 }),
      RULER2_QUESTIONS.make({ same: 3, steps: "two", examples: 2 }),
      RULER2_QUESTIONS.make({ ask: "solve", examples: 0 }),
    ],
  },
  "repeated_words": {
    named: REPEATED_WORDS.tasks.map((name) => REPEATED_WORDS.task(name)),
    further: [
      REPEATED_WORDS.make({ room: 1 }),
      REPEATED_WORDS.make({ room: 1.7, places: "grid", pair: "San_Francisco_sf" }),
      REPEATED_WORDS.make({ room: 4, pair: "Golden_Gate_Bridge_Park" }),
      REPEATED_WORDS.make({ words: 25, places: "grid" }),
      REPEATED_WORDS.make({ words: 250, pair: "golden_Golden", score: "exact" }),
      REPEATED_WORDS.make({ depth: 0, pair: "apples_apple" }),
      REPEATED_WORDS.make({ depth: 1, pair: "orange_San_Francisco" }),
    ],
  },
  babilong: {
    named: BABILONG_TASKS.tasks.map((name) => BABILONG_TASKS.task(name)),
    further: [
      ...BABILONG_TASKS.tasks.map((name) => BABILONG_TASKS.task(name, { haystack: "none", postPrompt: "off" })),
      ...(["babilong_qa1", "babilong_qa2", "babilong_qa3", "babilong_qa5"] as const).flatMap((name) => [
        BABILONG_TASKS.task(name, { facts: 3, instruction: "off", examples: "off", postPrompt: "off" }),
        BABILONG_TASKS.task(name, { facts: 120 }),
      ]),
    ],
  },
  graphwalks: {
    named: GRAPH_WALKS.tasks.map((name) => GRAPH_WALKS.task(name)),
    further: [
      GRAPH_WALKS.task("graphwalks_parents", { wording: "2025", degree: 50 }),
      GRAPH_WALKS.task("graphwalks_parents", { degree: 1, emptyAnswers: "redrawn" }),
      GRAPH_WALKS.task("graphwalks_bfs", { degree: 1, depth: 12 }),
      GRAPH_WALKS.task("graphwalks_bfs", { degree: 2, depth: 6, emptyAnswers: "redrawn" }),
      GRAPH_WALKS.task("graphwalks_bfs", { wording: "2025", depth: 1 }),
      GRAPH_WALKS.task("graphwalks_bfs", { degree: 5, depth: 3 }),
    ],
  },
  mrcr: {
    named: MRCR_GRAMMAR.tasks.map((name) => MRCR_GRAMMAR.task(name)),
    further: [
      ...MRCR_GRAMMAR.tasks.map((name) => MRCR_GRAMMAR.task(name, { parts: "3" })),
      MRCR_GRAMMAR.make({ needles: 1, examples: 0 }),
      MRCR_GRAMMAR.make({ needles: 3, asked: 3, examples: 3 }),
      MRCR_GRAMMAR.make({ needles: 5, asked: 1, parts: "3", examples: 0 }),
      MRCR_GRAMMAR.make({ needles: 4, ending: "needle" }),
      MRCR_GRAMMAR.make({ needles: 4, questions: 4, parts: "3", scorer: "openai" }),
    ],
  },
};

/** Tasks that are not audited, each with its reason. */
export const NOT_AUDITED: Readonly<Record<string, string>> = {};

/** Seeds as people write them, and as they do not; their number is prime, so that each meets every encoding and template. */
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

/** Whether prompts fill their budget; a number of pairs or documents that is given does not follow from the length, nor does no text. */
/** Whether prompts are several messages, for which most templates have no text. */
export function hasTurns({ suite }: Task): boolean {
  return suite.startsWith("mrcr");
}

/** Whether prompts fill their budget; a number of pairs or documents that is given does not follow from the length. */
export function isFilled(task: Task): boolean {
  const { pairs, documents, words, haystack } = task.options;
  return isBudget(task) && [pairs, documents, words].every((knob) => knob === undefined) && haystack !== "none";
}

/** Whether samples differ: the reference's text with the reference's counts is one and the same, and a copy with one place. */
export function areDifferent(task: Task): boolean {
  const isCopy = task.suite.startsWith("repeated-words") && task.options["depth"] !== undefined;
  return !isCopy && (isBudget(task) || task.options["values"] !== "reference");
}

/**
 * Whether depths are spread evenly, which those of a grid, of a cluster, and of a thread that branches in its order are not, nor those
 * of a story that is asked about at its end.
 */
export function isSpread(task: Task): boolean {
  if (task.suite.startsWith("babilong")) return false;
  const { depth, depths, branching, placement, asked, ending } = task.options;
  const fixed = [depth, depths, branching, asked];
  return isBudget(task) && placement !== "clustered" && ending !== "needle" &&
    fixed.every((knob) => knob === undefined);
}
