import { sum } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { IDK, MICHELANGELO_SUITE } from "./idk.ts";
import { drawNothing, drawOperations, runAll, writeList, writeOperation } from "./operations.ts";
import { lastAnswer } from "./scorer.ts";
import {
  breakAt,
  family,
  fillBy,
  firstAlone,
  type Layout,
  lineFiller,
  oneOf,
  type Part,
  type Planted,
  plantFacts,
  plantOnce,
  type Recipe,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, integer, shuffle, spread, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The views of the last list. */
const VIEWS = ["list", "slice", "sum", "length", "least", "greatest"] as const;

/** The greatest number in a list, and the length of the list at the start. */
const [MOST, START_LENGTH] = [999, 6];

/** Tokens of a number and its comma in a list, in tokenizers that split digits; and of the words around. */
const [NUMBER_TOKENS, WORDS_TOKENS] = [6, 16];

const OPENING = "This Python program changes a list of numbers. Find out what its last line prints.";
const QUESTION = "What does the last line print? Reply with its output, and nothing else.";

/**
 * Latent List: a program changes a list of numbers, and the output of its last line is asked for.
 *
 * Vodrahalli et al., Michelangelo (2024), section 3, as remembered: 1, 5 or 20 relevant operations, evenly spread, among statements
 * that do nothing, reverse twice or undo themselves. Neither the wording nor a generator was published.
 */
const LATENT_LIST = family({
  suite: MICHELANGELO_SUITE,
  name: "latent_list",
  about: "asks what a Python program prints of a list, which few of its statements change for good",
  asks: /^print\(.*\)(?=\n\n)/m,
  category: "multi-hop tracing",
  knobs: {
    relevant: whole({ from: 1, to: 40, byDefault: 5 }, "statements that change the list for good"),
    view: oneOf(["each", ...VIEWS], "what is printed of the list or of a slice of it; each: the six in turn"),
  },
  tasks: { latent_list_1: { relevant: 1 }, latent_list_5: {}, latent_list_20: { relevant: 20 } },
  scorers: [lastAnswer],
  answerRoom: ({ relevant }) => WORDS_TOKENS + NUMBER_TOKENS * (START_LENGTH + relevant),
  write: firstAlone,
  harder: { relevant: "up" },
  recipe({ name, relevant, view }, { seed, length, index, options, materials: { tokenizer } }): Recipe {
    const path = [seed, MICHELANGELO_SUITE, name, JSON.stringify(options), length];
    const draw = stream(...path, index);
    const depths = spread(path, { index, dimensions: relevant }).sort((left, right) => left - right);
    const values = shuffle(draw, Array.from({ length: MOST }, (_, at) => at + 1));
    const [start, added] = [values.splice(0, START_LENGTH), values.splice(0, relevant)];
    const operations = drawOperations(draw, start, added);
    const asked = view === "each" ? VIEWS[index % VIEWS.length]! : view;
    const [code, output] = drawView(draw, runAll(start, operations)!, asked);
    const comments = new Set<number>();
    // Facts are found by their text, so no other statement has their comments.
    const drawComment = (): number => {
      const comment = integer(draw, { low: 1000, high: 9999 });
      return comments.has(comment) ? drawComment() : comment;
    };
    const facts = operations.map((operation, at) => {
      const [value, comment] = [writeList(runAll(start, operations.slice(0, at + 1))!), drawComment()];
      comments.add(comment);
      return { role: "target", key: `statement ${at + 1}`, value, text: writeOperation(operation, comment) } as const;
    });
    const part = (text: string): Part => ({ measured: measure(text, tokenizer) });
    const before = [part(`${OPENING}\n\nnumbers = ${writeList(start)}\n`)];
    const after = [part(`print(${code})\n\n${QUESTION}`)];
    const drawLine = (): Part => part(`${drawNothing(draw, values, drawComment)}\n`);
    const statements = lineFiller({ draw: drawLine, tokenizer, passes: 8 });
    const fill = fillBy(statements, (size, filler): Layout => {
      const planted = facts.map((fact, at): Planted => ({
        at: breakAt(depths[at]!, { filler, size, tokenizer }),
        part: plantOnce(filler, fact),
      }));
      return { before, context: plantFacts(planted, { filler, size }), after };
    });
    return { ...fill, answerPrefix: "", references: () => [output] };
  },
});

/** Draws a view of a list, as an expression and its value; slices have at least two numbers, and not all. */
function drawView(draw: Draw, list: readonly number[], view: typeof VIEWS[number]): readonly [string, string] {
  const from = integer(draw, { low: 0, high: list.length - 2 });
  const to = integer(draw, { low: from + 2, high: Math.min(list.length, from + list.length - 1) });
  const [slice, part] = [`numbers[${from}:${to}]`, list.slice(from, to)];
  const views = {
    list: ["numbers", writeList(list)],
    slice: [slice, writeList(part)],
    sum: [`sum(${slice})`, String(sum(part, Number))],
    length: ["len(numbers)", String(list.length)],
    least: [`min(${slice})`, String(Math.min(...part))],
    greatest: [`max(${slice})`, String(Math.max(...part))],
  } as const;
  return views[view];
}

/** Michelangelo without MRCR, which is a suite of its own. */
export const MICHELANGELO: Benchmark = {
  name: "michelangelo",
  title: "Michelangelo",
  source: "Vodrahalli et al., Michelangelo (2024), arXiv 2409.12640",
  families: [LATENT_LIST, IDK],
  tasks: [...LATENT_LIST.tasks, ...IDK.tasks],
};
