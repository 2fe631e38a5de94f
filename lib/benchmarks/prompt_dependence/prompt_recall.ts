import {
  breakAt,
  checkEssays,
  checkWhole,
  depthGrid,
  type DepthSpacing,
  essayFiller,
  type Filler,
  type Layout,
  makeTask,
  type Materials,
  type Part,
  PROMPT_RECALL_SUITE,
  type Recipe,
  type SampleRequest,
  type Task,
} from "@/lib/generators/mod.ts";
import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** One of the paper's three tests: a needle with its question. */
export type RecallTest = "pistachio" | "san_francisco" | "thornfield";
/** One of the paper's prompt templates (Table 6). */
export type RecallTemplate = "openai" | "llama" | "mistral";
/** A wording of the question: the paper's, a request, or one that shares few words with the needle. */
export type RecallAsking = "published" | "request" | "distant";
/** A system message: the paper's, that of Kamradt's test, or none. */
export type RecallSystem = "published" | "short" | "none";

/** Options for {@linkcode promptRecallTask}. */
export interface PromptRecallOptions {
  /**
   * What the task is called.
   *
   * @default {"prompt_recall"}
   */
  readonly name?: string;
  /**
   * Which of the paper's tests is asked.
   *
   * @default {"pistachio"}
   */
  readonly test?: RecallTest;
  /** A needle of your own, one sentence, with `question`; a full stop is added where it has none. */
  readonly needle?: string;
  /** The question about it. */
  readonly question?: string;
  /**
   * The prompt template round document and question.
   *
   * @default {"openai"}
   */
  readonly template?: RecallTemplate;
  /**
   * The wording of the question.
   *
   * @default {"published"}
   */
  readonly asking?: RecallAsking;
  /**
   * The system message; it stands in the template, as in the paper.
   *
   * @default {"published"}
   */
  readonly system?: RecallSystem;
  /**
   * Depths that samples go through, from the first sentence to the last. Range: 1 to 1,000. Sample i stands at depth i modulo
   * this number; all samples of one round, of every test and wording, have the same text round their needles.
   *
   * @default {35}
   */
  readonly points?: number;
  /**
   * How depths are spaced.
   *
   * @default {"sigmoid"}
   */
  readonly spacing?: DepthSpacing;
  /** Where the needle of every sample stands, instead of going through depths: 0 is first, 1 last. Range: 0 to 1. */
  readonly depth?: number;
}

/** The most that Kamradt's test lets a model write, in tokens; the paper does not say its own. */
const ANSWER_ROOM = 300;

/**
 * Makes a task of "LLM In-Context Recall is Prompt Dependent": one sentence stands in essays at a given depth, and a question asks
 * for it.
 *
 * Machlab and Battle (arXiv 2404.08865v1), sections 3.1 to 3.3, Tables 2 and 6, after Kamradt's Needle In A Haystack test. The end
 * of the text and the needle's place are moved back to the end of a sentence. Where the paper cuts the text at its length, here
 * the whole prompt and the answer's room are the length. Replies are graded from 1 to 5.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 300 tokens for the answer; their references are the needle and the question, and
 * behind another wording of it the published one.
 * @throws {RangeError} If a knob is outside its range, or a needle comes without its question.
 *
 * @example The paper's 35 depths
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const task = promptRecallTask({ test: "san_francisco", template: "mistral" });
 * equal(task.scoring, "recall rubric");
 * equal(task.options["points"], 35);
 * ```
 */
export function promptRecallTask(options: PromptRecallOptions = {}): Task {
  const settings = readPromptRecallSettings(options);
  return makeTask({
    suite: PROMPT_RECALL_SUITE,
    name: settings.name,
    category: "retrieval",
    options: promptRecallKnobs(settings),
    answerRoom: ANSWER_ROOM,
    scoring: "recall rubric",
    recipe: (request) => promptRecallRecipe(settings, request),
  });
}

/** Lays a sample out: the system message, essays with the needle between two sentences, the question. */
function promptRecallRecipe(settings: PromptRecallSettings, request: SampleRequest): Recipe {
  const { materials, seed, index } = request;
  const { tokenizer } = materials;
  const { needle, question, publishedQuestion, name } = settings;
  const essays = materials.essaysIn("en");
  materials.remember(
    `prompt recall/${essays.name}/${needle}`,
    () => checkEssays(essays, { task: name, mark: needle, called: "the needle" }),
  );
  const { depth, repeat } = placeInGrid(settings, index);
  // The same for every length, depth, test and wording, so that cells can be paired.
  const [start = 0] = spread([seed, PROMPT_RECALL_SUITE, "start"], { index: repeat, dimensions: 1 });
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
  const { opening, between, closing } = RECALL_TEMPLATES[settings.template];
  const before = { measured: measure(opening(RECALL_SYSTEMS[settings.system]), tokenizer) };
  const after = { measured: measure(between + question + closing, tokenizer) };
  const fact = { role: "target", text: needle, key: question, value: needle } as const;
  const layOut = (size: number, by: Filler): Layout => {
    const at = breakAt(depth, { filler: by, size, tokenizer, toward: "back" });
    const planted: Part = { measured: by.needle(needle, at === 0), fact };
    // Behind a needle that comes first the text goes on in its line, space and all.
    const rest = at === 0 ? restOf(by, { size, tokenizer }) : at < size ? by.run(at, size) : [];
    return {
      before: [before],
      context: [...(at > 0 ? by.run(0, at) : []), planted, ...rest],
      after: [after],
    };
  };
  return {
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size, filler),
    closeGap(size, gap, fits): Layout {
      for (const { filler: tighter, added } of filler.tighten?.(size, gap) ?? []) {
        const layout = layOut(size + added, tighter);
        if (fits(layout)) return layout;
      }
      return layOut(size, filler);
    },
    answerPrefix: "",
    references: () => [needle, question, ...(publishedQuestion === undefined ? [] : [publishedQuestion])],
    depth,
    source: essays.name,
  };
}

