import { countTokens, join, measure, type Measured } from "@/lib/text/mod.ts";
import type { DocumentSet } from "../documents/documents.ts";
import type { Materials } from "../materials.ts";

/** A document, measured. */
export interface ReadDocument {
  readonly title: string;
  readonly text: string;
  /** The text with the blank line after it: end of text and new lines can be one token. */
  readonly measured: Measured;
}

/** Documents and the lines above them, each counted once for all samples. */
export interface DocumentReader {
  read(number: number): ReadDocument;
  /** Gives the line above the document at a place, from 1. */
  label(place: number): Measured;
  /**
   * Counts the tokens that a document adds among others, the line above it included.
   *
   * By itself a document can have fewer: a blank line is one token at the end of a text, and in some encodings two where
   * words follow.
   */
  cost(number: number, place: number): number;
}

/** Opens the reader of a set. */
export function documentReader(materials: Materials, set: DocumentSet): DocumentReader {
  const { tokenizer } = materials;
  const documents = materials.remember(`documents/${set.name}`, () => new Map<number, ReadDocument>());
  const labels = materials.remember("document labels", () => new Map<number, Measured>());
  const read = (number: number): ReadDocument =>
    take(documents, number, () => {
      const { title, text } = set.document(number);
      const measured = measure(`${text}\n\n`, tokenizer);
      // A slice, so that the text is held once.
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

/** A bound on memory: about 20 MB of paragraphs, more than the longest context holds. */
const MOST_REMEMBERED = 20_000;

function take<T>(known: Map<number, T>, key: number, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}
