import { number, wholeNumber } from "./task_flags.ts";
import { CDME_KNOBS } from "@/lib/benchmarks/cdme/mod.ts";
import { COUNTING_STARS_KNOBS } from "@/lib/benchmarks/counting_stars/mod.ts";
import { THREADING_KNOBS } from "@/lib/benchmarks/needle_threading/mod.ts";
import { PROMPT_RECALL_KNOBS } from "@/lib/benchmarks/prompt_dependence/mod.ts";

const NEEDLE_TYPES = ["words", "numbers", "uuids"];

/** The knobs of RULER's families. */
export const RULER_KNOB_FLAGS: readonly KnobFlag[] = [
  {
    flag: "--haystack <type>",
    knob: "haystack",
    families: ["niah"],
    choices: ["noise", "essay", "needle"],
    help: "what needles are hidden in",
  },
  {
    flag: "--key-type <type>",
    knob: "keyType",
    families: ["niah"],
    choices: NEEDLE_TYPES,
    help: "what keys are made of",
  },
  {
    flag: "--value-type <type>",
    knob: "valueType",
    families: ["niah"],
    choices: NEEDLE_TYPES,
    help: "what values are made of",
  },
  {
    flag: "--num-keys <n>",
    knob: "keys",
    families: ["niah"],
    parse: wholeNumber(1, 1000),
    help: "keys; those not asked for distract",
  },
  {
    flag: "--num-values <n>",
    knob: "values",
    families: ["niah"],
    parse: wholeNumber(1, 100),
    help: "values of each key",
  },
  {
    flag: "--num-queries <n>",
    knob: "queries",
    families: ["niah"],
    parse: wholeNumber(1, 100),
    help: "keys asked for",
  },
  {
    flag: "--depth <share>",
    knob: "depth",
    families: ["niah", "threading", "cdme", "prompt_recall"],
    parse: number(0, 1),
    help: "place of the asked needles, 0 first, 1 last; spread unless given",
  },
  { flag: "--num-chains <n>", knob: "chains", families: ["vt"], parse: wholeNumber(1), help: "chains of variables" },
  {
    flag: "--num-hops <n>",
    knob: "hops",
    families: ["vt"],
    parse: wholeNumber(1),
    help: "assignments after the first in each chain",
  },
  { flag: "--num-cw <n>", knob: "common", families: ["cwe"], parse: wholeNumber(1), help: "common words" },
  { flag: "--num-asked <n>", knob: "asked", families: ["cwe"], parse: wholeNumber(1), help: "common words asked for" },
  {
    flag: "--freq-cw <n>",
    knob: "commonFrequency",
    families: ["cwe"],
    parse: wholeNumber(2),
    help: "times each common word stands",
  },
  {
    flag: "--freq-ucw <n>",
    knob: "uncommonFrequency",
    families: ["cwe"],
    parse: wholeNumber(1),
    help: "times each other word stands",
  },
  {
    flag: "--alpha <number>",
    knob: "alpha",
    families: ["fwe"],
    parse: number(1.01),
    help: "exponent of the zeta distribution; smaller is harder",
  },
  {
    flag: "--vocab-size <n>",
    knob: "vocabulary",
    families: ["fwe"],
    parse: wholeNumber(5),
    help: "number of coded words",
  },
  {
    flag: "--coded-wordlen <n>",
    knob: "wordLength",
    families: ["fwe"],
    parse: wholeNumber(3, 20),
    help: "letters of a coded word",
  },
  {
    flag: "--num-documents <n>",
    knob: "documents",
    families: ["qa"],
    parse: wholeNumber(0),
    help: "documents, 0 for the question alone; as many as fit unless given",
  },
];

/** A flag that sets one knob of a task family; the names are those of RULER's code where it has one. */
export interface KnobFlag {
  readonly flag: string;
  readonly knob: string;
  readonly families: readonly string[];
  readonly parse?: (text: string) => string | number;
  readonly choices?: readonly string[];
  readonly help: string;
}

