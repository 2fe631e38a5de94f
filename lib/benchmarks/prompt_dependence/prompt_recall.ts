import { sum } from "@/lib/base/mod.ts";
import { recallScorer } from "./recall_keywords.ts";
import wordings from "./wordings.json" with { type: "json" };
import {
  askAll,
  type Asked,
  breakAt,
  cannotMake,
  checkEssays,
  checkWhole,
  depthGrid,
  type DepthSpacing,
  essayFiller,
  family,
  fillBy,
  type Filler,
  firstAlone,
  knobInId,
  type Layout,
  maybe,
  type Named,
  number,
  oneOf,
  placeInGrid,
  type Planted,
  plantFacts,
  plantOnce,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  type SamplePlace,
  text,
  TEXTS,
  whole,
} from "@/lib/generators/mod.ts";
import { spread } from "@/lib/random/mod.ts";
import { measure, type Tokenizer } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const PROMPT_RECALL_SUITE = "prompt-recall-4";

/** The version in which all depths of a round share their text. */
const SHARED_SUITE = "prompt-recall-3";

/** The seed of the draws of shared texts; a round of version 3 has the texts of version 2 in another order. */
const DRAWS = "prompt-recall-2";

/** The output limit of Kamradt's test, in tokens; the paper does not give its own. */
const ANSWER_ROOM = 300;

/** The three tests of the paper (Table 2): each question as published, and in two further wordings that are Fathom's. */
export const RECALL_TESTS = wordings.tests;

/** The wordings of a question: the paper's, a request, and one that shares few words with the needle. */
const RECALL_WORDINGS = ["published", "request", "distant"] as const;

/** The system messages: the paper's, that of Kamradt's test, and none. */
export const RECALL_SYSTEMS = wordings.systems;

/** What follows the question: nothing, or what Kamradt's test adds to it (providers/openai.py). */
export const RECALL_ENDINGS = wordings.endings;

