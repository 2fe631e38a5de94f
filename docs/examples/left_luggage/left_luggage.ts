import { BAGS } from "./scorer.ts";
import { type Entry, INSTRUCTIONS, writeEntry, writeQuestion } from "./wording.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import {
  breakAt,
  family,
  fillBy,
  type Layout,
  lineFiller,
  type Named,
  type Part,
  plantFacts,
  plantOnce,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, integer, spread, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample's id and seed. */
const SUITE = "left-luggage-1";

const KNOBS = {
  entries: whole({ from: 1, to: 50, byDefault: 4 }, "lines about the locker that is asked for"),
};

/** A log of lockers. Only the lines about one of them matter, and their order. */
const LOCKER_LOG = family({
  suite: SUITE,
  name: "left_luggage",
  about: "asks which bags are in a locker at the end of a log in which bags are put in, moved and taken out",
  category: "multi-hop tracing",
  knobs: KNOBS,
  tasks: { left_luggage_4: {}, left_luggage_16: { entries: 16 } },
  scorers: [BAGS],
  answerRoom: ({ entries }) => 16 + 8 * entries,
  harder: { entries: "up" },
  recipe: logRecipe,
});

/** Left luggage: operations on a state, and a question about it. */
export const LEFT_LUGGAGE: Benchmark = {
  name: "left_luggage",
  title: "Left luggage",
  source: "docs/add-a-suite.md",
  families: [LOCKER_LOG],
  tasks: LOCKER_LOG.tasks,
};

function logRecipe({ entries }: Named<typeof KNOBS>, request: RecipeRequest): Recipe {
  const { seed, index, materials: { tokenizer } } = request;
  const draw = stream(seed, SUITE, entries, index);
  const bags = new Set<string>();
  const locker = integer(draw, { low: 100, high: 999 });
  const drawOther = (): number => drawLocker(draw, locker);
  const history = drawHistory(draw, { locker, entries, drawBag: () => drawBag(draw, bags), drawOther });
  const inside = bagsInside(history, locker);
  // Facts stand in the order in which they happen, so their depths are sorted.
  const depths = spread([seed, SUITE, entries], { index, dimensions: entries }).toSorted((one, next) => one - next);
  const facts = history.map((entry) => {
    const role = entry.to === locker && inside.includes(entry.bag) ? "target" as const : "distractor" as const;
    return { role, key: String(locker), value: entry.bag, text: writeEntry(entry) };
  });
  // The other lines are about bags and lockers that the question does not ask for: any of them can be drawn again.
  const drawLine = (): Part => {
    const from = maybe(draw, drawOther);
    const to = from === undefined ? drawOther() : maybe(draw, drawOther);
    return { measured: measure(`${writeEntry({ bag: drawBag(draw, bags), from, to })}\n`, tokenizer) };
  };
  const before = [{ measured: measure(INSTRUCTIONS, tokenizer) }];
  const after = [{ measured: measure(writeQuestion(locker), tokenizer) }];
  const fill = fillBy(lineFiller({ draw: drawLine, tokenizer, passes: 8 }), (size, filler): Layout => {
    const planted = facts.map((fact, number) => ({
      at: breakAt(depths[number]!, { filler, size, tokenizer }),
      part: plantOnce(filler, fact),
    }));
    return { before, context: plantFacts(planted, { filler, size }), after };
  });
  return { ...fill, answerPrefix: ` Locker ${locker} holds`, references: () => inside };
}

/** Draws what happens to a locker: a bag comes, or one of at least two leaves, so that it is never empty at the end. */
function drawHistory(draw: Draw, { locker, entries, drawBag, drawOther }: {
  readonly locker: number;
  readonly entries: number;
  drawBag(): string;
  drawOther(): number;
}): readonly Entry[] {
  const history: Entry[] = [];
  while (history.length < entries) {
    const inside = bagsInside(history, locker);
    const other = maybe(draw, drawOther);
    const isLeaving = inside.length > 1 && integer(draw, { low: 0, high: 1 }) === 1;
    if (isLeaving) {
      history.push({ bag: inside[integer(draw, { low: 0, high: inside.length - 1 })]!, from: locker, to: other });
    } else history.push({ bag: drawBag(), from: other, to: locker });
  }
  return history;
}

/** Returns the bags that are in a locker after some entries, in the order in which they came. */
function bagsInside(history: readonly Entry[], locker: number): readonly string[] {
  const gone = new Set(history.filter(({ from }) => from === locker).map(({ bag }) => bag));
  return history.filter(({ bag, to }) => to === locker && !gone.has(bag)).map(({ bag }) => bag);
}

/** Draws a bag that the log does not have, of 4 to 7 digits: lines of different lengths are what fills a prompt to the token. */
function drawBag(draw: Draw, bags: Set<string>): string {
  for (;;) {
    const digits = integer(draw, { low: 4, high: 7 });
    const bag = `B${integer(draw, { low: 10 ** (digits - 1), high: 10 ** digits - 1 })}`;
    if (bags.has(bag)) continue;
    bags.add(bag);
    return bag;
  }
}

/** Draws a locker that is not the one that is asked for. */
function drawLocker(draw: Draw, asked: number): number {
  const locker = integer(draw, { low: 100, high: 998 });
  return locker < asked ? locker : locker + 1;
}

function maybe<Value>(draw: Draw, make: () => Value): Value | undefined {
  return integer(draw, { low: 0, high: 1 }) === 1 ? make() : undefined;
}
