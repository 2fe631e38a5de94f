import { sum } from "@/lib/base/mod.ts";
import {
  CATEGORY_NAMES,
  type CategoryName,
  findRow,
  type PublishedModel,
  type PublishedRow,
  type RulerPublished,
  scoreAt,
  stemOf,
} from "./published.ts";
import { CATEGORIES, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Category } from "@/lib/generators/mod.ts";
import {
  cannotTell,
  decided,
  effectiveLength,
  type Finding,
  listed,
  type PublishedClaim,
} from "@/lib/statistics/mod.ts";

/** The factor of "much larger". */
const MUCH = 2;
/** Billions of parameters that Mixtral uses for a token (Jiang et al. 2024, arXiv 2401.04088, abstract). */
const MIXTRAL_ACTIVE = 13;
const SIZES = "section 4; Tables 3 and 4";

/** Claims of the RULER paper about its best open-source models, checked on the ranks of Table 3 and the sizes of Table 4. */
export const TOP_MODEL_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  {
    id: "R32",
    source: SIZES,
    quote:
      "The top three ranked open-source models, Command-R, Yi-34B and Mixtral, […] are larger in parameter size than other models",
    statement:
      "The three open-source models that rank first are the largest of the ten (our measure: by all of their parameters, 8x7B as 56 billion).",
    expected: "holds",
    check: (published) => compareSizes(published, { times: 1 }),
  },
  {
    id: "R32-much",
    source: "section 6, model size; Tables 3 and 4",
    quote: "The top models in our main results are much larger than other models",
    statement: `They are much larger (our measure: each has at least ${MUCH} times as many parameters as any other).`,
    expected: "holds",
    check: (published) => compareSizes(published, { times: MUCH }),
  },
  {
    id: "R32-active",
    source: SIZES,
    statement: "They are the largest also by the parameters that are used for a token.",
    expected: "fails",
    check: (published) => compareSizes(published, { times: 1, ofMixtral: MIXTRAL_ACTIVE }),
  },
  {
    id: "R32-rope",
    source: "section 4; Table 3",
    quote:
      "The top three ranked open-source models, Command-R, Yi-34B and Mixtral, all use a large base frequency in RoPE",
    statement: "The three open-source models that rank first all use a large base frequency in RoPE.",
    expected: "cannot tell",
    check: ({ rows }) => {
      const lwm = rows.find(({ edition, table, model }) => edition === "v1" && table === 3 && model.startsWith("LWM"))!;
      const { rankIncreasing, rankDecreasing } = lwm.printed;
      return cannotTell(
        `The paper prints no base frequencies. They alone do not distinguish the three: LWM-1M has one of 50 million (its README) ` +
          `and ranks ${rankIncreasing} and ${rankDecreasing} of ten.`,
      );
    },
  },
];

/** Claims about the number of models and about the mean of 13 tasks. */
export const TOTAL_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  {
    id: "R27",
    source: "appendix A; Table 4",
    quote:
      "We select in total 30 models […] (one closed-source model GPT-4 and 9 open-source models) […] 7 open-source base models […] in total 11 models, including model series Yi and LWM",
    statement:
      "Of 30 models the main text has GPT-4 and 9 others, the appendix 7 base models, the analysis 11; the others are the Llama2-7B models of the thresholds.",
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
      const all = sum(counts);
      return decided(
        counts.join() === "10,7,2,11",
        `Table 4 lists ${counts.join(" + ")} = ${all} models, with each model of a series counted.`,
      );
    },
  },
  {
    id: "R30",
    source: "section 4; Tables 3 and 12 to 16",
    quote: "The performance at a certain length is the average of all 13 tasks in Ruler.",
    statement:
      "A score is the average of all 13 tasks (our measure: the category tables give it as (8 NIAH + VT + 2 AG + 2 QA) / 13, to a rounding of 0.1).",
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
    statement: "The thresholds over 13 tasks follow from the thresholds of the categories as the scores do.",
    expected: "fails",
    check: ({ rows, thresholds }) => {
      const wrong = impliedThresholds(thresholds).filter(({ limit, implied }) => isApart(limit.threshold, implied));
      const texts = wrong.map(({ limit, implied }) =>
        `Table ${limit.table}, ${limit.model}: printed ${limit.threshold.toFixed(1)}, implied ${implied.toFixed(2)}. ` +
        effectOf(implied, rows.filter((row) => row.edition === "v1" && row.table === limit.table))
      );
      return decided(wrong.length === 0, texts.join(" ") || "Both follow.");
    },
  },
];

