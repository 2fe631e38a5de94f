import { lengthText, readLengthText, sum } from "@/lib/base/mod.ts";
import { type ComputedRow, publishedScoreRows, recompute } from "./published_leaderboard.ts";
import { type RulerPublished, scoreAt } from "./published.ts";
import { pointsOf } from "./score_lines.ts";
import { TOTAL_CLAIMS } from "./table_claims.ts";
import {
  decided,
  decidedByCases,
  differenceInterval,
  effectiveLength,
  type Finding,
  listed,
  median,
  type PublishedClaim,
  type ScoreWithInterval,
  verdictOf,
} from "@/lib/statistics/mod.ts";

const NEARLY_PERFECT = 95;
const [AT_4K, AT_32K, AT_64K, AT_128K] = [4096, 32_768, 65_536, 131_072];
const TOP_MODELS = ["GPT-4", "Command-R", "Yi", "Mixtral"];
/** The tables that print weighted averages and effective lengths. */
const RANKED_TABLES = [3, 12, 13, 14, 15, 16];

/**
 * Claims of the RULER paper (arXiv 2404.06654v1) about its Tables 3, 4 and 10 to 16.
 *
 * RULER's claims quote the paper without its references; […] marks other omissions. Three of its words have one measure in all
 * claims: "large" is 10 points or more, "significant" is beyond chance (a 95% interval without 0), and "nearly" or "almost perfect"
 * is 95 or more.
 */
