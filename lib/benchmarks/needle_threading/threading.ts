import { defined } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import {
  KIND_NAMES,
  KINDS,
  KNOBS,
  NEUTRAL,
  PAIR_CHARACTERS,
  SHARED_KNOBS,
  type ThreadingKind,
  type ThreadingSettings,
} from "./knobs.ts";
import { THREADING_TEST_FILES } from "./test_rows.ts";
import { answerRoom, VALUE_EXTRACTOR, valuesAsPrinted, valuesInAnyOrder, valuesInOrder } from "./scorer.ts";
import {
  differentUuids,
  exampleParts,
  interleavePairs,
  markOf,
  MARKS,
  pairPart,
  pairsOfThread,
  plantPairs,
  threadingQuestion,
} from "./pairs.ts";
import {
  askAll,
  type Asked,
  cannotMake,
  checkWhole,
  family,
  fillBy,
  type Filler,
  type GivenKnobs,
  jsonList,
  type Layout,
  lineFiller,
  type Named,
  type Part,
  type Recipe,
  type RecipeRequest,
} from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const NEEDLE_THREADING_SUITE = "needle-threading-3";

/** The seed of the draws; version 3 has the texts of version 2, but the depths of a single needle in another order. */
const DRAWS = "needle-threading-2";

/** The number of redraws of pairs to fill the last tokens of a length. */
const PASSES = 12;
/** Haystacks of more pairs than this vary in tokens by less than 1% (five standard deviations). */
const MANY_PAIRS = 500;

const SCORERS = { order: valuesInOrder, any: valuesInAnyOrder, original: valuesAsPrinted } as const;

/**
 * Needle Threading: values are looked up and followed in a JSON object of random UUIDs.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, section 3. A prompt is the object, a line break and the question. The option
 * `wording` selects the words of the question: those of the paper's code in `single_needle`, Fathom's in the other tasks, whose
 * wording is not public. No key is repeated, except at branches of a thread. The paper has 2 to 25 needles, steps and threads.
 * The worked examples are Fathom's; without them small base models do not answer.
 */
export const THREADING = family({
  suite: NEEDLE_THREADING_SUITE,
  name: "threading",
  nameOf: ({ kind = "single_needle" }) => `threading_${kind}`,
  about: "asks for values among pairs of random UUIDs, looked up directly or followed from key to key",
  asks: /\}\n(.+)/,
  category: ({ kind }) => kind.endsWith("thread") ? "multi-hop tracing" : "retrieval",
  knobs: KNOBS,
  tasks: Object.fromEntries(KIND_NAMES.map((kind) => [`threading_${kind}`, { kind }])) as Readonly<
    Record<`threading_${ThreadingKind}`, GivenKnobs<typeof KNOBS>>
  >,
  scorers: [valuesInOrder, valuesInAnyOrder, valuesAsPrinted],
  scorerOf: ({ kind, scorer = kind === "conditional_needle" ? "any" : "order" }) => SCORERS[scorer],
  answerRoom: ({ needles, threads }) => answerRoom(needles * threads),
  write: jsonList,
  settle,
  describe: threadingKnobs,
  harder: ({ kind }) => Object.fromEntries(Object.keys(KINDS[kind].defaults).map((knob) => [knob, "up" as const])),
  probes: ({ pairs = 0 }) => pairs > MANY_PAIRS ? 2 : undefined,
  recipe: threadingRecipe,
});

export const NEEDLE_THREADING: Benchmark = {
  name: "needle_threading",
  title: "Needle Threading",
  source: "Roberts, Han and Albanie 2024, arXiv 2411.05000",
  families: [THREADING],
  tasks: THREADING.tasks,
  regraders: [VALUE_EXTRACTOR],
  testFiles: THREADING_TEST_FILES,
  paper: async () => (await import("@/lib/papers/needle_threading/paper.ts")).NEEDLE_THREADING_PAPER,
};

