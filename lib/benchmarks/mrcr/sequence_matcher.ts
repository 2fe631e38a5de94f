/** Characters of each text that are compared; of a longer one the rest counts as unmatched. */
export const MOST_COMPARED = 20_000;

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
  const length = one.length + other.length;
  if (length === 0) return 1;
  // Most replies are the answer, or the answer and further text.
  if (first === second && one.length <= MOST_COMPARED) return 1;
  const matcher = new Matcher(one.slice(0, MOST_COMPARED), other.slice(0, MOST_COMPARED), other.length);
  return 2 * matcher.count() / length;
}

/** The least length from which frequent characters start no match, and the share that makes a character frequent. */
const [MANY, FREQUENT] = [200, 100];

/** A place in both texts, and the length of the match there. */
interface Match {
  readonly one: number;
  readonly other: number;
  readonly size: number;
}

/** A stretch of both texts; the ends are excluded. */
interface Stretch {
  readonly one: readonly [from: number, to: number];
  readonly other: readonly [from: number, to: number];
}

class Matcher {
  /** The texts, as numbers of their characters. */
  readonly #one: Int32Array;
  readonly #other: Int32Array;
  /** The places in the other text of each character that starts matches, in order. */
  readonly #places: readonly (readonly number[])[];
  /** The lengths of matches that end at each place of the other text, for the last two characters of the first text. */
  readonly #lengths: readonly [Int32Array, Int32Array];
  /** When each of these lengths was set. */
  readonly #times: readonly [Int32Array, Int32Array];
  #time = 0;

  constructor(one: readonly string[], other: readonly string[], wholeLength: number) {
    const numbers = new Map<string, number>();
    const number = (character: string): number => numbers.getOrInsertComputed(character, () => numbers.size);
    this.#other = Int32Array.from(other, number);
    this.#one = Int32Array.from(one, number);
    const places: number[][] = Array.from({ length: numbers.size }, () => []);
    this.#other.forEach((character, at) => places[character]!.push(at));
    const most = Math.floor(wholeLength / FREQUENT) + 1;
    this.#places = wholeLength < MANY ? places : places.map((list) => list.length > most ? [] : list);
    const zeros = (): Int32Array => new Int32Array(other.length);
    this.#lengths = [zeros(), zeros()];
    this.#times = [zeros(), zeros()];
  }

  /** Counts the characters of all matches: the longest one, and those on both sides of it. */
  count(): number {
    let sum = 0;
    const open: Stretch[] = [{ one: [0, this.#one.length], other: [0, this.#other.length] }];
    for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
      const { one, other, size } = this.#findLongest(stretch);
      if (size === 0) continue;
      sum += size;
      if (stretch.one[0] < one && stretch.other[0] < other) {
        open.push({ one: [stretch.one[0], one], other: [stretch.other[0], other] });
      }
      const [oneEnd, otherEnd] = [one + size, other + size];
      if (oneEnd < stretch.one[1] && otherEnd < stretch.other[1]) {
        open.push({ one: [oneEnd, stretch.one[1]], other: [otherEnd, stretch.other[1]] });
      }
    }
    return sum;
  }

  /** Finds the longest match of a stretch, the earliest one of several, and extends it by characters that start no match. */
  #findLongest({ one: [oneFrom, oneTo], other: [otherFrom, otherTo] }: Stretch): Match {
    let [one, other, size] = [oneFrom, otherFrom, 0];
    // A length of an earlier stretch is never taken for one of the character before.
    this.#time++;
    for (let at = oneFrom; at < oneTo; at++) {
      const time = ++this.#time;
      const [lengths, before] = [this.#lengths[time & 1]!, this.#lengths[~time & 1]!];
      const [times, timesBefore] = [this.#times[time & 1]!, this.#times[~time & 1]!];
      const places = this.#places[this.#one[at]!]!;
      for (let which = firstFrom(places, otherFrom); which < places.length; which++) {
        const place = places[which]!;
        if (place >= otherTo) break;
        const continues = place > otherFrom && timesBefore[place - 1] === time - 1;
        const length = continues ? before[place - 1]! + 1 : 1;
        lengths[place] = length;
        times[place] = time;
        if (length > size) [one, other, size] = [at - length + 1, place - length + 1, length];
      }
    }
    while (one > oneFrom && other > otherFrom && this.#one[one - 1] === this.#other[other - 1]) {
      [one, other, size] = [one - 1, other - 1, size + 1];
    }
    while (one + size < oneTo && other + size < otherTo && this.#one[one + size] === this.#other[other + size]) size++;
    return { one, other, size };
  }
}

/** Returns the number of the first place from a bound on, in places in order. */
function firstFrom(places: readonly number[], bound: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
