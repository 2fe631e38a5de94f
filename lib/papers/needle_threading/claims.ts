import { publishedLimit } from "./contours.ts";
import { curvesOf, modelsOf, PUBLISHED_THREADING_TASKS, type ThreadingPublished } from "./published.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  differenceInterval,
  type Finding,
  type PublishedClaim,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** Our measure of "well", in percent. */
const WELL = 95;
const EXCEPTIONS = ["GPT-4o", "Jamba 1.5 Large"] as const;
/** Our measure of "significantly shorter", in percent of the supported context. */
export const HALF = 50;
/** Depths that count as the middle, in percent. */
const MIDDLE = [40, 50, 60] as const;
/** The reading error of the contours, in thousand characters. */
const READING = 5;
/** Our measure of "little": in points, and as a share of a limit. */
export const LITTLE = 10;
const LITTLE_SHARE = 0.1;
/** The numbers of needles that are compared. */
const [FEW, MANY] = [2, 25] as const;
/** Our measure of a strong model: its single-needle accuracy at 128K. */
const STRONG = 90;

const NO_PLACEMENTS = "Scores by placement were not published. A run here can check it for a model.";

/**
 * The claims of Needle Threading (arXiv 2411.05000), checked on its own numbers.
 *
 * The abstract and the key insights of the repository are quoted verbatim. Other quotes are translated back from a translation.
 */
export const THREADING_CLAIMS: readonly PublishedClaim<ThreadingPublished>[] = [
  {
    id: "N7",
    source: "single needle; figure 4, table 3",
    quote:
      "at shorter contexts, the models perform this simple task well. However, in most cases, the retrieval accuracy decreases for longer context lengths … notable exceptions are GPT-4o and Jamba-1.5 Large",
    quantifier: { of: "most", word: "in most cases" },
    statement:
      `At short contexts models do well, and in most cases worse at long ones (our measure: every model finds ${WELL}% at 1.2K; more than half score lower at their largest size, the two exceptions not among them).`,
    expected: "holds",
    check: (published) => {
      const curves = [...curvesOf(published, "single_needle")];
      const least = Math.min(...curves.map(([, points]) => points[0]!.score));
      const others = curves.filter(([, points]) => points.at(-1)!.score >= points[0]!.score).map(([model]) => model);
      const isMost = others.length < curves.length / 2;
      return decided(
        least >= WELL && isMost && EXCEPTIONS.every((model) => others.includes(model)),
        `The lowest score at 1.2K is ${least.toFixed(1)}. ${
          curves.length - others.length
        } of ${curves.length} score lower at their largest size; ${others.join(" and ")} do not.`,
      );
    },
  },
  {
    id: "N9",
    source: "key insights of its repository; its picture of single needles by depth",
    quote:
      "at long context lengths, the retrieval precision of frontier LLMs decreases towards the middle of the context",
    quantifier: { of: "most", word: "frontier LLMs" },
    statement:
      `With long contexts needles in the middle are found less often (our measure: of the models that are below the level anywhere, more than half have a lower limit at a depth of ${
        MIDDLE[0]
      } to ${MIDDLE.at(-1)}% than at both ends).`,
    expected: "holds",
    check: compareDepths,
  },
  {
    id: "N10",
    source: "abstract; figure on thread safety",
    quote:
      "many models are remarkably threadsafe: capable of simultaneously following multiple threads without significant loss in performance",
    quantifier: { of: "most", word: "many models" },
    statement:
      `Many models lose little accuracy by following several threads at a time (our measure: more than half of the models in the figure lose at most ${LITTLE} points from the fewest threads to the most; the bands around its lines are taken as 95% intervals; open if it has less than half of the models).`,
    expected: "cannot tell",
    check: compareThreads,
  },
  {
    id: "N11",
    source: "abstract; contributions; table 2",
    quote:
      "for many models, we find the effective context limit is significantly shorter than the supported context length",
    quantifier: { of: "most", word: "many models" },
    statement:
      `For many models the effective limit is significantly shorter than the supported one (our measure: for more than half of Table 2's models it is ${HALF}% of it or less on most of the five tasks).`,
    expected: "holds",
    check: ({ limits }) => {
      const short = limits.filter(({ percent }) => percent <= HALF);
      const models = modelsOf(limits);
      const many = models.filter((name) =>
        short.filter(({ model }) => model === name).length > PUBLISHED_THREADING_TASKS.length / 2
      );
      const counts = PUBLISHED_THREADING_TASKS.map((task) =>
        `${task.replace("_", " ")} ${short.filter((row) => row.task === task).length}`
      );
      return decided(
        many.length > models.length / 2,
        `It is for ${many.length} of ${models.length} models. By task, how many have half or less: ${
          counts.join("; ")
        }.`,
      );
    },
  },
  {
    id: "N12",
    source: "contributions; its picture of several needles by number",
    quote:
      "increasing the number of needles to retrieve concurrently has a relatively limited effect on stronger models",
    quantifier: { of: "most", word: "stronger models" },
    statement:
      `The number of needles to find at a time matters little to strong models (our measure: of the models with ${STRONG} or more on single needles at 128K, more than half have a limit for ${MANY} needles that is at most ${
        100 * LITTLE_SHARE
      }% below that for ${FEW}).`,
    expected: "holds",
    check: compareNeedles,
  },
  {
    id: "N17",
    source: "key insights of its repository",
    quote:
      "Most LLMs achieve higher accuracies when retrieving threads moving forwards through the context versus backwards directed threads",
    quantifier: { of: "most", word: "Most LLMs" },
    statement: "Threads that run forward are followed better than those that run backward.",
    expected: "cannot tell",
    check: () => cannotTell("Scores by direction were not published. A run here can check it for a model."),
  },
  {
    id: "N18",
    source: "key insights of its repository",
    quote: "Clustering needles has little effect on performance when tasked with retrieving specific needles",
    quantifier: { of: "on average", word: "performance" },
    statement: "Needles whose keys are given are found as often side by side as scattered.",
    expected: "cannot tell",
    check: () => cannotTell(NO_PLACEMENTS),
  },
  {
    id: "N19",
    source: "key insights of its repository",
    quote: "But noticeably increases performance when retrieving all needles meeting a condition",
    quantifier: { of: "on average", word: "performance" },
    statement: "Needles that meet a condition are found more often side by side than scattered.",
    expected: "cannot tell",
    check: () => cannotTell(NO_PLACEMENTS),
  },
  {
    id: "N20",
    source: "key insights of its repository; tables 3 to 7",
    quote: "Across all our tasks, the retrieval performance of frontier models decreases at longer context lengths",
    quantifier: { of: "all", word: "all our tasks" },
    statement:
      "Every task is done worse in longer contexts (our measure: more than half of its models score lower at their largest size than at their smallest).",
    expected: "holds",
    check: (published) => {
      const tasks = PUBLISHED_THREADING_TASKS.map((task) => {
        const curves = [...curvesOf(published, task).values()];
        return { task, all: curves.length, lower: curves.filter((each) => each.at(-1)!.score < each[0]!.score).length };
      });
      return decidedByCases(
        tasks.map(({ all, lower }) => lower > all / 2),
        `Models that score lower at their largest size: ${
          tasks.map(({ task, all, lower }) => `${task.replace("_", " ")} ${lower} of ${all}`).join("; ")
        }.`,
      );
    },
  },
];

