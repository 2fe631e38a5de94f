import { mean, percent, sum } from "@/lib/base/mod.ts";
import { STAR_CLAIMS } from "./claims.ts";
import { lengthStability } from "./length_stability.ts";
import { THIRDS } from "./star_panels.ts";
import type { StarFigureOptions } from "./published.ts";
import type { StarScore } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import {
  cannotTell,
  type Claim,
  decidedByDifference,
  decidedByGroups,
  type Finding,
  type GroupComparison,
  inPercent,
  meanOfClusters,
  meanOfRepeats,
  NO_DIFFERENCE,
  notAsked,
  pairedComparison,
  pointsText,
  quoteOf,
  type RunEvidence,
  type RunReply,
  type ScoreRow,
  type ScoreWithInterval,
  statedInterval,
  unitsText,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The share of stars that a run finds in a third of the text, in percent. */
export interface StarThird extends ScoreWithInterval, Required<Pick<ScoreRow, "n" | "units">> {
  readonly task: string;
  readonly third: "first" | "middle" | "last";
}

/**
 * Returns the share of stars found in each third of the text by task, in percent with a 95% interval over samples.
 *
 * Star i of M is in third floor(3 (i - 1) / M). Prompts with fewer than three stars, failed calls and replies to other benchmarks
 * are left out.
 */
export function starThirds(replies: readonly RunReply[]): readonly StarThird[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) =>
    THIRDS.flatMap((third): StarThird[] => {
      const shares = foundIn(ofTask, third);
      return shares.length === 0 ? [] : [{ task, third, n: shares.length, ...meanOfShares(shares) }];
    })
  );
}

/** Returns the share of stars found in each third of the text, from `starThirds`. */
export function starThirdTable(thirds: readonly StarThird[], options: Omit<StarFigureOptions, "n">): Table {
  const samples = sum(thirds.filter(({ third }) => third === "first"), ({ n }) => n);
  return table(thirds, {
    ...options,
    caption: "Stars in percent of those in that third of the text; prompts of fewer than three stars are left out.",
    n: `${samples} samples`,
    interval: unitsText(thirds),
    columns: [
      { field: "task", label: "Task" },
      { field: "third", label: "Third of the text" },
      { field: "n", label: "Replies" },
      { field: "score", label: "Stars found (%)", digits: 1, low: "low", high: "high" },
    ],
  });
}

/** The claims about the places of lost stars, checked on a run; open unless the 95% interval decides them. */
const PLACE_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "S12",
    source: "as C12",
    quote: quoteOf(STAR_CLAIMS, "C12"),
    statement:
      "Stars are lost in the tail (our measure: those of the last third are found less often than the others, in prompts of three stars or more that are spread evenly).",
    check: (run) => compareThird(run, "last"),
  },
  {
    id: "S12c",
    source: "as C12c",
    statement: "Stars are lost in the middle, as in other tests: those of the middle third are found less often.",
    check: (run) => compareThird(run, "middle"),
  },
];

/** Compares a third with the other two, reply by reply; holds if fewer of its stars are found. */
function compareThird({ replies, tasks }: RunEvidence, third: StarThird["third"]): Finding {
  const rest = THIRDS.filter((other) => other !== third);
  // With places chosen by the user, a third of the stars is not a third of the text.
  const even = replies.filter(({ task }) => tasks[task]?.options["places"] === undefined);
  const [inside, outside] = [foundIn(even, third), foundIn(even, ...rest)];
  if (inside.length === 0) return cannotTell("No prompt of three stars or more has a score.");
  const pairs = outside.map(({ cluster, share }, at) => ({ cluster, first: share, second: inside[at]!.share }));
  const { difference, low, high, units } = pairedComparison([pairs]);
  const points = pointsText({ score: difference, low, high, units });
  const observed = `Of ${inside.length} replies, the others less the ${third} third: ${points}.`;
  return decidedByDifference({ low, high, units }, observed, { scores: [meanOfShares(outside), meanOfShares(inside)] });
}

type FoundShare = Pick<RunReply, "cluster"> & { readonly share: number };

