import { mean, sum } from "@/lib/base/mod.ts";
import {
  type PublishedStarTask,
  starAccuracy,
  type StarBucket,
  type StarFigureOptions,
  type StarLeader,
  type StarsPublished,
} from "./published.ts";
import type { RunStarPanel } from "./star_replies.ts";
import { type Figure, heatmap, panels, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import {
  decided,
  leaderboard,
  type ModelTaskScore,
  modelTaskScores,
  type PublishedClaim,
  type ScoredRecord,
} from "@/lib/statistics/mod.ts";

/** The four tasks of the later edition: the name in its tables, in words, the task here, and the column of Table 3. */
const TASKS = [
  ["me_acq_zh", "Acquisition, Chinese", "counting_stars_shuffled_zh", "acquisitionZh"],
  ["me_acq_en", "Acquisition, English", "counting_stars_shuffled_en", "acquisitionEn"],
  ["me_rea_zh", "Reasoning, Chinese", "counting_stars_reasoning_zh", "reasoningZh"],
  ["me_rea_en", "Reasoning, English", "counting_stars_reasoning_en", "reasoningEn"],
] as const;

const MEAN = "Mean of the four";

/**
 * Returns Table 3 of the later edition with further models among the published ones: a row for each model and task, and for the
 * mean of the four tasks of models that were asked all; the highest mean first, models without one last.
 *
 * @param models Replies to `counting_stars_shuffled_*` and `counting_stars_reasoning_*`; other tasks are left out.
 */
export function starLeaders(
  leaders: readonly StarLeader[],
  models: readonly { readonly name: string; readonly records: readonly ScoredRecord[] }[],
): readonly ModelTaskScore[] {
  const published = leaders.flatMap((leader) => {
    const model = `${leader.model}, ${leader.claimedLength} claimed`;
    const scores = [
      ...TASKS.map(([, words, , field]) => [words, leader[field]] as const),
      [MEAN, leader.average] as const,
    ];
    return scores.flatMap(([task, share]) =>
      share === null ? [] : [{ model, task, score: 100 * share, low: null, high: null, n: null }]
    );
  });
  const rows = [...published, ...models.flatMap(ownScores)];
  const meanOfModel = new Map(rows.flatMap(({ model, task, score }) => task === MEAN ? [[model, score] as const] : []));
  const order = (model: string): number => meanOfModel.get(model) ?? -1;
  return rows.toSorted((left, right) => order(right.model) - order(left.model));
}

/** Shows Table 3 of the later edition as printed, in shares of 1, the highest mean first. */
export function starLeaderTable(leaders: readonly StarLeader[], { title }: Pick<Titled, "title">): Table {
  return table(leaders.toSorted((left, right) => (right.average ?? -1) - (left.average ?? -1)), {
    title,
    caption: "Shares of the stars that were found, by task, as printed; the best of each column is bold.",
    origin: "published" as const,
    n: "32 lengths of 32 stars" as const,
    columns: [
      { field: "model", label: "Model" },
      { field: "claimedLength", label: "Claimed" },
      ...TASKS.map(([, label, , field]) => ({ field, label, digits: 3, best: "highest" } as const)),
      { field: "average", label: MEAN, digits: 3, best: "highest" },
    ],
  });
}

function ownScores({ name, records }: Parameters<typeof starLeaders>[1][number]): readonly ModelTaskScore[] {
  const asked = TASKS.flatMap(([, words, task]) =>
    records.filter((record) => record.task === task).map((record) => ({ ...record, task: words }))
  );
  const scores = modelTaskScores([{ name, records: asked }]);
  if (scores.length < TASKS.length) return scores;
  const means = leaderboard([{ name, records: asked }]);
  return [...scores, ...means.map(({ score, low, high, n }) => ({ model: name, task: MEAN, score, low, high, n }))];
}

/**
 * Averages matrices over the lengths and ranges of lengths of Table 4 or 5, such as `4K` and `36K-64K`; each length weighs the
 * same, and ranges without a length are left out.
 *
 * @param panels Matrices of the later edition's tasks, named by their model.
 * @param like The rows of the table.
 */
export function starBuckets(panels: readonly RunStarPanel[], like: readonly StarBucket[]): readonly StarBucket[] {
  const places = new Map(like.map(({ task, lengths }) => [JSON.stringify([task, lengths]), { task, lengths }]));
  return panels.flatMap(({ model, task: asked, columns }) =>
    [...places.values()].flatMap(({ task, lengths }): StarBucket[] => {
      if (!TASKS.some(([name, , own]) => name === task && own === asked)) return [];
      const means = columnsIn(columns, lengths).map(({ cells }) => mean(cells));
      return means.length === 0 ? [] : [{ task, model, lengths, accuracy: mean(means) }];
    })
  );
}

/** Returns the columns of a matrix within a range of lengths, ends included. */
function columnsIn<Column extends { readonly length: number }>(
  columns: readonly Column[],
  range: string,
): readonly Column[] {
  const [from = NaN, to = from] = range.split("-").map((end) => 1000 * Number(end.replace("K", "")));
  return columns.filter(({ length }) => length >= from && length <= to);
}

/**
 * Draws Tables 4 and 5 of the later edition: accuracies by model and length, one panel per task.
 *
 * @param rows Published rows, and those of {@linkcode starBuckets}; at least one.
 */
export function starBucketMap(rows: readonly StarBucket[], options: StarFigureOptions): Figure {
  const { title, ...drawn } = options;
  const words = new Map<string, string>(TASKS.map(([task, words]) => [task, words]));
  const caption =
    "A row is a model, a column a context length or a range of them; a cell is the accuracy, the mean of all stars.";
  const maps = [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]) => {
    const shown = ofTask.map(({ accuracy, ...row }) => ({ ...row, accuracy: Number(accuracy.toFixed(2)) }));
    return heatmap(shown, {
      ...drawn,
      caption,
      title: words.get(task) ?? task,
      x: "lengths",
      y: "model",
      value: "accuracy",
      xTitle: "Context length (tokens)",
      yTitle: "Model",
      valueTitle: "Accuracy",
      domain: [0, 1],
      showValues: true,
      yOrder: [...new Set(ofTask.map(({ model }) => model))],
    });
  });
  return panels(maps, { title, caption });
}

