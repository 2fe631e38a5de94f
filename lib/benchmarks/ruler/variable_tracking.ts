import {
  type Chain,
  chainDrawer,
  chainLines,
  type Dressing,
  hideChains,
  hideInEssay,
  namesIn,
} from "./variable_chains.ts";
import { NOISE_LINE, REPEAT, RULER_SUITE, type Variant, VARIANT_KNOB, type Wording } from "./wording.ts";
import {
  also,
  askAll,
  type Asked,
  type ChatTemplate,
  checkEssays,
  essayFiller,
  family,
  fillBy,
  type Filler,
  type Layout,
  type Materials,
  measureOnce,
  type Named,
  oneOf,
  type Part,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  templateWords,
  whole,
} from "@/lib/generators/mod.ts";
import { integer, spreadDepths, stream } from "@/lib/random/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { countTokens, join, measure, type Tokenizer } from "@/lib/text/mod.ts";

/** The knobs of variable tracking; sample ids list them in this order. */
const KNOBS = {
  variant: VARIANT_KNOB,
  chains: also(whole({ from: 1, to: 100, byDefault: 1 }, "chains of variables; one is asked for"), ["num_chains"]),
  hops: also(whole({ from: 1, to: 100, byDefault: 4 }, "assignments after the first in each chain"), ["num_hops"]),
  examples: also(
    whole({ from: 0, to: 1, byDefault: 1 }, "worked examples before the task; 0 asks without", { omitDefault: true }),
    ["add_fewshot"],
    { on: 1, off: 0 },
  ),
  haystack: also(
    oneOf(["noise", "essay"], "what hides the assignments; essays only in the wording of 2026", { omitDefault: true }),
    ["type_haystack"],
    REPEAT,
  ),
  questions: QUESTIONS,
};

/**
 * Variable tracking: a value is assigned to a variable, that variable to another and so on, in lines hidden in noise, and the
 * question asks for all variables with the value (RULER, section 3.2; variable_tracking.py).
 *
 * In noise the assignments are lines; in essays, which the code of 2026 has too, they are sentences.
 *
 * Unlike the reference, no name is part of another or of the prompt's own words, all values differ, each sample has its own
 * example, depths are spread evenly, and the answer room grows with the hops; the reference cuts long answers.
 */
export const VARIABLE_TRACKING = family({
  suite: RULER_SUITE,
  name: "vt",
  about: "asks for all variables that are assigned one value, directly or through others",
  asks: /Find all variables that are assigned the value .+ in the text above\./,
  category: "multi-hop tracing",
  knobs: KNOBS,
  tasks: { vt: {}, "vt_2_chains": { chains: 2, hops: 2 } },
  scorers: [allFound],
  answerRoom: ({ hops }) => Math.max(30, 6 * (hops + 1)),
  settle,
  harder: { hops: "up", chains: "up" },
  recipe: vtRecipe,
});

function settle(values: Named<typeof KNOBS>): Named<typeof KNOBS> {
  const { name, haystack, variant, chains, questions } = values;
  if (haystack === "noise" || variant === "2026") return { ...values, chains: Math.max(chains, questions) };
  throw new RangeError(
    `Cannot make task ${name} as haystack must be noise in variant ${variant}: current value is "${haystack}"`,
  );
}

/** The noise lines of the example: the reference's number with GPT-4's tokenizer. */
const EXAMPLE_LINES: Readonly<Record<Variant, number>> = { "2026": 16, "2024": 10, paper: 16 };

const MAX_EXAMPLE_HOPS = 10;

function vtRecipe(settings: Named<typeof KNOBS>, request: RecipeRequest): Recipe {
  const { name, chains, hops, variant, haystack, questions } = settings;
  const { materials, length, seed, index, template, options } = request;
  const { tokenizer } = materials;
  const path = [seed, RULER_SUITE, name, JSON.stringify(options), length];
  const draw = stream(...path, index);
  const drawChain = chainDrawer(draw, {
    parts: promptNames({ variant, template, materials }),
    words: haystack === "essay" ? essayWords(materials, name) : undefined,
  });
  const drawDepths = (count: number): number[] => Array.from({ length: count }, () => draw());
  const exampleSize = Math.min(hops, MAX_EXAMPLE_HOPS) + 1;
  const drawSolved = (): Chain => drawChain("example", drawDepths(exampleSize));
  const solved = Array.from({ length: settings.examples * chains }, drawSolved);
  const targets = Array.from({ length: questions }, (_, question): Chain => {
    const place = { index: index * questions + question, count: hops + 1, remember: materials.remember };
    return { ...drawChain("target", spreadDepths(path, place)), question };
  });
  const others = Array.from({ length: chains - questions }, () => drawChain("distractor", drawDepths(hops + 1)));
  const hidden = [...targets, ...others];

  const asked = targets.map(({ value, names }): Asked => {
    const { question, answerPrefix } = vtWording({ value, variables: hops + 1, variant });
    const text = haystack === "essay" ? `\n${question}` : question;
    return { after: [{ measured: measure(text, tokenizer) }], answerPrefix, references: () => names };
  });
  const { after } = asked[0]!;
  const { opening } = vtWording({ value: "", variables: 0, variant });
  const dressing = { variant, materials };
  const about = { ...dressing, opening, afterPrompt: template.after };
  if (haystack === "essay") {
    const { essays } = materials;
    const newFiller = (): Filler =>
      essayFiller(essays, { start: integer(draw, { low: 0, high: essays.size - 1 }), tokenizer });
    const before = exampleParts(solved, { ...about, context: exampleInEssay(solved, newFiller(), tokenizer) });
    const layOut = (size: number, filler: Filler): Layout => (
      { before, context: hideInEssay(hidden, { filler, size }), after }
    );
    return { ...fillBy(newFiller(), layOut), ...askAll(asked), source: essays.name };
  }
  const before = exampleParts(solved, { ...about, context: hideChains(solved, dressing)(EXAMPLE_LINES[variant]) });
  const layOutContext = hideChains(hidden, dressing);
  return {
    least: 1,
    most: Infinity,
    guess: (tokens) => 1 + Math.floor(tokens / chainLines(dressing).noiseTokens),
    layOut: (size): Layout => ({ before, context: layOutContext(size), after }),
    ...askAll(asked),
  };
}