function compareDepths({ contours }: ThreadingPublished): Finding {
  const task = "single_needle";
  const models = [...Map.groupBy(contours.filter((point) => point.task === task), ({ model }) => model)];
  // The contour of a model that was never below the level is one level line.
  const falling = models.filter(([, points]) => new Set(points.map(({ limit }) => limit)).size > 1).map(([model]) => {
    const at = (depth: number): number => publishedLimit(contours, { task, model, at: depth }) ?? Infinity;
    return { model, first: at(0), middle: Math.min(...MIDDLE.map(at)), last: at(100) };
  });
  const lost = falling.filter(({ middle, first, last }) => middle + READING < Math.min(first, last));
  const texts = lost.map(({ model, first, middle, last }) =>
    `${model} ${[first, middle, last].map(sizeText).join(", ")}`
  );
  return decided(
    lost.length > falling.length / 2,
    `It is so for ${lost.length} of the ${falling.length} models that are below the level anywhere (limits at the beginning, in the middle and at the end, in thousand characters, read off a picture to about ${READING}; > stands for no limit in what was asked): ${
      texts.join("; ")
    }.`,
  );
}

function compareThreads({ threadSafety, scores }: ThreadingPublished): Finding {
  const models = Array.from(Map.groupBy(threadSafety, ({ model }) => model), ([model, points]) => {
    const [few, many] = [points[0]!, points.at(-1)!];
    return { model, few, many, loss: differenceInterval(few, many) };
  });
  const [half, all] = [models.length / 2, modelsOf(scores).length];
  const kept = models.filter(({ loss }) => loss.score <= LITTLE);
  const lost = models.filter(({ loss }) => loss.low > LITTLE);
  const texts = models.map(({ model, few, many }) =>
    `${model} ${few.score.toFixed(1)} with ${few.threads} and ${many.score.toFixed(1)} with ${many.threads}`
  );
  const observed = `The figure has ${models.length} of the ${all} models: ${texts.join("; ")}. ` +
    `${kept.length} of ${models.length} lose at most ${LITTLE} points, ${lost.length} more beyond doubt.`;
  if (models.length < all / 2) return cannotTell(`${observed} Those of the others were not published.`);
  return { verdict: verdictOf(kept.length > half, lost.length > half), observed };
}

function compareNeedles(published: ThreadingPublished): Finding {
  const task = "multiple_needles";
  const points = published.contours.filter((point) => point.task === task);
  const strong = published.scores.filter((row) =>
    row.task === "single_needle" && row.length === 128_000 && row.score >= STRONG
  );
  const shown = modelsOf(strong).filter((model) => modelsOf(points).includes(model));
  const limits = shown.map((model) => {
    const [few, many] = [FEW, MANY].map((at) => publishedLimit(points, { task, model, at }) ?? Infinity);
    return { model, few: few!, many: many! };
  });
  const kept = limits.filter(({ few, many }) => many >= (1 - LITTLE_SHARE) * few);
  const texts = limits.map(({ model, few, many }) => `${model} ${sizeText(few)} to ${sizeText(many)}`);
  return decided(
    kept.length > shown.length / 2,
    `Limits for ${FEW} and ${MANY} needles in thousand characters, read off a picture: ${
      texts.join("; ")
    }. ${kept.length} of ${shown.length} keep theirs.`,
  );
}

function sizeText(limit: number): string {
  return limit === Infinity ? ">" : limit.toFixed(0);
}
