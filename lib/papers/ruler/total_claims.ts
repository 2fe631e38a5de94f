import { checkThresholds, impliedTotals } from "./category_identity.ts";
import type { RulerPublished } from "./published.ts";
import type { PublishedModel } from "./published_tables.ts";
import { decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** What the RULER paper says of how many models it has, and of the mean of 13 tasks. */
export const TOTAL_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  {
    id: "R27",
    source: "appendix A; Table 4",
    kind: "paper",
    quote:
      "We select in total 30 models […] (one closed-source model GPT-4 and 9 open-source models) […] 7 open-source base models […] in total 11 models, including model series Yi and LWM",
    statement:
      "Of 30 models the main text has GPT-4 and 9 others, the appendix 7 base models, the analysis 11; the Llama2-7B models of " +
      "the thresholds are the rest.",
    expected: "holds",
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
    expected: "holds",
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
    expected: "fails",
    check: ({ rows, thresholds }) => {
      const wrong = checkThresholds(rows, thresholds);
      const said = wrong.map(({ where, printed, expected, why }) =>
        `${where}: printed ${printed}, implied ${expected}. ${why}`
      );
      return decided(wrong.length === 0, said.join(" ") || "Both follow.");
    },
  },
];

/** Counts the models of rows of Table 4: a series lists its sizes or its context lengths. */
function count(models: readonly PublishedModel[]): number {
  const parts = (text: string): number => text.split("/").length;
  return models.reduce((sum, { size, contextLength }) => sum + parts(size) * parts(contextLength), 0);
}
