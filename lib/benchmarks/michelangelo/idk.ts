import { lastAnswer } from "./scorer.ts";
import TRAITS from "./traits.json" with { type: "json" };
import { family, firstAlone, type HiddenFact, hideFacts, number, type Recipe, whole } from "@/lib/generators/mod.ts";
import { pick, placeIn, shuffle, spread, stream } from "@/lib/random/mod.ts";

/** The suite and its version. */
export const MICHELANGELO_SUITE = "michelangelo-1";

const OWNERS = ["Edwina Marsh", "Tobias Quill", "Henrietta Voss", "Casper Lindqvist", "Odile Ferrant", "Ambrose Tully"];

/** The traits that a text states, of the five of traits.json, each with eight values. */
const STATED = 3;

/**
 * IDK: a question about a dog with options, of which the last is "I don't know" and right if the text does not state the answer.
 *
 * Vodrahalli et al., Michelangelo (2024), section 3, as remembered: four options, and no answer in the text of 70% of the samples.
 * Their texts are not published; here sentences are hidden in essays, of other traits if there is no answer.
 */
export const IDK = family({
  suite: MICHELANGELO_SUITE,
  name: "idk",
  about: 'asks for a trait of a dog with options, of which "I don\'t know" is right if the text does not state it',
  asks: /^.+\?$/m,
  category: "question answering",
  knobs: {
    answerable: number({ from: 0, to: 1, byDefault: 0.3 }, "the share of samples whose text has the answer"),
    choices: whole({ from: 2, to: 9, byDefault: 4 }, `options, "I don't know" included`),
  },
  tasks: { idk: {} },
  scorers: [lastAnswer],
  answerRoom: 24,
  write: firstAlone,
  harder: { choices: "up" },
  recipe({ answerable, choices }, request): Recipe {
    const { seed, index, length, options: given } = request;
    const path = [seed, MICHELANGELO_SUITE, "idk", JSON.stringify(given), length];
    const draw = stream(...path, index);
    const [share = 0, ...depths] = spread(path, { index, dimensions: 1 + STATED });
    const owner = pick(draw, OWNERS);
    const [asked, ...others] = shuffle(draw, TRAITS) as [typeof TRAITS[number], ...typeof TRAITS];
    const stated = share < answerable ? [asked, ...others] : others;
    const facts = depths.map((depth, at): HiddenFact => {
      const { name, says, values } = stated[at]!;
      const value = pick(draw, values);
      const text = says.replace("{o}", owner).replace("{v}", value);
      return { role: name === asked.name ? "target" : "distractor", key: name, value, text, depth };
    });
    const answer = facts.find(({ role }) => role === "target")?.value;
    const values = shuffle(draw, asked.values.filter((value) => value !== answer)).slice(0, choices - 1);
    if (answer !== undefined) values[placeIn(draw, values)] = answer;
    const options = [...values, "I don't know"].map((value, at) => `(${"ABCDEFGHI"[at]}) ${value}`);
    const ending = "Choose by the text alone. Reply with the letter of one option in parentheses, and nothing else.";
    return hideFacts(facts, request, {
      instructions: "Read this text. A question about it follows.",
      question: [asked.asks.replace("{o}", owner), ...options, ending].join("\n"),
      mark: new RegExp(`(?:${OWNERS.join("|")})'s dog`),
      references: [options[answer === undefined ? values.length : values.indexOf(answer)]!],
    });
  },
});
