import { needleForm, needleSentence, needleTexts, readTexts } from "./needles.ts";
import { SUMS } from "./ruler2_sums.ts";
import { choiceFound, softFound, softLast } from "./ruler2_scorers.ts";
import {
  type DocumentSet,
  family,
  type Layout,
  type Materials,
  measureOnce,
  type Named,
  oneOf,
  type Part,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, integer, permutation, spreadDepths, stream } from "@/lib/random/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import { countTokens, join, measure, type Measured, measureForm, type Tokenizer } from "@/lib/text/mod.ts";

/** The suite of RULER v2's tasks and its version. */
const RULER2_SUITE = "ruler2-1";

/** A line of a context, and its place among the others, in [0, 1]. */
interface PlacedLine {
  readonly place: number;
  readonly part: Part;
}

/** Lines that are drawn on demand and put at places of their own, so that every line more falls among those before. */
interface PlacedLines {
  at(number: number): PlacedLine;
  /** Returns the tokens of a line, which can differ by a token where lines meet. */
  tokens(number: number): number;
  /** Returns the parts of the first lines in the order of their places; `replaced`: lines to take for others, by number. */
  inOrder(size: number, replaced?: ReadonlyMap<number, number>): readonly Part[];
  /** Estimates how many lines have the given number of tokens more than the first `least`. */
  sizeFor(tokens: number, least: number): number;
}

/** Opens lines; each is drawn once, in the order of their numbers. */
function placedLines(drawLine: (number: number) => PlacedLine, tokenizer: Tokenizer): PlacedLines {
  const lines: PlacedLine[] = [];
  const counts: number[] = [];
  const at = (number: number): PlacedLine => {
    while (lines.length <= number) lines.push(drawLine(lines.length));
    return lines[number]!;
  };
  const tokens = (number: number): number => counts[number] ??= countTokens(at(number).part.measured, tokenizer);
  return {
    at,
    tokens,
    inOrder(size, replaced = new Map()): readonly Part[] {
      const chosen = Array.from({ length: size }, (_, number) => ({
        place: at(number).place,
        part: at(replaced.get(number) ?? number).part,
      }));
      return chosen.sort((one, other) => one.place - other.place).map(({ part }) => part);
    },
    sizeFor(wanted, least): number {
      let [size, left] = [least, wanted];
      while ((left -= tokens(size)) >= 0) size++;
      return size;
    },
  };
}

const NIAH_KNOBS = {
  values: whole({ from: 1, to: 100, byDefault: 1 }, "values of each key, the distractors' too"),
};

type NiahSettings = Named<typeof NIAH_KNOBS>;

const DIGITS = 10;

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
  knobs: NIAH_KNOBS,
  tasks: { "ruler2_mk_niah_basic": {}, "ruler2_mv_niah_basic": { values: 4 } },
  scorers: [softFound],
  answerRoom: 128,
  harder: { values: "up" },
  recipe: niahRecipe,
});

function niahRecipe({ name, values }: NiahSettings, request: RecipeRequest): Recipe {
  const { materials, length, seed, index, options } = request;
  const { tokenizer } = materials;
  const path = [seed, RULER2_SUITE, name, JSON.stringify(options), length];
  const draw = stream(...path, index);
  const types = { keyType: "words", valueType: "numbers" } as const;
  const texts = needleTexts(draw, { ...types, digits: DIGITS, materials });
  const [newKey, newValue] = [readTexts(texts.newKey, materials), readTexts(texts.newValue, materials)];
  const depths = spreadDepths(path, { index, count: values, remember: materials.remember });
  const [before, between, after] = needleForm("numbers");
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const keys: string[] = [];
  const lines = placedLines((number) => {
    const key = keys[Math.floor(number / values)] ??= newKey();
    const value = newValue();
    const role = number < values ? "target" as const : "distractor" as const;
    const fact = { role, text: needleSentence("numbers", { key, value }), key, value };
    return { place: depths[number] ?? draw(), part: { measured: measureLine([key, value]), fact } };
  }, tokenizer);
  const targets = Array.from({ length: values }, (_, number) => lines.at(number));
  const wording = niahWording(targets[0]!.part.fact!.key, values);
  const opening = [{ measured: measureOnce(wording.opening, materials) }];
  const question = [{ measured: measure(wording.question, tokenizer) }];
  return {
    least: values + 1,
    most: Infinity,
    guess: (tokens) => lines.sizeFor(tokens, values + 1),
    layOut: (size): Layout => ({ before: opening, context: lines.inOrder(size), after: question }),
    answerPrefix: "",
    references: () => targets.map(({ part }) => part.fact!.value),
  };
}

