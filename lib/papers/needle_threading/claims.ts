import { rangeText } from "@/lib/base/mod.ts";
import { publishedLimit } from "./contours.ts";
import { isAboveFloor } from "./knob_rows.ts";
import { modelsOf, ofKind, type ThreadingPublished } from "./published.ts";
import { decidedByMean, type MeanDifference, meanDifference } from "@/lib/papers/evidence/means.ts";
import { endsOf, endsOfKnob, type EvidencePair, pairsByKnob, pointsOf } from "@/lib/papers/evidence/pairs.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  decidedByDifference,
  type Evidence,
  type Finding,
  notAsked,
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

const INSIGHTS = "key insights of its repository";

/** The claims on scores, which are checked on published ones and on those of a run. */
export const SCORE_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "N10",
    source: "abstract; figure on thread safety",
    quote:
      "many models are remarkably threadsafe: capable of simultaneously following multiple threads without significant loss in performance",
    quantifier: { of: "most", word: "many models" },
    needs: { knobs: ["threads"] },
    statement:
      `Many models lose little accuracy by following several threads at a time (our measure: more than half of the models lose at most ${LITTLE} points from the fewest threads to the most; the bands of the figure are taken as 95% intervals; open if it has less than half of the models).`,
    expected: "cannot tell",
    check: (rows) => littleLost(rows, "threads"),
  },
  {
    id: "N17",
    source: INSIGHTS,
    quote:
      "Most LLMs achieve higher accuracies when retrieving threads moving forwards through the context versus backwards directed threads",
    quantifier: { of: "most", word: "Most LLMs" },
    needs: { knobs: ["direction"] },
    statement:
      "Threads that run forward are followed better than those that run backward (our measure: at the lengths and numbers of steps that have both).",
    expected: "cannot tell",
    check: (rows) => {
      const pairs = pairsByKnob(ofKind(rows, "single_thread"), "direction", ["forward", "backward"]);
      return decidedAboveFloor("Forward less backward", pairs, "direction");
    },
  },
  {
    id: "N18",
    source: INSIGHTS,
    quote: "Clustering needles has little effect on performance when tasked with retrieving specific needles",
    quantifier: { of: "on average", word: "performance" },
    needs: { knobs: ["placement"] },
    statement:
      `Needles whose keys are given are found as often side by side as scattered (our measure: the two differ by at most ${LITTLE} points, at the lengths and numbers of needles that have both).`,
    expected: "cannot tell",
    check: (rows) => {
      const found = meanDifference(pairsByKnob(ofKind(rows, "multi_needle"), "placement", ["clustered", "random"]));
      if (found === null) return notPublished("placement");
      return littleEitherWay(found, `Side by side less scattered: ${found.text}.`);
    },
  },
  {
    id: "N19",
    source: INSIGHTS,
    quote: "But noticeably increases performance when retrieving all needles meeting a condition",
    quantifier: { of: "on average", word: "performance" },
    needs: { knobs: ["placement"] },
    statement:
      "Needles that meet a condition are found more often side by side than scattered (our measure: at the lengths and numbers of needles that have both).",
    expected: "cannot tell",
    check: (rows) => {
      const pairs = pairsByKnob(ofKind(rows, "conditional_needle"), "placement", ["clustered", "random"]);
      return decidedAboveFloor("Side by side less scattered", pairs, "placement");
    },
  },
  {
    id: "N20",
    source: `${INSIGHTS}; tables 3 to 7`,
    quote: "Across all our tasks, the retrieval performance of frontier models decreases at longer context lengths",
    quantifier: { of: "all", word: "all our tasks" },
    statement:
      "Every task is done worse at the longest length than at the shortest (our measure: with the same knobs, the mean of all models above the floor, for each kind of task).",
    expected: "holds",
    check: losesWithLength,
  },
];

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
    check: ({ scores }) => {
      const ends = endsOf(ofKind(scores, "single_needle"));
      const least = Math.min(...ends.map(({ first }) => first.score));
      const others = ends.filter((pair) => pointsOf(pair) <= 0).map(({ first }) => first.model);
      const isMost = others.length < ends.length / 2;
      return decided(
        least >= WELL && isMost && EXCEPTIONS.every((model) => others.includes(model)),
        `The lowest score at 1.2K is ${least.toFixed(1)}. ${
          ends.length - others.length
        } of ${ends.length} score lower at their largest size; ${others.join(" and ")} do not.`,
      );
    },
  },
  {
    id: "N9",
    source: `${INSIGHTS}; its picture of single needles by depth`,
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
      const [models, tasks] = [modelsOf(limits), [...new Set(limits.map(({ task }) => task))]];
      const many = models.filter((name) => short.filter(({ model }) => model === name).length > tasks.length / 2);
      const counts = tasks.map((task) =>
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
  ...SCORE_CLAIMS.map(({ check, ...claim }): PublishedClaim<ThreadingPublished> => (
    { ...claim, check: ({ scores }) => check(scores) }
  )),
];

function notPublished(knob: string): Finding {
  return notAsked(`Scores by ${knob} were not published. A run that asks for them can check it.`);
}

/** Judges by the pairs of which one score is above the floor; others show no difference. */
function decidedAboveFloor(words: string, pairs: readonly EvidencePair[], knob: string): Finding {
  if (pairs.length === 0) return notPublished(knob);
  const above = aboveFloor(pairs);
  return above.length === 0 ? cannotTell("All scores are at the floor.") : decidedByMean(words, above);
}

function aboveFloor(pairs: readonly EvidencePair[]): readonly EvidencePair[] {
  return pairs.filter(({ first, second }) => isAboveFloor(first) || isAboveFloor(second));
}

/** Compares, for each kind of task, the shortest length of each model and task with its longest. */
function losesWithLength(rows: readonly Evidence[]): Finding {
  const kinds = new Set(rows.flatMap(({ knobs }) => knobs["kind"] === undefined ? [] : [String(knobs["kind"])]));
  const falls = [...kinds].flatMap((kind) => {
    const ends = endsOf(ofKind(rows, kind));
    if (ends.length === 0) return [];
    const above = aboveFloor(ends);
    const { verdict } = decidedByMean("", above);
    const lost = above.length === 0 ? "is at the floor" : meanDifference(above)!.text;
    return [{
      isLost: verdict === "cannot tell" ? null : verdict === "holds",
      text: `${kind.replaceAll("_", " ")} ${lost}`,
    }];
  });
  if (falls.length === 0) return notAsked("No task was asked at two lengths.");
  const observed = `Lost with length: ${falls.map(({ text }) => text).join("; ")}.`;
  return decidedByCases(falls.map(({ isLost }) => isLost), observed);
}

/** Judges whether most models lose little from the least value of a knob to the greatest. */
export function littleLost(rows: readonly Evidence[], knob: string): Finding {
  const all = modelsOf(rows).length;
  const models = Array.from(Map.groupBy(endsOfKnob(rows, knob), ({ first }) => first.model), ([model, pairs]) => {
    const found = meanDifference(pairs)!;
    return isLittle(found, `${all === 1 ? "Fewest" : `${model}, fewest`} less most ${knob}: ${found.text}.`);
  });
  if (models.length === 0) return notAsked(`There are no scores at different numbers of ${knob}.`);
  const observed = models.map((finding) => finding.observed).join(" ");
  if (models.length < all / 2) {
    return cannotTell(`${observed} Those of ${all - models.length} models were not published.`);
  }
  const [kept, lost] = (["holds", "fails"] as const).map((each) => models.filter(({ verdict }) => verdict === each));
  return { verdict: verdictOf(kept!.length > models.length / 2, lost!.length > models.length / 2), observed };
}

/** Judges whether a difference is at most {@linkcode LITTLE} points. */
function isLittle(difference: MeanDifference, observed: string): Finding {
  const large = decidedByDifference(difference, observed, { scores: difference.scores, bar: LITTLE });
  if (large.verdict === "cannot tell") return large;
  return { ...large, verdict: verdictOf(large.verdict === "fails", true) };
}

/** Judges whether two scores differ by at most {@linkcode LITTLE} points in either direction. */
function littleEitherWay(difference: MeanDifference, observed: string): Finding {
  const { low, high } = difference;
  const ways = [difference, { ...difference, low: -high, high: -low }].map((way) => isLittle(way, observed));
  const order = ["fails", "cannot tell", "holds"] as const;
  return order.flatMap((verdict) => ways.filter((way) => way.verdict === verdict))[0]!;
}

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

function compareNeedles(published: ThreadingPublished): Finding {
  const task = "multiple_needles";
  const points = published.contours.filter((point) => point.task === task);
  const strong = ofKind(published.scores, "single_needle")
    .filter(({ length, score }) => length === 128_000 && score >= STRONG);
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

/** Returns how far models follow threads by the published numbers. */
export function threadingAnswer({ limits, scores }: Pick<ThreadingPublished, "limits" | "scores">): string {
  const share = Math.max(...limits.filter(({ task }) => task === "threading").map(({ percent }) => percent));
  const shortest = (kind: string): string =>
    rangeText(endsOf(ofKind(scores, kind)).map(({ first }) => first.score), (score) => score.toFixed(0));
  const opening = share < 50 ? "Not far: every" : "Every";
  return `${opening} published model follows a chain of keys through at most ${share}% of its context window. ` +
    `In the shortest haystack the models find a single value in ${shortest("single_needle")}% of prompts, ` +
    `and the end of a chain in ${shortest("single_thread")}%.`;
}
