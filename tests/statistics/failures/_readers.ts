import { openProfile, type Profile } from "@/lib/models/mod.ts";

const base = openProfile("longalpaca");

const NO_FACTS = { "left_out": 0, distractor: 0, partial: 0, repeated: 0, invented: 0 };
const NO_REPLIES = { empty: 0, refused: 0, looped: 0, prior: 0 };

/** Makes a reader that holds on to everything with the same log-odds. */
function makeReader(name: string, level: number, rates: Partial<Profile["rates"]>): Profile {
  const strength = { level, slope: 0.3, bend: 0 };
  const strengths = {
    "retrieval": strength,
    "multi-hop tracing": strength,
    "aggregation": strength,
    "question answering": strength,
  };
  return { ...base, name, strengths, rates: { ...base.rates, whole: 0, copying: 0, ...rates } };
}

/** Readers each of which has one bad habit to excess, and one that has them all. */
export const BAD_READERS: readonly Profile[] = [
  ...Object.keys(NO_FACTS).map((kind) =>
    makeReader(`to a fact: ${kind}`, 1, { facts: { ...NO_FACTS, [kind]: 1 }, nearness: 0.5 })
  ),
  ...Object.keys(NO_REPLIES).map((kind) =>
    makeReader(`to a reply: ${kind}`, -1, {
      whole: 0.6,
      copying: 0.6,
      wholeReplies: { ...NO_REPLIES, [kind]: 1 },
    })
  ),
  makeReader("copies the example", -1, { copying: 0.8, whole: 0.1 }),
  makeReader("does all of it", 1.5, {
    facts: { "left_out": 1, distractor: 1, partial: 1, repeated: 1, invented: 1 },
  }),
];
