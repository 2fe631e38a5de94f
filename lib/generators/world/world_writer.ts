import {
  DISTRICT_SIZE,
  type Entity,
  entityOf,
  FIRST_RIVER,
  type GraphFact,
  kindOf,
  OWN_OBJECT,
  rankOf,
  RIVERS_PER_DISTRICT,
} from "./world_graph.ts";
import { type KindOfName, OWN_KINDS, type WorldNames } from "./world_names.ts";
import {
  FIRST_LIST,
  FIRST_YEAR,
  OBJECT,
  PADDING,
  type Pieces,
  SLOT_WORDS,
  SUBJECT,
  SUBJECT_WORD,
} from "./world_phrases.ts";
import { integer, pick, placeIn, shuffle } from "@/lib/random/mod.ts";
import type { AsciiSheet } from "@/lib/text/mod.ts";

/** How a paragraph is told: the bytes from one place up to, not including, another. */
export interface Telling {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** More than the bytes of any document, and of any name. */
export const MOST_WRITTEN = 2048;
const LONGEST_NAME = 64;
const LINE_BREAK = 0x0a;

/**
 * Makes a function that writes the paragraph of an entity at the end of a sheet, below its title if that is wanted. Samples
 * consist of little else, so it takes numbers and makes no object on the way.
 */
export function openWriter(
  { texts, phrases }: Pieces,
  names: WorldNames,
): (number: number, telling: Telling, to: { readonly sheet: AsciiSheet; readonly isTitled: boolean }) => void {
  const { letters, starts } = layOutTexts([...texts, ...names.texts]);
  const firstName = texts.length;
  const parts = Int16Array.from(phrases.flatMap((phrase) => phrase.parts));
  const partsOf = new Uint16Array(phrases.length + 1);
  phrases.forEach((phrase, number) => partsOf[number + 1] = partsOf[number]! + phrase.parts.length);
  const slots = Array.from({ length: DISTRICT_SIZE }, (_, slot) => kindOf(slot));
  const [kinds, ownKinds] = [slots.map((kind) => names.kinds[kind]), slots.map((kind) => names.kinds[OWN_KINDS[kind]])];
  const { river } = names.kinds;

  const writeText = (text: number, page: DataView, at: number): number =>
    copyLetters(letters, starts[text]!, starts[text + 1]!, page, at);
  const writeName = (kind: KindOfName, number: number, page: DataView, at: number): number => {
    const place = kind.place(number);
    const before = writeText(firstName + kind.before(place), page, at);
    const stem = writeText(firstName + kind.stem(place), page, before);
    return writeText(firstName + kind.after(place), page, writeText(firstName + kind.ending(place), page, stem));
  };
  const writeObject = (object: number, subject: number, page: DataView, at: number): number => {
    const slot = subject % DISTRICT_SIZE;
    const entity = entityOf(object, subject);
    if (entity !== null) return writeName(kinds[entity % DISTRICT_SIZE]!, rankOf(entity), page, at);
    if (object === OWN_OBJECT) return writeName(ownKinds[slot]!, rankOf(subject), page, at);
    const firstRiver = (subject - slot) / DISTRICT_SIZE * RIVERS_PER_DISTRICT;
    return writeName(river, firstRiver + object - FIRST_RIVER, page, at);
  };
  const name = new DataView(new ArrayBuffer(LONGEST_NAME));
  let page = name;
  return (number, { bytes, start, end }, { sheet, isTitled }) => {
    // The name of the subject is written once, and copied from there.
    const kind = kinds[number % DISTRICT_SIZE]!;
    const place = kind.place(rankOf(number));
    const word = writeText(firstName + kind.before(place), name, 0);
    const ending = writeText(firstName + kind.stem(place), name, word);
    const wordEnd = writeText(firstName + kind.ending(place), name, ending);
    const nameEnd = writeText(firstName + kind.after(place), name, wordEnd);
    let at = sheet.extend(MOST_WRITTEN);
    if (page.buffer !== sheet.bytes.buffer) page = new DataView(sheet.bytes.buffer);
    if (isTitled) {
      at = copyLetters(name, 1, nameEnd, page, at);
      page.setUint8(at++, LINE_BREAK);
    }
    const line = at;
    for (let told = start; told < end;) {
      const phrase = bytes[told++]!;
      for (let place = partsOf[phrase]!; place < partsOf[phrase + 1]!; place++) {
        const part = parts[place]!;
        if (part >= 0) at = writeText(part, page, at);
        else if (part === SUBJECT) at = copyLetters(name, 0, nameEnd, page, at);
        else if (part === SUBJECT_WORD) at = copyLetters(name, word, wordEnd, page, at);
        else if (part === OBJECT) at = writeObject(bytes[told++]!, number, page, at);
        else at = writeText(FIRST_LIST - part + bytes[told++]!, page, at);
      }
    }
    // A paragraph has no space before it.
    sheet.bytes.copyWithin(line, line + 1, at);
    sheet.end = at - 1;
  };
}

/** Lays texts of ASCII out one after another, with room at the end. */
function layOutTexts(texts: readonly string[]): { readonly letters: DataView; readonly starts: Uint32Array } {
  const starts = new Uint32Array(texts.length + 1);
  texts.forEach((text, number) => starts[number + 1] = starts[number]! + text.length);
  const letters = new Uint8Array(starts[texts.length]! + WORD_BYTES);
  new TextEncoder().encodeInto(texts.join(""), letters);
  return { letters: new DataView(letters.buffer), starts };
}

/** Letters are copied by so many, up to three more than are wanted, which the next ones are written over. */
const WORD_BYTES = 4;

/** Copies letters to a place of a page, and gives the place after them. */
function copyLetters(from: DataView, start: number, end: number, page: DataView, at: number): number {
  const shift = at - start;
  for (let place = start; place < end; place += WORD_BYTES) page.setInt32(shift + place, from.getInt32(place));
  return shift + end;
}

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
