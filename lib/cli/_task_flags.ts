import { type Command, Option } from "commander";
import { familyOf, type Study, type TaskChoice } from "@/lib/runs/mod.ts";
import {
  CDME_KNOBS,
  COUNTING_STARS_KNOBS,
  PROMPT_RECALL_KNOBS,
  THREADING_KNOBS,
  VARIANTS,
} from "@/lib/generators/mod.ts";
import { number, wholeNumber } from "./_parsers.ts";

/** A flag that sets one knob of a task family; the names are those of RULER's code where it has one. */
interface KnobFlag {
  readonly flag: string;
  readonly knob: string;
  readonly families: readonly string[];
  readonly parse?: (text: string) => string | number;
  readonly choices?: readonly string[];
  readonly help: string;
}

const NEEDLE_TYPES = ["words", "numbers", "uuids"];

const KNOB_FLAGS: readonly KnobFlag[] = [
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

/** Adds the flags that change what a task asks. */
export function addKnobFlags(command: Command): Command {
  for (const { flag, families, parse, choices, help } of KNOB_FLAGS) {
    const option = new Option(flag, `${families.join(", ")}: ${help}`).helpGroup("Knobs of the tasks:");
    if (choices) option.choices([...choices]);
    if (parse) option.argParser(parse);
    command.addOption(option);
  }
  return command;
}

/** Adds the flags that decide what samples are made of; a command that reads a study file leaves defaults to it. */
export function addMaterialFlags(command: Command, { defaults = true }: { readonly defaults?: boolean } = {}): Command {
  const options = [
    new Option(
      "--tokenizer <name>",
      "o200k_base, cl100k_base, p50k_base, r50k_base, or the path of a model's tokenizer.json",
    ).default(defaults ? "cl100k_base" : undefined),
    new Option("--seed <text>", "any text; the same seed gives the same samples").default(defaults ? "42" : undefined),
    new Option("--variant <name>", "whose wording the prompts follow").choices([...VARIANTS]).default(
      defaults ? "2026" : undefined,
    ),
    new Option("--essays <path>", "essays_en, essays_zh, or your own: a .txt or .jsonl file, or a folder of them")
      .default(
        defaults ? "essays_en" : undefined,
      ),
    new Option("--squad <file>", "a SQuAD 1.1 or 2.0 file for qa_1, instead of the synthetic world"),
    new Option("--hotpotqa <file>", "a HotpotQA file for qa_2, instead of the synthetic world"),
  ];
  for (const option of options) command.addOption(option.helpGroup("What samples are made of:"));
  return command;
}

/** The values of flags, by the names that commander gives them. */
export type Flags = Readonly<Record<string, unknown>>;

/**
 * Reads the tasks that were asked for, with their knobs.
 *
 * @throws {RangeError} If a knob was given that none of the tasks has.
 */
export function readTaskChoices(taskNames: readonly string[], flags: Flags): TaskChoice[] {
  const given = KNOB_FLAGS.filter((knobFlag) => flags[flagName(knobFlag)] !== undefined);
  for (const { flag, families } of given) {
    if (!taskNames.some((task) => families.includes(familyOf(task) ?? ""))) {
      throw new RangeError(
        `Cannot set ${flag.split(" ")[0]} as the task must be of ${families.join(", ")}: current value is ${
          taskNames.join(", ")
        }`,
      );
    }
  }
  return taskNames.map((task) => {
    const own = given.filter(({ families }) => families.includes(familyOf(task) ?? ""));
    const knobs = Object.fromEntries(
      own.map((knobFlag) => [knobFlag.knob, flags[flagName(knobFlag)] as string | number]),
    );
    return own.length === 0 ? { task } : { task, knobs };
  });
}

/** Reads the parts of a study that the material flags set. */
export function readMaterialFlags(flags: Flags): Partial<Study> {
  const names = ["tokenizer", "seed", "variant", "essays", "squad", "hotpotqa"];
  return Object.fromEntries(names.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]));
}

/** The name under which commander keeps a flag's value: `--num-keys <n>` is `numKeys`. */
function flagName({ flag }: KnobFlag): string {
  return flag.slice(2).split(" ")[0]!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