/** Returns the share of the stars in some thirds that each reply found. */
function foundIn(replies: readonly RunReply[], ...thirds: readonly StarThird["third"][]): readonly FoundShare[] {
  return meanOfRepeats(replies).flatMap(({ score, cluster }) => {
    const cells = score?.cells ?? [];
    if (cells.length < THIRDS.length) return [];
    const within = cells.filter((_, star) => thirds.includes(THIRDS[Math.floor(THIRDS.length * star / cells.length)]!));
    return [{ cluster, share: mean(within) }];
  });
}

/** Averages shares over texts: replies to one text count once. */
function meanOfShares(shares: readonly FoundShare[]): ScoreWithInterval & Pick<StarThird, "units"> {
  const { n, ...mean } = meanOfClusters(shares.map(({ cluster, share }) => ({ cell: "", cluster, values: [share] })));
  return { ...inPercent(mean), units: n };
}

/** Our measure of "much worse", in points, as for C8. */
const MUCH = 10;

/** The claims about versions, order, lengths and sums, checked on a run. */
const VERSION_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "S7",
    source: "as C7; the length-stability dilemma",
    quote: quoteOf(STAR_CLAIMS, "C7"),
    statement:
      "A longer text beats a shorter one more often than if length did not matter (our measure: in at least one task, p < 0.05 corrected for the number of tasks).",
    check: checkStability,
  },
  {
    id: "S8",
    source: "as C8",
    quote: quoteOf(STAR_CLAIMS, "C8"),
    statement:
      `Shuffling the counts makes the model much worse (our measure: by ${MUCH} points or more, at the same lengths).`,
    check: (run) => {
      const [replies, comparison] = knobGroups(run, "order", ["increasing", "shuffled"]);
      return decidedByGroups(replies, { ...comparison, bar: MUCH, words: "Increasing less shuffled" });
    },
  },
  {
    id: "S13",
    source: "as C13",
    quote: quoteOf(STAR_CLAIMS, "C13"),
    statement: "The test gets harder as M grows (our measure: the fewest stars less the most, at the same lengths).",
    check: (run) => {
      const [replies, { of, alike }] = knobGroups(run, "stars", [0, 0]);
      const groups = [...Map.groupBy(replies, alike)];
      const places = new Map(groups.map(([place, same]) => [place, new Set(same.map((each) => Number(of(each))))]));
      return decidedByGroups(replies, {
        of: (reply) => {
          const counts = places.get(alike(reply))!;
          const [least, most] = [Math.min(...counts), Math.max(...counts)];
          if (least === most) return undefined;
          if (of(reply) === least) return "fewest";
          return of(reply) === most ? "most" : undefined;
        },
        groups: ["fewest", "most"],
        alike,
        words: "Fewest less most stars",
      });
    },
  },
  {
    id: "S14",
    source: "as C14",
    quote: quoteOf(STAR_CLAIMS, "C14"),
    statement:
      "Half of the lengths make the test easier (our measure: every second length, the longest among them, less the others, in tasks of four lengths or more).",
    check: ({ replies }) =>
      decidedByGroups(
        taskReplies(replies).flatMap(([lengths, ofTask]) => ofTask.map((reply) => ({ ...reply, lengths }))),
        {
          of: ({ length, lengths }) => (lengths.length - 1 - lengths.indexOf(length)) % 2,
          groups: [0, 1],
          alike: ({ task }) => task,
          words: "The lengths kept less those left out",
        },
      ),
  },
  {
    id: "S16",
    source: "as C16b",
    quote: quoteOf(STAR_CLAIMS, "C16b"),
    statement:
      "Rising lists are made up more often if the first count is 1 (our measure: replies with five or more made-up numbers in even steps, with firstCount 1 less without, at the same lengths).",
    check: (run) => {
      const [replies, comparison] = knobGroups(run, "firstCount", [1, 0]);
      return decidedByGroups(replies, {
        ...comparison,
        value: ({ score }) => {
          const { run: list } = (score ?? {}) as Partial<StarScore>;
          if (list === undefined) return null;
          return list === null ? 0 : 1;
        },
        words: "Replies with a made-up list, first count 1 less others",
        isRate: true,
      });
    },
  },
  {
    id: "S18",
    source: "as C18",
    quote: quoteOf(STAR_CLAIMS, "C18"),
    statement:
      "Asked for the sum of all counts, the model does poorly (our measure: fewer than half of the sums are right).",
    check: ({ replies, tasks }) => {
      const right = replies.flatMap((reply) => {
        const ask = tasks[reply.task]?.options["ask"];
        const isSum = ask === "sum" || ask === "list_and_sum";
        const { cluster, value } = reply;
        return isSum && value !== null ? [{ cluster, share: ask === "sum" ? value : sumOf(reply) }] : [];
      });
      if (right.length === 0) return notAsked("No sum was asked for.");
      const { score, low, high, units } = meanOfShares(right);
      const interval = unitsText([{ units }], `95% interval ${low.toFixed(1)} to ${high.toFixed(1)}`);
      const observed = `Of ${right.length} sums ${score.toFixed(1)}% are right (${interval}).`;
      if (statedInterval({ low, high, units }).low === null) return cannotTell(observed);
      return { verdict: verdictOf(high < 50, low >= 50), observed };
    },
  },
];