/** The names that are part of the prompt's own words. */
function promptNames(
  { variant, template, materials }: Dressing & { readonly template: ChatTemplate },
): ReadonlySet<number> {
  const around = templateWords(template);
  return materials.remember(`prompt names/${variant}/${around}`, () => {
    const { opening, question, answerPrefix } = vtWording({ value: "", variables: 0, variant });
    return namesIn([opening, NOISE_LINE, question, answerPrefix, around].join(" "));
  });
}

/** Text that reads like an assignment; an essay that has some could answer the question. */
const ASSIGNMENT_LIKE = { mark: /\bVAR \w+ = /, called: "assignments of the task's own form" } as const;

/** The words of the essays in upper case, which no variable may be called. */
function essayWords({ essays, remember }: Materials, task: string): ReadonlySet<string> {
  return remember(`vt/${essays.name}`, () => {
    checkEssays(essays, { task, ...ASSIGNMENT_LIKE });
    return new Set(essays.run(0, essays.size).text.toUpperCase().split(/[^A-Z]+/));
  });
}

/** The most tokens of the example's essay; the reference fits all of its example to 500. */
const EXAMPLE_TOKENS = 400;

/** The context of an example in essays, as long as it fits, and the end of its last line. */
function exampleInEssay(chains: readonly Chain[], filler: Filler, tokenizer: Tokenizer): Part[] {
  let parts = hideInEssay(chains, { filler, size: 0 });
  for (let size = 1; chains.length > 0; size++) {
    const longer = hideInEssay(chains, { filler, size });
    if (countTokens(join(longer.map(({ measured }) => measured), tokenizer), tokenizer) > EXAMPLE_TOKENS) break;
    parts = longer;
  }
  return [...parts, { measured: measure("\n", tokenizer) }];
}

/** The worked example, whose first chain is the one it asks for, and the opening of the task; the opening alone without chains. */
function exampleParts(
  chains: readonly Chain[],
  { opening, afterPrompt, context, variant, materials }: Dressing & {
    readonly opening: string;
    readonly afterPrompt: string;
    readonly context: readonly Part[];
  },
): Part[] {
  const [asked] = chains;
  if (asked === undefined) return [{ measured: measureOnce(opening, materials) }];
  const { tokenizer } = materials;
  const { value, names } = asked;
  const example = vtExampleWording({ value, variables: names.length, names, variant, afterPrompt });
  const parts = [
    { measured: measureOnce(example.opening, materials) },
    ...context,
    { measured: measure(example.ending, tokenizer) },
    { measured: measureOnce(opening, materials) },
  ];
  // Joined once, as it is the same in every layout.
  return [{ measured: join(parts.map(({ measured }) => measured), tokenizer), parts, role: "example" }];
}

const OPENING = "Memorize and track the chain(s) of variable assignment hidden in the following text.";

interface TracingQuestion {
  readonly value: string;
  readonly variables: number;
  readonly variant: Variant;
}

/** The words of a tracing question (variable_tracking.py; paper, Table 8). The lines go between opening and question. */
export function vtWording({ value, variables, variant }: TracingQuestion): Wording {
  const assigned = variant === "2024" ? "assgined" : "assigned";
  return {
    opening: `${OPENING}\n\n`,
    question: `${variant === "2024" ? "\n" : ""}${askFor(value)}`,
    answerPrefix:
      ` Answer: According to the chain(s) of variable assignment in the text above, ${variables} variables are ${assigned} the value ${value}, they are:${
        variant === "paper" ? "" : " "
      }`,
  };
}

function askFor(value: string): string {
  return `Question: Find all variables that are assigned the value ${value} in the text above.`;
}

/**
 * The words of the solved example before the task; its lines go between the two texts.
 *
 * The code of 2024 removes the chat template from its example by dropping the last word before the answer prefix: it loses
 * "above." if there is no template, or if the template follows without a space. It also collapses white space.
 */
export function vtExampleWording(
  { names, afterPrompt, ...question }: TracingQuestion & {
    readonly names: readonly string[];
    readonly afterPrompt: string;
  },
): { readonly opening: string; readonly ending: string } {
  const wording = vtWording(question);
  const answer = `${wording.answerPrefix} ${names.join(" ")}\n\n`;
  if (question.variant !== "2024") return { opening: wording.opening, ending: wording.question + answer };
  const shortened = (askFor(question.value) + afterPrompt).trim().split(/\s+/).slice(0, -1).join(" ");
  return { opening: ` ${OPENING} `, ending: ` ${shortened}${answer}\n\n` };
}
