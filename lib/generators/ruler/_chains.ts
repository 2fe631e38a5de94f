import { type Draw, integer } from "@/lib/random/mod.ts";
import type { FactRole } from "../sample.ts";

/** Variables that get one value: the first from a number, each of the others from the one before it. */
export interface Chain {
  readonly role: FactRole;
  readonly names: readonly string[];
  readonly value: string;
  /** Where each assignment stands, as a share of the noise, in order. */
  readonly depths: readonly number[];
}

/**
 * Makes names of upper-case letters, never one that is part of another or of the prompt's own words. The reference checks
 * none of it, so that two of its names can be equal or be found in one another.
 *
 * @param prompt The words that stand round the names.
 * @returns A function that makes a name of so many letters, at least 3.
 */
export function variableNames(draw: Draw, prompt: string): (letters: number) => string {
  const shouted = prompt.toUpperCase();
  const used = new Set<string>();
  const piecesOfUsed = new Set<string>();
  return (letters) => {
    for (;;) {
      const name = drawLetters(draw, letters);
      const pieces = listPieces(name);
      if (piecesOfUsed.has(name) || pieces.some((piece) => used.has(piece)) || shouted.includes(name)) continue;
      used.add(name);
      for (const piece of pieces) piecesOfUsed.add(piece);
      return name;
    }
  };
}

function drawLetters(draw: Draw, letters: number): string {
  return String.fromCharCode(...Array.from({ length: letters }, () => integer(draw, { low: 65, high: 90 })));
}

/** Lists all parts of at least 3 letters, the whole name included. */
function listPieces(name: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start + 3 <= name.length; start++) {
    for (let end = start + 3; end <= name.length; end++) pieces.push(name.slice(start, end));
  }
  return pieces;
}

/** Makes whole numbers of five digits, 99999 excluded as in the reference, never the same twice. */
export function chainValues(draw: Draw): () => string {
  const used = new Set<number>();
  return () => {
    for (;;) {
      const value = integer(draw, { low: 10_000, high: 99_998 });
      if (used.has(value)) continue;
      used.add(value);
      return String(value);
    }
  };
}
