import type { DocumentCounts } from "./qa_counts.ts";
import type { DistractorOrder, DocumentReader } from "./qa_documents.ts";
import type { DocumentSet, FactRole, Part, Question, SeeFact } from "@/lib/generators/mod.ts";
import { type AsciiSheet, writeLazily } from "@/lib/text/mod.ts";

/** The documents of a sample. */
export interface DocumentPlaces {
  readonly set: DocumentSet;
  readonly reader: DocumentReader;
  /** Where the tokenizer allows it. */
  readonly counts: DocumentCounts | null;
  readonly question: Question;
  readonly order: DistractorOrder;
  /** The depths of the gold documents. */
  readonly depths: readonly number[];
  /** Where documents are written, and the labels above them in ASCII, from the first. */
  readonly sheet: AsciiSheet;
  readonly labels: Uint8Array[];
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

/** Puts the gold documents among the others, each at its depth: the share of the others before it. Gives their numbers. */
function mixIn(
  chosen: readonly number[],
  { question, depths, order: { depthOf, numberOf } }: DocumentPlaces,
): number[] {
  const others = chosen.toSorted((left, right) => depthOf(left) - depthOf(right)).map(numberOf);
  const targets = question.gold.map((number, which) => ({ number, depth: depths[which]! }))
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

/** The number of the document that {@linkcode mixIn} puts last. */
function lastOf(chosen: readonly number[], { question, depths, order }: DocumentPlaces): number {
  const deepest = depths.indexOf(Math.max(...depths));
  const at = Math.floor(depths[deepest]! * (chosen.length + 1));
  if (at >= chosen.length) return question.gold[deepest]!;
  let last = chosen[0]!;
  for (const other of chosen) if (order.depthOf(other) > order.depthOf(last)) last = other;
  return order.numberOf(last);
}

/** The documents as one part, whose tokens are added up from those of its documents; `null` where they do not add up. */
function countedDocuments(chosen: readonly number[], places: DocumentPlaces): Part[] | null {
  const { counts, question: { gold }, order: { numberOf } } = places;
  if (counts === null) return null;
  let inner = counts.labels(gold.length + chosen.length);
  for (const number of gold) {
    const own = counts.own(number);
    if (own < 0) return null;
    inner += own;
  }
  for (const place of chosen) {
    const own = counts.own(numberOf(place));
    if (own < 0) return null;
    inner += own;
  }
  const { tail, meeting } = counts.end(lastOf(chosen, places));
  let written: WrittenDocuments | undefined;
  const write = (): WrittenDocuments => written ??= writeDocuments(mixIn(chosen, places), places);
  const measured = writeLazily(() => write().text, { head: counts.head, tail, inner: inner - meeting });
  return [{ measured, seeFacts: (see, wanted) => seeDocuments(write(), { places, counts, see, wanted }) }];
}

/** Documents as they are written. */
interface WrittenDocuments {
  readonly text: string;
  readonly numbers: readonly number[];
  /** Where each document begins and ends, its label left out, in characters. */
  readonly bounds: readonly number[];
}

function writeDocuments(
  numbers: readonly number[],
  { set: { document, pieces }, sheet, labels }: DocumentPlaces,
): WrittenDocuments {
  const bounds: number[] = [];
  if (pieces !== undefined) {
    sheet.end = 0;
    numbers.forEach((number, index) => {
      sheet.copy(labels[index] ??= encoder.encode(labelOf(index + 1)));
      bounds.push(sheet.end);
      pieces.write(number, sheet);
      bounds.push(sheet.end);
      sheet.copy(BLANK_LINE);
    });
    return { text: sheet.read(), numbers, bounds };
  }
  let text = "";
  numbers.forEach((number, index) => {
    text += labelOf(index + 1);
    bounds.push(text.length);
    text += document(number).text;
    bounds.push(text.length);
    text += "\n\n";
  });
  return { text, numbers, bounds };
}

const encoder = new TextEncoder();
const BLANK_LINE = encoder.encode("\n\n");
function labelOf(place: number): string {
  return `Document ${place}:\n`;
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
    const own = counts.own(number);
    const from = tokens + counts.labels(index + 1) - counts.labels(index);
    tokens = from + own;
    if (wanted !== undefined && wanted !== roleOf(number, places)) return;
    const { meeting, alone } = counts.end(number);
    const title = pieces === undefined ? document(number).title : pieces.titleOf(number);
    const fact = factOf(number, { title, text: text.slice(bounds[2 * index], bounds[2 * index + 1]), index, places });
    see(fact, from, tokens - meeting + alone);
  });
}

function factOf(
  number: number,
  { title, text, index, places }: {
    readonly title: string;
    readonly text: string;
    readonly index: number;
    readonly places: DocumentPlaces;
  },
): NonNullable<Part["fact"]> {
  const role = roleOf(number, places);
  const value = role === "target" ? places.question.answers[0]! : "";
  return { role, text, key: title === "" ? `Document ${index + 1}` : title, value };
}

function roleOf(number: number, { question, order }: DocumentPlaces): FactRole {
  if (question.gold.includes(number)) return "target";
  return order.isNear(number) ? "distractor" : "noise";
}

/** The documents as parts of their own. */
function dressDocuments(numbers: readonly number[], places: DocumentPlaces): Part[] {
  const { reader } = places;
  return numbers.flatMap((number, index): Part[] => {
    const { title, text, measured } = reader.read(number);
    const fact = factOf(number, { title, text, index, places });
    return [{ measured: reader.label(index + 1) }, { measured, fact }];
  });
}
