import { countTokens, measure, type Measured } from "@/lib/text/mod.ts";
import type { Document, DocumentSet } from "./documents.ts";
import type { Materials } from "./materials.ts";

/** A document with its tokens counted. */
export interface ReadDocument {
  readonly document: Document;
  readonly measured: Measured;
  readonly tokens: number;
}

/** Documents and the lines above them, each counted once for all samples. */
export interface DocumentReader {
  read(number: number): ReadDocument;
  /** Gives the line above the document at a place from 1, with what parts it from the document before. */
  label(place: number): Measured;
}

/** Opens the reader of a set. */
export function documentReader(materials: Materials, set: DocumentSet): DocumentReader {
  const { tokenizer } = materials;
  const documents = materials.remember(`documents/${set.name}`, () => new Map<number, ReadDocument>());
  const labels = materials.remember("document labels", () => new Map<number, Measured>());
  return {
    read: (number) =>
      take(documents, number, () => {
        const document = set.document(number);
        const measured = measure(document.text, tokenizer);
        return { document, measured, tokens: countTokens(measured, tokenizer) };
      }),
    label: (place) => take(labels, place, () => measure(`${place === 1 ? "" : "\n\n"}Document ${place}:\n`, tokenizer)),
  };
}

/** A bound on memory: about 30 MB of paragraphs, more than the longest context holds. */
const MOST_REMEMBERED = 30_000;

function take<T>(known: Map<number, T>, key: number, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}