export const LEADERBOARD_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  onTable3({
    id: "R1",
    source: "abstract, sections 1 and 4; Table 3",
    quote:
      "While these models all claim context sizes of 32K tokens or greater, only four models (GPT-4, Command-R, Yi-34B, and Mixtral) can maintain satisfactory performance at the length of 32K.",
    statement:
      "The models all claim 32K or more, but only four, GPT-4, Command-R, Yi-34B and Mixtral, pass the threshold at 32K.",
    check: (rows, published) => {
      const claims = rows.filter((row) => readLengthText(row.claimedLength) >= AT_32K);
      const pass = rows.filter((row) => at(row, AT_32K) >= row.threshold!);
      const named = TOP_MODELS.map((name) => rowOf(rows, name));
      const holds = claims.length === rows.length && pass.length === 4 && named.every((row) => pass.includes(row));
      const scores = listed(pass.map((row) => [row.model, at(row, AT_32K)]));
      const claimed = `${claims.length} of ${rows.length} claim at least 32K`;
      return decided(holds, `${claimed}; at 32K these reach 85.6: ${scores}. ${closest(rows, published)}`);
    },
  }),
  onTable3({
    id: "R2",
    source: "sections 1 and 4; Table 3",
    quote:
      "none of them maintains performance above the Llama2-7B baseline at their claimed length, except for Mixtral",
    statement:
      "No model but Mixtral is above the Llama2-7B baseline at its claimed length (our measure: at the longest one tested within it).",
    check: (rows) => {
      const scores = rows.map((row) => [row, at(row, longestWithinClaim(row))] as const);
      const above = scores.filter(([row, score]) => score > row.threshold!);
      const below = scores.filter((scored) => !above.includes(scored));
      const pass = above.map(([row, score]) =>
        `${row.model} (${score.toFixed(1)} at ${lengthText(longestWithinClaim(row))})`
      ).join(", ");
      const miss = listed(below.map(([row, score]) => [row.model, score]));
      return decided(above.length === 1 && pass.startsWith("Mixtral"), `Above: ${pass || "none"}. Below: ${miss}.`);
    },
  }),
  onTable3({
    id: "R3",
    quote: "Mixtral, which achieves moderate performance on length doubling the claimed 32K context size",
    statement:
      "Mixtral does moderately at twice its claimed 32K (our measure: below the threshold and above the median of the ten models at 64K).",
    check: (rows) => {
      const mixtral = rowOf(rows, "Mixtral");
      const [score, middle] = [at(mixtral, AT_64K), median(rows.map((row) => at(row, AT_64K)))];
      return decided(
        score < mixtral.threshold! && score > middle,
        `Mixtral scores ${score.toFixed(1)} at 64K; ` +
          `the threshold is ${mixtral.threshold}, the median ${middle.toFixed(1)}.`,
      );
    },
  }),
  onTable3({
    id: "R4",
    quote:
      "GPT-4, which has the highest performance at length of 4k and demonstrates the least but non-marginal degradation (15.4) when extending the context to 128K",
    statement: "GPT-4 scores highest at 4K and falls least from 4K to 128K, by 15.4 points.",
    check: (rows, published) => {
      const gpt = rowOf(rows, "GPT-4");
      const falls = rows.map((row) => [row.model, fall(row, published).score] as const)
        .toSorted(([, left], [, right]) => left - right);
      const best = rows.every((row) => at(row, AT_4K) <= at(gpt, AT_4K));
      const { score, low, high } = fall(gpt, published);
      return decided(
        best && falls[0]![0] === gpt.model && Math.abs(score - 15.4) < 1e-9,
        `GPT-4 scores ${at(gpt, AT_4K).toFixed(1)} at 4K and falls by ${score.toFixed(1)} ` +
          `(interval ${low.toFixed(1)} to ${high.toFixed(1)}); the smallest falls are ${listed(falls.slice(0, 3))}.`,
      );
    },
  }),
  onTable3({
    id: "R5",
    source: "sections 1 and 4; Table 3",
    quote:
      "The top models - GPT-4, Command-R, Yi-34B, and Mixtral, consistently outperform other models regardless of the chosen weighting scheme.",
    statement: "GPT-4, Command-R, Yi-34B and Mixtral outrank the other models under both weightings.",
    check: (rows) => {
      const top = TOP_MODELS.map((name) => rowOf(rows, name));
      const ranks = top.map((row) => `${row.model} ${ranksOf(row).join(" and ")}`).join(", ");
      return decided(Math.max(...top.flatMap(ranksOf)) === 4, `Ranks with rising and with falling weights: ${ranks}.`);
    },
  }),
  onTable3({
    id: "R6",
    source: "sections 1 and 5; Table 3",
    quote: "Yi-34B, which claims context length of 200K and achieves the 2nd place on Ruler among open-source models",
    statement: "Yi-34B has the 2nd place among the open-source models (our measure: under both weightings).",
    check: (rows) => {
      const [gpt, yi] = [rowOf(rows, "GPT-4"), rowOf(rows, "Yi")];
      const [rising, falling] = ranksOf(yi).map((rank, weights) =>
        rows.filter((row) => row !== gpt && ranksOf(row)[weights]! <= rank).length
      );
      return decided(
        rising === 2 && falling === 2,
        `Without GPT-4, Yi is number ${rising} with rising weights and number ${falling} with falling ones.`,
      );
    },
  }),
  onTable3({
    id: "R7",
    quote:
      "the LWM performs worse than Llama2-7B even at 4K. However, it […] achieves higher rank than Mistral-7B when longer sequences receive larger weight",
    statement: "LWM is below Llama2-7B even at 4K, yet ranks above Mistral-7B if long contexts have more weight.",
    check: (rows) => {
      const [lwm, mistral] = [rowOf(rows, "LWM"), rowOf(rows, "Mistral (")];
      const [rank, other] = [ranksOf(lwm)[0], ranksOf(mistral)[0]];
      return decided(
        at(lwm, AT_4K) < lwm.threshold! && rank < other,
        `LWM scores ${at(lwm, AT_4K).toFixed(1)} at 4K against ${lwm.threshold}; ` +
          `with rising weights it ranks ${rank}, Mistral ${other}.`,
      );
    },
  }),
  onTable3({
    id: "R7-fall",
    quote: "it shows smaller degradation with the increase of context size",
    statement:
      "LWM degrades less as the context grows than Mistral-7B, which the sentence names next (our measure: a smaller fall from 4K to 128K, beyond chance).",
    check: (rows, published) => {
      const [lwm, mistral] = [rowOf(rows, "LWM"), rowOf(rows, "Mistral (")].map((row) => fall(row, published));
      const { score, low, high } = differenceInterval(mistral!, lwm!);
      const less = rows.filter((row) => fall(row, published).score < lwm!.score).map(({ model }) => model);
      return {
        verdict: verdictOf(low > 0, high < 0),
        observed: `LWM falls by ${lwm!.score.toFixed(1)} points, Mistral by ${mistral!.score.toFixed(1)}: ` +
          `${score.toFixed(1)} more (${low.toFixed(1)} to ${high.toFixed(1)}). ` +
          `Of the ten, ${less.length} fall less than LWM: ${less.join(", ") || "none"}.`,
      };
    },
  }),
  {
    id: "R8",
    source: "section 4; caption of Table 3",
    quote:
      "The performance exceeding the Llama2-7B performance at 4K (85.6%) is underlined. The effective context length is the maximum length passing this threshold.",
    statement:
      "The effective length is the longest length that passes the performance of Llama2-7B at 4K (our measure of passing: at least as high).",
    expected: "holds",
    check: (published) => {
      const rows = RANKED_TABLES.flatMap((table) => tableOf(published, table));
      const agree = (rule: "published" | "strict" | "contiguous"): number =>
        rows.filter((row) =>
          effectiveLength(row.scores, row.threshold!, { rule }).text.replace(">", "") ===
            row.printed.effectiveLength!.toUpperCase()
        ).length;
      const [atLeast, above, contiguous] = [agree("published"), agree("strict"), agree("contiguous")];
      return decided(
        atLeast === rows.length,
        `Of ${rows.length} printed effective lengths, ${atLeast} follow from "at least the threshold, whatever shorter ` +
          `lengths score", ${above} from "above the threshold", ${contiguous} if every shorter length must pass too.`,
      );
    },
  },
  {
    id: "R9",
    source: "section 4; Tables 3 and 12 to 16",
    quote: "with the weights linearly increasing (inc) or decreasing (dec)",
    statement:
      "The weights of the lengths increase or decrease linearly (our measure: by the same step from each length to the next).",
    expected: "holds",
    check: (published) => {
      const linear = deviations(published, [1, 2, 3, 4, 5, 6]);
      const fromZero = deviations(published, [0, 1, 2, 3, 4, 5]);
      const byTokens = deviations(published, [1, 2, 4, 8, 16, 32]);
      return decided(
        linear.largest <= 0.1 + 1e-9 && fromZero.largest > 1 && byTokens.largest > 1,
        `Weights 1 to 6 by rank of length give all ${linear.cells} printed values to ${linear.largest.toFixed(3)}; ` +
          `weights 0 to 5 miss by up to ${fromZero.largest.toFixed(1)}, weights in proportion to tokens by up to ${
            byTokens.largest.toFixed(1)
          }.`,
      );
    },
  },
  {
    id: "R10",
    source: "section 4 and appendix E; Tables 10 and 11",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      "The models are nearly perfect on passkey retrieval and vanilla needles (our measure: each of the ten aligned models has 95 or more at each length up to its claimed one).",
    expected: "mostly holds",
    check: (published) => {
      const worst = [10, 11].flatMap((table) =>
        tableOf(published, table).filter((row) => row.group === "aligned").map((row) => {
          const within = row.scores.filter(({ length }) => length <= longestWithinClaim(row));
          return [`${row.model} in Table ${table}`, Math.min(...within.map(({ score }) => score))] as const;
        })
      );
      const exceptions = worst.filter(([, score]) => score < NEARLY_PERFECT);
      const count = `${worst.length - exceptions.length} of ${worst.length} rows are`;
      return decidedByCases(
        worst.map(([, score]) => score >= NEARLY_PERFECT),
        `${count}; the exceptions fall to ${listed(exceptions)}.`,
      );
    },
  },
  captionClaim("R10-T10", 10, "passkey retrieval"),
  captionClaim("R10-T11", 11, "vanilla needles"),
  onTable3({
    id: "R11",
    source: "abstract, section 7; Table 3",
    quote: "all models exhibit large performance drops as the context length increases",
    statement:
      "All models show large drops as the length increases (our measure: 10 points or more from 4K to 128K in the mean of 13 tasks).",
    check: (rows, published) => {
      const falls = rows.map((row) => fall(row, published).score);
      const within = rows.map((row) => at(row, AT_4K) - at(row, longestWithinClaim(row)));
      const range = (values: readonly number[]): string =>
        `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
      return decided(
        falls.every((fall) => fall >= 10),
        `The falls are ${range(falls)} points; up to each model's claimed length, ${range(within)}.`,
      );
    },
  }),
  ...TOTAL_CLAIMS,
];

