import { PADDING, SLOT_WORDS } from "./world_padding.ts";
import { RELATIONS } from "./world_relations.ts";

/** A slot of a phrasing: a name, a year, or a word from a list. */
export type Slot = string;

/** A phrasing as it is written: numbers of pieces, and slots between them. */
export type Phrase = readonly (number | Slot)[];

/**
 * The pieces that paragraphs are made of but for the names, each with the space before it: what stands between two slots, words
 * for slots, and years. A paragraph is a list of their numbers, so that each is counted in tokens once.
 */
export interface Pieces {
  readonly texts: readonly string[];
  /** The pieces of a phrasing with its slots. */
  phrase(phrasing: string): Phrase;
  /** The piece of each word for a slot. */
  words(slot: Slot): readonly number[];
  /** The piece of a year. */
  year(year: number): number;
}

/** The years that paragraphs can mention. */
const [FIRST_YEAR, LAST_YEAR] = [1800, 2000];

/** Takes the phrasings of the world apart. */
export function openPieces(): Pieces {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, year) => numberOf(` ${FIRST_YEAR + year}`));
  const words = new Map(
    Object.entries(SLOT_WORDS).map(([slot, list]) => [slot, list.map((word) => numberOf(` ${word}`))]),
  );
  const phrases = new Map(listPhrasings().map((phrasing) => [phrasing, takeApart(phrasing, numberOf)]));
  return {
    texts,
    phrase: (phrasing) => phrases.get(phrasing)!,
    words: (slot) => words.get(slot)!,
    year: (year) => years[year - FIRST_YEAR]!,
  };
}

function listPhrasings(): string[] {
  const statements = Object.values(RELATIONS).flat().flatMap((relation) => relation.statements);
  return [...statements, ...Object.values(PADDING).flatMap(({ openings, remarks }) => [...openings, ...remarks])];
}

/** The space before a slot is part of what fills it. */
function takeApart(phrasing: string, numberOf: (text: string) => number): Phrase {
  const parts = ` ${phrasing}`.split(/ \{(\w+)\}/);
  return parts.flatMap((part, place): Phrase => place % 2 === 1 ? [part] : part === "" ? [] : [numberOf(part)]);
}
