import { sumTokens } from "./word_lists.ts";
import type {
  DocumentPieces,
  DocumentSet,
  FactRole,
  Materials,
  Part,
  PartFact,
  Question,
  SeeFact,
} from "@/lib/generators/mod.ts";
import { permutation, shuffle, stream } from "@/lib/random/mod.ts";
import {
  countTokens,
  isCutOfAscii,
  join,
  measure,
  type Measured,
  type Tokenizer,
  writeLazily,
} from "@/lib/text/mod.ts";

/** The documents that do not answer the question, in the order in which they fill a prompt. */
interface DistractorOrder {
  readonly isEmpty: boolean;
  numberOf(place: number): number;
  /** The sort key in [0, 1) of a listed place within a prompt. */
  depthOf(place: number): number;
  isNear(number: number): boolean;
  first(count: number): readonly number[];
}

/** Orders distractors: near ones first, then all others, then all of them repeatedly. */
export function distractorOrder(
  { documentCount }: DocumentSet,
  { questions, path }: { readonly questions: readonly Question[]; readonly path: readonly (string | number)[] },
): DistractorOrder {
  const gold = new Set(questions.flatMap((question) => question.gold));
  const draw = stream(...path, "distractors");
  const nearAny = new Set(questions.flatMap((question) => question.near));
  const numbers = shuffle(draw, [...nearAny].filter((number) => !gold.has(number)));
  const near = new Set(numbers);
  const places: number[] = [];
  const depths: number[] = [];
  let round = 0;
  let taken = 0;
  let shuffled: ((place: number) => number) | undefined;
  const drawNext = (): number => {
    for (;;) {
      if (taken === documentCount) [round, taken, shuffled] = [round + 1, 0, undefined];
      shuffled ??= permutation([...path, "documents", round], documentCount);
      const number = shuffled(taken++);
      if (!gold.has(number) && (round > 0 || !near.has(number))) return number;
    }
  };
  return {
    isEmpty: gold.size >= documentCount,
    numberOf(place): number {
      while (place >= numbers.length) numbers.push(drawNext());
      return numbers[place]!;
    },
    depthOf: (place) => depths[place]!,
    isNear: (number) => near.has(number),
    first(count): readonly number[] {
      for (let place = places.length; place < count; place++) {
        depths.push(draw());
        places.push(place);
      }
      return places.slice(0, count);
    },
  };
}

interface ReadDocument {
  readonly title: string;
  readonly text: string;
  /** Includes the blank line after the text: one token can hold the end of the text and new lines. */
  readonly measured: Measured;
}

/** Documents and the labels above them, each counted once for all samples. */
interface DocumentReader {
  read(number: number): ReadDocument;
  /** The line above the document at a place, from 1. */
  label(place: number): Measured;
  /**
   * Counts the tokens that a document adds between others, its label included. Alone it can have fewer: in some encodings a
   * blank line is one token at the end of a text and two before words.
   */
  cost(number: number, place: number): number;
}

export function documentReader(materials: Materials, set: DocumentSet): DocumentReader {
  const { tokenizer } = materials;
  const documents = materials.remember(`documents/${set.name}`, () => new Map<number, ReadDocument>());
  const labels = materials.remember("document labels", () => new Map<number, Measured>());
  const read = (number: number): ReadDocument =>
    take(documents, number, () => {
      const { title, text } = set.document(number);
      const measured = measure(`${text}\n\n`, tokenizer);
      // A slice shares memory with the text.
      return { title, text: measured.text.slice(0, -2), measured };
    });
  const label = (place: number): Measured => take(labels, place, () => measure(`Document ${place}:\n`, tokenizer));
  return {
    read,
    label,
    cost(number, place): number {
      const line = label(place);
      const between = join([line, read(number).measured, line], tokenizer);
      return countTokens(between, tokenizer) - countTokens(line, tokenizer);
    },
  };
}

/** A bound on memory: about 20 MB of paragraphs, more than the longest context. */
const MAX_CACHED = 20_000;

function take<T>(known: Map<number, T>, key: number, make: () => T): T {
  if (known.size >= MAX_CACHED && !known.has(key)) known.clear();
  return known.getOrInsertComputed(key, make);
}

interface DocumentPlaces {
  readonly set: DocumentSet;
  readonly reader: DocumentReader;
  /** `null` if the tokenizer does not allow it. */
  readonly counts: DocumentCounts | null;
  readonly questions: readonly Question[];
  readonly gold: readonly number[];
  readonly order: DistractorOrder;
  readonly depths: readonly number[];
}

/**
 * Puts the gold documents among others, each below its label.
 *
 * @param chosen The others, by their places in the order.
 */
export function layOutDocuments(chosen: readonly number[], places: DocumentPlaces): readonly Part[] {
  return countedDocuments(chosen, places) ?? dressDocuments(mixIn(chosen, places), places);
}