/** Returns the sum's part of the score of a list and its sum; it weighs as much as one count. */
function sumOf({ value, score }: RunReply): number {
  const cells = score?.cells ?? [];
  return value! * (cells.length + 1) - sum(cells);
}

/** Checks whether length matters in any task, by the means of its stars at each length. */
function checkStability({ replies }: RunEvidence): Finding {
  const found = taskReplies(replies, 2).flatMap(([lengths, ofTask]) => {
    const columns = lengths.map((length) => {
      const lists = ofTask.flatMap((reply) => reply.length === length ? [reply.score!.cells!] : []);
      return { length, cells: lists[0]!.map((_, star) => mean(lists.map((cells) => cells[star]!))) };
    });
    return [lengthStability({ model: ofTask[0]!.task, columns }, { seed: "42" })];
  });
  if (found.length === 0) return notAsked("There is no task with two lengths or more.");
  const best = found.reduce((least, next) => next.p < least.p ? next : least);
  const p = Math.min(1, best.p * found.length);
  // Of few pairs of lengths one more win is no small share, so that none shows nothing.
  const isUnusual = found.some(({ high, expected, pairs }) => 100 * (high - expected + 1 / pairs) >= NO_DIFFERENCE);
  return {
    verdict: verdictOf(p < 0.05, !isUnusual),
    observed:
      `Of ${found.length} tasks ${best.model} shows it most: a longer text wins ${best.longer} of ${best.pairs} pairs ` +
      `of lengths, ${percent(best.share)} of them beyond chance, ${percent(best.expected)} expected ` +
      `(p = ${p.toFixed(3)}).`,
  };
}

/** Returns the replies with a list by task, with the task's lengths in order; tasks of fewer lengths are left out. */
function taskReplies(
  replies: readonly RunReply[],
  minLengths = 4,
): readonly [readonly number[], readonly RunReply[]][] {
  const listed = replies.filter(({ value, score }) => value !== null && (score?.cells ?? []).length > 0);
  return [...Map.groupBy(listed, ({ task }) => task).values()].flatMap((ofTask) => {
    const lengths = [...new Set(ofTask.map(({ length }) => length))].sort((one, other) => one - other);
    return lengths.length < minLengths ? [] : [[lengths, ofTask] satisfies [number[], RunReply[]]];
  });
}

/** Compares two values of a knob, over the lengths and other knobs that have both. */
function knobGroups(
  { replies, tasks }: RunEvidence,
  knob: string,
  groups: GroupComparison["groups"],
): [replies: readonly RunReply[], comparison: GroupComparison] {
  const optionsOf = ({ task }: RunReply): Readonly<Record<string, string | number>> => tasks[task]!.options;
  return [replies.filter(({ task }) => tasks[task]?.options["ask"] !== undefined), {
    of: (reply) => optionsOf(reply)[knob] ?? 0,
    groups,
    alike: (reply) => JSON.stringify([reply.length, { ...optionsOf(reply), [knob]: "" }]),
  }];
}

/** The claims of the text that a run of one model can decide. */
export const STAR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [...PLACE_CLAIMS, ...VERSION_CLAIMS];
