import { median } from "simple-statistics";
import { at, type ComputedRow, decided, listed, longestWithinClaim, rowOf, tableOf } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { effectiveLength, type EffectiveLengthRule } from "../lengths/effective_length.ts";
import { chanceAtLeast } from "../lengths/effective_length_chances.ts";
import { lengthText, readLengthText } from "../length_text.ts";
import type { RulerPublished } from "../published/published.ts";
import { publishedScoreRows } from "../published/published_score_rows.ts";

const [AT_32K, AT_64K] = [32_768, 65_536];

/** Claims about claimed and effective lengths. */
export const CLAIMS_OF_LENGTHS: readonly Claim<RulerPublished>[] = [
  {
    id: "R1",
    source: "abstract, sections 1 and 4; Table 3",
    kind: "paper",
    quote:
      "While these models all claim context sizes of 32K tokens or greater, only four models (GPT-4, Command-R, Yi-34B, and Mixtral) can maintain satisfactory performance at the length of 32K.",
    statement:
      "The models all claim 32K or more, but only four, GPT-4, Command-R, Yi-34B and Mixtral, pass the threshold at 32K.",
    check: (published) => {
      const rows = tableOf(published, 3);
      const claims = rows.filter((row) => readLengthText(row.claimedLength) >= AT_32K);
      const pass = rows.filter((row) => at(row, AT_32K) >= row.threshold!);
      const named = ["GPT-4", "Command-R", "Yi", "Mixtral"].map((name) => rowOf(rows, name));
      const holds = claims.length === rows.length && pass.length === 4 && named.every((row) => pass.includes(row));
      const scores = listed(pass.map((row) => [row.model, at(row, AT_32K)]));
      return decided(
        holds,
        `${claims.length} of ${rows.length} claim at least 32K; at 32K these reach 85.6: ${scores}. ${
          closest(rows, published)
        }`,
      );
    },
  },
  {
    id: "R2",
    source: "sections 1 and 4; Table 3",
    kind: "paper",
    quote:
      "none of them maintains performance above the Llama2-7B baseline at their claimed length, except for Mixtral",
    statement:
      "No model but Mixtral is above the Llama2-7B baseline at its claimed length (our measure: at the longest one tested " +
      "within it).",
    check: (published) => {
      const rows = tableOf(published, 3);
      const scores = rows.map((row) => [row, at(row, longestWithinClaim(row))] as const);
      const pass = scores.filter(([row, score]) => score > row.threshold!).map(([row, score]) =>
        `${row.model} (${score.toFixed(1)} at ${lengthText(longestWithinClaim(row))})`
      );
      const miss = listed(
        scores.filter(([row, score]) => score <= row.threshold!).map(([row, score]) => [row.model, score]),
      );
      return decided(
        pass.length === 1 && pass[0]!.startsWith("Mixtral"),
        `Above: ${pass.join(", ") || "none"}. Below: ${miss}.`,
      );
    },
  },
  {
    id: "R3",
    source: "section 4; Table 3",
    kind: "paper",
    quote: "Mixtral, which achieves moderate performance on length doubling the claimed 32K context size",
    statement:
      "Mixtral does moderately at twice its claimed 32K (our measure: below the threshold and above the median of the ten " +
      "models at 64K).",
    check: (published) => {
      const rows = tableOf(published, 3);
      const mixtral = rowOf(rows, "Mixtral");
      const [score, middle] = [at(mixtral, AT_64K), median(rows.map((row) => at(row, AT_64K)))];
      return decided(
        score < mixtral.threshold! && score > middle,
        `Mixtral scores ${score.toFixed(1)} at 64K; the threshold is ${mixtral.threshold}, the median ${
          middle.toFixed(1)
        }.`,
      );
    },
  },
  {
    id: "R8",
    source: "section 4; caption of Table 3",
    kind: "paper",
    quote:
      "The performance exceeding the Llama2-7B performance at 4K (85.6%) is underlined. The effective context length is the maximum length passing this threshold.",
    statement:
      "The effective length is the longest length that passes the performance of Llama2-7B at 4K (our measure of passing: at " +
      "least as high).",
    check: (published) => {
      const rows = [3, 12, 13, 14, 15, 16].flatMap((table) => tableOf(published, table));
      const agree = (rule: EffectiveLengthRule): number =>
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
];

/** Says how sure the closest decision at 32K is. */
function closest(rows: readonly ComputedRow[], { rows: beside }: RulerPublished): string {
  const margin = (row: ComputedRow): number => Math.abs(at(row, AT_32K) - row.threshold!);
  const row = rows.reduce((best, next) => margin(next) < margin(best) ? next : best);
  const scored = publishedScoreRows(row, { beside }).find(({ length }) => length === AT_32K)!;
  const chance = chanceAtLeast(scored, row.threshold!);
  return `The closest is ${row.model}: with 500 samples a task its interval is ${scored.low!.toFixed(1)} to ${
    scored.high!.toFixed(1)
  }, and its chance to be at or above the threshold about ${Math.round(100 * chance)}%.`;
}