/** Counts the tokens that a document adds at a place, from 1, its label included. */
export function documentCost(
  number: number,
  place: number,
  { counts, reader }: Pick<DocumentPlaces, "counts" | "reader">,
): number {
  const own = counts?.own(number) ?? -1;
  return counts === null || own < 0
    ? reader.cost(number, place)
    : counts.labels(place) - counts.labels(place - 1) + own;
}

/** Returns the numbers of all documents, each gold one at its depth: the share of the others before it. */
function mixIn(chosen: readonly number[], { gold, depths, order: { depthOf, numberOf } }: DocumentPlaces): number[] {
  const others = chosen.toSorted((left, right) => depthOf(left) - depthOf(right)).map(numberOf);
  const targets = gold.map((number, which) => ({ number, depth: depths[which]! }))
    .sort((left, right) => left.depth - right.depth);
  const mixed: number[] = [];
  let taken = 0;
  for (const { number, depth } of targets) {
    const at = Math.floor(depth * (others.length + 1));
    while (taken < at) mixed.push(others[taken++]!);
    mixed.push(number);
  }
  while (taken < others.length) mixed.push(others[taken++]!);
  return mixed;
}

/** Returns the number of the last document of {@linkcode mixIn}. */
function lastOf(chosen: readonly number[], { gold, depths, order }: DocumentPlaces): number {
  const deepest = depths.indexOf(Math.max(...depths));
  const at = Math.floor(depths[deepest]! * (chosen.length + 1));
  if (at >= chosen.length) return gold[deepest]!;
  let last = chosen[0]!;
  for (const other of chosen) if (order.depthOf(other) > order.depthOf(last)) last = other;
  return order.numberOf(last);
}

/** Returns the documents as one part with the total of their tokens; `null` if the counts do not add up. */
function countedDocuments(chosen: readonly number[], places: DocumentPlaces): Part[] | null {
  const { counts, gold, order: { numberOf } } = places;
  if (counts === null) return null;
  let inner = counts.labels(gold.length + chosen.length);
  const add = (number: number): boolean => {
    const own = counts.own(number);
    inner += own;
    return own >= 0;
  };
  if (!gold.every(add) || !chosen.every((place) => add(numberOf(place)))) return null;
  const { tail, meeting } = counts.end(lastOf(chosen, places));
  let written: WrittenDocuments | undefined;
  const write = (): WrittenDocuments => written ??= writeDocuments(mixIn(chosen, places), places);
  const measured = writeLazily(() => write().text, { head: counts.head, tail, inner: inner - meeting });
  return [{ measured, seeFacts: (see, wanted) => seeDocuments(write(), { places, counts, see, wanted }) }];
}

interface WrittenDocuments {
  readonly text: string;
  readonly numbers: readonly number[];
  /** The start and end of each document without its label, in characters. */
  readonly bounds: readonly number[];
}

function writeDocuments(numbers: readonly number[], { set: { document } }: DocumentPlaces): WrittenDocuments {
  const bounds: number[] = [];
  const texts: string[] = [];
  let end = 0;
  numbers.forEach((number, index) => {
    const label = `Document ${index + 1}:\n`;
    const { text } = document(number);
    texts.push(label, text, "\n\n");
    bounds.push(end + label.length, end + label.length + text.length);
    end += label.length + text.length + 2;
  });
  return { text: texts.join(""), numbers, bounds };
}

function seeDocuments(
  { text, numbers, bounds }: WrittenDocuments,
  { places, counts, see, wanted }: {
    readonly places: DocumentPlaces;
    readonly counts: DocumentCounts;
    readonly see: SeeFact;
    readonly wanted: FactRole | undefined;
  },
): void {
  const { document, pieces } = places.set;
  // The first cut lies after the first word of the first label.
  let tokens = 0;
  numbers.forEach((number, index) => {
    const from = tokens + counts.labels(index + 1) - counts.labels(index);
    tokens = from + counts.own(number);
    if (wanted !== undefined && wanted !== roleOf(number, places)) return;
    const { meeting, alone } = counts.end(number);
    const title = pieces === undefined ? document(number).title : pieces.titleOf(number);
    const own = text.slice(bounds[2 * index], bounds[2 * index + 1]);
    see(factOf(number, { title, text: own, index }, places), from, tokens - meeting + alone);
  });
}

function factOf(
  number: number,
  { title, text, index }: { readonly title: string; readonly text: string; readonly index: number },
  places: DocumentPlaces,
): PartFact {
  const role = roleOf(number, places);
  const fact = { role, text, key: title === "" ? `Document ${index + 1}` : title, value: "" };
  if (role !== "target") return fact;
  const own = places.questions.flatMap(({ gold, answers }, question): [number, string][] =>
    gold.includes(number) ? [[question, answers[0]!]] : []
  );
  return { ...fact, answers: Object.fromEntries(own) };
}

