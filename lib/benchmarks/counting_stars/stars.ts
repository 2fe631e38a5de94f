import { STAR_TEST_FILES } from "./test_lines.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { starRecipe } from "./recipe.ts";
import { starListScorer, starSum } from "./scorer.ts";
import { readPlaces } from "./counts.ts";
import { COUNTING_STARS_SUITE, STAR_KNOBS, type StarSettings } from "./knobs.ts";
import { starJson } from "./sentences.ts";
import { cannotMake, family, type GivenKnobs, knobInId } from "@/lib/generators/mod.ts";
import { sum } from "@/lib/base/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** The knobs of each task, by the middle of its name. */
const KINDS = {
  search: {},
  shuffled: { order: "shuffled" },
  reasoning: { order: "shuffled", sentence: "corrected" },
  sum: { ask: "list_and_sum" },
  miscount: { sentence: "miscounted" },
  linked: { sentence: "linked" },
} as const;

const TASKS = Object.fromEntries(
  (["en", "zh"] as const).flatMap((language) =>
    Object.entries(KINDS).map(([kind, knobs]) => [`counting_stars_${kind}_${language}`, { language, ...knobs }])
  ),
) as Readonly<Record<`counting_stars_${keyof typeof KINDS}_${"en" | "zh"}`, GivenKnobs<typeof STAR_KNOBS>>>;

/**
 * Counting-Stars: sentences at even intervals of a long text count stars, and the reader lists all counts in order, as JSON.
 *
 * Song, Zheng and Luo, "Counting-Stars: A Multi-evidence, Position-aware, and Scalable Benchmark" (arXiv 2403.11802), and
 * nick7nlp/Counting-Stars at 32e16f2. Unlike there, the text starts anywhere in the essays and is not cut inside a sentence,
 * and each sample has its own counts. The editions `v1` (the blog text of March 2024: 0.725 characters per token in Chinese, 1
 * in English) and `v3` (the repository: 0.7 characters, or 0.8 words in English) follow the reference. Its tasks are search
 * with increasing and with shuffled counts, and reasoning. The authors only sketch the others (list and sum, miscounted and
 * linked counts); their wording is Fathom's, and so are the worked examples, without which small base models write no list.
 */
