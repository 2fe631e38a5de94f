import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { babilongScorer, correctedBabilongScorer } from "./scorer.ts";
import { drawLength, drawStory, LEAST_FACTS, STORY_KINDS, STORY_SENTENCE } from "./story.ts";
import { BABILONG_TEST_FILES, CLOSING, promptOpening } from "./wording.ts";
import {
  checkEssays,
  checkWhole,
  essayFiller,
  family,
  fillBy,
  type Filler,
  firstAlone,
  type Layout,
  measureOnce,
  type Named,
  oneOf,
  type Planted,
  plantFacts,
  plantOnce,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { integer, strata, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const BABILONG_SUITE = "babilong-1";

/** The output limit of the authors' code, in tokens. */
const ANSWER_ROOM = 20;

/** The most sentences of a story, as in qa3 (the paper's Table 1). */
const MOST_FACTS = 320;

/** A length allows a sentence for each 8 tokens besides 300 of the prompt (the authors' create_tasks.py), but at least a few. */
const [PROMPT_TOKENS, FACT_TOKENS, FEW_FACTS] = [300, 8, 8] as const;

const PART_HELP = "of the authors' prompt";
const SWITCH = { omitDefault: true } as const;

const KNOBS = {
  kind: oneOf(STORY_KINDS, "one, two or three supporting facts; relations of two or of three things"),
  facts: whole(
    { from: 1, to: MOST_FACTS },
    "sentences of the story, always 2 in qa4; drawn from about the range of the paper's Table 1 unless given",
  ),
  haystack: oneOf(["essay", "none"], "what the story is spread through; none is the authors' length 0k", SWITCH),
  instruction: oneOf(["on", "off"], `the instruction ${PART_HELP}`, SWITCH),
  examples: oneOf(["on", "off"], `the solved examples ${PART_HELP}`, SWITCH),
  postPrompt: oneOf(["on", "off"], `the form of the answer ${PART_HELP}`, SWITCH),
  scorer: oneOf(["original", "corrected"], "as the authors' code scores, or without its faults", SWITCH),
};

type Settings = Named<typeof KNOBS>;

/**
 * BABILong: the sentences of a small story are spread through a long text in their order, and a question asks for what follows
 * from one, two or three of them.
 *
 * Kuratov et al. 2024, arXiv 2406.10149; booydar/babilong at 7a6efee. The prompts are the authors', word for word, and the
 * sentences have the wording of bAbI 1.2, which they use. The stories are Fathom's own, as bAbI's are public and old. The text is
 * the study's essays, those that come with Fathom or the user's own books; PG-19, which the authors use, is not with Fathom.
 * Sentences are spread evenly over many samples, where the authors draw each place; every length is filled exactly. The parts of
 * the prompt and the scorer change no story, so that samples with and without them are pairs.
 */
export const BABILONG_TASKS = family({
  suite: BABILONG_SUITE,
  name: "babilong",
  nameOf: ({ kind = "qa1" }) => `babilong_${kind}`,
  about: "asks for what follows from sentences of a story that are spread through a text",
  asks: /Question: (.+)$/,
  category: ({ kind }) => kind === "qa2" || kind === "qa3" ? "multi-hop tracing" : "retrieval",
  knobs: KNOBS,
  tasks: {
    "babilong_qa1": {},
    "babilong_qa2": { kind: "qa2" },
    "babilong_qa3": { kind: "qa3" },
    "babilong_qa4": { kind: "qa4" },
    "babilong_qa5": { kind: "qa5" },
  },
  scorers: [babilongScorer, correctedBabilongScorer],
  scorerOf: ({ scorer }) => scorer === "corrected" ? correctedBabilongScorer : babilongScorer,
  answerRoom: ANSWER_ROOM,
  write: firstAlone,
  settle(given): Settings {
    const { kind, name, facts } = given;
    if (facts === undefined) return given;
    checkWhole(facts, { task: name, knob: "facts", low: LEAST_FACTS[kind], high: kind === "qa4" ? 2 : MOST_FACTS });
    return given;
  },
  harder: ({ kind, facts }) => facts === undefined || kind === "qa4" ? {} : { facts: "up" },
  recipe: babilongRecipe,
});

/** The mean over the tasks, as in the paper's Table 2. */
export const BABILONG_MEAN = "mean of qa1 to qa5";

/** BABILong, the five tasks that its authors report. */
export const BABILONG: Benchmark = {
  name: "babilong",
  title: "BABILong",
  source: "Kuratov, Bulatov, Anokhin, Rodkin, Sorokin, Sorokin and Burtsev 2024, arXiv 2406.10149",
  families: [BABILONG_TASKS],
  tasks: BABILONG_TASKS.tasks,
  groups: [{ name: BABILONG_MEAN, tasks: BABILONG_TASKS.tasks }],
  threshold: { score: 85, source: "which the BABILong paper calls satisfactory (section 3.1)" },
  testFiles: BABILONG_TEST_FILES,
  paper: async () => (await import("@/lib/papers/babilong/paper.ts")).BABILONG_PAPER,
};

function babilongRecipe(settings: Settings, request: RecipeRequest): Recipe {
  const { kind, facts: count, name, haystack } = settings;
  const { materials, length, seed, index, attempt = 0 } = request;
  const { tokenizer, essays } = materials;
  const path = [seed, BABILONG_SUITE, kind, count ?? "drawn", length];
  const draw = stream(...path, index, attempt);
  const most = Math.max(FEW_FACTS, Math.floor((length - PROMPT_TOKENS) / FACT_TOKENS));
  const { facts, question, answer } = drawStory(kind, draw, count ?? drawLength(kind, draw, most));
  const depths = strata(path, { index, dimensions: facts.length }).sort((left, right) => left - right);
  const check = { task: name, mark: STORY_SENTENCE, called: "a sentence of a story" };
  materials.remember(`babilong/${essays.name}`, () => checkEssays(essays, check));
  const filler = essayFiller(essays, { start: integer(draw, { low: 0, high: essays.size - 1 }), tokenizer });
  const before = [{ measured: measureOnce(promptOpening(kind, settings), materials) }];
  const after = [{ measured: measure(`${CLOSING}${question}`, tokenizer) }];
  const parts = facts.map(({ isNeeded, ...fact }) =>
    plantOnce(filler, { role: isNeeded ? "target" : "distractor", ...fact })
  );
  const layOut = (size: number, by: Filler): Layout => {
    const planted = parts.map((part, number): Planted => ({ at: Math.floor(depths[number]! * (size + 1)), part }));
    return { before, context: plantFacts(planted, { filler: by, size }), after };
  };
  const filled = fillBy(filler, layOut);
  return {
    ...(haystack === "none" ? { least: 0, most: 0, layOut: filled.layOut } : { ...filled, source: essays.name }),
    ...(count === undefined ? { canBeDrawnAgain: true } : {}),
    answerPrefix: "",
    references: () => [answer, question],
  };
}