function threadingRecipe(settings: ThreadingSettings, request: RecipeRequest): Recipe {
  const { materials: { tokenizer }, length, seed, index, options } = request;
  const { kind, name, pairs, questions } = settings;
  // Subtle: the options are part of the path of every draw, in their order. The scorer changes no text.
  const { scorer: _, ...drawn } = options;
  const path = [seed, DRAWS, name, JSON.stringify(drawn), length];
  const draw = stream(...path, index);
  const newUuid = differentUuids(draw);
  const planted = Array.from({ length: questions }, (_, question) => {
    const source = { path, index: index * questions + question, draw, newUuid };
    const character = markOf(settings, question);
    return { ...plantPairs({ ...settings, character }, source), character };
  });
  const drawPair = (): Part => pairPart({ key: newUuid(), value: newUuid() }, { role: "distractor", tokenizer });
  const asked = planted.map(({ keys, character, references, depth, paths }): Asked => {
    const wording = threadingQuestion(kind, keys, character);
    // After a solved question a base model writes the space itself.
    const question = settings.examples > 0 ? wording.trimEnd() : wording;
    const after = [{ measured: measure(`}\n${question}`, tokenizer) }];
    return { after, answerPrefix: "", references: () => references, ...defined({ depth, paths }) };
  });
  const examples = exampleParts(settings, { path, index, draw, newUuid, tokenizer });
  const before = [...examples, { measured: measure("{", tokenizer) }];
  const { after } = asked[0]!;
  const targets = planted.flatMap(({ pairs }, question) =>
    pairs.map((pair) => pair.role === "target" ? { ...pair, answers: { [question]: pair.value } } : pair)
  );
  const inOrder = targets.toSorted((left, right) => left.depth - right.depth);
  const layOut = (size: number, filler: Filler): Layout => ({
    before,
    context: interleavePairs(inOrder, { size, filler, tokenizer }),
    after,
  });
  const filler = lineFiller({ draw: drawPair, tokenizer, passes: PASSES });
  const filled = fillBy(filler, layOut, { least: 1 });
  const size = pairs === undefined ? undefined : pairs - plantedPairs(settings);
  return { ...(size === undefined ? filled : { least: size, most: size, layOut: filled.layOut }), ...askAll(asked) };
}

function settle(given: Named<typeof KNOBS>): ThreadingSettings {
  const { kind, name, characters, ...knobs } = given;
  const known = [...KINDS[kind].knobs, ...SHARED_KNOBS];
  const unknown = Object.keys(given).find((knob) => knob !== "name" && knob !== "kind" && !known.includes(knob));
  if (unknown !== undefined) throw cannotMake(name, `its knobs must be of ${known.join(", ")}`, unknown);
  if (knobs.pairs !== undefined && characters !== undefined) {
    throw cannotMake(name, "only one of pairs and characters must be given", [knobs.pairs, characters]);
  }
  const ofCharacters = characters === undefined ? {} : { pairs: Math.round(characters / PAIR_CHARACTERS) };
  const settings = { ...NEUTRAL, ...KINDS[kind].defaults, ...knobs, kind, name, ...ofCharacters };
  const { steps, character, pairs, questions } = settings;
  if (kind === "branched_thread") checkWhole(steps, { task: name, knob: "steps", low: 3, high: 100 });
  if (pairs !== undefined) checkWhole(pairs, { task: name, knob: "pairs", low: plantedPairs(settings), high: 50_000 });
  if (!/^(?![0-9a-f"\\-])[!-~]$/.test(character)) {
    throw cannotMake(name, "character must be one ASCII mark or capital that no UUID has, such as * or &", character);
  }
  if (kind === "conditional_needle") {
    checkWhole(questions, { task: name, knob: "questions", low: 1, high: MARKS.length });
  }
  return settings;
}

/** The knobs in the ids of a task's samples. */
function threadingKnobs(settings: ThreadingSettings): Readonly<Record<string, string | number>> {
  const { kind, pairs, examples, scorer, questions } = settings;
  return {
    kind,
    wording: kind === "single_needle" ? "published" : "own",
    ...Object.fromEntries(KINDS[kind].knobs.flatMap((knob) => Object.entries(defined({ [knob]: settings[knob] })))),
    ...defined({ pairs }),
    examples,
    ...defined({ scorer }),
    questions,
  };
}

function plantedPairs(settings: ThreadingSettings): number {
  const { kind, needles, threads, questions } = settings;
  return questions * (kind.endsWith("needle") ? needles : threads * pairsOfThread(settings));
}
