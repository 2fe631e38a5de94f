import { createHash } from "node:crypto";
import type { MergeTable } from "./merges.ts";
import type { CompiledTokenizer } from "./model_tokenizer.ts";

/** The version of the packed form, for names of files: raised whenever a tokenizer would compile to something else. */
export const PACKED_VERSION = 2;

/** What is packed as JSON; the large lists follow it as they are. */
interface PackedHead extends Omit<CompiledTokenizer, "merges"> {
  readonly merges: Omit<MergeTable, typeof LISTS[number]>;
  /** How many numbers each list has. */
  readonly lengths: readonly number[];
}

const LISTS = ["pairs", "slots", "spans"] as const;

const HASH_BYTES = 32;

/** Packs a compiled tokenizer as bytes: a hash of the rest, the length of the head, the head, the lists. */
export function packTokenizer({ merges, ...rest }: CompiledTokenizer): Uint8Array {
  const { pairs, slots, spans, ...rules } = merges;
  const lists = [pairs, slots, spans];
  const head: PackedHead = { ...rest, merges: rules, lengths: lists.map(({ length }) => length) };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(
    HASH_BYTES + 4 + headBytes.length + lists.reduce((sum, { byteLength }) => sum + byteLength, 0),
  );
  new DataView(bytes.buffer).setUint32(HASH_BYTES, headBytes.length);
  bytes.set(headBytes, HASH_BYTES + 4);
  let at = HASH_BYTES + 4 + headBytes.length;
  for (const list of lists) {
    bytes.set(bytesOf(list), at);
    at += list.byteLength;
  }
  bytes.set(hashOf(bytes.subarray(HASH_BYTES)));
  return bytes;
}

/** Unpacks what {@linkcode packTokenizer} packed; `undefined` where a byte of it has changed. */
export function unpackTokenizer(bytes: Uint8Array): CompiledTokenizer | undefined {
  if (bytes.length < HASH_BYTES + 4) return undefined;
  const hash = hashOf(bytes.subarray(HASH_BYTES));
  if (hash.some((byte, at) => byte !== bytes[at])) return undefined;
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(HASH_BYTES);
  let at = HASH_BYTES + 4 + headLength;
  const { lengths, merges, ...rest }: PackedHead = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HASH_BYTES + 4, at)),
  );
  const [pairs, slots, spans] = lengths.map((length) => {
    // Copied, as a list of numbers must start at a multiple of its size.
    const list = new Uint32Array(bytes.slice(at, at + 4 * length).buffer);
    at += list.byteLength;
    return list;
  });
  return { ...rest, merges: { ...merges, pairs: pairs!, slots: slots!, spans: spans! } };
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function hashOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
