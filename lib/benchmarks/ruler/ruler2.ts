import { niahWording } from "./niah.ts";
import { needleForm, needleSentence, needleTexts, readTexts } from "./needles.ts";
import { SUMS } from "./ruler2_sums.ts";
import wordings from "./wordings.json" with { type: "json" };
import { choiceFound, softFound, softLast } from "./ruler2_scorers.ts";
import {
  type DocumentSet,
  family,
  fillBy,
  type Filler,
  measureOnce,
  type Named,
  oneOf,
  type Part,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { drawInTurn, integer, permutation, spreadDepths, stream } from "@/lib/random/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import { countTokens, join, measure, measureForm, type Tokenizer } from "@/lib/text/mod.ts";

/** The suite of RULER v2's tasks and its version. */
const RULER2_SUITE = "ruler2-1";

const { ruler2: WORDINGS } = wordings;

/** A line of a context, and its place among the others, in [0, 1]. */
interface PlacedLine {
  readonly place: number;
  readonly part: Part;
}

/**
 * Fills with lines, each at its place, so that every line more falls among those before.
 *
 * @param replaced A line to take for the last one.
 */
function placedFiller(lineAt: (number: number) => PlacedLine, tokenizer: Tokenizer, replaced?: number): Filler {
  return {
    beforeQuestion: "",
    needle: (text) => measure(text, tokenizer),
    run(_from, to): readonly Part[] {
      const lines = Array.from({ length: to }, (_, number) => lineAt(number));
      if (replaced !== undefined) lines[to - 1] = { ...lineAt(replaced), place: lines[to - 1]!.place };
      return lines.sort((one, other) => one.place - other.place).map(({ part }) => part);
    },
  };
}

/**
 * RULER v2's basic needles: lines of keys and 10-digit values, and the question asks for the values of one key (NVIDIA-NeMo/Skills
 * at 5536f54, prepare_niah.py). Each distractor has as many values as the key asked for, scattered over the text.
 *
 * Unlike the reference, no key or value equals another, depths are spread evenly, and the answer has room in the length.
 */
export const RULER2_NIAH = family({
  suite: RULER2_SUITE,
  name: "ruler2_niah",
  about: "RULER v2: asks for the values of one key among lines of other keys",
  asks: /What (?:is|are all) the special magic .+? mentioned in the provided text\?/,
  category: "retrieval",
  knobs: { values: whole({ from: 1, to: 100, byDefault: 1 }, "values of each key, the distractors' too") },
  tasks: { "ruler2_mk_niah_basic": {}, "ruler2_mv_niah_basic": { values: 4 } },
  scorers: [softFound],
  answerRoom: 128,
  harder: { values: "up" },
  recipe: niahRecipe,
});

function niahRecipe(
  { name, values }: { readonly name: string; readonly values: number },
  request: RecipeRequest,
): Recipe {
  const { materials, length, seed, index, options } = request;
  const { tokenizer } = materials;
  const path = [seed, RULER2_SUITE, name, JSON.stringify(options), length];
  const draw = stream(...path, index);
  const types = { keyType: "words", valueType: "numbers" } as const;
  const texts = needleTexts(draw, { ...types, digits: 10, materials });
  const [newKey, newValue] = [readTexts(texts.newKey, materials), readTexts(texts.newValue, materials)];
  const depths = spreadDepths(path, { index, count: values, remember: materials.remember });
  const [before, between, after] = needleForm("numbers");
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const keyAt = drawInTurn(newKey);
  const lineAt = drawInTurn((number): PlacedLine => {
    const [key, value] = [keyAt(Math.floor(number / values)), newValue()];
    const role = number < values ? "target" as const : "distractor" as const;
    const fact = { role, text: needleSentence("numbers", { key, value }), key, value };
    return { place: depths[number] ?? draw(), part: { measured: measureLine([key, value]), fact } };
  });
  const targets = Array.from({ length: values }, (_, number) => lineAt(number));
  const queries = [targets[0]!.part.fact!.key];
  const { opening, question, answerPrefix } = niahWording({ ...types, queries, values, variant: "2026" });
  const around = {
    before: [{ measured: measureOnce(values === 1 ? opening : opening.replace(" it.", " them."), materials) }],
    after: [{ measured: measure(question + answerPrefix, tokenizer) }],
  };
  const filler = placedFiller(lineAt, tokenizer);
  return {
    ...fillBy(filler, (size) => ({ ...around, context: filler.run(0, size) }), { least: values + 1 }),
    answerPrefix: "",
    references: () => targets.map(({ part }) => part.fact!.value),
  };
}

const QUESTION_KNOBS = {
  ask: oneOf(["copy", "all", "solve"], "copy the question of a number, copy all questions of a number, or solve one"),
  same: whole(
    { from: 1, to: 20, byDefault: 1 },
    "questions that share each number; one of several is asked for by its place",
  ),
  steps: oneOf(["one", "two"], "two: first copy all questions of the number, or the question to solve"),
  examples: whole({ from: 0, to: 20, byDefault: 0 }, "solved questions of the context before the task"),
};

type QuestionSettings = Named<typeof QUESTION_KNOBS>;

/** Tokens kept free for a copied question, and for a choice with its reasons. */
const [QUESTION_ROOM, CHOICE_ROOM] = [256, 128];

/** The longest question that is asked for, in characters, so that its copy fits the answer room. */
const MAX_ASKED = 600;

/**
 * RULER v2's questions among questions: numbered questions with four choices, of which one is to be copied or solved
 * (NVIDIA-NeMo/Skills at 5536f54, prepare_mmlu.py, zero-shot chat).
 *
 * The questions are the user's file, such as MMLU's test questions, or else Fathom's own sums. Unlike the reference, which hides
 * test questions among training questions, all are of one file; numbers differ, depths are spread evenly, the answer has room in the
 * length, and the questions asked for have at most 600 characters.
 */
export const RULER2_QUESTIONS = family({
  suite: RULER2_SUITE,
  name: "ruler2_questions",
  about: "RULER v2: asks to copy or solve one of many numbered questions",
  asks: /Please (?:find|first|copy|solve) .+$/,
  category: ({ ask }) => ask === "solve" ? "question answering" : "retrieval",
  knobs: QUESTION_KNOBS,
  tasks: {
    "ruler2_mk_niah_easy": {},
    "ruler2_mk_niah_medium": { ask: "solve", steps: "two", examples: 5 },
    "ruler2_mk_niah_hard": { ask: "solve", examples: 5 },
    "ruler2_mv_niah_easy": { ask: "all", same: 4 },
    "ruler2_mv_niah_medium": { same: 4, steps: "two" },
    "ruler2_mv_niah_hard": { same: 4 },
  },
  scorers: [softFound, softLast, choiceFound],
  scorerOf({ ask, steps }): Scorer {
    if (ask === "solve") return choiceFound;
    return ask === "copy" && steps === "two" ? softLast : softFound;
  },
  answerRoom({ ask, same, steps }): number {
    if (ask === "solve") return CHOICE_ROOM + (steps === "two" ? QUESTION_ROOM : 0);
    if (ask === "all") return QUESTION_ROOM * same;
    return QUESTION_ROOM * (steps === "two" ? same + 1 : 1);
  },
  write: (values, { settings: { ask } }) => ask === "solve" ? `\\boxed{${values[0] ?? ""}}` : values.join("\n\n"),
  harder: { same: "up" },
  recipe: questionsRecipe,
});

function questionsRecipe(settings: QuestionSettings, request: RecipeRequest): Recipe {
  const { name, ask, same, examples } = settings;
  const { materials, length, seed, index, options, attempt = 0 } = request;
  const { tokenizer } = materials;
  const exam = materials.documents.exam ?? SUMS;
  const path = [seed, RULER2_SUITE, name, JSON.stringify(options), exam.name, length];
  const draw = stream(...path, index, ...(attempt === 0 ? [] : ["again", attempt]));
  const { newKey } = needleTexts(draw, { keyType: "numbers", valueType: "numbers", materials });
  const numberAt = drawInTurn(readTexts(newKey, materials));
  const choose = questionOrder(exam, { ...request, path, same });
  const depths = spreadDepths(path, { index, count: same, remember: materials.remember });
  const lineAt = drawInTurn((line): PlacedLine => {
    const [number, question] = [numberAt(Math.floor(line / same)), choose(line)];
    const { text } = exam.document(question);
    const ending = measureOnce(`: ${text}\n\n`, materials);
    const role = line < same ? "target" as const : "distractor" as const;
    const fact = { role, text: `Question ${number}: ${text}`, key: number, value: text };
    const part = { measured: join([measure(`Question ${number}`, tokenizer), ending], tokenizer), fact };
    return { place: depths[line] ?? draw(), part };
  });
  const targets = Array.from({ length: same }, (_, line) => ({ line, ...lineAt(line) }))
    .sort((one, other) => one.place - other.place);
  const rank = integer(draw, { low: 1, high: same });
  const asked = targets[rank - 1]!;
  const answerOf = (line: number): string => exam.question(choose(line)).answers[0]!;
  const shown = Array.from({ length: examples }, (_, at) => {
    const { key, value } = lineAt(same + at).part.fact!;
    const copy = settings.steps === "two" ? `Question ${key}: ${value}\n` : "";
    return `${problem(settings, key, 0)}\n${copy}Solution: \\boxed{${answerOf(same + at)}}`;
  });
  const question = problem(settings, asked.part.fact!.key, rank);
  const [task, please] = WORDINGS.openings[ask] as [string, string];
  const opening = `Below are some questions. I will ask you to ${task} of them. Please ${please}.\n\n`;
  const before = [{ measured: measureOnce(opening, materials) }];
  const after = [{ measured: measure(withExamples(shown, question), tokenizer) }];
  const references = {
    copy: () => [asked.part.fact!.value],
    all: () => targets.map(({ part }) => part.fact!.value),
    solve: () => [answerOf(asked.line)],
  }[ask];
  const least = same + examples;
  const countAt = (line: number): number => countTokens(lineAt(line).part.measured, tokenizer);
  const filler: Filler = {
    ...placedFiller(lineAt, tokenizer),
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      if (size <= least) return;
      const gains = Array.from({ length: CANDIDATES }, (_, at) => countAt(size + at) - countAt(size - 1));
      const fitting = [...gains.keys()].filter((at) => gains[at]! > 0 && gains[at]! <= gap);
      for (const at of fitting.sort((one, other) => gains[other]! - gains[one]!)) {
        yield { filler: placedFiller(lineAt, tokenizer, size + at), added: 0 };
      }
    },
  };
  return {
    ...fillBy(filler, (size, by) => ({ before, context: by.run(0, size), after }), { least }),
    // Long questions may not fit the shortest lengths.
    canBeDrawnAgain: true,
    answerPrefix: "",
    source: exam.name,
    references,
  };
}