/** Describes how certain the closest decision at 32K is. */
function closest(rows: readonly ComputedRow[], { rows: beside }: RulerPublished): string {
  const margin = (row: ComputedRow): number => Math.abs(at(row, AT_32K) - row.threshold!);
  const row = rows.reduce((best, next) => margin(next) < margin(best) ? next : best);
  const scored = publishedScoreRows(row, beside).find(({ length }) => length === AT_32K)!;
  return `The closest is ${row.model}: with 500 samples a task its interval is ${scored.low!.toFixed(1)} ` +
    `to ${scored.high!.toFixed(1)}; the threshold is ${row.threshold!.toFixed(1)}.`;
}

/** Returns the loss from 4K to 128K, with the interval that 500 samples a task give. */
function fall(row: ComputedRow, { rows: beside }: RulerPublished): ScoreWithInterval {
  const rows = publishedScoreRows(row, beside);
  const [first, last] = [AT_4K, AT_128K].map((length) => pointsOf(rows).find((point) => point.length === length)!);
  return differenceInterval(first!, last!);
}

/** Compares the printed weighted averages with those by the given weights and by their reverse. */
function deviations(
  published: RulerPublished,
  weights: readonly number[],
): { readonly largest: number; readonly cells: number } {
  const misses = RANKED_TABLES.flatMap((table) => tableOf(published, table)).flatMap(({ scores, printed }) => {
    const total = sum(weights);
    const averageBy = (weights: readonly number[]): number =>
      sum(scores, ({ score }, place) => score * weights[place]!) / total;
    return [
      Math.abs(printed.weightedIncreasing! - averageBy(weights)),
      Math.abs(printed.weightedDecreasing! - averageBy(weights.toReversed())),
    ];
  });
  return { largest: Math.max(...misses), cells: misses.length };
}

