import type { DistractorOrder, DocumentReader } from "./qa_documents.ts";
import type {
  DocumentPieces,
  DocumentSet,
  FactRole,
  Materials,
  Part,
  Question,
  SeeFact,
} from "@/lib/generators/mod.ts";
import { isCutOfAscii, measure, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

/** The documents of a sample. */
export interface DocumentPlaces {
  readonly set: DocumentSet;
  readonly reader: DocumentReader;
  /** `null` if the tokenizer does not allow it. */
  readonly counts: DocumentCounts | null;
  readonly question: Question;
  readonly order: DistractorOrder;
  /** The depths of the gold documents. */
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

/** Returns the number of the last document of {@linkcode mixIn}. */
function lastOf(chosen: readonly number[], { question, depths, order }: DocumentPlaces): number {
  const deepest = depths.indexOf(Math.max(...depths));
  const at = Math.floor(depths[deepest]! * (chosen.length + 1));
  if (at >= chosen.length) return question.gold[deepest]!;
  let last = chosen[0]!;
  for (const other of chosen) if (order.depthOf(other) > order.depthOf(last)) last = other;
  return order.numberOf(last);
}

/** Returns the documents as one part with the total of their tokens; `null` if the counts do not add up. */
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

/** The text of documents. */
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

/** Returns each document as a part. */
function dressDocuments(numbers: readonly number[], places: DocumentPlaces): Part[] {
  const { reader } = places;
  return numbers.flatMap((number, index): Part[] => {
    const { title, text, measured } = reader.read(number);
    const fact = factOf(number, { title, text, index, places });
    return [{ measured: reader.label(index + 1) }, { measured, fact }];
  });
}

/** The tokens of successive documents, each between its label and a blank line. */
export interface DocumentCounts {
  /** The text of a label before its first space. */
  readonly head: string;
  /** Tokens of the labels 1 to `count`, without the first word of each. */
  labels(count: number): number;
  /** Tokens of a document with the first word of the next label; -1 if its beginning can share a token with its label. */
  own(number: number): number;
  /** The end of a document: its last word and the blank line. */
  end(number: number): DocumentEnd;
}

/** The end of a document. */
export interface DocumentEnd {
  readonly tail: string;
  /** Tokens of the tail with the first word of the next label. */
  readonly meeting: number;
  /** Tokens of the tail by itself. */
  readonly alone: number;
}

const LABEL_WORD = "Document";

/** Counts documents once for all samples; `null` if the tokenizer does not separate lines from line breaks. */
export function documentCounts(materials: Materials, set: DocumentSet): DocumentCounts | null {
  const { tokenizer } = materials;
  if (tokenizer.ascii === undefined && !(tokenizer.cutsLines && cutsLabels(tokenizer))) return null;
  return materials.remember(`document counts/${set.name}`, () => {
    const labelSums = [0];
    const labels = (count: number): number => {
      for (let label = labelSums.length; label <= count; label++) {
        labelSums.push(labelSums[label - 1]! + tokenizer.countAfterCut(` ${label}:\n`));
      }
      return labelSums[count]!;
    };
    return {
      head: LABEL_WORD,
      labels,
      ...(set.pieces && tokenizer.ascii ? pieceCounter(set, set.pieces, tokenizer) : textCounter(set, tokenizer)),
    };
  });
}

/** Whether each label has a safe cut after its first word. */
function cutsLabels({ isCut }: Tokenizer): boolean {
  return [..."123456789"].every((digit) => isCut(LABEL_WORD + " " + digit, LABEL_WORD.length));
}

type Counter = Pick<DocumentCounts, "own" | "end">;

/** Counts each document once. */
function rememberCounts({ documentCount }: DocumentSet, own: Counter["own"]): Counter["own"] {
  const known = new Int32Array(documentCount);
  return (number) => known[number] ||= own(number);
}

/** Returns the precomputed token counts of documents, if there are any. */
function knownCounter({ pieces }: DocumentSet, tokenizer: Tokenizer): Counter["own"] | undefined {
  const known = pieces?.tokens(tokenizer);
  if (known === undefined) return undefined;
  const label = tokenizer.countAfterCut(LABEL_WORD);
  return (number) => known(number) + label;
}

/** Counts documents by their whole texts. */
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
  const known = knownCounter(set, tokenizer);
  return {
    own: known ?? rememberCounts(set, (number) => {
      const { head, inner } = measureOne(number);
      if (inner < 0 || !isCutOfAscii(`:\n${head}`, 2)) return -1;
      return tokenizer.countAfterCut(head) + inner + end(number).meeting;
    }),
    end,
  };
}

function endOf(tail: string, tokenizer: Tokenizer): DocumentEnd {
  const [meeting, alone] = [tokenizer.countAfterCut(tail + LABEL_WORD), tokenizer.countAfterCut(tail)];
  return { tail, meeting, alone };
}

/** Adds up the tokens of pieces, if those of documents are not precomputed. */
function pieceCounter(set: DocumentSet, pieces: DocumentPieces, tokenizer: Tokenizer): Counter {
  const { count, textOf, titleOf, list } = pieces;
  const ends: (DocumentEnd | undefined)[] = [];
  const end = (number: number): DocumentEnd => {
    const piece = list(number).at(-1)!;
    return ends[piece] ??= endOf(`${textOf(piece)}\n\n`, tokenizer);
  };
  const known = knownCounter(set, tokenizer);
  if (known !== undefined) return { end, own: known };
  const inside = new Uint8Array(count);
  const first = new Uint8Array(count);
  return {
    end,
    own: rememberCounts(set, (number) => {
      const pieces = list(number);
      const title = titleOf(number);
      let tokens = title === "" ? 0 : tokenizer.countAfterCut(`${title}\n`);
      tokens += first[pieces[0]!] ||= tokenizer.countAfterCut(textOf(pieces[0]!).slice(1));
      for (let place = 1; place < pieces.length - 1; place++) {
        const piece = pieces[place]!;
        tokens += inside[piece] ||= tokenizer.countAfterCut(textOf(piece));
      }
      return tokens + end(number).meeting;
    }),
  };
}