/** Checks that the three open-source models with the best ranks are each `times` as large as any other. */
function compareSizes(
  { rows, models }: RulerPublished,
  { times, ofMixtral }: { readonly times: number; readonly ofMixtral?: number },
): Finding {
  const ranked = rows.filter(({ edition, table }) => edition === "v1" && table === 3)
    .map(({ model, printed }) => {
      const name = stemOf(model);
      const size = models.find((one) => one.model === name)!.size;
      return {
        name,
        size: name === "Mixtral" && ofMixtral !== undefined ? ofMixtral : parametersOf(size),
        rank: Math.max(printed.rankIncreasing!, printed.rankDecreasing!),
      };
    })
    .filter((one): one is typeof one & { readonly size: number } => one.size !== null)
    .toSorted((left, right) => left.rank - right.rank);
  const [top, others] = [ranked.slice(0, 3), ranked.slice(3)];
  const smallest = top.reduce((least, next) => next.size < least.size ? next : least);
  const largest = others.reduce((most, next) => next.size > most.size ? next : most);
  const ratio = smallest.size / largest.size;
  return decided(
    times === 1 ? ratio > 1 : ratio >= times,
    `In billions: ${
      listed(top.map(({ name, size }) => [name, size]))
    }; the largest of the ${others.length} others is ` +
      `${largest.name} with ${largest.size}, and ${smallest.name} has ${ratio.toFixed(1)} times as many. ` +
      "GPT-4's size is not public.",
  );
}

/** Billions of parameters of a size such as `34B` or `8x7B`; `null` if none is printed. */
function parametersOf(size: string): number | null {
  const [, experts = "1", billions] = /^(?:(\d+)x)?([\d.]+)B$/.exec(size) ?? [];
  return billions === undefined ? null : Number(experts) * Number(billions);
}

/** Counts the models of rows of Table 4. A series lists its sizes or its context lengths. */
function count(models: readonly PublishedModel[]): number {
  const parts = (text: string): number => text.split("/").length;
  return sum(models, ({ size, contextLength }) => parts(size) * parts(contextLength));
}

/** Computes the mean over RULER's 13 tasks from its four categories: `(8 NIAH + VT + 2 AG + 2 QA) / 13`. */
export function impliedTotal(scores: Readonly<Record<Category, number>>): number {
  return sum(CATEGORIES, (category) => RULER_TASKS[category].length * scores[category]) / 13;
}

/** The implied mean by the paper's category names; `null` if a category is missing. */
function totalOf(scoreOf: (category: CategoryName) => number | undefined): number | null {
  const scores = Object.entries(CATEGORY_NAMES).map(([name, category]) => [category, scoreOf(name as CategoryName)]);
  return scores.some(([, score]) => score === undefined)
    ? null
    : impliedTotal(Object.fromEntries(scores) as Record<Category, number>);
}

/** Compares every printed mean over 13 tasks of Tables 3 and 12 with the mean that Tables 13 to 16 imply, in percent. */
export function impliedTotals(rows: readonly PublishedRow[]): readonly {
  readonly row: PublishedRow;
  readonly length: number;
  readonly printed: number;
  readonly implied: number;
}[] {
  return rows.filter((row) => row.category === "RULER-13").flatMap((row) =>
    row.scores.flatMap(({ length, score }) => {
      const { edition, model } = row;
      const implied = totalOf((category) => scoreAt(findRow(rows, { edition, category, model }), length));
      return implied === null ? [] : [{ row, length, printed: score, implied }];
    })
  );
}

/** Compares the thresholds over 13 tasks with those that the thresholds of the categories imply. */
export function impliedThresholds(
  thresholds: RulerPublished["thresholds"],
): readonly { readonly limit: RulerPublished["thresholds"][number]; readonly implied: number }[] {
  return thresholds.filter(({ category }) => category === "RULER-13").map((limit) => {
    const ofGroup = thresholds.filter(({ aligned }) => aligned === limit.aligned);
    return { limit, implied: totalOf((name) => ofGroup.find(({ category }) => category === name)?.threshold)! };
  });
}

/** Whether a printed and an implied mean differ by more than rounding: both are rounded to a tenth. */
export function isApart(printed: number, implied: number): boolean {
  return Math.abs(printed - implied) > 0.1 + 1e-9;
}

/** Lists the effective lengths of a table that another threshold changes. */
export function effectOf(threshold: number, table: readonly PublishedRow[]): string {
  const changes = table.flatMap((row) => {
    const [before, after] = [row.threshold!, threshold].map((limit) => effectiveLength(row.scores, limit).text);
    return before === after ? [] : [`${row.model} from ${before} to ${after}`];
  });
  const effect = changes.length === 0 ? "no effective length" : `the effective length of ${changes.join(", of ")}`;
  return `A threshold of ${threshold.toFixed(1)} changes ${effect}.`;
}
