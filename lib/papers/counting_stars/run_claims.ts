import { STAR_CLAIMS } from "./claims.ts";
import { starsByThird } from "./losses.ts";
import {
  type Claim,
  compareThirds,
  decidedByGroups,
  type Finding,
  type GroupComparison,
  notAsked,
  pointsText,
  quoteOf,
  type RunEvidence,
  shortestLessLongest,
  type Third,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The statements that a run of one model can decide, by the numbers of those they quote. */
export const STAR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "S8",
    source: "as C8",
    quote: quoteOf(STAR_CLAIMS, "C8"),
    quantifier: { of: "on average", word: "the results" },
    needs: { knobs: ["order"] },
    statement:
      "Shuffling the counts makes the model much worse (our measure: by 10 points or more, at the same lengths).",
    check: (run) => decidedByKnob(run, "order", ["increasing", "shuffled"], 10),
  },
  {
    id: "S12",
    source: "as C12",
    quote: quoteOf(STAR_CLAIMS, "C12"),
    quantifier: { of: "on average", word: "lost in the tail" },
    statement:
      "Stars are lost in the tail (our measure: those of the last third are found less often than those of the first and of the middle).",
    check: (run) => lostIn(run, "last"),
  },
  {
    id: "S12c",
    source: "as C12c",
    quote: quoteOf(STAR_CLAIMS, "C12c"),
    quantifier: { of: "on average", word: "this phenomenon" },
    statement:
      "Lost in the middle is not confirmed (our measure: those of the middle third are not found less often than those of the first and of the last).",
    check: (run) => {
      const { verdict, observed } = lostIn(run, "middle");
      return { verdict: verdictOf(verdict === "fails", verdict === "holds"), observed };
    },
  },
  {
    id: "S13",
    source: "as C13",
    quote: quoteOf(STAR_CLAIMS, "C13"),
    quantifier: { of: "on average", word: "gets harder as M grows" },
    needs: { knobs: ["stars"] },
    statement: "The test gets harder as M grows (our measure: the fewest stars minus the most, at the same lengths).",
    check: checkStars,
  },
  {
    id: "SL3",
    source: "as L3",
    quote: quoteOf(STAR_CLAIMS, "L3"),
    quantifier: { of: "on average", word: "as the length" },
    needs: { lengths: 4 },
    statement: "The model is worse at the longest length than at the shortest.",
    check: ({ replies }) => decidedByGroups(replies, shortestLessLongest(replies)),
  },
  {
    id: "SL4",
    source: "as L3",
    quote: quoteOf(STAR_CLAIMS, "L3"),
    quantifier: { of: "on average", word: "the intricacy of the tasks" },
    needs: { knobs: ["sentence"] },
    statement: "The model is worse where a wrong count precedes each right one.",
    check: (run) => decidedByKnob(run, "sentence", ["plain", "corrected"]),
  },
];

/**
 * Compares the thirds of the text: one holds if it is lost, and fails if it is above another. Places chosen by the user are not thirds of
 * the text.
 */
function lostIn({ replies, tasks }: RunEvidence, third: Third): Finding {
  const even = replies.filter(({ task }) => tasks[task]?.options["places"] === undefined);
  const { rows, lost } = compareThirds(starsByThird(even), 1999);
  const texts = rows.flatMap(({ left, right, difference, low, high, units }) =>
    difference === null
      ? []
      : [`${left} minus ${right} ${pointsText({ score: difference, low: low!, high: high!, units })}`]
  );
  if (texts.length === 0) return notAsked("No prompt of three stars or more has a score.");
  const isHigher = rows.some(({ higher }) => higher === third);
  return { verdict: verdictOf(lost === third, isHigher), observed: `Thirds of the stars: ${texts.join("; ")}.` };
}

/** Compares the fewest stars with the most, over the lengths and other knobs that have several numbers of them. */
function checkStars(run: RunEvidence): Finding {
  const { alike, of } = byKnob(run, "stars");
  const cells = [...Map.groupBy(run.replies, alike).values()].map((replies) => [...new Set(replies.map(of))]);
  const mixed = cells.filter((stars) => stars.length > 1).flat().map(Number);
  const groups = [Math.min(...mixed), Math.max(...mixed)] as const;
  return decidedByGroups(run.replies, { of, alike, groups, words: "Fewest minus most stars" });
}

/** Compares two values of a knob, over the lengths and other knobs that have both. */
function decidedByKnob(run: RunEvidence, knob: string, groups: GroupComparison["groups"], bar = 0): Finding {
  return decidedByGroups(run.replies, { ...byKnob(run, knob), groups, bar, words: groups.join(" minus ") });
}

function byKnob({ tasks }: RunEvidence, knob: string): Pick<GroupComparison, "of" | "alike"> {
  return {
    of: ({ task }) => tasks[task]?.options[knob] ?? 0,
    alike: ({ task, length }) => JSON.stringify([length, { ...tasks[task]?.options, [knob]: "" }]),
  };
}
