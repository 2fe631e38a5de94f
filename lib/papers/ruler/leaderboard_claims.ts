import { readLengthText } from "@/lib/base/mod.ts";
import { judge, meanPoint, scoreText } from "./line_findings.ts";
import { publishedScoreRows } from "./published_leaderboard.ts";
import { type PublishedRow, type RulerPublished, scoreAt } from "./published.ts";
import { pointsOf } from "./score_lines.ts";
import { decided, type Finding, listed, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The least score of "nearly perfect", and the least of "large" drops, in points. */
export const [NEARLY_PERFECT, LARGE_FALL] = [95, 10];
const [AT_4K, AT_32K, AT_128K] = [4096, 32_768, 131_072];
const TOP_MODELS = ["GPT-4", "Command-R", "Yi", "Mixtral"];

/**
 * Claims of the RULER paper (arXiv 2404.06654v1) about its Tables 3, 10 and 11.
 *
 * RULER's claims quote the paper without its references; […] marks other omissions. Three of its words have one measure in all
 * claims: "large" is 10 points or more, "significant" is beyond chance (a 95% interval without 0), and "nearly" or "almost perfect"
 * is 95 or more.
 */
export const LEADERBOARD_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  {
    id: "R1",
    source: "abstract, sections 1 and 4; Table 3",
    quote:
      "While these models all claim context sizes of 32K tokens or greater, only four models (GPT-4, Command-R, Yi-34B, and Mixtral) can maintain satisfactory performance at the length of 32K.",
    quantifier: { of: "all", word: "all" },
    statement:
      "The models all claim 32K or more, but only four, GPT-4, Command-R, Yi-34B and Mixtral, pass the threshold at 32K.",
    expected: "holds",
    check: checkFour,
  },
  {
    id: "R2",
    source: "sections 1 and 4; Table 3",
    quote:
      "none of them maintains performance above the Llama2-7B baseline at their claimed length, except for Mixtral",
    quantifier: { of: "all", word: "none" },
    statement:
      "No model but Mixtral is above the Llama2-7B baseline at its claimed length (our measure: at the longest one tested within it).",
    expected: "holds",
    check: checkClaimedLengths,
  },
  {
    id: "R10",
    source: "section 4 and appendix E; Tables 10 and 11",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      `The models are nearly perfect on passkey retrieval and vanilla needles (our measure: ${NEARLY_PERFECT} or more on average over the ten aligned models and the lengths up to their claimed ones).`,
    expected: "holds",
    check: checkNeedles,
  },
  {
    id: "R11",
    source: "abstract, section 7; Table 3",
    quote: "all models exhibit large performance drops as the context length increases",
    quantifier: { of: "all", word: "all" },
    statement:
      `All models show large drops as the length increases (our measure: ${LARGE_FALL} points or more from 4K to 128K in the mean of 13 tasks).`,
    expected: "holds",
    check: checkFalls,
  },
];

/** Counts the models that claim 32K and those that pass at 32K, and describes how certain the closest decision is. */
function checkFour(published: RulerPublished): Finding {
  const rows = tableOf(published, 3);
  const claims = rows.filter((row) => readLengthText(row.claimedLength) >= AT_32K);
  const pass = rows.filter((row) => scoreAt(row, AT_32K)! >= row.threshold!);
  const named = TOP_MODELS.filter((name) => pass.some(({ model }) => model.startsWith(name)));
  const holds = claims.length === rows.length && pass.length === 4 && named.length === 4;
  const margin = (row: PublishedRow): number => Math.abs(scoreAt(row, AT_32K)! - row.threshold!);
  const closest = rows.reduce((best, next) => margin(next) < margin(best) ? next : best);
  const { low, high } = publishedScoreRows(closest, published.rows).find(({ length }) => length === AT_32K)!;
  return decided(
    holds,
    `${claims.length} of ${rows.length} claim at least 32K; at 32K these reach 85.6: ${
      listed(pass.map((row) => [row.model, scoreAt(row, AT_32K)!]))
    }. The closest is ${closest.model}: with 500 samples a task its interval is ${low!.toFixed(1)} to ${
      high!.toFixed(1)
    }; the threshold is ${closest.threshold!.toFixed(1)}.`,
  );
}

function checkClaimedLengths(published: RulerPublished): Finding {
  const scores = tableOf(published, 3).map((row) => [row, scoreAt(row, longestWithinClaim(row))!] as const);
  const above = scores.filter(([row, score]) => score > row.threshold!);
  const below = scores.filter((scored) => !above.includes(scored));
  const [pass, miss] = [above, below].map((part) => listed(part.map(([{ model }, score]) => [model, score])));
  return decided(above.length === 1 && pass!.startsWith("Mixtral"), `Above: ${pass}. Below: ${miss}.`);
}

function checkNeedles(published: RulerPublished): Finding {
  const rows = [10, 11].flatMap((table) => tableOf(published, table)).filter(({ group }) => group === "aligned");
  const within = rows.map((row) => ({
    row,
    points: pointsOf(publishedScoreRows(row)).filter(({ length }) => length <= longestWithinClaim(row)),
  }));
  const mean = meanPoint(within.flatMap(({ points }) => points));
  const worst = within.map(({ row: { model, table }, points }) =>
    [`${model} in Table ${table}`, Math.min(...points.map(({ score }) => score))] as const
  );
  return {
    verdict: judge(mean, NEARLY_PERFECT),
    observed: `The mean is ${scoreText(mean)}; below ${NEARLY_PERFECT} fall ${
      listed(worst.filter(([, score]) => score < NEARLY_PERFECT))
    }.`,
  };
}

function checkFalls(published: RulerPublished): Finding {
  const rows = tableOf(published, 3);
  const falls = rows.map((row) => scoreAt(row, AT_4K)! - scoreAt(row, AT_128K)!);
  const within = rows.map((row) => scoreAt(row, AT_4K)! - scoreAt(row, longestWithinClaim(row))!);
  const range = (values: readonly number[]): string =>
    `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
  return decided(
    falls.every((fall) => fall >= LARGE_FALL),
    `The falls are ${range(falls)} points; up to each model's claimed length, ${range(within)}.`,
  );
}

/** Returns the rows of a table of the first edition, which makes the claims. */
function tableOf(published: RulerPublished, table: number): readonly PublishedRow[] {
  return published.rows.filter((row) => row.edition === "v1" && row.table === table);
}

/** The longest tested length within a model's claimed one. */
function longestWithinClaim(row: PublishedRow): number {
  const claimed = readLengthText(row.claimedLength);
  return Math.max(...row.scores.map(({ length }) => length).filter((length) => length <= claimed));
}