/** A question with what follows it, on a line of its own within the marks of a template. */
const RECALL_QUESTION = /^(?:\[INST\])?(?!\[|<|Human:|Assistant:)(.+?)(?: Don't give .+?)?(?:\[\/INST\])?$/m;

/**
 * Returns the texts around document and question: the templates of the paper's Table 6, the system block of Llama's outside the
 * instruction, as printed; and that of Kamradt's test for Claude 2 (providers/Anthropic_prompt.txt).
 */
function textsAround(
  { template, system }: PromptRecallSettings,
): Readonly<Record<"opening" | "between" | "closing", string>> {
  const { opening, withoutSystem, ...others } = wordings.templates[template];
  const opened = system === "none" ? withoutSystem : opening.replace("{system}", RECALL_SYSTEMS[system]);
  return { ...others, opening: opened };
}

const KNOBS = {
  test: maybe(
    oneOf(["pistachio", "san_francisco", "thornfield"], "the paper's needle and question; pistachio unless given"),
  ),
  needle: text("a needle of your own, one sentence; a full stop is added if it has none"),
  question: text("the question about your own needle"),
  template: oneOf(
    ["openai", "llama", "mistral", "claude"],
    "the prompt template around document and question (Table 6), or that of Kamradt's test for Claude 2",
  ),
  wording: maybe(
    oneOf(RECALL_WORDINGS, "how the question is put: as published, as a request, or in words far from the needle's"),
  ),
  system: oneOf(["published", "short", "none"], "the system message: the paper's, that of Kamradt's test, or none"),
  depths: whole(
    { from: 1, to: 1000, byDefault: 35 },
    "how many depths the samples cycle through: the middle first, so that few samples cover them too",
  ),
  texts: TEXTS,
  spacing: oneOf(["sigmoid", "linear"], "how depths are spaced"),
  depth: number({ from: 0, to: 1 }, "one depth for all samples, from 0 to 1, instead of the grid"),
  document: oneOf(
    ["essays", "none"],
    "the text before the question: essays with the needle, or none, which shows answers from prior knowledge",
    { omitDefault: true },
  ),
  ending: oneOf(
    ["none", "kamradt"],
    "what follows the question: nothing, or Kamradt's line against other information",
    { omitDefault: true },
  ),
  lengthOf: oneOf(
    ["prompt", "text"],
    "what the length counts: the prompt and 300 tokens for the answer, or the text with its needle alone, as in the paper",
    { omitDefault: true },
  ),
  questions: QUESTIONS,
};

/**
 * "LLM In-Context Recall is Prompt Dependent": a sentence is hidden in essays at a given depth, and a question asks for it.
 *
 * Machlab and Battle (arXiv 2404.08865v1), sections 3.1 to 3.3, Tables 2 and 6, after Kamradt's Needle In A Haystack test. The
 * end of the text and the needle's place are moved back to the end of a sentence. The paper cuts the text at its length, as
 * `lengthOf: text` does; by default the length is that of the whole prompt with its answer room. Each sample has a text of its
 * own; in the paper all lengths and depths share one (`texts: shared`). Replies are graded from 1 to 5. The references are the
 * needle and the question, followed by the published question if another wording is used. Several questions about a context ask
 * for the needles of the other tests.
 */
export const PROMPT_RECALL = family({
  suite: PROMPT_RECALL_SUITE,
  earlier: { suite: SHARED_SUITE, knobs: { texts: "shared" } },
  name: "prompt_recall",
  about: "asks for one sentence hidden in essays, with several prompts",
  asks: RECALL_QUESTION,
  category: "retrieval",
  knobs: KNOBS,
  tasks: {
    "recall_pistachio": { test: "pistachio" },
    "recall_san_francisco": { test: "san_francisco" },
    "recall_thornfield": { test: "thornfield" },
  },
  scorers: [recallScorer],
  answerRoom: ANSWER_ROOM,
  write: firstAlone,
  settle,
  clusterOf: (place): string | undefined => {
    const { sample, suite } = place;
    if (![PROMPT_RECALL_SUITE, SHARED_SUITE].includes(suite)) return undefined;
    if (knobInId(sample, "document") === "none") return `question:${suite}/${sample.split("/")[2]}`;
    return suite === SHARED_SUITE ? sharedText(DRAWS, place) : undefined;
  },
  describe: promptRecallKnobs,
  recipe: promptRecallRecipe,
});

/** The cluster of samples that share a text at every length and depth of a round. */
export function sharedText(name: string, { sample, seed, index }: SamplePlace): string {
  const depths = knobInId(sample, "depths");
  return `text:${name}/${seed}/${depths === undefined ? index : placeInGrid(index, Number(depths)).round}`;
}

/** The system message, essays with the needle between two sentences, the question. */
function promptRecallRecipe(settings: PromptRecallSettings, request: RecipeRequest): Recipe {
  const { materials, index } = request;
  const { tokenizer } = materials;
  const { asked, depths } = settings;
  const [{ references }] = asked as [RecallQuestion];
  if (settings.document === "none") return { ...questionAlone(settings, tokenizer), references };
  const needles = asked.map(({ needle }) => needle);
  const { filler, source } = essaysAround(needles, { settings, request, suites: [PROMPT_RECALL_SUITE, DRAWS] });
  const { opening, between, closing } = textsAround(settings);
  const before = [{ measured: measure(opening, tokenizer) }];
  const questions = asked.map(({ question, references }, number): Asked & { readonly depth: number } => {
    const text = between + question + RECALL_ENDINGS[settings.ending] + closing;
    // Each needle goes through all depths; those of a text are far from one another.
    const { depth } = findDepth(settings, index + number * Math.ceil(depths / asked.length));
    return { after: [{ measured: measure(text, tokenizer) }], answerPrefix: "", references, depth };
  });
  const { after } = questions[0]!;
  const layOut = (size: number, by: Filler): Layout => {
    const planted = asked.map(({ needle, question }, number): Planted => {
      const at = breakAt(questions[number]!.depth, { filler: by, size, tokenizer, toward: "back" });
      const answers = { [number]: needle };
      return { at, part: plantOnce(by, { role: "target", text: needle, key: question, value: needle, answers }) };
    }).sort((left, right) => left.at - right.at);
    const first = planted.filter(({ at }) => at === 0 && size > 0);
    const others = plantFacts(planted.slice(first.length), { filler: by, size });
    // A needle that comes first is followed by a space in every language, Chinese included.
    const context = first.length === 0
      ? others
      : [...plantFacts(first, { filler: by, size: 0 }), { measured: measure(" ", tokenizer) }, ...others];
    return { before, context, after };
  };
  const countAround = ({ after }: Asked): number =>
    sum([...before, ...after], ({ measured }) => tokenizer.count(measured.text));
  const around = settings.lengthOf === "text" ? Math.max(...questions.map(countAround)) + ANSWER_ROOM : 0;
  return { ...fillBy(filler, layOut), ...askAll(questions), uncounted: around, source };
}

/** Returns the essays around needles, from an evenly spread start; refuses essays that contain one of the needles. */
export function essaysAround(needles: readonly string[], { settings, request, suites: [own, shared] }: {
  readonly settings: { readonly name: string; readonly texts: "own" | "shared" } & Parameters<typeof findDepth>[0];
  readonly request: RecipeRequest;
  /** The first parts of the paths of draws. */
  readonly suites: readonly [own: string, shared: string];
}): { readonly filler: Filler; readonly source: string } {
  const { materials, seed, length, index, options } = request;
  const essays = materials.essaysIn("en");
  for (const needle of needles) {
    materials.remember(
      `needle in essays/${essays.name}/${needle}`,
      () => checkEssays(essays, { task: settings.name, mark: needle, called: "the needle" }),
    );
  }
  const isOwn = settings.texts === "own";
  const path = isOwn ? [seed, own, settings.name, JSON.stringify(options), length] : [seed, shared];
  const text = isOwn ? index : findDepth(settings, index).round;
  const [start = 0] = spread([...path, "start"], { index: text, dimensions: 1 });
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer: materials.tokenizer });
  return { filler, source: essays.name };
}