/** Gives all the filler, with the space before it that a filler at the start of a text does without. */
function restOf(
  filler: Filler,
  { size, tokenizer }: { readonly size: number; readonly tokenizer: Materials["tokenizer"] },
): readonly Part[] {
  return size === 0 ? [] : [{ measured: measure(" ", tokenizer) }, ...filler.run(0, size)];
}

/** Tells a sample's depth, in [0, 1], and the number of the text round its needle: depths go round fastest. */
function placeInGrid(
  { depth, points, spacing }: PromptRecallSettings,
  index: number,
): { readonly depth: number; readonly repeat: number } {
  if (depth !== undefined) return { depth, repeat: index };
  return { depth: depthGrid({ points, spacing })[index % points]! / 100, repeat: Math.floor(index / points) };
}

/** A needle and the question about it. */
interface RecallPair {
  /** The sentence that is planted. */
  readonly needle: string;
  /** The question, in each of its wordings; the first is the published one. */
  readonly questions: readonly [string, ...string[]];
}

/** The three tests of the paper (Table 2), with two further wordings of each question that are Fathom's. */
const RECALL_TESTS: Readonly<Record<RecallTest, RecallPair>> = {
  pistachio: {
    needle: "PistachioAI received a patent before its Series A.",
    questions: [
      "What did PistachioAI receive before its Series A?",
      "Tell me what PistachioAI received before its Series A.",
      "Which asset was PistachioAI granted ahead of the Series A round?",
    ],
  },
  "san_francisco": {
    needle: "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.",
    questions: [
      "What is the best thing to do in San Francisco?",
      "Tell me the best thing to do in San Francisco.",
      "How should a visitor to San Francisco spend the time, ideally?",
    ],
  },
  thornfield: {
    needle:
      "The best thing to do in Thornfield Hollow is eat a sandwich and sit in Harmony Glen Nature Preserve on a sunny day.",
    questions: [
      "What is the best thing to do in Thornfield Hollow?",
      "Tell me the best thing to do in Thornfield Hollow.",
      "How should a visitor to Thornfield Hollow spend the time, ideally?",
    ],
  },
};

/** The wordings of a question: the paper's, a request, and one that shares few words with the needle. */
const RECALL_ASKINGS: readonly RecallAsking[] = ["published", "request", "distant"];

/** The system messages: the paper's, that of Kamradt's test, and none. */
const RECALL_SYSTEMS: Readonly<Record<RecallSystem, string>> = {
  published: "You are a helpful AI assistant that answers a question using only the provided information.",
  short: "You are a helpful AI bot that answers questions for a user. Keep your response short and direct",
  none: "",
};

/** What stands round document and question. */
interface Frame {
  readonly opening: (system: string) => string;
  readonly between: string;
  readonly closing: string;
}

/**
 * The templates of the paper's Table 6; the system block of Llama's stands outside the instruction, as it is printed.
 */
const RECALL_TEMPLATES: Readonly<Record<RecallTemplate, Frame>> = {
  openai: { opening: line, between: "\n", closing: "" },
  llama: {
    opening: (system) => system === "" ? "<s>" : `<s><<SYS>>\n${system}\n<</SYS>>\n`,
    between: "\n[INST]",
    closing: "[/INST]",
  },
  mistral: { opening: (system) => `[INST]\n${line(system)}`, between: "\n", closing: "\n[/INST]" },
};

function line(system: string): string {
  return system === "" ? "" : `${system}\n`;
}

/** Every knob with its value. */
interface PromptRecallSettings extends Required<Omit<PromptRecallOptions, "depth" | "test">> {
  /** One of the paper's tests, or the user's own. */
  readonly test: string;
  /** The published question, where another wording of it is asked: what it gives away is no answer in any wording. */
  readonly publishedQuestion?: string;
  /** Where every needle stands, in [0, 1], instead of the grid. */
  readonly depth?: number;
}

/** The words that each knob takes, the default first. */
export const PROMPT_RECALL_KNOBS: Readonly<
  Record<"test" | "template" | "asking" | "system" | "spacing", readonly string[]>
