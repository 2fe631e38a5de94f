import type { Grading, Scorer } from "@/lib/scorers/mod.ts";

/** The number of a bag. */
const BAG = /\bB\d{4,7}\b/;

/** Scores the bags in a reply; those that are not in the locker cost points. */
export const BAGS: Scorer = {
  name: "left luggage bags",
  about: "the bags that are rightly named, as a share of those that are right or named",
  shape: { name: "bag", pattern: BAG },
  grade(reply, { references }): Grading {
    const named = new Set(reply.match(new RegExp(BAG, "g")));
    const right = references.filter((bag) => named.has(bag));
    const score = {
      value: right.length / new Set([...named, ...references]).size,
      answer: [...named].join(", "),
      why: `${right.length} of ${references.length} bags found, ${named.size - right.length} wrong ones named`,
    };
    return { score, penalised: score, unparsable: named.size === 0 };
  },
};