/** The system message and the question, closed book. */
function questionAlone(settings: PromptRecallSettings, tokenizer: Tokenizer): Omit<Recipe, "references"> {
  const { opening, closing } = textsAround(settings);
  const text = opening + settings.asked[0]!.question + RECALL_ENDINGS[settings.ending] + closing;
  const layout = { before: [], context: [], after: [{ measured: measure(text, tokenizer) }] };
  return { least: 0, most: 0, answerPrefix: "", layOut: () => layout };
}

/** Finds a sample's depth, in [0, 1], and the number of the text round its needle: depths go round fastest. */
export function findDepth(
  { depth, depths, spacing }: { readonly depth?: number; readonly depths: number; readonly spacing: DepthSpacing },
  index: number,
): { readonly depth: number; readonly round: number } {
  if (depth !== undefined) return { depth, round: index };
  const { place, round } = placeInGrid(index, depths);
  return { depth: depthGrid({ points: depths, spacing })[place]! / 100, round };
}
interface PromptRecallSettings extends Omit<Named<typeof KNOBS>, "test"> {
  readonly needle: string;
  readonly question: string;
  readonly wording: typeof RECALL_WORDINGS[number];
  /** One of the paper's tests, or `own`. */
  readonly test: string;
  readonly asked: readonly RecallQuestion[];
}

interface RecallQuestion {
  readonly needle: string;
  readonly question: string;
  /** The needle, the question and, in another wording, the published one: words that it contains are no answer in any wording. */
  readonly references: () => readonly string[];
}

function settle(given: Named<typeof KNOBS>): PromptRecallSettings {
  const { name, test = "pistachio", wording = "published", template, document, questions } = given;
  if (template === "claude" && document === "none") {
    throw cannotMake(name, "template must be openai, llama or mistral where document is none", template);
  }
  const own = readOwnPair(given);
  const others = Object.values(RECALL_TESTS).filter((pair) => pair !== RECALL_TESTS[test]);
  const pairs = own === undefined ? [RECALL_TESTS[test], ...others] : [own];
  const most = document === "none" ? 1 : pairs.length;
  checkWhole(questions, { task: name, knob: "questions", low: 1, high: most });
  const asked = pairs.slice(0, questions).map(({ needle, questions: forms }): RecallQuestion => {
    const question = forms[RECALL_WORDINGS.indexOf(wording)]!;
    const references = [needle, question, ...(wording === "published" ? [] : [forms[0]!])];
    return { needle, question, references: () => references };
  });
  const { needle, question } = asked[0]!;
  return { ...given, wording, test: own === undefined ? test : "own", needle, question, asked };
}

/** The knobs in the ids of a task's samples. */
function promptRecallKnobs(settings: PromptRecallSettings): Readonly<Record<string, string | number>> {
  const { test, needle, question, wording, depth, depths, spacing, template, system, ...others } = settings;
  const { document, ending, lengthOf, questions } = others;
  const asked = test === "own" ? { needle, question } : { test, wording };
  const placed = depth === undefined ? { depths, spacing } : { depth };
  return { ...asked, template, system, ...placed, document, ending, lengthOf, questions };
}

function readOwnPair(
  { needle, question, test, name, wording = "published" }: Named<typeof KNOBS>,
): typeof RECALL_TESTS["pistachio"] | undefined {
  if (needle === undefined && question === undefined) return undefined;
  const refuse = (wanted: string, value: string = ""): RangeError => cannotMake(name, wanted, value);
  if (needle === undefined || needle.trim() === "" || /[\r\n]/.test(needle.trim())) {
    throw refuse("a needle of your own must be a line of text, with its question", needle);
  }
  if (question === undefined || question.trim() === "" || /[\r\n]/.test(question.trim())) {
    throw refuse("a needle of your own must come with a question in one line", question);
  }
  if (test !== undefined) throw refuse("test must be left out where a needle of your own is given", test);
  if (wording !== "published") throw refuse("wording must be left out where a question of your own is given", wording);
  const sentence = needle.trim();
  // Without its full stop a needle would run into the next sentence.
  return { needle: /[.!?…。！？]["”’)\]]*$/.test(sentence) ? sentence : `${sentence}.`, questions: [question.trim()] };
}
