import type { KnobFlag } from "./_knob_flag.ts";
import { number, wholeNumber } from "./_parsers.ts";

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
