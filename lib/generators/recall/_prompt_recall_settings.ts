import { checkWhole } from "../_check_knob.ts";
import { RECALL_ASKINGS, RECALL_SYSTEMS, RECALL_TEMPLATES, RECALL_TESTS } from "./_prompt_recall_wording.ts";
import type { PromptRecallOptions } from "./prompt_recall.ts";

/** Every knob with its value. */
export interface PromptRecallSettings extends Required<Omit<PromptRecallOptions, "depth" | "test">> {
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

/**
 * Checks knobs and fills in those that were not given.
 *
 * @throws {RangeError} If a knob is outside its range, or a needle comes without its question.
 */
export function readPromptRecallSettings(options: PromptRecallOptions): PromptRecallSettings {
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
export function promptRecallKnobs(settings: PromptRecallSettings): Readonly<Record<string, string | number>> {
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