/** The knobs of the suites beside RULER. */
export const SUITE_KNOB_FLAGS: readonly KnobFlag[] = [
  {
    flag: "--language <code>",
    knob: "language",
    families: ["counting_stars", "cdme"],
    choices: ["en", "zh"],
    help: "language of sentences and question",
  },
  {
    flag: "--num-stars <n>",
    knob: "stars",
    families: ["counting_stars"],
    parse: wholeNumber(1, 1024),
    help: "counts asked for, the M of Counting-Stars-(M-N)",
  },
  {
    flag: "--star-sentence <kind>",
    knob: "sentence",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.sentence,
    help: "what the sentences say",
  },
  {
    flag: "--ask <what>",
    knob: "ask",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.ask,
    help: "what is asked for",
  },
  {
    flag: "--star-order <order>",
    knob: "order",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.order,
    help: "order of the counts in the text",
  },
  {
    flag: "--star-values <source>",
    knob: "values",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.values,
    help: "counts drawn for each sample, or the reference's own",
  },
  {
    flag: "--star-edition <name>",
    knob: "edition",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.edition,
    help: "exact lengths in tokens, or the reference's in characters or words",
  },
  {
    flag: "--star-scorer <name>",
    knob: "scorer",
    families: ["counting_stars"],
    choices: COUNTING_STARS_KNOBS.scorer,
    help: "the reference's scorer, as published numbers have it, or ours that reads broken lists too",
  },
  {
    flag: "--threading-kind <kind>",
    knob: "kind",
    families: ["threading"],
    choices: THREADING_KNOBS.kind,
    help: "what is looked up or followed",
  },
  {
    flag: "--num-needles <n>",
    knob: "needles",
    families: ["threading"],
    parse: wholeNumber(1, 100),
    help: "values asked for",
  },
  {
    flag: "--needle-placement <way>",
    knob: "placement",
    families: ["threading"],
    choices: THREADING_KNOBS.placement,
    help: "whether needles stand anywhere or side by side",
  },
  {
    flag: "--key-character <mark>",
    knob: "character",
    families: ["threading"],
    choices: THREADING_KNOBS.character,
    help: "the mark in the keys of conditional needles",
  },
  {
    flag: "--num-steps <n>",
    knob: "steps",
    families: ["threading"],
    parse: wholeNumber(2, 100),
    help: "pairs in a thread",
  },
  {
    flag: "--thread-direction <way>",
    knob: "direction",
    families: ["threading"],
    choices: THREADING_KNOBS.direction,
    help: "whether threads run down, up, or anywhere",
  },
  {
    flag: "--num-threads <n>",
    knob: "threads",
    families: ["threading"],
    parse: wholeNumber(1, 100),
    help: "threads followed at a time",
  },
  {
    flag: "--branching-factor <n>",
    knob: "branching",
    families: ["threading"],
    parse: wholeNumber(2, 10),
    help: "pairs of the same key at each branch",
  },
  {
    flag: "--num-pairs <n>",
    knob: "pairs",
    families: ["threading"],
    parse: wholeNumber(1, 50_000),
    help: "pairs in the haystack; as many as fit unless given",
  },
  {
    flag: "--haystack-characters <n>",
    knob: "characters",
    families: ["threading"],
    parse: wholeNumber(80, 4_000_000),
    help: "characters of the haystack, as the paper sizes it",
  },
  {
    flag: "--cdme-edition <name>",
    knob: "edition",
    families: ["cdme"],
    choices: CDME_KNOBS.edition,
    help: "exact lengths and depths, or OpenCompass's own",
  },
  {
    flag: "--cdme-item <name>",
    knob: "item",
    families: ["cdme"],
    choices: CDME_KNOBS.item,
    help: "needles that come with Fathom",
  },
  {
    flag: "--needle <text>",
    knob: "needle",
    families: ["cdme", "prompt_recall"],
    help: "a needle of your own, with its question",
  },
  {
    flag: "--needles <texts>",
    knob: "needles",
    families: ["cdme"],
    help: "several of your own, parted by |, with question, answer and keyword",
  },
  {
    flag: "--retrieval-question <text>",
    knob: "question",
    families: ["cdme", "prompt_recall"],
    help: "the question about them",
  },
  { flag: "--answer <text>", knob: "answer", families: ["cdme"], help: "the answer; the needle itself unless given" },
  { flag: "--keyword <text>", knob: "keyword", families: ["cdme"], help: "the part of the answer that decides" },
  {
    flag: "--needle-diff <percent>",
    knob: "diff",
    families: ["cdme"],
    parse: number(0, 100),
    help: "from needle to needle, in percent of the context",
  },
  {
    flag: "--depth-intervals <n>",
    knob: "points",
    families: ["cdme", "prompt_recall"],
    parse: wholeNumber(1, 1000),
    help: "depths that samples go through; depths times repeats is --samples",
  },
  {
    flag: "--depth-spacing <kind>",
    knob: "spacing",
    families: ["cdme", "prompt_recall"],
    choices: CDME_KNOBS.spacing,
    help: "how depths are spaced",
  },
  {
    flag: "--length-buffer <n>",
    knob: "lengthBuffer",
    families: ["cdme"],
    parse: wholeNumber(1, 100_000),
    help: "tokens of the length that are not context",
  },
  { flag: "--guide <switch>", knob: "guide", families: ["cdme"], choices: CDME_KNOBS.guide, help: "think first" },
  {
    flag: "--use-trim <switch>",
    knob: "trim",
    families: ["cdme"],
    choices: CDME_KNOBS.trim,
    help: "cut replies before they are compared",
  },
  {
    flag: "--recall-test <name>",
    knob: "test",
    families: ["prompt_recall"],
    choices: PROMPT_RECALL_KNOBS.test,
    help: "needle and question of the paper's",
  },
  {
    flag: "--prompt-template <name>",
    knob: "template",
    families: ["prompt_recall"],
    choices: PROMPT_RECALL_KNOBS.template,
    help: "what stands round document and question",
  },
  {
    flag: "--question-wording <name>",
    knob: "asking",
    families: ["prompt_recall"],
    choices: PROMPT_RECALL_KNOBS.asking,
    help: "the paper's question, a request, or one in words far from the needle's",
  },
  {
    flag: "--system-message <name>",
    knob: "system",
    families: ["prompt_recall"],
    choices: PROMPT_RECALL_KNOBS.system,
    help: "the paper's, a short one, or none",
  },
];
