import wordings from "./wordings.json" with { type: "json" };
import { essaysAround, findDepth, RECALL_ENDINGS, RECALL_SYSTEMS, sharedText } from "./prompt_recall.ts";
import {
  breakAt,
  cannotMake,
  family,
  fillBy,
  type Filler,
  joinTexts,
  type Layout,
  type Named,
  number,
  oneOf,
  plantFacts,
  plantOnce,
  type Recipe,
  type RecipeRequest,
  splitTexts,
  text,
  TEXTS,
  texts,
  whole,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. */
const SEVERAL_NEEDLES_SUITE = "several-needles-2";

/** The version in which all depths of a round share their text. */
const SHARED_SUITE = "several-needles-1";

/** The output limit of Kamradt's test, in tokens. */
const ANSWER_ROOM = 300;

const KNOBS = {
  needles: texts("needles of your own, a sentence each; need answers and a question"),
  answers: texts("the words of each needle that a reply has to name, in the same order"),
  question: text("the question about your own needles"),
  system: oneOf(["short", "published", "none"], "the system message: that of Kamradt's test, the paper's, or none"),
  ending: oneOf(["kamradt", "none"], "what follows the question: Kamradt's line against other information, or nothing"),
  depths: whole(
    { from: 1, to: 1000, byDefault: 35 },
    "how many depths of the first needle the samples cycle through; the others follow at even steps to the end of the text",
  ),
  texts: TEXTS,
  spacing: oneOf(["linear", "sigmoid"], "how the depths are spaced"),
  depth: number({ from: 0, to: 1 }, "one depth of the first needle for all samples, instead of the grid"),
};

interface SeveralNeedles extends Omit<Named<typeof KNOBS>, "needles" | "answers"> {
  readonly needles: readonly string[];
  readonly answers: readonly string[];
  readonly question: string;
  readonly isOwn: boolean;
}

/**
 * Several needles of Kamradt's Needle In A Haystack test: sentences are hidden in essays at even steps from a depth to the end, and
 * the score is the share of them that the reply names.
 *
 * gkamradt/LLMTest_NeedleInAHaystack, llm_multi_needle_haystack_tester.py: of n needles, the first at depth d, each is
 * (1 - d) / n of the text after the one before. There a model counts the needles that a reply returns; here each has words that
 * must be named. Needles and question are the original's.
 */
export const SEVERAL_NEEDLES = family({
  suite: SEVERAL_NEEDLES_SUITE,
  earlier: { suite: SHARED_SUITE, knobs: { texts: "shared" } },
  name: "several_needles",
  about: "asks for several sentences hidden in essays at even steps, and counts how many the reply names",
  asks: /^.+?(?= Don't give information|$)/m,
  category: "retrieval",
  knobs: KNOBS,
  tasks: { "recall_pizza": {} },
  scorers: [allFound],
  answerRoom: ANSWER_ROOM,
  settle,
  clusterOf: (place): string | undefined => place.suite === SHARED_SUITE ? sharedText(SHARED_SUITE, place) : undefined,
  describe: (settings): Readonly<Record<string, string | number>> => {
    const { isOwn, needles, answers, question, system, ending, depths, spacing, depth } = settings;
    return {
      ...(isOwn ? { needles: joinTexts(needles), answers: joinTexts(answers), question } : {}),
      system,
      ending,
      ...(depth === undefined ? { depths, spacing } : { depth }),
    };
  },
  recipe,
});

function settle({ needles, answers, question, ...given }: Named<typeof KNOBS>): SeveralNeedles {
  if (needles === undefined && answers === undefined && question === undefined) {
    return { ...given, ...wordings.pizza, isOwn: false };
  }
  const refuse = (wanted: string, value: string = ""): RangeError => cannotMake(given.name, wanted, value);
  const [own, words] = [needles, answers].map((list) => list === undefined ? [] : splitTexts(list));
  if (own!.length < 2 || own!.some((needle) => needle.trim() === "" || needle.includes("\n"))) {
    throw refuse("needles of your own must be at least two lines of text", needles);
  }
  if (question === undefined || question.trim() === "" || question.includes("\n")) {
    throw refuse("needles of your own must come with a question in one line", question);
  }
  const isNamed = own!.every((needle, at) => words![at]?.trim() && needle.includes(words![at]!));
  if (words!.length !== own!.length || !isNamed) {
    throw refuse("answers must be words of each needle, in the same order", answers);
  }
  return { ...given, needles: own!.map((needle) => needle.trim()), answers: words!, question, isOwn: true };
}

function recipe(settings: SeveralNeedles, request: RecipeRequest): Recipe {
  const { tokenizer } = request.materials;
  const { needles, answers, question, system, ending } = settings;
  const { depth } = findDepth(settings, request.index);
  const suites = [SEVERAL_NEEDLES_SUITE, SHARED_SUITE] as const;
  const { filler, source } = essaysAround(needles, { settings, request, suites });
  const opening = RECALL_SYSTEMS[system];
  const before = [{ measured: measure(opening === "" ? "" : `${opening}\n`, tokenizer) }];
  const after = [{ measured: measure(`\n${question}${RECALL_ENDINGS[ending]}`, tokenizer) }];
  const step = (1 - depth) / needles.length;
  const layOut = (size: number, by: Filler): Layout => {
    const planted = needles.map((needle, at) => ({
      at: breakAt(depth + at * step, { filler: by, size, tokenizer, toward: "back" }),
      part: plantOnce(by, { role: "target", text: needle, key: question, value: answers[at]! }),
    }));
    return { before, context: plantFacts(planted, { filler: by, size }), after };
  };
  return { ...fillBy(filler, layOut), answerPrefix: "", references: () => answers, depth, source };
}
