import { mean } from "@/lib/base/mod.ts";
import { type GoogleScores, googleScores, type MrcrPublished, openaiScores, publishedFloor } from "./published.ts";
import { decided, type Finding, type PublishedClaim } from "@/lib/statistics/mod.ts";

const COPIED = "the announcement's table (secondary copy)";
const CARDS = "the model cards' tables (secondary copy)";

/** Claims about both MRCRs, on their published scores and on the authors' code as rebuilt here. */
export const MRCR_CLAIMS: readonly PublishedClaim<MrcrPublished>[] = [
  {
    id: "M1",
    source: "Google DeepMind, eval_hub, mrcr_v2/README.md",
    quote:
      "the resulting noise rate under the MRCR metric is ~(1/num_relevant_needles) (typically, a couple percent more)",
    quantifier: { of: "all", word: "typically" },
    statement: "A random text on the request scores 1/n and a little more (our measure: at most 3 points more).",
    expected: "holds",
    check({ floors }): Finding {
      const above = floors.filter(({ reply }) => reply === "relevant")
        .map(({ needles, score }) => ({ needles, score, above: score - 100 / needles }));
      return decided(
        above.every((row) => row.above >= 0 && row.above <= 3),
        above.map(({ needles, score, above }) => `${needles} needles: ${score}, ${above.toFixed(1)} more`).join("; ") +
          ".",
      );
    },
  },
  {
    id: "M5",
    source: COPIED,
    statement: "No model does better in its longest bin than in its shortest.",
    expected: "holds",
    check(published): Finding {
      const models = [...Map.groupBy(openaiScores(published), ({ model }) => model).values()];
      const ends = models.map((rows) => [rows[0]!, rows.at(-1)!] as const);
      return decided(
        ends.every(([first, last]) => last.score <= first.score),
        ends.map(([first, last]) => `${first.model} ${first.score} to ${last.score}`).join(", ") + ".",
      );
    },
  },
  {
    id: "M6",
    source: CARDS,
    statement: "At 1M every Gemini is above the floor of a random text on the request.",
    expected: "fails",
    check(published): Finding {
      const floor = publishedFloor(published, 8);
      const rows = atBoth(published);
      return decided(
        rows.every(({ at1M }) => at1M > floor),
        `Less the floor of ${floor}: ${
          rows.map(({ model, at1M }) => `${model} ${(at1M - floor).toFixed(1)}`).join(", ")
        }.`,
      );
    },
  },
  {
    id: "M8",
    source: `${COPIED} against ${CARDS}`,
    statement:
      "Both MRCR v2 give a model the same score up to 128K (our measure: within 3 points; OpenAI's five bins weigh the same).",
    expected: "fails",
    check(published): Finding {
      const rows = inBoth(published);
      return decided(
        rows.every(({ google, openai }) => Math.abs(google - openai) <= SAME),
        `${
          rows.map(({ model, google, openai }) => `${model} ${google} and ${openai.toFixed(1)}`).join("; ")
        } (Google's first): ` +
          "two tests of one name.",
      );
    },
  },
];

/** Answers what a score of MRCR means, from the scores that both tests of this name have of the same models. */
export function mrcrAnswer(published: MrcrPublished): string {
  const rows = inBoth(published);
  const [apart] = rows.toSorted((one, other) =>
    Math.abs(other.google - other.openai) - Math.abs(one.google - one.openai)
  );
  if (apart === undefined) return "No model has published scores on both tests of this name.";
  const { model, google, openai } = apart;
  const isSame = Math.abs(google - openai) <= SAME;
  const opening = isSame
    ? "OpenAI's and Google's tests of this name give the same models alike scores."
    : "OpenAI's and Google's tests share a name and not their scores.";
  return `${opening} Up to 128K ${model} scores ${openai.toFixed(0)} on the first and ${
    google.toFixed(0)
  } on the second. With eight texts on the request, a random one of them scores about ${
    publishedFloor(published, 8).toFixed(0)
  }.`;
}

/** The most points by which scores of one test differ. */
const SAME = 3;

/** The scores up to 128K of the models that both tests have. */
function inBoth(
  published: MrcrPublished,
): readonly { readonly model: string; readonly google: number; readonly openai: number }[] {
  return googleScores(published).flatMap(({ model, upTo128K }) => {
    const bins = published.openai.filter((row) => row.model === model && row.length <= 131_072);
    if (upTo128K === null || bins.length < 5) return [];
    return [{ model, google: upTo128K, openai: mean(bins, ({ score }) => score) }];
  });
}

/** Models with both of Google's scores. */
function atBoth(
  published: MrcrPublished,
): readonly { readonly [Key in keyof GoogleScores]: NonNullable<GoogleScores[Key]> }[] {
  return googleScores(published).flatMap(({ model, upTo128K, at1M }) =>
    upTo128K === null || at1M === null ? [] : [{ model, upTo128K, at1M }]
  );
}