function roleOf(number: number, { gold, order }: DocumentPlaces): FactRole {
  if (gold.includes(number)) return "target";
  return order.isNear(number) ? "distractor" : "noise";
}

function dressDocuments(numbers: readonly number[], places: DocumentPlaces): Part[] {
  const { reader } = places;
  return numbers.flatMap((number, index): Part[] => {
    const document = reader.read(number);
    const fact = factOf(number, { ...document, index }, places);
    return [{ measured: reader.label(index + 1) }, { measured: document.measured, fact }];
  });
}

/** The tokens of successive documents, each between its label and a blank line. */
interface DocumentCounts {
  /** The text of a label before its first space. */
  readonly head: string;
  /** Tokens of the labels 1 to `count`, without the first word of each. */
  labels(count: number): number;
  /** Tokens of a document with the first word of the next label; -1 if its beginning can share a token with its label. */
  own(number: number): number;
  /** The end of a document: its last word and the blank line. */
  end(number: number): DocumentEnd;
}

interface DocumentEnd {
  readonly tail: string;
  /** Tokens of the tail with the first word of the next label. */
  readonly meeting: number;
  /** Tokens of the tail alone. */
  readonly alone: number;
}

const LABEL_WORD = "Document";

/** Counts documents once for all samples; `null` if the tokenizer does not separate lines from line breaks. */
export function documentCounts(materials: Materials, set: DocumentSet): DocumentCounts | null {
  const { tokenizer } = materials;
  if (tokenizer.ascii === undefined && !(tokenizer.cutsLines && cutsLabels(tokenizer))) return null;
  return materials.remember(`document counts/${set.name}`, () => {
    const { pieces } = set;
    const { own, end } = pieces && tokenizer.ascii ? pieceCounter(pieces, tokenizer) : textCounter(set, tokenizer);
    const known = pieces?.tokens(tokenizer);
    const label = tokenizer.countAfterCut(LABEL_WORD);
    const counted = new Int32Array(set.documentCount);
    return {
      head: LABEL_WORD,
      labels: sumTokens((label) => ` ${label}:\n`, tokenizer),
      own: known === undefined ? (number) => counted[number] ||= own(number) : (number) => known(number) + label,
      end,
    };
  });
}

/** Whether each label has a safe cut after its first word. */
function cutsLabels({ isCut }: Tokenizer): boolean {
  return [..."123456789"].every((digit) => isCut(LABEL_WORD + " " + digit, LABEL_WORD.length));
}

type Counter = Pick<DocumentCounts, "own" | "end">;

function textCounter(set: DocumentSet, tokenizer: Tokenizer): Counter {
  const ends = new Map<string, DocumentEnd>();
  const endsOf: (DocumentEnd | undefined)[] = new Array(set.documentCount).fill(undefined);
  const measureOne = (number: number): ReturnType<typeof measure> => {
    const measured = measure(`${set.document(number).text}\n\n`, tokenizer);
    const { tail } = measured;
    const end = ends.get(tail) ?? endOf(tail, tokenizer);
    ends.set(tail, end);
    endsOf[number] = end;
    return measured;
  };
  const end = (number: number): DocumentEnd => {
    if (endsOf[number] === undefined) measureOne(number);
    return endsOf[number]!;
  };
  const own = (number: number): number => {
    const { head, inner } = measureOne(number);
    if (inner < 0 || !isCutOfAscii(`:\n${head}`, 2)) return -1;
    return tokenizer.countAfterCut(head) + inner + end(number).meeting;
  };
  return { own, end };
}

function endOf(tail: string, tokenizer: Tokenizer): DocumentEnd {
  const [meeting, alone] = [tokenizer.countAfterCut(tail + LABEL_WORD), tokenizer.countAfterCut(tail)];
  return { tail, meeting, alone };
}

function pieceCounter({ count, textOf, titleOf, list }: DocumentPieces, tokenizer: Tokenizer): Counter {
  const ends: (DocumentEnd | undefined)[] = [];
  const end = (number: number): DocumentEnd => {
    const piece = list(number).at(-1)!;
    return ends[piece] ??= endOf(`${textOf(piece)}\n\n`, tokenizer);
  };
  const inside = new Uint8Array(count);
  const first = new Uint8Array(count);
  const own = (number: number): number => {
    const pieces = list(number);
    const title = titleOf(number);
    let tokens = title === "" ? 0 : tokenizer.countAfterCut(`${title}\n`);
    tokens += first[pieces[0]!] ||= tokenizer.countAfterCut(textOf(pieces[0]!).slice(1));
    for (const piece of pieces.slice(1, -1)) tokens += inside[piece] ||= tokenizer.countAfterCut(textOf(piece));
    return tokens + end(number).meeting;
  };
  return { own, end };
}
