import type { Entity, GraphFact } from "./world_graph.ts";
import { PADDING, SLOT_WORDS } from "./world_padding.ts";
import { FIRST_YEAR, type Pieces } from "./world_pieces.ts";
import { integer, pick, placeIn, shuffle } from "@/lib/random/mod.ts";

/** Remarks are left out beyond this many characters, so that the longest paragraphs are not twice the usual length. */
const MOST_CHARACTERS = 640;

/** How many remarks are drawn for a paragraph. */
const REMARKS = { low: 1, high: 4 } as const;

/**
 * Tells the paragraph of an entity: an opening, three or four facts and some remarks, from five to nine sentences.
 *
 * Each sentence is the number of its phrase and what fills each of its slots: an object, a year from {@linkcode FIRST_YEAR} on or
 * the place of a word in its list. All are below 256.
 *
 * @param lengthOf Counts the characters of a sentence with the space before it.
 */
export function tellParagraph(
  { kind, began, facts, draw }: Entity,
  pieces: Pieces,
  lengthOf: (sentence: readonly number[]) => number,
): number[] {
  const { openings, remarks } = pieces.padding(kind);
  const [low, high] = PADDING[kind].years;
  const pad = (phrase: number): number[] => [
    phrase,
    ...pieces.phrases[phrase]!.slots.map((slot) =>
      slot === "year" ? began + integer(draw, { low, high }) - FIRST_YEAR : placeIn(draw, SLOT_WORDS[slot]!)
    ),
  ];
  const state = ({ relation, object, year }: GraphFact): number[] => {
    const inFull = draw() < 0.5;
    const phrase = pick(draw, pieces.statements(relation)) + (inFull ? 0 : 1);
    return [phrase, ...pieces.phrases[phrase]!.slots.map((slot) => slot === "o" ? object : year - FIRST_YEAR)];
  };
  const opening = pad(pick(draw, openings));
  const stated = facts.map(state);
  const described = shuffle(draw, remarks).slice(0, integer(draw, REMARKS)).map(pad);
  const least = 4 - facts.length;
  // The paragraph has no space before it.
  let length = [opening, ...stated].reduce((sum, sentence) => sum + lengthOf(sentence), -1);
  const kept = described.filter((remark, index) => {
    length += lengthOf(remark);
    return index < least || length <= MOST_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].flat();
}