/** The further questions that are tried for the last gap. */
const CANDIDATES = 32;

/** Returns the words of the task; `rank`: the place of the asked question among those of its number, from 1. */
function problem({ ask, steps, same }: QuestionSettings, number: string, rank: number): string {
  const wanted = `${same === 1 ? "" : `${ordinal(rank)} (1 indexed) `}Question ${number}`;
  return WORDINGS.tasks[ask][steps].replace("{number}", number).replace("{wanted}", wanted);
}

function ordinal(rank: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[rank % 10];
  return `${rank}${ending === undefined || (rank > 10 && rank < 14) ? "th" : ending}`;
}

function withExamples(examples: readonly string[], question: string): string {
  if (examples.length === 0) return question;
  return WORDINGS.examples.replace("{examples}", () => examples.join("\n\n")) + question;
}

/**
 * Returns the number of the question of each line: of the first `same` lines short questions, other ones for each sample until all
 * were asked; of the others any but these, again and again.
 */
function questionOrder(
  exam: DocumentSet,
  { path, same, index, attempt = 0, materials: { remember } }: RecipeRequest & {
    readonly path: readonly (string | number)[];
    readonly same: number;
  },
): (line: number) => number {
  const short = remember(`ruler2 short/${exam.name}`, () => {
    const all = Array.from({ length: exam.questionCount }, (_, number) => number);
    return all.filter((number) => exam.document(number).text.length <= MAX_ASKED);
  });
  if (short.length < same || exam.questionCount <= same) {
    throw new RangeError(
      `Cannot ask questions of "${exam.name}" as more than ${same} must have at most ${MAX_ASKED} characters: current value is ${short.length}`,
    );
  }
  const targetAt = permutation([...path, "asked"], short.length);
  const otherAt = permutation([...path, "others", index, attempt], exam.questionCount);
  const targets = Array.from({ length: same }, (_, at) => short[targetAt((index * same + at) % short.length)]!);
  const asked = new Set(targets);
  let next = 0;
  const others = drawInTurn(() => {
    for (;;) {
      const number = otherAt(next++ % exam.questionCount);
      if (!asked.has(number)) return number;
    }
  });
  return (line) => targets[line] ?? others(line - same);
}
