import { mean, percent } from "@/lib/base/mod.ts";
import { LATER_TASKS } from "./later_edition.ts";
import { starLosses } from "./losses.ts";
import { firstRuns, panelOf, STAR_MODELS, type StarLeader, type StarsPublished } from "./published.ts";
import { decided, pairedComparison, pointsText, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The versions on The Story of the Stone. */
const STONE = ["stone_16_32", "stone_32_32", "stone_64_32", "stone_32_16"] as const;

/** The versions with 16, 32 and 64 stars on both texts; of several runs the first. */
const BY_STARS = [
  [16, "stone_16_32", "west_16_32"],
  [32, "stone_32_32", "west_32_32_v1"],
  [64, "stone_64_32", "west_64_32"],
] as const;

/**
 * The statements of Counting-Stars: those of its text (March 2024; it is Chinese, and the quotes are our translation), and those of the
 * abstract of its later edition (arXiv 2403.11802, third version).
 */
export const STAR_CLAIMS: readonly PublishedClaim<StarsPublished>[] = [
  {
    id: "C3",
    source: "experiments",
    quote: "on the whole GPT-4 Turbo does better than Kimi Chat",
    quantifier: { of: "on average", word: "on the whole" },
    statement:
      "On the whole GPT-4 Turbo does better than Kimi Chat (our measure: the mean of the four versions on The Story of the Stone).",
    expected: "holds",
    check: (published) => {
      const [gpt, kimi] = meansOf(published, STONE);
      return decided(gpt > kimi, `The means are ${fixed(gpt)} and ${fixed(kimi)}.`);
    },
  },
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    quantifier: { of: "some", word: "can" },
    statement: "Both models can do better in a longer text, as at 100K against 92K (our measure: in some matrix).",
    expected: "holds",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const panels = firstRuns(published.panels).filter((panel) => panel.model.startsWith(model));
        const pairs = panels.flatMap(({ columns }) => {
          const [short, long] = [92_000, 100_000].map((length) => columns.find((column) => column.length === length));
          return short === undefined || long === undefined ? [] : [mean(long.cells) - mean(short.cells)];
        });
        return { model, pairs: pairs.length, better: pairs.filter((gain) => gain > 0).length };
      });
      const texts = rows.map(({ model, pairs, better }) => `${model} in ${better} of ${pairs} matrices`);
      return decided(rows.every(({ better }) => better > 0), `100K is better than 92K for ${texts.join(", for ")}.`);
    },
  },
  {
    id: "C8",
    source: "experiments",
    quote: "once the order is shuffled, the results of both GPT-4 Turbo and Kimi Chat are much worse than before",
    quantifier: { of: "all", word: "both" },
    statement:
      "Shuffling the counts makes both models much worse (our measure: by 10 points or more, with 95% confidence).",
    expected: "holds",
    check: (published) => {
      const costs = STAR_MODELS.map((model) => {
        const [rising, shuffled] = ["stone_32_32", "stone_32_32_random"].map((each) => panelOf(published, each, model));
        // A column is one reply, so columns and not cells are independent.
        const pairs = rising!.columns.map(({ cells }, at) => (
          { first: mean(cells), second: mean(shuffled!.columns[at]!.cells) }
        ));
        const { difference, low, high } = pairedComparison([pairs]);
        return { low, text: `${model} ${pointsText({ score: difference, low, high })}` };
      });
      return decided(costs.every(({ low }) => low >= 10), `It costs ${costs.map(({ text }) => text).join(" and ")}.`);
    },
  },
  {
    id: "C12",
    source: "discussion",
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    quantifier: { of: "most", word: "most wrong samples" },
    statement:
      "Most lost stars are late in the context (our measure: over half of them are in the last third, of all matrices together; of repeated runs the first).",
    expected: "holds",
    check: ({ panels }) => {
      const once = firstRuns(panels);
      const { last, lost } = starLosses(once);
      const byModel = STAR_MODELS.map((model) => {
        const own = starLosses(once.filter((panel) => panel.model.startsWith(model)));
        return `${percent(own.last / own.lost)} of ${model}'s`;
      });
      const observed = `The last third has ${percent(last / lost, 1)} of the lost stars: ${byModel.join(" and ")}.`;
      return decided(last > lost / 2, observed);
    },
  },
  {
    id: "C12c",
    source: "discussion",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    quantifier: { of: "some", word: "cannot fully" },
    statement:
      "Lost in the middle is not fully confirmed (our measure: some matrices lose most stars in another third; of repeated runs the first).",
    expected: "holds",
    check: ({ panels }) => {
      const once = firstRuns(panels).map((panel) => starLosses([panel]).most);
      const [middle, last] = ["middle", "last"].map((third) => once.filter((most) => most === third).length);
      const observed = `The middle third loses most in ${middle} of ${once.length} matrices, the last in ${last}.`;
      return decided(middle! < once.length, observed);
    },
  },
  {
    id: "C13",
    source: "method",
    quote: "the task of counting stars gets harder as M grows",
    quantifier: { of: "on average", word: "gets harder as M grows" },
    statement:
      "The test gets harder as M grows (our measure: of 16, 32 and 64 stars more have a lower accuracy, the mean of both models and both texts).",
    expected: "holds",
    check: (published) => {
      const rows = BY_STARS.map(([stars, ...figures]) => [stars, mean(meansOf(published, figures))] as const);
      const observed = `${rows.map(([stars, score]) => `${stars} stars ${fixed(score)}`).join(", ")}.`;
      return decided(rows.every(([, score], at) => at === 0 || score < rows[at - 1]![1]), observed);
    },
  },
  {
    id: "L1",
    source: "abstract of the later edition",
    quote: "Gemini 1.5 Pro achieves the best overall results",
    quantifier: { of: "on average", word: "overall" },
    statement: "Gemini 1.5 Pro has the highest mean of the four tasks (Table 3).",
    expected: "holds",
    check: ({ leaders }) => {
      const [best, second] = ofAllTasks(leaders).toSorted((left, right) => right.average! - left.average!);
      const observed = `${best!.model} has ${fixed(best!.average!)}, ${second!.model} ${fixed(second!.average!)}.`;
      return decided(best!.model === "Gemini 1.5 Pro", observed);
    },
  },
  {
    id: "L2",
    source: "abstract of the later edition",
    quote: "the performance of GPT-4 Turbo is the most stable across various tasks",
    quantifier: { of: "all", word: "the most stable" },
    statement:
      "GPT-4 Turbo's scores differ least between tasks (our measure: the best minus the worst of the four; its better version).",
    expected: "holds",
    check: ({ leaders }) => {
      const rows = ofAllTasks(leaders).map((leader) => {
        const scores = scoresOf(leader);
        return { model: leader.model, range: Math.max(...scores) - Math.min(...scores) };
      }).toSorted((left, right) => left.range - right.range);
      const texts = rows.map(({ model, range }) => `${model} ${fixed(range)}`);
      return decided(rows[0]!.model.startsWith("GPT-4 Turbo"), `${texts.join(", ")}.`);
    },
  },
  {
    id: "L3",
    source: "abstract of the later edition",
    quote:
      "there is potential for improvement as the length of the input context and the intricacy of the tasks are increasing",
    quantifier: { of: "on average", word: "as the length" },
    statement:
      "Models are worse at 100K to 128K than at 4K to 32K (Table 5), and in reasoning than in acquisition (Table 3) (our measure: means of all rows).",
    expected: "holds",
    check: ({ byQuarter, leaders }) => {
      const rows = [...Map.groupBy(byQuarter, ({ task, model }) => `${task} ${model}`).values()];
      const [short, long] = [0, -1].map((at) => mean(rows.map((row) => row.at(at)!.accuracy)));
      const scores = ofAllTasks(leaders).map(scoresOf);
      const [plain, reasoning] = [0, 2].map((from) => mean(scores.flatMap((four) => four.slice(from, from + 2))));
      return decided(
        long! < short! && reasoning! < plain!,
        `The means are ${fixed(short!)} and ${fixed(long!)} by length, ${fixed(plain!)} and ${
          fixed(reasoning!)
        } by task.`,
      );
    },
  },
];
/** Returns the mean printed accuracy of each model over some figures, GPT-4's first. */
function meansOf(published: StarsPublished, figures: readonly string[]): readonly [number, number] {
  const [gpt, kimi] = STAR_MODELS.map((model) =>
    mean(figures.map((figure) => panelOf(published, figure, model).printed))
  );
  return [gpt!, kimi!];
}

/** Returns the models of Table 3 that were asked all four tasks. */
function ofAllTasks(leaders: readonly StarLeader[]): readonly StarLeader[] {
  return leaders.filter(({ average }) => average !== null);
}

function scoresOf(leader: StarLeader): readonly number[] {
  return LATER_TASKS.map(([, , field]) => leader[field]!);
}

function fixed(value: number): string {
  return value.toFixed(3);
}
