import { at, type ComputedRow, decided, listed, longestWithinClaim, rowOf, tableOf } from "../_claim_words.ts";
import { roundingSlack } from "../published/_rounding.ts";
import type { Claim } from "../claims.ts";
import { differenceInterval, type ScoreWithInterval } from "../intervals/difference_interval.ts";
import type { RulerPublished } from "../published/published.ts";
import { publishedScoreRows } from "../published/published_score_rows.ts";
import { weightedAverage, type Weighting } from "./weighted_average.ts";

const [AT_4K, AT_128K] = [4096, 131_072];

/** Claims about averages, ranks and the fall from short to long contexts. */
export const CLAIMS_OF_RANKS: readonly Claim<RulerPublished>[] = [
  {
    id: "R4",
    source: "section 4; Table 3",
    kind: "paper",
    quote:
      "GPT-4, which has the highest performance at length of 4k and demonstrates the least but non-marginal degradation (15.4) when extending the context to 128K",
    statement: "GPT-4 scores highest at 4K and falls least from 4K to 128K, by 15.4 points.",
    check: (published) => {
      const rows = tableOf(published, 3);
      const gpt = rowOf(rows, "GPT-4");
      const falls = rows.map((row) => [row.model, fall(row, published).score] as const).toSorted((
        [, left],
        [, right],
      ) => left - right);
      const best = rows.every((row) => at(row, AT_4K) <= at(gpt, AT_4K));
      const { score, low, high } = fall(gpt, published);
      return decided(
        best && falls[0]![0] === gpt.model && Math.abs(score - 15.4) < 1e-9,
        `GPT-4 scores ${at(gpt, AT_4K).toFixed(1)} at 4K and falls by ${score.toFixed(1)} (interval ${
          low.toFixed(1)
        } to ` +
          `${high.toFixed(1)}); the least falls are ${listed(falls.slice(0, 3))}.`,
      );
    },
  },
  {
    id: "R5",
    source: "sections 1 and 4; Table 3",
    kind: "paper",
    quote:
      "The top models - GPT-4, Command-R, Yi-34B, and Mixtral, consistently outperform other models regardless of the chosen weighting scheme.",
    statement: "GPT-4, Command-R, Yi-34B and Mixtral outrank the other models under both weightings.",
    check: (published) => {
      const rows = tableOf(published, 3);
      const top = ["GPT-4", "Command-R", "Yi", "Mixtral"].map((name) => rowOf(rows, name));
      const worst = Math.max(...top.flatMap((row) => [row.rankIncreasing!, row.rankDecreasing!]));
      const ranks = top.map((row) => `${row.model} ${row.rankIncreasing} and ${row.rankDecreasing}`).join(", ");
      return decided(worst === 4, `Ranks with rising and with falling weights: ${ranks}.`);
    },
  },
  {
    id: "R6",
    source: "sections 1 and 5; Table 3",
    kind: "paper",
    quote: "Yi-34B, which claims context length of 200K and achieves the 2nd place on Ruler among open-source models",
    statement: "Yi-34B has the 2nd place among the open-source models (our measure: under both weightings).",
    check: (published) => {
      const rows = tableOf(published, 3);
      const [gpt, yi] = [rowOf(rows, "GPT-4"), rowOf(rows, "Yi")];
      const among = (rank: "rankIncreasing" | "rankDecreasing"): number =>
        rows.filter((row) => row !== gpt && row[rank]! <= yi[rank]!).length;
      const [rising, falling] = [among("rankIncreasing"), among("rankDecreasing")];
      return decided(
        rising === 2 && falling === 2,
        `Without GPT-4, Yi is number ${rising} with rising weights and number ${falling} with falling ones.`,
      );
    },
  },
  {
    id: "R7",
    source: "section 4; Table 3",
    kind: "paper",
    quote:
      "the LWM performs worse than Llama2-7B even at 4K. However, it […] achieves higher rank than Mistral-7B when longer sequences receive larger weight",
    statement: "LWM is below Llama2-7B even at 4K, yet ranks above Mistral-7B where long contexts weigh more.",
    check: (published) => {
      const rows = tableOf(published, 3);
      const [lwm, mistral] = [rowOf(rows, "LWM"), rowOf(rows, "Mistral (")];
      return decided(
        at(lwm, AT_4K) < lwm.threshold! && lwm.rankIncreasing! < mistral.rankIncreasing!,
        `LWM scores ${
          at(lwm, AT_4K).toFixed(1)
        } at 4K against ${lwm.threshold}; with rising weights it ranks ${lwm.rankIncreasing}, ` +
          `Mistral ${mistral.rankIncreasing}.`,
      );
    },
  },
  {
    id: "R9",
    source: "section 4; Tables 3 and 12 to 16",
    kind: "paper",
    quote: "with the weights linearly increasing (inc) or decreasing (dec)",
    statement:
      "The weights of the lengths increase or decrease linearly (our measure: by the same step from each length to the next).",
    check: (published) => {
      const linear = deviations(published, ["increasing", "decreasing"]);
      const fromZero = deviations(published, [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]);
      const byTokens = deviations(published, [[1, 2, 4, 8, 16, 32], [32, 16, 8, 4, 2, 1]]);
      return decided(
        linear.most <= roundingSlack(3) && fromZero.most > 1 && byTokens.most > 1,
        `Weights 1 to 6 by rank of length give all ${linear.cells} printed values to ${
          linear.most.toFixed(3)
        }; weights 0 to 5 miss by ` +
          `up to ${fromZero.most.toFixed(1)}, weights in proportion to tokens by up to ${byTokens.most.toFixed(1)}.`,
      );
    },
  },
  {
    id: "R11",
    source: "abstract, section 7; Table 3",
    kind: "paper",
    quote: "all models exhibit large performance drops as the context length increases",
    statement:
      "All models show large drops as the length increases (our measure: 10 points or more from 4K to 128K in the mean of 13 " +
      "tasks).",
    check: (published) => {
      const rows = tableOf(published, 3);
      const falls = rows.map((row) => fall(row, published));
      const within = rows.map((row) => at(row, AT_4K) - at(row, longestWithinClaim(row)));
      return decided(
        falls.every(({ score }) => score >= 10),
        `The falls are ${Math.min(...falls.map(({ score }) => score)).toFixed(1)} to ` +
          `${Math.max(...falls.map(({ score }) => score)).toFixed(1)} points; up to each model's claimed length, ` +
          `${Math.min(...within).toFixed(1)} to ${Math.max(...within).toFixed(1)}.`,
      );
    },
  },
];

/** How far a model falls from 4K to 128K, with the interval that 500 samples a task give. */
function fall(row: ComputedRow, { rows: beside }: RulerPublished): ScoreWithInterval {
  const rows = publishedScoreRows(row, { beside });
  const end = (length: number): ScoreWithInterval => {
    const { score, low, high } = rows.find((at) => at.length === length)!;
    return { score: score!, low: low!, high: high! };
  };
  return differenceInterval(end(AT_4K), end(AT_128K));
}

/** How far the printed weighted averages lie from those that two lists of weights give. */
function deviations(
  published: RulerPublished,
  weightings: readonly [rising: Weighting, falling: Weighting],
): { readonly most: number; readonly cells: number } {
  const rows = [3, 12, 13, 14, 15, 16].flatMap((table) => tableOf(published, table));
  const misses = rows.flatMap(({ scores, printed }) =>
    [printed.weightedIncreasing!, printed.weightedDecreasing!].map((value, side) =>
      Math.abs(value - weightedAverage(scores.map(({ score }) => score), weightings[side]!)!)
    )
  );
  return { most: Math.max(...misses), cells: misses.length };
}
