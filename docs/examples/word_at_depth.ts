import { type Benchmark, differenceInterval, family, hideFacts, pick, type Scorer } from "@/lib/mod.ts";
import { scoredRows, shuffle, spread, stream, type TaskReader, whole } from "@/lib/mod.ts";

const DOORS = ["red", "blue", "green", "white", "black", "yellow", "brown", "grey", "silver", "golden"];

/** The first word counts, so that a reply that lists all words scores 0. */
const firstWord: Scorer = {
  name: "first word",
  about: "1 where the reply begins with the word that is wanted, or else 0",
  grade(reply, { references: [wanted = ""] }) {
    const answer = /[a-z]+/i.exec(reply)?.[0] ?? "";
    const why = `it begins with "${answer}", wanted is "${wanted}"`;
    const score = { value: answer.toLowerCase() === wanted ? 1 : 0, answer, why };
    return { score, penalised: score };
  },
};

/** How the simulated reader finds the answer; without it, it says that it does not know. */
const reader: TaskReader = {
  name: "door words",
  recognise(prompt) {
    const [, door] = /Which word opens the (\w+) door\?/.exec(prompt) ?? [];
    if (door === undefined) return null;
    const sentences = prompt.matchAll(/The word for the (\w+) door is (\w+)\./g);
    const found = Array.from(sentences, ({ 1: key = "", 2: value = "", index }) => (
      { key, value, depth: index / prompt.length }
    ));
    return {
      category: "retrieval",
      wanted: found.filter(({ key }) => key === door),
      rivals: found.filter(({ key }) => key !== door),
      example: [],
      invent: (draw) => pick(draw, DOORS),
      write: ([said = ""]) => ` ${said}.`,
    };
  },
};

const doorWords = family({
  suite: "word-at-depth-1",
  name: "door_words",
  about: "words for doors are hidden in essays, and one of them is asked for",
  category: "retrieval",
  knobs: { doors: whole({ from: 1, to: DOORS.length, byDefault: 1 }, "doors; those that are not asked for distract") },
  tasks: { one_door: {}, six_doors: { doors: 6 } },
  scorers: [firstWord],
  answerRoom: 16,
  readers: [reader],
  recipe({ doors }, request) {
    const { seed, index, materials: { words } } = request;
    const draw = stream(seed, "door words", index);
    const depths = spread([seed, "door words"], { index, dimensions: doors });
    const facts = shuffle(draw, DOORS).slice(0, doors).map((key, at) => {
      const value = pick(draw, words.nouns);
      const role = at === 0 ? "target" as const : "distractor" as const;
      return { role, key, value, text: `The word for the ${key} door is ${value}.`, depth: depths[at]! };
    });
    const instructions = "Some sentences of this text say which word opens a door.";
    const question = `Which word opens the ${facts[0]!.key} door? Answer with that word alone.`;
    return hideFacts(facts, request, { instructions, question, mark: /The word for the \w+ door/ });
  },
});

const benchmark: Benchmark = {
  name: "word-at-depth",
  title: "Word at depth",
  source: "the example of docs/own-benchmark.md",
  families: [doorWords],
  tasks: ["one_door", "six_doors"],
  runClaims: [{
    id: "W1",
    source: "our question",
    kind: "check",
    statement: "At the longest length, five more doors cost at least 10 points.",
    check({ rows }) {
      const [one, six] = benchmark.tasks.map((task) => scoredRows(rows, task).at(-1));
      if (!one || !six) return { verdict: "cannot tell", observed: "One of the two tasks has no score." };
      const { score, low, high } = differenceInterval(one, six);
      const observed = `They cost ${score.toFixed(1)} points (95% interval ${low.toFixed(1)} to ${high.toFixed(1)}).`;
      return { verdict: low >= 10 ? "holds" : high < 10 ? "fails" : "cannot tell", observed };
    },
  }],
};
export default benchmark;
