/** How many documents beyond those taken are looked through for the last ones. */
export const FRESH_DOCUMENTS = 48;
/** How many documents the last few are chosen from: their combinations are all priced. */
const MOST_COMBINED = 30;
/** How many of the last documents can be given back. */
const GIVEN_BACK = 2;
/** How many choices are offered: where documents meet, a count can differ by a token. */
const MOST_TRIES = 12;

/**
 * Fills a gap that is too small for the next document with other documents.
 *
 * Whatever goes into the gap is taken first. Then the last two are given back, and one to three are chosen that fill their
 * room best.
 *
 * @param taken Documents that are in already.
 * @param options `fresh`, documents that are not; `costOf` a document in tokens; `gap`, the tokens left.
 * @returns Choices of documents that use up more of the gap, the fullest first.
 */
export function* fillGap<T>(
  taken: readonly T[],
  options: { readonly fresh: readonly T[]; readonly costOf: (document: T) => number; readonly gap: number },
): Generator<T[]> {
  const { fresh, costOf } = options;
  const kept = [...taken];
  const rest: T[] = [];
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
  const candidates = [...back, ...rest].slice(0, MOST_COMBINED).map((document) => ({
    document,
    cost: costOf(document),
  }));
  const better = combine(candidates).filter(({ cost }) => cost > spent && cost <= spent + gap);
  better.sort((left, right) => right.cost - left.cost);
  for (const { documents } of better.slice(0, MOST_TRIES)) yield [...kept, ...documents];
  if (kept.length + back.length > taken.length) yield [...kept, ...back];
}

interface Priced<T> {
  readonly documents: readonly T[];
  readonly cost: number;
}

/** Lists every one, two and three of some documents. */
function combine<T>(candidates: readonly { readonly document: T; readonly cost: number }[]): Priced<T>[] {
  const combined: Priced<T>[] = [];
  candidates.forEach((first, index) => {
    combined.push({ documents: [first.document], cost: first.cost });
    candidates.slice(index + 1).forEach((second, further) => {
      const pair = { documents: [first.document, second.document], cost: first.cost + second.cost };
      combined.push(pair);
      for (const third of candidates.slice(index + further + 2)) {
        combined.push({ documents: [...pair.documents, third.document], cost: pair.cost + third.cost });
      }
    });
  });
  return combined;
}
