import type { DocumentPieces, DocumentSet, Materials } from "@/lib/generators/mod.ts";
import { isCutOfAscii, measure, type Tokenizer } from "@/lib/text/mod.ts";

/** The tokens of documents that follow one another, each below its label and above a blank line. */
export interface DocumentCounts {
  /** The text of a label before its first space. */
  readonly head: string;
  /** Tokens of the labels 1 to `count`, the first word of each left out. */
  labels(count: number): number;
  /** Tokens of a document with the first word of the next label; -1 where its beginning can share a token with its label. */
  own(number: number): number;
  /** The end of a document: its last word and the blank line. */
  end(number: number): DocumentEnd;
}

/** How a document ends. */
export interface DocumentEnd {
  readonly tail: string;
  /** Tokens of the tail with the first word of the next label. */
  readonly meeting: number;
  /** Tokens of the tail by itself. */
  readonly alone: number;
}

const LABEL_WORD = "Document";

/** Counts documents once for all samples; `null` where the tokenizer does not tell lines from line breaks. */
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

/** Gives the tokens of documents where they were counted beforehand. */
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

/** Adds up the tokens of pieces, where those of documents are not known beforehand. */
function pieceCounter(set: DocumentSet, pieces: DocumentPieces, tokenizer: Tokenizer): Counter {
  const { count, textOf, titleOf, list, last } = pieces;
  const ends: (DocumentEnd | undefined)[] = [];
  const end = (number: number): DocumentEnd => {
    const piece = last(number);
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
