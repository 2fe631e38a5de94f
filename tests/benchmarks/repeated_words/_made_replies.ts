import { PAIR_NAMES, type PairName, PAIRS, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { type Draw, integer, pick, stream } from "@/lib/random/mod.ts";

/** A reply to a text of repeated words, made by a rule. */
export interface MadeReply {
  readonly pair: PairName;
  readonly words: number;
  readonly place: number;
  /** The text that was to be copied. */
  readonly wanted: string;
  readonly reply: string;
}

/** A change of the words of a copy. */
type Change = (
  words: string[],
  made: { readonly draw: Draw; readonly modified: string; readonly common: string },
) => string[];

const SENTENCE = "I notice there's a discrepancy in the text.";

const CHANGES: Readonly<Record<string, Change>> = {
  same: (words) => words,
  lost: (words, { common, modified }) => words.map((word) => word === modified ? common : word),
  moved(words, { draw, common, modified }): string[] {
    const moved = words.map((word) => word === modified ? common : word);
    return moved.with(integer(draw, { low: 0, high: words.length - 1 }), modified);
  },
  repeated: (words, { draw, modified }) => words.with(integer(draw, { low: 0, high: words.length - 1 }), modified),
  short: (words, { draw }) => words.slice(0, integer(draw, { low: 0, high: words.length - 1 })),
  long: (words, { draw, common }) => [
    ...words,
    ...Array<string>(integer(draw, { low: 1, high: words.length })).fill(common),
  ],
  dropped: (words, { draw }) => words.toSpliced(integer(draw, { low: 0, high: words.length - 1 }), 1),
  framed: (words) => [SENTENCE, ...words],
  refused: () => ["I’m sorry, but I can’t help with that"],
  foreign: (words, { draw }) =>
    words.with(integer(draw, { low: 0, high: words.length - 1 }), pick(draw, ["😀", "san", "苹果"])),
  joined: (words, { modified }) => words.map((word) => word === modified ? `pine${word}` : word),
  random: (words, { draw }) =>
    Array.from({ length: words.length }, () => pick(draw, ["-a", "-le", "’", "apple.", "Golden"])),
};

const SPACES = [" ", " ", " ", "  ", "\n", "\t", "\u00a0", ", "];

/** Makes replies of every kind, to texts of up to 120 words. */
export function makeReplies(count: number, seed: string): MadeReply[] {
  return Array.from({ length: count }, (_, index) => {
    const draw = stream("made copies", seed, index);
    const pair = pick(draw, PAIR_NAMES);
    const [common, modified] = PAIRS[pair];
    const words = integer(draw, { low: 3, high: 120 });
    const place = pick(draw, [0, words - 1, integer(draw, { low: 0, high: words - 1 })]);
    const changes = Array.from(
      { length: integer(draw, { low: 1, high: 2 }) },
      () => pick(draw, Object.values(CHANGES)),
    );
    const copied = Array<string>(words).fill(common).with(place, modified);
    const changed = changes.reduce(
      (left, change) => left.length === 0 ? left : change(left, { draw, common, modified }),
      copied,
    );
    const space = pick(draw, SPACES);
    const reply = pick(draw, ["", "", "", " ", "\n"]) + changed.join(space) + pick(draw, ["", "", ".", " ", "\n"]);
    return { pair, words, place, wanted: writeCopy({ pair, words, place }), reply };
  });
}
