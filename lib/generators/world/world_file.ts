import { createHash } from "node:crypto";
import { ENTITY_COUNT, ROLES } from "./world_graph.ts";
import { PADDING, SLOT_WORDS } from "./world_phrases.ts";
import { RELATIONS } from "./world_relations.ts";

/** The paragraphs of a world as they are told, and their tokens. */
export interface ToldWorld {
  /** All tellings, one after another. */
  readonly tellings: Uint8Array;
  /** The bytes of each telling. */
  readonly lengths: Uint8Array;
  /** By the name of a tokenizer. */
  readonly counts: ReadonlyMap<string, WorldCounts>;
}

/** The tokens of each paragraph of a world with a blank line between it and a word, and of each title with its line break. */
export interface WorldCounts {
  readonly paragraphs: Uint8Array;
  readonly titles: Uint8Array;
}

const HASH_BYTES = 32;

/** The world that is packed: its seed, and what names are written with. */
interface WorldNamed {
  readonly seed: string;
  readonly names: readonly string[];
}

/** Packs a told world as bytes: a hash, the names of the tokenizers up to a zero, the lengths, the tokens, the tellings. */
export function packWorld({ tellings, lengths, counts }: ToldWorld, world: WorldNamed): Uint8Array {
  const names = new TextEncoder().encode(`${[...counts.keys()].join(" ")}\0`);
  const lists = [...counts.values()].flatMap(({ paragraphs, titles }) => [paragraphs, titles]);
  const parts = [names, lengths, ...lists, tellings];
  const bytes = new Uint8Array(HASH_BYTES + parts.reduce((sum, part) => sum + part.length, 0));
  let at = HASH_BYTES;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(hashOf(bytes, world));
  return bytes;
}

/** Unpacks what {@linkcode packWorld} packed; `undefined` where a byte, the seed or a text of the world has changed. */
export function unpackWorld(bytes: Uint8Array, world: WorldNamed): ToldWorld | undefined {
  const hash = hashOf(bytes, world);
  if (hash.some((byte, at) => byte !== bytes[at])) return undefined;
  const namesEnd = bytes.indexOf(0, HASH_BYTES);
  const names = new TextDecoder().decode(bytes.subarray(HASH_BYTES, namesEnd));
  let at = namesEnd + 1;
  const take = (): Uint8Array => bytes.subarray(at, at += ENTITY_COUNT);
  const lengths = take();
  const tokenizers = names === "" ? [] : names.split(" ");
  const counts = new Map(tokenizers.map((name) => [name, { paragraphs: take(), titles: take() }]));
  return { lengths, counts, tellings: bytes.subarray(at) };
}

/** Packs counts as bytes, none of them where there are no counts. */
export function packCounts(counts: WorldCounts | undefined): Uint8Array {
  const bytes = new Uint8Array(counts === undefined ? 0 : 2 * ENTITY_COUNT);
  if (counts === undefined) return bytes;
  bytes.set(counts.paragraphs);
  bytes.set(counts.titles, ENTITY_COUNT);
  return bytes;
}

/** Unpacks what {@linkcode packCounts} packed. */
export function unpackCounts(bytes: Uint8Array): WorldCounts | undefined {
  if (bytes.length !== 2 * ENTITY_COUNT) return undefined;
  return { paragraphs: bytes.subarray(0, ENTITY_COUNT), titles: bytes.subarray(ENTITY_COUNT) };
}

/** Hashes what follows the hash, and all that paragraphs are made of. */
function hashOf(bytes: Uint8Array, { seed, names }: WorldNamed): Uint8Array {
  const made = JSON.stringify([seed, names, ENTITY_COUNT, ROLES, RELATIONS, PADDING, SLOT_WORDS]);
  return createHash("sha256").update(made).update(bytes.subarray(HASH_BYTES)).digest();
}
