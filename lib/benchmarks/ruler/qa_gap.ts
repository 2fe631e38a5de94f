/** How many further documents are candidates for the gap. */
export const FRESH_DOCUMENTS = 48;
/** How many documents the last few are chosen from; all combinations are tried. */
const MOST_COMBINED = 30;
/** How many of the last documents can be replaced. */
const GIVEN_BACK = 2;
/** How many choices are offered: where documents join, the count can differ by a token. */
const MOST_TRIES = 12;

/**
 * Fills a gap that is too small for the next document: takes what fits, then replaces the last two documents by the one to
 * three that fill their room best. Gives the choices, the fullest first.
 */
export function* fillGap(
  taken: readonly number[],
  options: { readonly fresh: readonly number[]; readonly costOf: (document: number) => number; readonly gap: number },
): Generator<number[]> {
  const { fresh, costOf } = options;
  const kept = [...taken];
  const rest: number[] = [];
  let gap = options.gap;
  for (const document of fresh) {
    const cost = costOf(document);
    if (cost > gap) rest.push(document);
    else {
      kept.push(document);
      gap -= cost;
    }
  }
  const back = kept.splice(Math.max(0, kept.length - GIVEN_BACK));
  const spent = back.reduce((sum, document) => sum + costOf(document), 0);
  const candidates = [...back, ...rest].slice(0, MOST_COMBINED);
  const costs = candidates.map(costOf);
  const put = (chosen: readonly number[]): number[] => [...kept, ...chosen.map((place) => candidates[place]!)];
  const room = spent + gap;
  let tries = 0;
  // Mostly the first one is taken, so that the others are looked for only then.
  for (const { places } of gap > 0 ? sumsWithin(costs, { least: room, most: room }) : []) {
    if (tries === MOST_TRIES) break;
    tries++;
    yield put(places);
  }
  if (tries < MOST_TRIES) {
    yield* greatestSums(costs, { above: spent, below: room, count: MOST_TRIES - tries }).map(put);
  }
  if (kept.length + back.length > taken.length) yield [...kept, ...back];
}

/** One to three costs, by their places, and what they come to. */
interface Sum {
  readonly total: number;
  readonly places: readonly number[];
}

/** Finds the one to three costs whose sums lie within limits, in the order of their places; the least may rise on the way. */
function* sumsWithin(
  costs: readonly number[],
  limits: { readonly least: number; readonly most: number },
): Generator<Sum> {
  const { most } = limits;
  const smallest = Math.min(...costs);
  for (let first = 0; first < costs.length; first++) {
    const one = costs[first]!;
    if (one >= limits.least && one <= most) yield { total: one, places: [first] };
    for (let second = first + 1; second < costs.length; second++) {
      const two = one + costs[second]!;
      if (two >= limits.least && two <= most) yield { total: two, places: [first, second] };
      if (two + smallest > most) continue;
      for (let third = second + 1; third < costs.length; third++) {
        const three = two + costs[third]!;
        if (three >= limits.least && three <= most) yield { total: three, places: [first, second, third] };
      }
    }
  }
}

/** Finds the one to three costs whose sums are the greatest between two, the greatest first, by their places. */
function greatestSums(
  costs: readonly number[],
  { above, below, count }: { readonly above: number; readonly below: number; readonly count: number },
): readonly (readonly number[])[] {
  const greatest: Sum[] = [];
  const limits = { least: above + 1, most: below - 1 };
  for (const sum of sumsWithin(costs, limits)) {
    let at = greatest.length;
    // Of equal sums the first one found stays before the others.
    while (at > 0 && greatest[at - 1]!.total < sum.total) at--;
    greatest.splice(at, 0, sum);
    if (greatest.length > count) greatest.pop();
    if (greatest.length === count) limits.least = greatest[count - 1]!.total + 1;
  }
  return greatest.map(({ places }) => places);
}
