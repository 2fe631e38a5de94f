import type { Entity, GraphFact } from "./world_graph.ts";
import { type EntityKind, type Relation, RELATIONS } from "./world_relations.ts";
import wordings from "./world_wordings.json" with { type: "json" };
import { integer, pick, placeIn, shuffle } from "@/lib/random/mod.ts";

/** The sentences of a paragraph that state no relation, for one kind of entity. */
interface Padding {
  /** Years that they mention, counted from the beginning of the entity, from and to. */
  readonly years: readonly [number, number];
  readonly openings: readonly string[];
  readonly remarks: readonly string[];
}

/** The sentences that state no relation, by kind of entity. */
export const PADDING = wordings.padding as unknown as Readonly<Record<EntityKind, Padding>>;

/** Words for the slots of {@linkcode PADDING}. */
export const SLOT_WORDS: Readonly<Record<string, readonly string[]>> = wordings.slotWords;

/** A phrase, split into pieces and slots. */
export interface Phrase {
  /**
   * Numbers of pieces, and negative numbers for slots: the subject in full or as one word, the object, or one of a list of pieces,
   * for which the number is {@linkcode FIRST_LIST} less the first piece of the list.
   */
  readonly parts: readonly number[];
  /** The names of the slots, except those of the subject, which are the same in each use. */
  readonly slots: readonly string[];
}

/** Slots in the parts of a phrase. */
export const [SUBJECT, SUBJECT_WORD, OBJECT, FIRST_LIST] = [-1, -2, -3, -4];

/**
 * All pieces of paragraphs except names, each with the space before it: texts between two slots, words for slots, and years. A
 * paragraph is a list of their numbers, so that each piece is tokenized once.
 */
export interface Pieces {
  readonly texts: readonly string[];
  /** All phrases, each by a number below 256. */
  readonly phrases: readonly Phrase[];
  /** Returns the phrases of a relation with the subject in full; the next number is the same phrase with one word of it. */
  statements(relation: Relation): readonly number[];
  /** Returns the phrases that state nothing: openings with the subject in full, remarks with one word of it. */
  padding(kind: EntityKind): Readonly<Record<"openings" | "remarks", readonly number[]>>;
}

/** The years that paragraphs can mention. */
const [FIRST_YEAR, LAST_YEAR] = [1800, 2000];

/** Splits the phrases of the world into pieces. */
export function openPieces(): Pieces {
  const texts: string[] = [];
  const addAll = (list: readonly (string | number)[]): number => {
    texts.push(...list.map((text) => ` ${text}`));
    return texts.length - list.length;
  };
  const firsts = new Map([
    ["year", addAll(Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, year) => FIRST_YEAR + year))],
    ...Object.entries(SLOT_WORDS).map(([slot, words]): [string, number] => [slot, addAll(words)]),
  ]);
  const fixed = new Map<string, number>();
  const numberOf = (text: string): number => fixed.getOrInsertComputed(text, () => texts.push(text) - 1);
  const phrases: Phrase[] = [];
  const add = (phrasing: string, subject: number): number => {
    const slots: string[] = [];
    // The space before a slot is part of its filling.
    const parts = ` ${phrasing}`.split(/ \{(\w+)\}/).flatMap((part, place): number[] => {
      if (place % 2 === 0) return part === "" ? [] : [numberOf(part)];
      if (part === "s") return [subject];
      slots.push(part);
      return [part === "o" ? OBJECT : FIRST_LIST - firsts.get(part)!];
    });
    return phrases.push({ parts, slots }) - 1;
  };
  const statements = new Map(
    Object.values(RELATIONS).flat().map((relation) => [
      relation,
      relation.statements.map((phrasing) => {
        const inFull = add(phrasing, SUBJECT);
        add(phrasing, SUBJECT_WORD);
        return inFull;
      }),
    ]),
  );
  const padding = new Map(
    (Object.entries(PADDING) as [EntityKind, Padding][]).map(([kind, { openings, remarks }]) => [kind, {
      openings: openings.map((phrasing) => add(phrasing, SUBJECT)),
      remarks: remarks.map((phrasing) => add(phrasing, SUBJECT_WORD)),
    }]),
  );
  return { texts, phrases, statements: (relation) => statements.get(relation)!, padding: (kind) => padding.get(kind)! };
}

/** Remarks are left out beyond this length of a paragraph, so that the longest is not twice the usual length. */
const MAX_CHARACTERS = 640;

/** The number of remarks drawn for a paragraph. */
const REMARKS = { low: 1, high: 4 } as const;

/**
 * Draws the paragraph of an entity: an opening, three or four facts and some remarks, five to nine sentences in all.
 *
 * Each sentence is the number of its phrase and the filling of each slot: an object, a year counted from the first one, or the
 * place of a word in its list. All numbers are below 256.
 *
 * @param lengthOf Counts the characters of a sentence with the space before it.
 */
export function encodeParagraph(
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
  const required = 4 - facts.length;
  // The paragraph has no space before it.
  let length = [opening, ...stated].reduce((sum, sentence) => sum + lengthOf(sentence), -1);
  const kept = described.filter((remark, index) => {
    length += lengthOf(remark);
    return index < required || length <= MAX_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].flat();
}