/** Returns the claim in the captions of Tables 10 and 11. */
function captionClaim(id: string, table: number, name: string): PublishedClaim<RulerPublished> {
  return {
    id,
    source: `caption of Table ${table}`,
    quote: "Almost all models have perfect score at their claimed length.",
    statement:
      `Almost all models have a perfect score on ${name} at their claimed length (our measure: each scores 100 at the longest length tested within it).`,
    expected: "fails",
    check: (published) => {
      const rows = tableOf(published, table);
      const scores = rows.map((row) => [row.model, at(row, longestWithinClaim(row))] as const);
      const perfect = scores.filter(([, score]) => score === 100).length;
      const nearly = scores.filter(([, score]) => score >= NEARLY_PERFECT).length;
      const low = listed(scores.filter(([, score]) => score < NEARLY_PERFECT));
      const observed =
        `${perfect} of ${rows.length} score 100 and ${nearly} at least ${NEARLY_PERFECT}; below that: ${low}.`;
      return decidedByCases(scores.map(([, score]) => score === 100), observed);
    },
  };
}

/** Makes a claim about the rows of Table 3, discussed in section 4, which holds on them. */
function onTable3(
  { check, source = "section 4; Table 3", ...claim }:
    & Pick<PublishedClaim<RulerPublished>, "id" | "quote" | "statement">
    & {
      readonly source?: string;
      readonly check: (rows: readonly ComputedRow[], published: RulerPublished) => Finding;
    },
): PublishedClaim<RulerPublished> {
  return { ...claim, source, expected: "holds", check: (published) => check(tableOf(published, 3), published) };
}

/** Returns the rows of a table of the first edition, which makes the claims. */
function tableOf(published: RulerPublished, table: number): readonly ComputedRow[] {
  return recompute(published.rows.filter((row) => row.edition === "v1" && row.table === table));
}

/** Finds a row by the start of its model's name. */
function rowOf(rows: readonly ComputedRow[], name: string): ComputedRow {
  return rows.find((row) => row.model.startsWith(name))!;
}

/** The ranks by rising and by falling weights. */
function ranksOf({ computed }: ComputedRow): readonly [rising: number, falling: number] {
  return [computed.weightedIncreasing!.rank, computed.weightedDecreasing!.rank];
}

/** Returns a row's score at a length that its table prints. */
function at(row: ComputedRow, length: number): number {
  return scoreAt(row, length)!;
}

/** The longest tested length within a model's claimed one. */
function longestWithinClaim(row: ComputedRow): number {
  const claimed = readLengthText(row.claimedLength);
  return Math.max(...row.scores.map(({ length }) => length).filter((length) => length <= claimed));
}