> = {
  test: Object.keys(RECALL_TESTS),
  template: Object.keys(RECALL_TEMPLATES),
  asking: RECALL_ASKINGS,
  system: Object.keys(RECALL_SYSTEMS),
  spacing: ["sigmoid", "linear"],
};

/** Checks knobs and fills in those that were not given. */
function readPromptRecallSettings(options: PromptRecallOptions): PromptRecallSettings {
  const { name = "prompt_recall", test = "pistachio", template = "openai", asking = "published" } = options;
  const { system = "published", spacing = "sigmoid", points = 35, depth } = options;
  const words = { test, template, asking, system, spacing };
  for (const [knob, known] of Object.entries(PROMPT_RECALL_KNOBS)) {
    const value = words[knob as keyof typeof words];
    if (!known.includes(value)) {
      throw new RangeError(
        `Cannot make task ${name} as ${knob} must be one of ${known.join(", ")}: current value is "${value}"`,
      );
    }
  }
  checkWhole(points, { task: name, knob: "points", low: 1, high: 1000 });
  if (depth !== undefined && !(depth >= 0 && depth <= 1)) {
    throw new RangeError(`Cannot make task ${name} as depth must be in [0, 1]: current value is ${depth}`);
  }
  const own = readOwnPair(options, { name, asking });
  const { needle, questions } = RECALL_TESTS[test];
  return {
    name,
    test: own === undefined ? test : "own",
    needle: own?.needle ?? needle,
    question: own?.question ?? questions[RECALL_ASKINGS.indexOf(asking)]!,
    ...(asking === "published" ? {} : { publishedQuestion: questions[0] }),
    template,
    asking,
    system,
    spacing,
    points,
    ...(depth === undefined ? {} : { depth }),
  };
}

/** The knobs of a task with their values, as its samples' ids tell them. */
function promptRecallKnobs(settings: PromptRecallSettings): Readonly<Record<string, string | number>> {
  const { test, needle, question, template, asking, system, points, spacing, depth } = settings;
  return {
    ...(test === "own" ? { needle, question } : { test, asking }),
    template,
    system,
    ...(depth === undefined ? { points, spacing } : { depth }),
  };
}

function readOwnPair(
  { needle, question, test }: PromptRecallOptions,
  { name, asking }: { readonly name: string; readonly asking: string },
): { readonly needle: string; readonly question: string } | undefined {
  if (needle === undefined && question === undefined) return undefined;
  const refuse = (wanted: string, value: unknown): RangeError =>
    new RangeError(`Cannot make task ${name} as ${wanted}: current value is ${JSON.stringify(value ?? "")}`);
  if (needle === undefined || needle.trim() === "" || /[\r\n]/.test(needle.trim())) {
    throw refuse("a needle of your own must be a line of text, with its question", needle);
  }
  if (question === undefined || question.trim() === "" || /[\r\n]/.test(question.trim())) {
    throw refuse("a needle of your own must come with a question in one line", question);
  }
  if (test !== undefined) throw refuse("test must be left out where a needle of your own is given", test);
  if (asking !== "published") throw refuse("asking must be left out where a question of your own is given", asking);
  const sentence = needle.trim();
  // Without its full stop a needle would run into the sentence behind it.
  return { needle: /[.!?…。！？]["”’)\]]*$/.test(sentence) ? sentence : `${sentence}.`, question: question.trim() };
}

/** The paper's tests by name, with the knob that sets each apart. */
const TASKS: Readonly<Record<PromptRecallTaskName, PromptRecallOptions>> = {
  "recall_pistachio": { test: "pistachio" },
  "recall_san_francisco": { test: "san_francisco" },
  "recall_thornfield": { test: "thornfield" },
};

/** The name of one of the prompt-dependence tests. */
export type PromptRecallTaskName = "recall_pistachio" | "recall_san_francisco" | "recall_thornfield";

/** The names of the three tests of "LLM In-Context Recall is Prompt Dependent". */
export const PROMPT_RECALL_TASK_NAMES: readonly PromptRecallTaskName[] = Object.keys(
  TASKS,
) as PromptRecallTaskName[];

/**
 * Makes one of the prompt-dependence tests by its name.
 *
 * @param name One of {@linkcode PROMPT_RECALL_TASK_NAMES}.
 * @param options Knobs that are changed.
 * @returns The task.
 * @throws {RangeError} If there is no such task, or a knob is outside its range.
 *
 * @example The test in Llama's template
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(namedPromptRecallTask("recall_thornfield", { template: "llama" }).options["test"], "thornfield");
 * ```
 */
export function namedPromptRecallTask(
  name: PromptRecallTaskName,
  options: Omit<PromptRecallOptions, "name" | "test" | "needle" | "question"> = {},
): Task {
  if (!Object.hasOwn(TASKS, name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${
        PROMPT_RECALL_TASK_NAMES.join(", ")
      }: current value is "${name}"`,
    );
  }
  return promptRecallTask({ ...TASKS[name], ...options, name });
}
