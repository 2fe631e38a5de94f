import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import FACTS from "./facts.json" with { type: "json" };
import {
  cannotMake,
  family,
  type HiddenFact,
  hideFacts,
  type Named,
  oneOf,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { permutation, shuffle, spread, stream } from "@/lib/random/mod.ts";
import { type AnswerPattern, findAll, type Score, type Scorer, stringMatchPart } from "@/lib/scorers/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id. */
const SUITE = "nolima-1";

/** The people that needles are about. No name is part of another, or a word. */
const NAMES = FACTS.names.flatMap((line) => line.split(" "));

/** A fact: a thing that a needle names, and what the question names instead of it, one and two hops away. */
type Fact = readonly [thing: string, oneHop: string, twoHops: string];

/** The ways of being connected with things. No two facts of a relation have a name in common. */
const RELATIONS = FACTS.relations.map((relation) => ({
  ...relation,
  facts: relation.facts.flatMap((line) => line.split("; ")).map((fact) => fact.split(", ") as unknown as Fact),
}));

/** All pairs of needle and question. */
const PAIRS = RELATIONS.flatMap((relation) => relation.facts.map((fact) => ({ relation, fact })));

/** What the essays must not contain: another person or thing of the facts. */
const MARK = new RegExp(`\\b(?:${[...NAMES, ...PAIRS.map(({ fact: [thing] }) => thing)].join("|")})\\b`);

const PERSON: AnswerPattern = { name: "name", pattern: new RegExp(`\\b(?:${NAMES.join("|")})\\b`) };

/** The paper's metric `contains`, which ignores other names in the reply; the penalised score does not. */
const nameFound: Scorer = {
  name: "nolima name",
  about: "1 if the reply contains the name, else 0; penalised: 0 if it has another person's name too",
  shape: PERSON,
  contains: "any",
  grade: (reply, { references }) => {
    const score = stringMatchPart(reply, references);
    const others = new Set(reply.match(findAll(PERSON))).difference(new Set(references));
    const penalised: Score = others.size === 0 || score.value !== 1
      ? score
      : { ...score, value: 0, why: `${score.why}; also: ${[...others].join(", ")}` };
    return { score, penalised };
  },
};

const KNOBS = {
  hops: whole({ from: 1, to: 2, byDefault: 1 }, "facts of the world between the question and the needle"),
  order: oneOf(["default", "inverted"], "whether the needle names the person first or last"),
  match: oneOf(["none", "literal"], "whether the question has no word of the needle, or names its thing: a control"),
  distractors: whole(
    { from: 0, to: Math.min(...RELATIONS.map(({ facts }) => facts.length)) - 1, byDefault: 0 },
    "needles like the target, about other people and things",
  ),
};

type Settings = Named<typeof KNOBS>;

/**
 * Questions that share no word with the sentence that answers them, after NoLiMa (Modarressi et al. 2025), with pairs of Fathom's
 * own. The facts of a sample depend on seed and index alone, so that tasks with other knobs differ from it by these only.
 */
const NOLIMA_PAIRS = family({
  suite: SUITE,
  name: "nolima",
  about: "asks for a person by what is known of a thing, which a sentence hidden in essays names with the person",
  category: "retrieval",
  asks: /^(Which .+\?)/m,
  knobs: KNOBS,
  tasks: {
    nolima_one_hop: {},
    nolima_two_hops: { hops: 2 },
    nolima_inverted: { order: "inverted" },
    nolima_distracted: { distractors: 4 },
    nolima_literal: { match: "literal" },
  },
  scorers: [nameFound],
  answerRoom: 32,
  settle(values): Settings {
    if (values.match === "none" || values.hops === 1) return values;
    throw cannotMake(values.name, "hops must be 1 if match is literal", values.hops);
  },
  harder: { distractors: "up", hops: "up" },
  recipe,
});

function recipe({ hops, order, match, distractors }: Settings, request: RecipeRequest): Recipe {
  const { seed, index } = request;
  const path = [seed, SUITE];
  // Each run through all pairs has another order.
  const round = Math.floor(index / PAIRS.length);
  const { relation, fact } = PAIRS[permutation([...path, "pairs", round], PAIRS.length)(index % PAIRS.length)]!;
  const draw = stream(...path, index);
  const names = shuffle(draw, NAMES);
  const others = shuffle(draw, relation.facts.filter(([thing]) => thing !== fact[0]));
  const [depth] = spread(path, { index, dimensions: 1 }) as [number];
  const things = [fact, ...others.slice(0, distractors)].map(([thing]) => thing);
  const facts = things.map((thing, at): HiddenFact => ({
    role: at === 0 ? "target" : "distractor",
    key: thing,
    value: names[at]!,
    text: relation[order].replace("{name}", names[at]!).replace("{thing}", thing),
    depth: at === 0 ? depth : draw(),
  }));
  const [asked, key] = match === "literal" ? [relation.literal, fact[0]] : [relation.hops[hops - 1]!, fact[hops]!];
  const hidden = hideFacts(facts, request, {
    instructions: "Read this text, and answer the question after it from the text and from what you know of the world.",
    question: `${asked.replace("{key}", key)} Answer with the name alone.`,
    answerPrefix: " The name is",
    mark: MARK,
  });
  return { ...hidden, cluster: `question:${SUITE}/${fact[0]}` };
}

/** NoLiMa: needles that no word of the question leads to. */
export const NOLIMA: Benchmark = {
  name: "nolima",
  title: "NoLiMa",
  source: "Modarressi et al. 2025, “NoLiMa: Long-Context Evaluation Beyond Literal Matching”; pairs of Fathom's own",
  families: [NOLIMA_PAIRS],
  tasks: ["nolima_one_hop", "nolima_two_hops", "nolima_inverted"],
  paper: async () => (await import("@/lib/papers/nolima/paper.ts")).NOLIMA_PAPER,
};
