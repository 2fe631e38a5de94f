import { mean } from "@/lib/base/mod.ts";
import {
  type GoogleScores,
  googleScores,
  type MrcrPublished,
  type OpenaiScore,
  openaiScores,
  publishedFloor,
} from "./published.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import {
  decided,
  decidedByDifference,
  differenceInterval,
  type Finding,
  pointsText,
  type PublishedClaim,
} from "@/lib/statistics/mod.ts";

const COPIED = "the announcement's table (secondary copy)";
const CARDS = "the model cards' tables (secondary copy)";

/** Claims about both MRCRs, on their published scores and on the authors' code as rebuilt here. */
export const MRCR_CLAIMS: readonly PublishedClaim<MrcrPublished>[] = [
  {
    id: "M1",
    source: "Google DeepMind, eval_hub, mrcr_v2/README.md",
    quote:
      "the resulting noise rate under the MRCR metric is ~(1/num_relevant_needles) (typically, a couple percent more)",
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
    id: "M2",
    source: "Google DeepMind, eval_hub, run_evaluation.py: its description against its code",
    quote: [
      "the metric score is 0 if the random string is not the first 12 characters of the output (after stripping whitespace)",
      "start_index = prediction.rfind(random_hash)",
    ],
    statement: "Both give 0 to a reply that has other words before the hash.",
    expected: "fails",
    check(): Finding {
      const [hash, text] = ["q7Zk1LmP0xBw", "The third text."];
      const { score } = scorerOf("google").grade(`Here it is: ${hash}${text}`, { references: [hash + text] });
      return decided(
        score.value === 0,
        `The code scores such a reply ${score.value}: it takes the last hash anywhere.`,
      );
    },
  },
  {
    id: "M3",
    source: "both authors' scorers, as rebuilt here",
    statement: "Both scorers give the same score to a reply with a few edits (our measure: to within a point).",
    expected: "fails",
    check(): Finding {
      const text = "The quick brown fox jumps over the lazy dog while 37 quiet owls watch. ".repeat(3).trim();
      const edited = text.replaceAll("fox", "hare").replaceAll("quiet", "loud");
      const [openai, google] = ([["openai", "q7Zk1LmP0x"], ["google", "q7Zk1LmP0xBw"]] as const).map(([name, hash]) =>
        100 * scorerOf(name).grade(hash + edited, { references: [hash + text] }).score.value!
      );
      return decided(
        Math.abs(openai! - google!) <= 1,
        `${openai!.toFixed(1)} with the answer as the second text of SequenceMatcher, ${
          google!.toFixed(1)
        } with the reply there: frequent characters of a second text of 200 or more start no match.`,
      );
    },
  },
  {
    id: "M4",
    source: COPIED,
    statement:
      "GPT-5.5 does better at 128–256K than at 64–128K (our measure: with 95% confidence, 100 questions in each bin).",
    expected: "cannot tell",
    check(published): Finding {
      const at = (length: number): OpenaiScore =>
        openaiScores(published).find((row) => row.model === "GPT-5.5" && row.length === length)!;
      const [shorter, longer] = [at(131_072), at(262_144)];
      const found = differenceInterval(longer, shorter);
      const points = `${longer.score} less ${shorter.score}: ${pointsText(found)}.`;
      return decidedByDifference(
        found,
        `${points} Scores of single questions, which could be paired, were not published.`,
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
    id: "M7",
    source: CARDS,
    statement:
      "Models have the same order at up to 128K and at 1M (our measure: no pair is turned round by more than a point).",
    expected: "holds",
    check(published): Finding {
      const rows = atBoth(published).toSorted((left, right) => right.upTo128K - left.upTo128K);
      const turned = rows.flatMap((better, at) =>
        rows.slice(at + 1).filter(({ at1M }) => at1M > better.at1M)
          .map(({ model, at1M }) => ({ by: at1M - better.at1M, pair: `${model} before ${better.model}` }))
      );
      return decided(
        turned.every(({ by }) => by <= 1),
        turned.length === 0
          ? "No pair is turned round."
          : `At 1M ${turned.map(({ pair, by }) => `${pair} by ${by.toFixed(1)}`).join(", ")}.`,
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
      const rows = googleScores(published).flatMap(({ model, upTo128K }) => {
        const bins = published.openai.filter((row) => row.model === model && row.length <= 131_072);
        if (upTo128K === null || bins.length < 5) return [];
        return [{ model, google: upTo128K, openai: mean(bins, ({ score }) => score) }];
      });
      return decided(
        rows.every(({ google, openai }) => Math.abs(google - openai) <= 3),
        `${
          rows.map(({ model, google, openai }) => `${model} ${google} and ${openai.toFixed(1)}`).join("; ")
        } (Google's first): ` +
          "two tests of one name.",
      );
    },
  },
];

/** Models with both of Google's scores. */
function atBoth(
  published: MrcrPublished,
): readonly { readonly [Key in keyof GoogleScores]: NonNullable<GoogleScores[Key]> }[] {
  return googleScores(published).flatMap(({ model, upTo128K, at1M }) =>
    upTo128K === null || at1M === null ? [] : [{ model, upTo128K, at1M }]
  );
}

function scorerOf(scorer: "openai" | "google"): ReturnType<typeof MRCR_GRAMMAR.make>["scorer"] {
  return MRCR_GRAMMAR.make({ scorer }).scorer;
}