/** The models of the figures, with their names in Table 3. */
const DRAWN: Readonly<Record<string, string>> = {
  "GPT-4 Turbo": "GPT-4 Turbo (1106)",
  "Claude3 Opus": "Claude3 Opus",
  "Gemini 1.5 Pro": "Gemini 1.5 Pro",
};

/** Claims of the later edition's abstract (arXiv 2403.11802, third version), and checks of its tables against its figures. */
export const LATER_STAR_CLAIMS: readonly PublishedClaim<StarsPublished>[] = [
  {
    id: "L1",
    source: "abstract",
    quote: "Gemini 1.5 Pro achieves the best overall results",
    statement: "Gemini 1.5 Pro has the highest mean of the four tasks (Table 3).",
    expected: "holds",
    check: ({ leaders }) => {
      const ranked = ofAllTasks(leaders).toSorted((left, right) => right.average! - left.average!);
      const [best, second] = ranked;
      return decided(
        best!.model === "Gemini 1.5 Pro",
        `${best!.model} has ${best!.average!.toFixed(3)}, ${second!.model} ${second!.average!.toFixed(3)}.`,
      );
    },
  },
  {
    id: "L2",
    source: "abstract",
    quote: "the performance of GPT-4 Turbo is the most stable across various tasks",
    statement:
      "GPT-4 Turbo's scores differ least between tasks (our measure: the best less the worst of the four; its better version).",
    expected: "holds",
    check: ({ leaders }) => {
      const rows = ofAllTasks(leaders).map((leader) => {
        const scores = TASKS.map(([, , , field]) => leader[field]!);
        return { model: leader.model, range: Math.max(...scores) - Math.min(...scores) };
      }).toSorted((left, right) => left.range - right.range);
      return decided(
        rows[0]!.model.startsWith("GPT-4 Turbo"),
        `${rows.map(({ model, range }) => `${model} ${range.toFixed(3)}`).join(", ")}.`,
      );
    },
  },
  {
    id: "L3",
    source: "abstract",
    quote:
      "there is potential for improvement as the length of the input context and the intricacy of the tasks are increasing",
    statement: "Every model is worse at 100K to 128K than at 4K to 32K, in each task of Table 5.",
    expected: "holds",
    check: ({ byQuarter }) => {
      const rows = [...Map.groupBy(byQuarter, ({ task, model }) => `${task} ${model}`).values()];
      const worse = rows.filter((row) => row.at(-1)!.accuracy < row[0]!.accuracy);
      const rising = rows.filter((row) => row.some(({ accuracy }, at) => at > 0 && accuracy > row[at - 1]!.accuracy));
      return decided(
        worse.length === rows.length,
        `In ${worse.length} of ${rows.length} rows; ${rising.length} of them rise between two of the four ranges in between.`,
      );
    },
  },
  {
    id: "L4",
    source: "abstract",
    quote:
      "there is potential for improvement as the length of the input context and the intricacy of the tasks are increasing",
    statement: "Every model is worse in reasoning than in acquisition, in the same language (Table 3).",
    expected: "holds",
    check: ({ leaders }) => {
      const drops = ofAllTasks(leaders).flatMap(({ acquisitionZh, acquisitionEn, reasoningZh, reasoningEn }) => [
        acquisitionZh! - reasoningZh!,
        acquisitionEn! - reasoningEn!,
      ]);
      return decided(
        drops.every((drop) => drop > 0),
        `It costs ${Math.min(...drops).toFixed(3)} to ${Math.max(...drops).toFixed(3)} in ${drops.length} comparisons.`,
      );
    },
  },
  {
    id: "L5",
    source: "Table 3",
    statement: "The last column of Table 3 is the mean of the four before it, to three decimals.",
    expected: "holds",
    check: ({ leaders }) => {
      const misses = ofAllTasks(leaders).map((leader) =>
        Math.abs(leader.average! - mean(TASKS.map(([, , , field]) => leader[field]!)))
      );
      return decided(
        Math.max(...misses) <= 0.0005 + 1e-9,
        `The largest of ${misses.length} differences is ${Math.max(...misses).toFixed(5)}.`,
      );
    },
  },
  {
    id: "L6",
    source: "Table 3 and the figures",
    statement: "The means of the six matrices are Table 3's scores in Chinese, to three decimals.",
    expected: "holds",
    check: ({ leaders, tasks }) => {
      const misses = tasks.map((panel) => {
        const leader = leaders.find(({ model }) => model === DRAWN[panel.model])!;
        const printed = panel.task === "acquisition" ? leader.acquisitionZh! : leader.reasoningZh!;
        return Math.abs(starAccuracy(panel) - printed);
      });
      return decided(
        Math.max(...misses) <= 0.001,
        `The largest of ${misses.length} differences is ${
          Math.max(...misses).toFixed(4)
        }; cells are read to two decimals.`,
      );
    },
  },
  {
    id: "L7",
    source: "Tables 3 and 4",
    statement:
      "The rows of Table 4, each length counted once, have the means of Table 3 (our measure: at most 0.005 apart, as cells have two decimals).",
    expected: "fails",
    check: ({ leaders, byLength }) => {
      const rows = [...Map.groupBy(byLength, ({ model }) => model)].map(([model, row]) => {
        const lengths = row.map(({ lengths, accuracy }) => ({
          accuracy,
          count: columnsIn(ALL_LENGTHS, lengths).length,
        }));
        const mean = sum(lengths, ({ accuracy, count }) => accuracy * count) / ALL_LENGTHS.length;
        return { model, mean, printed: leaders.find((leader) => leader.model === model)!.acquisitionZh! };
      });
      const off = rows.filter(({ mean, printed }) => Math.abs(mean - printed) > 0.005);
      return decided(
        off.length === 0,
        `${off.length} of ${rows.length} are further apart: ${
          off.map(({ model, mean, printed }) => `${model} ${mean.toFixed(3)} for ${printed.toFixed(3)}`).join(", ") ||
          "none"
        }.`,
      );
    },
  },
  {
    id: "L8",
    source: "Table 4 and the figures",
    statement: "Table 4 has the columns of the matrices, to two decimals.",
    expected: "fails",
    check: ({ byLength, tasks }) => {
      const rows = tasks.filter(({ task }) => task === "acquisition").map((panel) => {
        const cells = byLength.filter(({ model }) => model === DRAWN[panel.model]);
        const off = cells.filter(({ lengths, accuracy }) => Math.abs(accuracy - drawnAt(panel, lengths)) > 0.0075);
        return { model: panel.model, off, panel };
      });
      return decided(
        rows.every(({ off }) => off.length === 0),
        `${
          rows.map(({ model, off, panel }) =>
            `${model} ${
              off.map(({ lengths, accuracy }) =>
                `${lengths} ${accuracy.toFixed(2)} for ${drawnAt(panel, lengths).toFixed(2)}`
              )
                .join(", ") || "agrees"
            }`
          ).join("; ")
        }.`,
      );
    },
  },
];

/** The 32 lengths of both tables. */
const ALL_LENGTHS = Array.from({ length: 32 }, (_, at) => ({ length: 4000 * (at + 1) }));

function drawnAt({ columns }: PublishedStarTask, lengths: string): number {
  return mean(columnsIn(columns, lengths).map(({ cells }) => mean(cells)));
}

/** Returns the models of Table 3 that were asked all four tasks. */
function ofAllTasks(leaders: readonly StarLeader[]): readonly StarLeader[] {
  return leaders.filter(({ average }) => average !== null);
}