/** The words around the lines; the question ends with the start of the answer. */
function niahWording(key: string, values: number): { readonly opening: string; readonly question: string } {
  const [a, it, are, what, numbers] = values === 1
    ? ["A special magic number is", "it", "is", "What is", "number"]
    : ["Some special magic numbers are", "them", "are", "What are all", "numbers"];
  const asked = `the special magic ${numbers} for ${key} mentioned in the provided text`;
  return {
    opening:
      `${a} hidden within the following text. Make sure to memorize ${it}. I will quiz you about the ${numbers} afterwards.\n`,
    question: `${what} ${asked}? ${asked.replace("the", "The")} ${are}`,
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
  const numbers = drawNumbers(draw);
  const choose = questionOrder(exam, { path, index, attempt, same, materials });
  const depths = spreadDepths(path, { index, count: same, remember: materials.remember });
  const measured = materials.remember(`ruler2 questions/${exam.name}`, () => new Map<number, Measured>());
  const lines = placedLines((line) => {
    const [number, question] = [numbers(Math.floor(line / same)), choose(line)];
    const { text } = exam.document(question);
    let ending = measured.get(question);
    if (ending === undefined) measured.set(question, ending = measure(`: ${text}\n\n`, tokenizer));
    const role = line < same ? "target" as const : "distractor" as const;
    const fact = { role, text: `Question ${number}: ${text}`, key: number, value: text };
    const part = { measured: join([measure(`Question ${number}`, tokenizer), ending], tokenizer), fact };
    return { place: depths[line] ?? draw(), part };
  }, tokenizer);
  const targets = Array.from({ length: same }, (_, line) => ({ line, ...lines.at(line) }))
    .sort((one, other) => one.place - other.place);
  const rank = integer(draw, { low: 1, high: same });
  const asked = targets[rank - 1]!;
  const answerOf = (line: number): string => exam.question(choose(line)).answers[0]!;
  const shown = Array.from({ length: examples }, (_, at) => {
    const { key, value } = lines.at(same + at).part.fact!;
    return `${problem(settings, key, 0)}\n${
      settings.steps === "two" ? `Question ${key}: ${value}\n` : ""
    }Solution: \\boxed{${answerOf(same + at)}}`;
  });
  const question = problem(settings, asked.part.fact!.key, rank);
  const before = [{ measured: measureOnce(OPENINGS[ask], materials) }];
  const after = [{ measured: measure(withExamples(shown, question), tokenizer) }];
  const references = {
    copy: () => [asked.part.fact!.value],
    all: () => targets.map(({ part }) => part.fact!.value),
    solve: () => [answerOf(asked.line)],
  }[ask];
  const least = same + examples;
  const layOut = (size: number, replaced?: ReadonlyMap<number, number>): Layout => (
    { before, context: lines.inOrder(size, replaced), after }
  );
  return {
    least,
    most: Infinity,
    // Long questions may not fit the shortest lengths.
    canBeDrawnAgain: true,
    guess: (tokens) => lines.sizeFor(tokens, least),
    layOut,
    closeGap(size, gap, fits): Layout {
      const last = size - 1;
      if (last < least) return layOut(size);
      const others = Array.from({ length: CANDIDATES }, (_, at) => size + at);
      const gains = others.map((other) => ({ other, gain: lines.tokens(other) - lines.tokens(last) }));
      const fitting = gains.filter(({ gain }) => gain > 0 && gain <= gap).sort((one, two) => two.gain - one.gain);
      const layouts = fitting.map(({ other }) => layOut(size, new Map([[last, other]])));
      return layouts.find(fits) ?? layOut(size);
    },
    answerPrefix: "",
    source: exam.name,
    references,
  };
}

/** The further questions that are tried for the last gap. */
const CANDIDATES = 32;

/** The words before the questions. */
const OPENINGS = {
  copy:
    "Below are some questions. I will ask you to copy one of them. Please copy and paste the question you find.\n\n",
  all:
    "Below are some questions. I will ask you to copy some of them. Please copy and paste the questions you find.\n\n",
  solve:
    "Below are some questions. I will ask you to solve one of them. Please solve the question you find and make sure to put the " +
    "answer (and only answer) inside \\boxed\\{\\}.\n\n",
} as const;

/** Returns the words of the task; `rank`: the place of the asked question among those of its number, from 1. */
function problem({ ask, steps, same }: QuestionSettings, number: string, rank: number): string {
  if (ask === "all") return `Please find and copy all the Question ${number} from the context.`;
  if (ask === "solve") {
    const task = steps === "two" ? "copy the Question" : "solve the Question";
    const then = steps === "two" ? " and then solve it" : "";
    return `Please ${task} ${number} from the context${then} with an answer from A, B, C, D.`;
  }
  const wanted = `${same === 1 ? "" : `${ordinal(rank)} (1 indexed) `}Question ${number}`;
  return steps === "two"
    ? `Please first copy all the Question ${number} from the context and then copy the ${wanted} at the end.`
    : `Please copy the ${wanted} from the context.`;
}

function ordinal(rank: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[rank % 10];
  return `${rank}${ending === undefined || (rank > 10 && rank < 14) ? "th" : ending}`;
}

function withExamples(examples: readonly string[], question: string): string {
  if (examples.length === 0) return question;
  return `Here are some examples to help you understand the task:\n\n${examples.join("\n\n")}\n\n` +
    `Here is the actual task you need to solve:\n\n${question}`;
}

/** Draws numbers of seven digits, none twice, on demand. */
function drawNumbers(draw: Draw): (at: number) => string {
  const drawn = new Set<string>();
  const list: string[] = [];
  return (at) => {
    while (list.length <= at) {
      const number = String(integer(draw, { low: 1_000_000, high: 9_999_999 }));
      if (drawn.has(number)) continue;
      drawn.add(number);
      list.push(number);
    }
    return list[at]!;
  };
}

/**
 * Returns the number of the question of each line: of the first `same` lines short questions, other ones for each sample until all
 * were asked; of the others any but these, again and again.
 */
function questionOrder(
  exam: DocumentSet,
  { path, index, attempt, same, materials: { remember } }: {
    readonly path: readonly (string | number)[];
    readonly index: number;
    readonly attempt: number;
    readonly same: number;
    readonly materials: Materials;
  },
): (line: number) => number {
  const short = remember(
    `ruler2 short/${exam.name}`,
    () =>
      Array.from({ length: exam.questionCount }, (_, number) => number)
        .filter((number) => exam.document(number).text.length <= MAX_ASKED),
  );
  if (short.length < same || exam.questionCount <= same) {
    throw new RangeError(
      `Cannot ask questions of "${exam.name}" as more than ${same} must have at most ${MAX_ASKED} characters: current value is ${short.length}`,
    );
  }
  const [targetAt, otherAt] = [
    permutation([...path, "asked"], short.length),
    permutation([...path, "others", index, attempt], exam.questionCount),
  ];
  const targets = Array.from({ length: same }, (_, at) => short[targetAt((index * same + at) % short.length)]!);
  const asked = new Set(targets);
  const others: number[] = [];
  let next = 0;
  return (line) => {
    if (line < same) return targets[line]!;
    while (others.length <= line - same) {
      const number = otherAt(next++ % exam.questionCount);
      if (!asked.has(number)) others.push(number);
    }
    return others[line - same]!;
  };
}
