import type { DocumentCounts } from "./qa_counts.ts";
import type { Distractor, DocumentReader } from "./qa_documents.ts";
import type { DocumentSet, Part, Question, SeeFact } from "@/lib/generators/mod.ts";
import type { Measured } from "@/lib/text/mod.ts";

/** The documents of a sample. */
export interface DocumentPlaces {
  readonly set: DocumentSet;
  readonly reader: DocumentReader;
  /** Where the tokenizer allows it. */
  readonly counts: DocumentCounts | null;
  readonly question: Question;
  /** The depths of the gold documents. */
  readonly depths: readonly number[];
}

/** Puts the gold documents among others, each below its label. */
export function layOutDocuments(distractors: readonly Distractor[], places: DocumentPlaces): readonly Part[] {
  return countedDocuments(distractors, places) ?? dressDocuments(mixIn(distractors, places), places);
}

/** Counts the tokens that a document adds at a place, from 1, its label included. */
export function documentCost(number: number, place: number, { counts, reader }: DocumentPlaces): number {
  const own = counts?.own(number) ?? -1;
  return counts === null || own < 0
    ? reader.cost(number, place)
    : counts.labels(place) - counts.labels(place - 1) + own;
}

interface Placed {
  readonly number: number;
  readonly role: "target" | "distractor" | "noise";
}

/** Puts the gold documents among the others, each at its depth: the share of the others before it. */
function mixIn(distractors: readonly Distractor[], { question, depths }: DocumentPlaces): Placed[] {
  const others = distractors.toSorted((left, right) => left.place - right.place)
    .map(({ number, isNear }): Placed => ({ number, role: isNear ? "distractor" : "noise" }));
  const targets = question.gold.map((number, which) => ({ number, depth: depths[which]! }))
    .sort((left, right) => left.depth - right.depth);
  const mixed: Placed[] = [];
  let taken = 0;
  for (const { number, depth } of targets) {
    const at = Math.floor(depth * (others.length + 1));
    while (taken < at) mixed.push(others[taken++]!);
    mixed.push({ number, role: "target" });
  }
  while (taken < others.length) mixed.push(others[taken++]!);
  return mixed;
}

/** The number of the document that {@linkcode mixIn} puts last. */
function lastOf(distractors: readonly Distractor[], { question, depths }: DocumentPlaces): number {
  const deepest = depths.indexOf(Math.max(...depths));
  const at = Math.floor(depths[deepest]! * (distractors.length + 1));
  if (at >= distractors.length) return question.gold[deepest]!;
  return distractors.reduce((last, other) => other.place > last.place ? other : last).number;
}

/** The documents as one part, whose tokens are added up from those of its documents; `null` where they do not add up. */
function countedDocuments(distractors: readonly Distractor[], places: DocumentPlaces): Part[] | null {
  const { counts, question: { gold } } = places;
  if (counts === null) return null;
  let inner = counts.labels(gold.length + distractors.length);
  for (const number of gold) {
    const own = counts.own(number);
    if (own < 0) return null;
    inner += own;
  }
  for (const { number } of distractors) {
    const own = counts.own(number);
    if (own < 0) return null;
    inner += own;
  }
  const { tail, meeting } = counts.end(lastOf(distractors, places));
  const written = writeOnce(() => mixIn(distractors, places), places.set);
  const measured: Measured = {
    head: counts.head,
    tail,
    inner: inner - meeting,
    get text(): string {
      return written().text;
    },
  };
  return [{ measured, seeFacts: (see) => seeDocuments(written(), { places, counts, see }) }];
}

/** Documents as they are written. */
interface WrittenDocuments {
  readonly text: string;
  readonly documents: readonly (Placed & {
    readonly title: string;
    /** Characters before its text, and those of its text. */
    readonly start: number;
    readonly length: number;
  })[];
}

/** Writes documents below their labels when they are first read. */
function writeOnce(place: () => readonly Placed[], set: DocumentSet): () => WrittenDocuments {
  let written: WrittenDocuments | undefined;
  return () => written ??= writeDocuments(place(), set);
}

function writeDocuments(placed: readonly Placed[], set: DocumentSet): WrittenDocuments {
  const pieces: string[] = [];
  let start = 0;
  const documents = placed.map(({ number, role }, index) => {
    const { title, text } = set.document(number);
    const label = labelOf(index + 1);
    pieces.push(label, text, "\n\n");
    const from = start + label.length;
    start = from + text.length + 2;
    return { number, role, title, start: from, length: text.length };
  });
  return { text: pieces.join(""), documents };
}

function labelOf(place: number): string {
  return `Document ${place}:\n`;
}

function seeDocuments(
  { text, documents }: WrittenDocuments,
  { places: { question }, counts, see }: {
    readonly places: DocumentPlaces;
    readonly counts: DocumentCounts;
    readonly see: SeeFact;
  },
): void {
  // The first cut lies after the first word of the first label.
  let tokens = 0;
  documents.forEach(({ number, role, title, start, length }, index) => {
    const own = counts.own(number);
    const from = tokens + counts.labels(index + 1) - counts.labels(index);
    const { meeting, alone } = counts.end(number);
    const key = title === "" ? `Document ${index + 1}` : title;
    const value = role === "target" ? question.answers[0]! : "";
    see({ role, text: text.slice(start, start + length), key, value }, from, from + own - meeting + alone);
    tokens = from + own;
  });
}

/** The documents as parts of their own. */
function dressDocuments(placed: readonly Placed[], { reader, question }: DocumentPlaces): Part[] {
  return placed.flatMap(({ number, role }, index): Part[] => {
    const { title, text, measured } = reader.read(number);
    const key = title === "" ? `Document ${index + 1}` : title;
    const value = role === "target" ? question.answers[0]! : "";
    return [{ measured: reader.label(index + 1) }, { measured, fact: { role, text, key, value } }];
  });
}
