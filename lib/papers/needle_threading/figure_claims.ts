import { sum } from "@/lib/base/mod.ts";
import { isNeverBelow, publishedLimit } from "./limits.ts";
import { curvesOf, PUBLISHED_THREADING_TASKS, type ThreadingPublished } from "./published.ts";
import { type FamilyCost, tokenizerFamilies } from "@/lib/reports/mod.ts";
import {
  cannotTell,
  decided,
  differenceInterval,
  type Finding,
  type PublishedClaim,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The evidence for the paper's claims. */
export interface ThreadingEvidence {
  readonly published: ThreadingPublished;
  /** Tokens of a UUID pair of the haystack in o200k_base, the tokenizer of GPT-4o. */
  readonly gpt4oPairTokens: number;
}

/** Depths that count as the middle, in percent. */
const MIDDLE = [40, 50, 60] as const;
/** The reading error of the contours, in thousand characters. */
const READING = 5;
/** Our measure of "little": in points, and as a share of a limit. */
const [LITTLE, LITTLE_SHARE] = [10, 0.1] as const;
/** The numbers of needles that are compared. */
const [FEW, MANY] = [2, 25] as const;
/** Our measure of a strong model: its single-needle accuracy at 128K. */
const STRONG = 90;
/** Our measure of a substantial difference: the ratio of two numbers of tokens. */
const SUBSTANTIAL = 1.25;

/** Claims checked on the repository's picture of single needles by depth. */
export const DEPTH_CLAIMS: readonly PublishedClaim<ThreadingEvidence>[] = [
  {
    id: "N9",
    source: "key insights of its repository; its picture of single needles by depth",
    quote:
      "at long context lengths, the retrieval precision of frontier LLMs decreases towards the middle of the context",
    statement:
      `With long contexts needles in the middle are found less often (our measure: of the models that are below the level anywhere, more than half have a lower limit at a depth of ${
        MIDDLE[0]
      } to ${MIDDLE.at(-1)}% than at both ends).`,
    expected: "holds",
    check: ({ published }) => {
      const falling = fallingByDepth(published);
      const lost = falling.filter(({ middle, first, last }) => middle + READING < Math.min(first, last));
      const others = falling.filter((each) => !lost.includes(each)).map(({ model }) => model);
      const texts = lost.map(({ model, middle, first, last }) =>
        `${model} ${size(first)}, ${size(middle)}, ${size(last)}`
      );
      return decided(
        lost.length > falling.length / 2,
        `It is so for ${lost.length} of ${falling.length} models (limits at the beginning, in the middle and at the end, in thousand ` +
          `characters, read off a picture to about ${READING}; > stands for no limit in what was asked): ${
            texts.join("; ")
          }. ` +
          `Not so: ${others.join(", ") || "none"}. The other ${
            modelsOf(published.contours.filter(({ task }) => task === "single_needle")).length - falling.length
          } models are above the level throughout.`,
      );
    },
  },
  {
    id: "N9b",
    source: "the same picture",
    statement:
      "It is the middle, not the far end, where needles are lost: a translation of the paper has “deeper into the context” (our measure: of the models whose limits at the two ends differ, no more than half have the lower one at the end).",
    expected: "holds",
    check: ({ published }) => {
      const differing = fallingByDepth(published).filter(({ first, last }) =>
        first !== last && Math.abs(first - last) > READING
      );
      const deeper = differing.filter(({ first, last }) => last < first).map(({ model }) => model);
      return decided(
        deeper.length <= differing.length / 2,
        `The end is worse than the beginning for ${deeper.length} of ${differing.length} models: ${deeper.join(", ")}.`,
      );
    },
  },
];

/** The claim checked on the figure of threads followed at a time. */
export const THREAD_SAFETY_CLAIM: PublishedClaim<ThreadingEvidence> = {
  id: "N10",
  source: "abstract; figure on thread safety",
  quote:
    "many models are remarkably threadsafe: capable of simultaneously following multiple threads without significant loss in performance",
  statement:
    `Many models lose little accuracy by following several threads at a time (our measure: more than half of the models in the figure lose at most ${LITTLE} points from the fewest threads to the most; the bands around its lines are taken as 95% intervals; open if it has less than half of the models).`,
  expected: "cannot tell",
  check: ({ published }) => compareThreads(published),
};

/** The claim about the number of needles. */
export const NEEDLES_CLAIM: PublishedClaim<ThreadingEvidence> = {
  id: "N12",
  source: "contributions; its picture of several needles by number",
  quote: "increasing the number of needles to retrieve concurrently has a relatively limited effect on stronger models",
  statement:
    `The number of needles to find at a time matters little to strong models (our measure: of the models with ${STRONG} or more on single needles at 128K, more than half have a limit for ${MANY} needles that is at most ${
      100 * LITTLE_SHARE
    }% below that for ${FEW}).`,
  expected: "holds",
  check: ({ published }) => compareNeedles(published),
};

/** The other key insights, and what was counted here. */
export const INSIGHT_CLAIMS: readonly PublishedClaim<ThreadingEvidence>[] = [
  {
    id: "N10-insight",
    source: "key insights of its repository; figure on thread safety",
    quote: "The evaluated LLMs show proficiency at keeping track of multiple threads simultaneously",
    statement:
      "The models keep track of several threads at a time (our measure is that of the claim on thread safety).",
    expected: "cannot tell",
    check: ({ published }) => compareThreads(published),
  },
  {
    id: "N17",
    source: "key insights of its repository",
    quote:
      "Most LLMs achieve higher accuracies when retrieving threads moving forwards through the context versus backwards directed threads",
    statement: "Threads that run forward are followed better than those that run backward.",
    expected: "cannot tell",
    check: () => cannotTell("Scores by direction were not published. A run here can check it for a model."),
  },
  {
    id: "N18",
    source: "key insights of its repository",
    quote: "Clustering needles has little effect on performance when tasked with retrieving specific needles",
    statement: "Needles whose keys are given are found as often side by side as scattered.",
    expected: "cannot tell",
    check: () => cannotTell("Scores by placement were not published. A run here can check it for a model."),
  },
  {
    id: "N19",
    source: "key insights of its repository",
    quote: "But noticeably increases performance when retrieving all needles meeting a condition",
    statement: "Needles that meet a condition are found more often side by side than scattered.",
    expected: "cannot tell",
    check: () => cannotTell("Scores by placement were not published. A run here can check it for a model."),
  },
  {
    id: "N20",
    source: "key insights of its repository; tables 3 to 7",
    quote: "Across all our tasks, the retrieval performance of frontier models decreases at longer context lengths",
    statement:
      "Every task is done worse in longer contexts (our measure: more than half of its models score lower at their largest size than at their smallest).",
    expected: "holds",
    check: ({ published }) => {
      const tasks = PUBLISHED_THREADING_TASKS.map((task) => {
        const curves = [...curvesOf(published, task)];
        const others = curves.filter(([, points]) => points.at(-1)!.score >= points[0]!.score).map(([model]) => model);
        return { task: task.replaceAll("_", " "), all: curves.length, others };
      });
      const rows = sum(tasks, ({ all }) => all);
      const kept = tasks.flatMap(({ task, others }) => others.map((model) => `${model} (${task})`));
      return decided(
        tasks.every(({ all, others }) => others.length < all / 2),
        `${rows - kept.length} of ${rows} rows of the five tables do. The others: ${kept.join(", ") || "none"}.`,
      );
    },
  },
  {
    id: "N21",
    source: "figure 1",
    statement:
      "Most of the books of Figure 1 are shorter than the longest context of a model (our measure: more than half).",
    expected: "holds",
    check: ({ published }) => {
      const of = (wanted: "book" | "llm") => published.contexts.filter(({ kind }) => kind === wanted);
      const longest = Math.max(...of("llm").map(({ millionTokens }) => millionTokens));
      const longer = of("book").filter(({ millionTokens }) => millionTokens > longest).map(({ name }) => name);
      return decided(
        longer.length < of("book").length / 2,
        `${of("book").length - longer.length} of ${of("book").length} fit into ${longest} million tokens. Longer: ${
          longer.join(", ") || "none"
        }.`,
      );
    },
  },
  {
    id: "N22",
    source: "abstract; table 2; counted here",
    quote:
      "token counts from different tokenizers should not be directly compared -- they often correspond to substantially different numbers of written characters",
    statement:
      `The same number of tokens corresponds to substantially different amounts of text (our measure: the most expensive tokenizer takes at least ${SUBSTANTIAL} times the tokens of the cheapest for the same pairs of UUIDs).`,
    expected: "holds",
    check: () => {
      const { least, most } = spreadOf("UUID pairs");
      return decided(
        most.tokensPerUnit >= SUBSTANTIAL * least.tokensPerUnit,
        `A pair is ${least.tokensPerUnit.toFixed(1)} tokens in ${least.tokenizer} and ${
          most.tokensPerUnit.toFixed(1)
        } in ${most.tokenizer}, by files counted here.`,
      );
    },
  },
  {
    id: "N23",
    source: "key insights of its repository; counted here",
    quote:
      "significant differences in the tokenization of long-context LLMs, especially when processing abstract text (numbers or UUIDs)",
    statement:
      "Tokenizers differ more on UUIDs than on prose (our measure: the ratio of the most expensive to the cheapest is greater on pairs of UUIDs than on English prose).",
    expected: "holds",
    check: () => {
      const [uuids, english, chinese] = (["UUID pairs", "English prose", "Chinese prose"] as const).map((text) => {
        const { least, most } = spreadOf(text);
        return most.tokens / least.tokens;
      });
      return decided(
        uuids! > english!,
        `Ratios: pairs of UUIDs ${uuids!.toFixed(2)}, English prose ${english!.toFixed(2)}, Chinese prose ${
          chinese!.toFixed(2)
        }.`,
      );
    },
  },
];

/** Returns the limits at both ends and in the middle of each model that is below the level anywhere; Infinity for none. */
function fallingByDepth({ contours }: ThreadingPublished): readonly Readonly<
  { model: string; first: number; middle: number; last: number }
>[] {
  const task = "single_needle";
  const models = modelsOf(contours.filter((point) => point.task === task));
  return models.filter((model) => !isNeverBelow(contours, { task, model })).map((model) => {
    const at = (depth: number): number => publishedLimit(contours, { task, model, at: depth }) ?? Infinity;
    return { model, first: at(0), middle: Math.min(...MIDDLE.map(at)), last: at(100) };
  });
}

function compareThreads({ threadSafety, scores }: ThreadingPublished): Finding {
  const models = modelsOf(threadSafety).map((model) => {
    const points = threadSafety.filter((point) => point.model === model).toSorted((left, right) =>
      left.threads - right.threads
    );
    const [few, many] = [points[0]!, points.at(-1)!];
    return { model, few, many, loss: differenceInterval(few, many) };
  });
  const kept = models.filter(({ loss }) => loss.score <= LITTLE);
  const lost = models.filter(({ loss }) => loss.low > LITTLE);
  const texts = models.map(({ model, few, many, loss }) =>
    `${model} ${few.score.toFixed(1)} to ${many.score.toFixed(1)} (loss ${loss.low.toFixed(1)} to ${
      loss.high.toFixed(1)
    })`
  );
  const half = models.length / 2;
  const all = modelsOf(scores).length;
  const observed = `The figure has ${models.length} of the ${all} models, read off to 0.2 points, from ${
    models[0]!.few.threads
  } to ${models[0]!.many.threads} threads: ${
    texts.join("; ")
  }. ${kept.length} of ${models.length} lose at most ${LITTLE} points, ${lost.length} more beyond doubt.`;
  if (models.length < all / 2) return cannotTell(`${observed} Those of the others were not published.`);
  return { verdict: verdictOf(kept.length > half, lost.length > half), observed };
}

function compareNeedles(published: ThreadingPublished): Finding {
  const { contours } = published;
  const task = "multiple_needles";
  const strong = [...curvesOf(published, "single_needle")].flatMap(([model, points]) =>
    points.some(({ length, score }) => length === 128_000 && score >= STRONG) ? [model] : []
  );
  const drawn = modelsOf(contours.filter((point) => point.task === task));
  const limits = (model: string): number[] =>
    [FEW, MANY].map((needles) => publishedLimit(contours, { task, model, at: needles }) ?? Infinity);
  const keeps = (model: string): boolean => {
    const [few, many] = limits(model);
    return many! >= (1 - LITTLE_SHARE) * few!;
  };
  const text = (model: string): string => `${model} ${limits(model).map(size).join(" to ")}`;
  const shown = strong.filter((model) => drawn.includes(model));
  const kept = shown.filter(keeps);
  const others = drawn.filter((model) => !strong.includes(model));
  return decided(
    kept.length > shown.length / 2,
    `Limits for ${FEW} and ${MANY} needles in thousand characters, read off a picture: ${
      shown.map(text).join("; ")
    }. ${kept.length} of ${shown.length} keep theirs; of the ${others.length} other models drawn ${
      others.filter(keeps).length
    } do.`,
  );
}

/** Returns the costs of a text in the tokenizers with the fewest and the most tokens. */
function spreadOf(wanted: string): { readonly least: FamilyCost; readonly most: FamilyCost } {
  const costs = tokenizerFamilies().filter(({ text }) => text === wanted).toSorted((left, right) =>
    left.tokens - right.tokens
  );
  return { least: costs[0]!, most: costs.at(-1)! };
}

function size(limit: number): string {
  return limit === Infinity ? ">" : limit.toFixed(0);
}

/** Lists the models of rows, in their order. */
export function modelsOf(rows: readonly { readonly model: string }[]): readonly string[] {
  return [...new Set(rows.map(({ model }) => model))];
}
