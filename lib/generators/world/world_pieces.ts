import { PADDING, SLOT_WORDS } from "./world_padding.ts";
import { type EntityKind, type Relation, RELATIONS } from "./world_relations.ts";

/** A phrasing as it is written. */
export interface Phrase {
  /**
   * Numbers of pieces, and below zero slots between them: the subject in full or as one word, the object, or one of a list of
   * pieces, {@linkcode FIRST_LIST} less the first of them.
   */
  readonly parts: readonly number[];
  /** The names of the slots that differ from one use to another, so all but the subject. */
  readonly slots: readonly string[];
}

/** Slots in the parts of a phrase. */
export const [SUBJECT, SUBJECT_WORD, OBJECT, FIRST_LIST] = [-1, -2, -3, -4];

/**
 * The pieces that paragraphs are made of but for the names, each with the space before it: what stands between two slots, words
 * for slots, and years. A paragraph is a list of their numbers, so that each is counted in tokens once.
 */
export interface Pieces {
  readonly texts: readonly string[];
  /** All phrasings, each by a number below 256. */
  readonly phrases: readonly Phrase[];
  /** The phrasings of a relation with the subject in full; the number after each is the same with one word of it. */
  statements(relation: Relation): readonly number[];
  /** Those that state nothing: of openings with the subject in full, of remarks with one word of it. */
  padding(kind: EntityKind): Readonly<Record<"openings" | "remarks", readonly number[]>>;
}

/** The years that paragraphs can mention. */
export const [FIRST_YEAR, LAST_YEAR] = [1800, 2000];

/** Takes the phrasings of the world apart. */
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
  const numberOf = (text: string): number => {
    const known = fixed.get(text) ?? texts.push(text) - 1;
    fixed.set(text, known);
    return known;
  };
  const phrases: Phrase[] = [];
  const add = (phrasing: string, subject: number): number => {
    const slots: string[] = [];
    // The space before a slot is part of what fills it.
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
  const kinds = Object.keys(PADDING) as EntityKind[];
  const padding = new Map(kinds.map((kind) => {
    const { openings, remarks } = PADDING[kind];
    return [kind, {
      openings: openings.map((phrasing) => add(phrasing, SUBJECT)),
      remarks: remarks.map((phrasing) => add(phrasing, SUBJECT_WORD)),
    }];
  }));
  return { texts, phrases, statements: (relation) => statements.get(relation)!, padding: (kind) => padding.get(kind)! };
}
