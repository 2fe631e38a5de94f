import { createHash } from "node:crypto";
import { ENTITY_COUNT, ROLES } from "./world_graph.ts";
import { PADDING, SLOT_WORDS } from "./world_phrases.ts";
import { RELATIONS } from "./world_relations.ts";

/** A paragraph as bytes: for each sentence the number of its phrase, then the filling of each slot. */
export type ParagraphCode = ArrayLike<number>;

/** A world as it is packed. */
export interface EncodedWorld {
  /** The codes of all paragraphs, by number. */
  readonly codes: readonly ParagraphCode[];
  /** Token counts by the name of a tokenizer. */
  readonly counts: ReadonlyMap<string, WorldCounts>;
}

/** The tokens of each paragraph with the blank line after it, and of each title with its line break. */
export interface WorldCounts {
  readonly paragraphs: Uint8Array;
  readonly titles: Uint8Array;
}

/** A world as it is read: its codes are in one array. */
interface PackedWorld extends Pick<EncodedWorld, "counts"> {
  readonly code: Uint8Array;
  /** The bytes of each paragraph's code. */
  readonly lengths: Uint8Array;
}

const HASH_BYTES = 32;

/** The seed of a world and the texts of its names, which its hash covers. */
interface WorldNamed {
  readonly seed: string;
  readonly names: readonly string[];
}

/** Packs a world as bytes: a hash, the names of the tokenizers up to a zero, the lengths, the counts, the codes. */
export function packWorld({ codes, counts }: EncodedWorld, world: WorldNamed): Uint8Array {
  const names = new TextEncoder().encode(`${[...counts.keys()].join(" ")}\0`);
  const lists = [...counts.values()].flatMap(({ paragraphs, titles }) => [paragraphs, titles]);
  const lengths = codes.map(({ length }) => length);
  const parts = [new Uint8Array(HASH_BYTES), names, lengths, ...lists, ...codes];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(hashOf(bytes, world));
  return bytes;
}

/** Unpacks the bytes of {@linkcode packWorld}; `undefined` if a byte, the seed or a text of the world has changed. */
export function unpackWorld(bytes: Uint8Array, world: WorldNamed): PackedWorld | undefined {
  const hash = hashOf(bytes, world);
  if (hash.some((byte, at) => byte !== bytes[at])) return undefined;
  const namesEnd = bytes.indexOf(0, HASH_BYTES);
  const names = new TextDecoder().decode(bytes.subarray(HASH_BYTES, namesEnd));
  let at = namesEnd + 1;
  const take = (): Uint8Array => bytes.subarray(at, at += ENTITY_COUNT);
  const lengths = take();
  const tokenizers = names === "" ? [] : names.split(" ");
  const counts = new Map(tokenizers.map((name) => [name, { paragraphs: take(), titles: take() }]));
  return { lengths, counts, code: bytes.subarray(at) };
}

/** Returns a function that gives the code of a paragraph: from a packed world if there is one, otherwise drawn once. */
export function paragraphCodes(
  unpack: () => PackedWorld | undefined,
  encode: (number: number) => readonly number[],
): (number: number) => ParagraphCode {
  const drawn = new Map<number, Uint8Array>();
  let ends: Uint32Array | undefined;
  return (number) => {
    const packed = unpack();
    if (packed === undefined) return drawn.getOrInsertComputed(number, () => Uint8Array.from(encode(number)));
    let end = 0;
    ends ??= Uint32Array.from(packed.lengths, (length) => end += length);
    return packed.code.subarray(ends[number]! - packed.lengths[number]!, ends[number]);
  };
}

/** Packs counts as bytes; no bytes if there are no counts. */
export function packCounts(counts: WorldCounts | undefined): Uint8Array {
  const bytes = new Uint8Array(counts === undefined ? 0 : 2 * ENTITY_COUNT);
  if (counts === undefined) return bytes;
  bytes.set(counts.paragraphs);
  bytes.set(counts.titles, ENTITY_COUNT);
  return bytes;
}

/** Unpacks the bytes of {@linkcode packCounts}. */
export function unpackCounts(bytes: Uint8Array): WorldCounts | undefined {
  if (bytes.length !== 2 * ENTITY_COUNT) return undefined;
  return { paragraphs: bytes.subarray(0, ENTITY_COUNT), titles: bytes.subarray(ENTITY_COUNT) };
}

/** Hashes the bytes after the hash, and everything that paragraphs are made of. */
function hashOf(bytes: Uint8Array, { seed, names }: WorldNamed): Uint8Array {
  const made = JSON.stringify([seed, names, ENTITY_COUNT, ROLES, RELATIONS, PADDING, SLOT_WORDS]);
  return createHash("sha256").update(made).update(bytes.subarray(HASH_BYTES)).digest();
}
