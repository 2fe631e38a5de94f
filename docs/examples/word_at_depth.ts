import { type Benchmark, differenceInterval, family, type Grading, type HiddenFact, hideFacts } from "@/lib/mod.ts";
import { scoredRows, type Scorer, shuffle, spread, stream, whole } from "@/lib/mod.ts";

const DOORS = ["red", "blue", "green", "white", "black", "yellow", "brown", "grey", "silver", "golden"];

/** The first word counts, so that a reply that lists all words scores 0. */
const firstWord: Scorer = {
  name: "first word",
  about: "1 where the reply begins with the word that is wanted, or else 0",
  grade(reply, { references: [wanted = ""] }): Grading {
    const answer = /[a-z]+/i.exec(reply)?.[0] ?? "";
    const why = `it begins with "${answer}", wanted is "${wanted}"`;
    const score = { value: answer.toLowerCase() === wanted ? 1 : 0, answer, why };
    return { score, penalised: score };
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
  recipe({ doors }, request) {
    const { seed, index, materials: { words } } = request;
    const draw = stream(seed, "door words", index);
    const [keys, values] = [shuffle(draw, DOORS), shuffle(draw, words.nouns)];
    const facts = spread([seed, "door words"], { index, dimensions: doors }).map((depth, at): HiddenFact => {
      const [key, value] = [keys[at]!, values[at]!];
      const text = `The word for the ${key} door is ${value}.`;
      return { role: at === 0 ? "target" : "distractor", key, value, text, depth };
    });
    const instructions = "Some sentences of this text say which word opens a door.";
    const question = `Which word opens the ${keys[0]} door? Answer with that word alone.`;
    return hideFacts(facts, request, { instructions, question, mark: /The word for the \w+ door/ });
  },
});

export default {
  name: "word-at-depth",
  title: "Word at depth",
  source: "the example of docs/own-benchmark.md",
  families: [doorWords],
  tasks: doorWords.tasks,
  runClaims: [{
    id: "W1",
    source: "our question",
    statement: "At the longest length, five more doors cost at least 10 points.",
    check({ rows }) {
      const [one, six] = doorWords.tasks.map((task) => scoredRows(rows, task).at(-1));
      if (!one || !six) return { verdict: "cannot tell", observed: "One of the two tasks has no score." };
      const { low, high } = differenceInterval(one, six);
      const observed = `They cost ${low.toFixed(1)} to ${high.toFixed(1)} points (95% interval).`;
      return { verdict: low >= 10 ? "holds" : high < 10 ? "fails" : "cannot tell", observed };
    },
  }],
} satisfies Benchmark;
