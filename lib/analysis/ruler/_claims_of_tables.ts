import { at, decided, listed, longestWithinClaim, tableOf } from "../_claim_words.ts";
import { checkThresholds } from "../published/_check_totals.ts";
import { impliedTotals } from "../published/category_identity.ts";
import type { Claim, Finding } from "../claims.ts";
import type { PublishedModel } from "../published/_published_lists.ts";
import type { RulerPublished } from "../published/published.ts";

// "Nearly perfect".
const NEARLY = 95;

/** Claims about single tasks, the list of models and how the tables hang together. */
export const CLAIMS_OF_TABLES: readonly Claim<RulerPublished>[] = [
  {
    id: "R10",
    source: "section 4 and appendix E; Tables 10 and 11",
    kind: "paper",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      "The models are nearly perfect on passkey retrieval and vanilla needles (our measure: each of the ten aligned models " +
      "has 95 or more at each length up to its claimed one).",
    check: (published) => {
      const worst = [10, 11].flatMap((table) =>
        tableOf(published, table).filter((row) => row.group === "aligned").map((row) => {
          const within = row.scores.filter(({ length }) => length <= longestWithinClaim(row));
          return [`${row.model} in Table ${table}`, Math.min(...within.map(({ score }) => score))] as const;
        })
      );
      const exceptions = worst.filter(([, score]) => score < NEARLY);
      return decided(
        exceptions.length === 0,
        `${worst.length - exceptions.length} of ${worst.length} rows are; the exceptions fall to ${
          listed(exceptions)
        }.`,
      );
    },
  },
  captionClaim("R10-T10", 10, "passkey retrieval"),
  captionClaim("R10-T11", 11, "vanilla needles"),
  {
    id: "R27",
    source: "appendix A; Table 4",
    kind: "paper",
    quote:
      "We select in total 30 models […] (one closed-source model GPT-4 and 9 open-source models) […] 7 open-source base models […] in total 11 models, including model series Yi and LWM",
    statement:
      "Of 30 models the main text has GPT-4 and 9 others, the appendix 7 base models, the analysis 11; the Llama2-7B models of " +
      "the thresholds are the rest.",
    check: ({ models }) => {
      const isThreshold = ({ model }: PublishedModel): boolean => model.startsWith("Llama2");
      const isAnalysis = ({ model }: PublishedModel): boolean => /series|Mamba|RWKV/.test(model);
      const main = models.filter((model) => !isThreshold(model) && !isAnalysis(model));
      const counts = [
        count(main.filter(({ aligned }) => aligned)),
        count(main.filter(({ aligned }) => !aligned)),
        count(models.filter(isThreshold)),
        count(models.filter(isAnalysis)),
      ];
      return decided(
        counts.join() === "10,7,2,11",
        `Table 4 lists ${counts.join(" + ")} = ${counts.reduce((sum, part) => sum + part)} models, series counted out.`,
      );
    },
  },
  {
    id: "R30",
    source: "section 4; Tables 3 and 12 to 16",
    kind: "paper",
    quote: "The performance at a certain length is the average of all 13 tasks in Ruler.",
    statement:
      "A score is the average of all 13 tasks (our measure: the category tables give it as (8 NIAH + VT + 2 AG + 2 QA) / 13, " +
      "to a rounding of 0.1).",
    check: ({ rows }) => {
      const totals = impliedTotals(rows.filter((row) => row.edition === "v1"));
      const misses = totals.map(({ printed, implied }) => Math.abs(printed - implied));
      const most = Math.max(...misses);
      return decided(most <= 0.1, `In ${totals.length} cells the largest difference is ${most.toFixed(3)}.`);
    },
  },
  {
    id: "R30-thresholds",
    source: "caption of Table 3; Tables 3 and 12 to 16",
    kind: "check",
    statement: "The thresholds over 13 tasks follow from the thresholds of the categories as the scores do.",
    check: ({ rows, thresholds }) => {
      const wrong = checkThresholds(rows, thresholds);
      const said = wrong.map(({ where, printed, expected, why }) =>
        `${where}: printed ${printed}, implied ${expected}. ${why}`
      );
      return decided(wrong.length === 0, said.join(" ") || "Both follow.");
    },
  },
];

/** "Almost all models have perfect scores at their claimed length": the caption of Tables 10 and 11. */
function captionClaim(id: string, table: number, name: string): Claim<RulerPublished> {
  return {
    id,
    source: `caption of Table ${table}`,
    kind: "paper",
    quote: "Almost all models have perfect score at their claimed length.",
    statement:
      `Almost all models have a perfect score on ${name} at their claimed length (our measure: nine in ten score 100 at the ` +
      "longest length tested within it; fewer than half are not almost all, and between the two is open).",
    check: (published): Finding => {
      const rows = tableOf(published, table);
      const scores = rows.map((row) => [row.model, at(row, longestWithinClaim(row))] as const);
      const perfect = scores.filter(([, score]) => score === 100).length;
      const nearly = scores.filter(([, score]) => score >= NEARLY).length;
      const share = perfect / rows.length;
      const low = listed(scores.filter(([, score]) => score < NEARLY));
      const observed = `${perfect} of ${rows.length} score 100 and ${nearly} at least ${NEARLY}; below that: ${low}.`;
      return { verdict: share >= 0.9 ? "holds" : share < 0.5 ? "fails" : "cannot tell", observed };
    },
  };
}

/** How many models rows of Table 4 stand for: a series lists its sizes or its context lengths. */
function count(models: readonly PublishedModel[]): number {
  const parts = (text: string): number => text.split("/").length;
  return models.reduce((sum, { size, contextLength }) => sum + parts(size) * parts(contextLength), 0);
}