export const STARS = family({
  suite: COUNTING_STARS_SUITE,
  name: "counting_stars",
  about: "asks for a list of all counts hidden in sentences of a long text, in order",
  asks: /Please help the .+?(?=, for example: \{)|请帮助.+?(?=，(?:按照如下格式|例如)：\{)/,
  category: ({ ask }) => ask === "list" ? "retrieval" : "aggregation",
  knobs: STAR_KNOBS,
  tasks: TASKS,
  scorers: [
    starListScorer("stars"),
    starListScorer("stars and sum"),
    starListScorer("lenient stars"),
    starListScorer("lenient stars and sum"),
    starSum,
    starListScorer("stars of others"),
    starListScorer("stars of others and sum"),
  ],
  scorerOf({ ask, scorer, sentence, counter }): Scorer {
    if (ask === "sum") return starSum;
    const original = counter === undefined ? "stars" : "stars of others";
    const way = scorer === "lenient" ? "lenient stars" : original;
    const chosen = starListScorer(ask === "list" ? way : `${way} and sum`);
    return sentence === "plain" ? chosen : { ...chosen, needsDistractors: true };
  },
  answerRoom: ({ ask, stars }) => 64 + (ask === "sum" ? 0 : stars * (String(4 * stars).length + 2)),
  write(values, { settings, total = sum(values, Number) }): string {
    return starJson(settings, settings.ask === "list" ? values : [...values, `${total}`]);
  },
  settle(given): StarSettings {
    const { name, sentence, ask, edition, examples } = given;
    const written = { exact: STAR_KNOBS.sentence.choices!, v1: ["plain"], v3: ["plain", "corrected"] }[edition];
    if (!written.includes(sentence)) {
      throw cannotMake(name, `sentence must be ${written.join(" or ")} in edition ${edition}`, sentence);
    }
    if (edition !== "exact") {
      if (ask !== "list") throw cannotMake(name, `ask must be list in edition ${edition}`, ask);
      if (examples > 0) throw cannotMake(name, `examples must be 0 in edition ${edition}`, examples);
    }
    checkWords(given);
    checkPlaces(given);
    return given;
  },
  harder: { stars: "up" },
  clusterOf({ sample, suite }): string | undefined {
    const [edition = "exact", language] = [knobInId(sample, "edition"), knobInId(sample, "language")];
    // The reference always begins at the start of the same essays.
    return edition === "exact" ? undefined : `text:${suite}/${edition}/${language}`;
  },
  recipe: starRecipe,
});

/** Marks that would make a count ambiguous or end the quotation in the question. */
const FORBIDDEN = /[\d\n\r{}"“”….。]/;

/** The longest words in characters, and the marks that they must not have; a sentence may have full stops. */
const OWN_WORDS = {
  thing: { most: 40, forbidden: FORBIDDEN },
  measure: { most: 10, forbidden: FORBIDDEN },
  wording: { most: 200, forbidden: /[\d\n\r{}"“”…]/ },
  counter: { most: 40, forbidden: /[\d\n\r{}"“”….。\[\]:]/ },
} as const;

/** Refuses custom words in which a count could not be found. */
function checkWords(settings: StarSettings): void {
  const { name, language, sentence, measure, wording } = settings;
  for (const [knob, { most, forbidden }] of Object.entries(OWN_WORDS)) {
    const { [knob as keyof typeof OWN_WORDS]: words = "" } = settings;
    const bare = words.replaceAll(/\{(?:count|thing)\}/g, "");
    if (words.length <= most && words.trim() === words && !forbidden.test(bare)) continue;
    const marks = `digits${knob === "wording" ? "" : ", full stops"}, quotation marks or braces`;
    throw cannotMake(name, `${knob} must be at most ${most} characters on one line, without ${marks}`, words);
  }
  if (measure !== undefined && language !== "zh") {
    throw cannotMake(name, "measure must be left out in English", measure);
  }
  if (wording === undefined) return;
  if (["{count}", "{thing}"].some((place) => wording.split(place).length !== 2)) {
    throw cannotMake(name, "wording must contain {count} and {thing} once each", wording);
  }
  if (sentence !== "plain") throw cannotMake(name, "sentence must be plain with a wording of your own", sentence);
}

/** Refuses places and a first count that other knobs exclude. */
function checkPlaces(settings: StarSettings): void {
  const { name, firstCount, order, values, edition, places, stars } = settings;
  if (firstCount > 0 && (order !== "increasing" || values !== "seeded")) {
    throw cannotMake(name, "firstCount must be 0 unless counts are drawn and increasing", firstCount);
  }
  if (places === undefined) return;
  if (edition !== "exact") throw cannotMake(name, `places must be left out in edition ${edition}`, places);
  const shares = readPlaces(places);
  const isRising = shares.every((share, at) => share >= 0 && share <= 1 && share >= (shares[at - 1] ?? 0));
  if (!isRising || ![2, stars].includes(shares.length)) {
    throw cannotMake(name, `places must be ${stars} shares from 0 to 1 that do not fall, or two such ends`, places);
  }
}

export const COUNTING_STARS: Benchmark = {
  name: "counting_stars",
  title: "Counting-Stars",
  source: "Song, Zheng and Luo 2024, arXiv 2403.11802; nick7nlp/Counting-Stars at 32e16f2",
  families: [STARS],
  tasks: ["search", "shuffled", "reasoning"].flatMap((kind) =>
    ["zh", "en"].map((language) => `counting_stars_${kind}_${language}`)
  ),
  testFiles: STAR_TEST_FILES,
  paper: async () => (await import("@/lib/papers/counting_stars/paper.ts")).COUNTING_STARS_PAPER,
};
