import { type Named, oneOf, text, whole } from "@/lib/generators/mod.ts";

/** The suite and its version, which rises when any task's samples change. Part of every sample id. */
export const COUNTING_STARS_SUITE = "counting-stars-2";

/** The most stars for which the reference has values. */
const MAX_STARS = 1024;

export const STAR_KNOBS = {
  stars: whole({ from: 1, to: MAX_STARS, byDefault: 32 }, "counts in the text, the M of Counting-Stars-(M-N)"),
  ask: oneOf(["list", "list_and_sum", "sum"], "what is asked for: the list of counts, their sum, or both"),
  language: oneOf(["en", "zh"], "the language of sentences and question, and of the essays that come with Fathom"),
  sentence: oneOf(
    ["plain", "corrected", "miscounted", "linked"],
    "the sentences: a count, one corrected at once, one to be worked out, or one corrected further on",
  ),
  order: oneOf(["increasing", "shuffled"], "the order of the counts in the text"),
  values: oneOf(["seeded", "reference"], "counts drawn for each sample, or the reference's own"),
  edition: oneOf(
    ["exact", "v1", "v3"],
    "exact: filled to the token; v1, v3: measured in characters or words and over the length, as the reference does",
  ),
  scorer: oneOf(
    ["original", "lenient"],
    "original: the reference's scorer, as in published numbers; lenient: reads more kinds of lists",
  ),
  examples: whole(
    { from: 0, to: 8, byDefault: 0 },
    "worked examples before the text, for base models: short texts with the same question and its answer",
    { omitDefault: true },
  ),
  thing: text(
    "what is counted instead of ★, such as balloons: a noun in the plural; sentences of the essays with it are left out",
  ),
  measure: text("its measure word in Chinese, 颗 unless given"),
  wording: text(
    "a plain sentence of your own with {count} and {thing}, such as: A shepherd drove {count} {thing} over the bridge.",
  ),
  firstCount: whole(
    { from: 0, to: 3, byDefault: 0 },
    "the first count, as models make up the rest of a list that begins with 1; 0: drawn, and never 1",
    { omitDefault: true },
  ),
  places: text(
    "the places of the counts, as shares of the text: one for each, or two between which they are spread evenly, such as 0.4,0.6",
  ),
  counter: text(
    "who counts instead of the little penguin: a noun such as shepherd, in the question, the key of the answer, and every sentence that is not your own",
  ),
};

export type StarSettings = Named<typeof STAR_KNOBS>;

export type StarLanguage = StarSettings["language"];
