/** Characters of each text that are compared; of a longer one the rest counts as unmatched. */
export const MOST_COMPARED = 20_000;

/** The least length from which frequent characters start no match, and the share that makes a character frequent. */
const [MANY, FREQUENT] = [200, 100];

/**
 * Returns `difflib.SequenceMatcher(None, first, second).ratio()` of Python: twice the matched characters over those of both.
 *
 * Ratcliff and Metzener 1988, with Python's heuristic `autojunk`: a character of the second text that is more than 1% of its 200
 * or more characters starts no match, so the order of the arguments matters. Characters are code points.
 *
 * Each text is compared up to {@linkcode MOST_COMPARED} characters, and its whole length counts: the ratio is Python's for texts
 * up to that length, and bounded in time for longer ones, such as a reply that repeats itself. Most texts take linear time.
 *
 * @returns The ratio, in [0, 1]; 1 for two empty texts.
 */
export function sequenceRatio(first: string, second: string): number {
  const [one, other] = [Array.from(first), Array.from(second)];
  // Most replies are the answer, or the answer and further text.
  if (first === second && one.length <= MOST_COMPARED) return 1;
  const compared = other.slice(0, MOST_COMPARED);
  const most = other.length < MANY ? Infinity : Math.floor(other.length / FREQUENT) + 1;
  const counts = new Map<string, number>();
  for (const character of compared) counts.set(character, (counts.get(character) ?? 0) + 1);
  const starts = compared.map((character) => counts.get(character)! > most ? null : character);
  const matched = countMatches(one.slice(0, MOST_COMPARED), compared, starts);
  return 2 * matched / (one.length + other.length);
}

/** A stretch of both texts; the ends are excluded. */
interface Stretch {
  readonly one: readonly [from: number, to: number];
  readonly other: readonly [from: number, to: number];
}

/**
 * Counts the characters of all matches: the longest one, and those on both sides of it. A match is extended by characters that
 * start none.
 *
 * @param starts The characters of the other text, with `null` for those that start no match.
 */
function countMatches(one: readonly string[], other: readonly string[], starts: readonly (string | null)[]): number {
  const last = new Map<string | null, number>();
  const before = starts.map((character, place) => {
    const previous = last.get(character) ?? -1;
    last.set(character, place);
    return previous;
  });
  // The length of the match that ends at each place of the other text, and when it was set.
  const lengths = new Int32Array(other.length);
  const times = new Int32Array(other.length);
  let time = 0;
  let sum = 0;
  const open: Stretch[] = [{ one: [0, one.length], other: [0, other.length] }];
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    const { one: [oneFrom, oneTo], other: [otherFrom, otherTo] } = stretch;
    for (let place = otherFrom; place < otherTo; place++) last.set(starts[place]!, place);
    let [from, otherAt, size] = [oneFrom, otherFrom, 0];
    // Subtle: a length of an earlier stretch is never taken for that of the character before.
    time++;
    for (let at = oneFrom; at < oneTo; at++) {
      time++;
      // From the last place to the first, so that lengths before a place are still those of the character before.
      for (let place = last.get(one[at]!) ?? -1; place >= otherFrom && place < otherTo; place = before[place]!) {
        const length = times[place - 1] === time - 1 ? lengths[place - 1]! + 1 : 1;
        lengths[place] = length;
        times[place] = time;
        // Of several the earliest in the first text, and then in the other.
        const start = at - length + 1;
        if (length > size || length === size && start === from) {
          [from, otherAt, size] = [start, place - length + 1, length];
        }
      }
    }
    while (from > oneFrom && otherAt > otherFrom && one[from - 1] === other[otherAt - 1]) {
      [from, otherAt, size] = [from - 1, otherAt - 1, size + 1];
    }
    while (from + size < oneTo && otherAt + size < otherTo && one[from + size] === other[otherAt + size]) size++;
    if (size === 0) continue;
    sum += size;
    open.push({ one: [oneFrom, from], other: [otherFrom, otherAt] });
    open.push({ one: [from + size, oneTo], other: [otherAt + size, otherTo] });
  }
  return sum;
}
