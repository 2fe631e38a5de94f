import { type MergeTable, pieceCounter } from "./merges.ts";
import { cachePreTokens, TextUnits } from "./pre_tokens.ts";
import { type QuickCounts, quickCounts, type TextRules } from "./quick_counts.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
import { Tokenizer as LibraryTokenizer } from "@huggingface/tokenizers";
import { createHash } from "node:crypto";
import { createContext, Script } from "node:vm";

/** A byte-pair tokenizer compiled from a model's files; opening it parses no vocabulary. */
export interface CompiledTokenizer {
  readonly rules: TextRules;
  readonly merges: MergeTable;
  /** Characters around places that a token can span, from {@linkcode reachedPlaces}. */
  readonly reached: readonly string[];
}

/** Opens a compiled tokenizer. */
export function openCompiled({ rules, merges, reached }: CompiledTokenizer, name: string): Tokenizer {
  const openLibrary = (): LibraryTokenizer => {
    const model = { type: "BPE", vocab: {}, merges: [] };
    const library = makeLibraryTokenizer({ ...rules, model, decoder: null, "post_processor": null }, name);
    const known = cachePreTokens(pieceCounter(merges));
    const units = new TextUnits();
    // Only the number of tokens is used.
    library.model!.encode = (pieces) =>
      new Array(pieces.reduce((sum, piece) => sum + known.count(units.read(piece), 0, piece.length), 0)).fill("");
    return library;
  };
  const quick = quickCounts({ rules, merges });
  if (quick === undefined) return asTokenizer(openLibrary(), { name, reached });
  let opened: Tokenizer | undefined;
  const whole = (): Tokenizer => opened ??= asTokenizer(openLibrary(), { name, reached });
  const countFollowing = followingCounter(quick);
  return {
    name,
    count: (text) => quick.count(text, false) ?? whole().count(text),
    countAfterCut: (text) => countFollowing(text) ?? whole().countAfterCut(text),
    isCut: safeCuts(reached),
    ...(quick.ascii === undefined ? {} : { ascii: quick.ascii }),
    ...(quick.cutsLines === undefined ? {} : { cutsLines: quick.cutsLines }),
  };
}

/** Opens a `tokenizer.json` of any kind with the library. */
export function openByLibrary(file: object, options: OpenedOptions): Tokenizer {
  return asTokenizer(makeLibraryTokenizer(file, options.name), options);
}

function makeLibraryTokenizer(file: object, name: string): LibraryTokenizer {
  try {
    return timeLimited(name)(() => new LibraryTokenizer(file, {}), OPENING_MS);
  } catch (cause) {
    if (cause instanceof SlowPatterns) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SyntaxError(`Cannot open tokenizer "${name}" as the file must be a whole tokenizer.json: ${reason}`);
  }
}

/** Time limit for counting a text, in milliseconds, plus one per character. */
const TEXT_MS = 2000;
/** Additional time limit for opening a tokenizer, in milliseconds. */
const OPENING_MS = 60_000;

/** Thrown for a tokenizer whose patterns take too long. */
class SlowPatterns extends SyntaxError {
  override name = "SyntaxError";
}

/** Makes a function that runs `work` in bounded time: a `tokenizer.json` is untrusted, and a pattern such as `(a+)+b` never ends. */
function timeLimited(name: string): <T>(work: () => T, moreMs: number) => T {
  const place: { work?: () => unknown } = {};
  const context = createContext(place);
  const script = new Script("work()");
  return <T>(work: () => T, moreMs: number): T => {
    place.work = work;
    const timeout = TEXT_MS + moreMs;
    // A second attempt, since a suspended process uses up its time.
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return script.runInContext(context, { timeout });
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    }
    throw new SlowPatterns(
      `Cannot use tokenizer "${name}" as its patterns take more than ${timeout} ms on one text: give another tokenizer.json, an encoding or "server"`,
    );
  };
}

/**
 * Makes a counter for texts that follow another one. Subtle: some of them do not start at a safe cut, such as the first words of a
 * sentence. Texts outside ASCII are counted after an anchor, on which the hashes of Chinese samples depend.
 */
function followingCounter({ count }: QuickCounts): (text: string) => number | undefined {
  const anchorTokens = { [WORD_ANCHOR]: count(WORD_ANCHOR, false), [MARK_ANCHOR]: count(MARK_ANCHOR, false) };
  return (text) => {
    if (isAscii(text)) return count(text, true);
    const anchor = anchorOf(text);
    const [tokens, own] = [count(anchor + text, false), anchorTokens[anchor]];
    return tokens === undefined || own === undefined ? undefined : tokens - own;
  };
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** The name and the safe cuts of a tokenizer. */
export interface OpenedOptions extends Pick<CompiledTokenizer, "reached"> {
  /** Its name in sample ids and records. */
  readonly name: string;
}

/** Texts before a cut, which absorb the marker that some tokenizers put at the start. */
const [WORD_ANCHOR, MARK_ANCHOR] = ["a.", "天"] as const;

function anchorOf(text: string): typeof WORD_ANCHOR | typeof MARK_ANCHOR {
  return text.startsWith(" ") ? WORD_ANCHOR : MARK_ANCHOR;
}

function asTokenizer(library: LibraryTokenizer, { name, reached }: OpenedOptions): Tokenizer {
  const limited = timeLimited(name);
  const count = (text: string): number =>
    text === "" ? 0 : limited(() => library.tokenize(text, { add_special_tokens: false }).length, text.length);
  const anchorTokens = { [WORD_ANCHOR]: count(WORD_ANCHOR), [MARK_ANCHOR]: count(MARK_ANCHOR) };
  return {
    name,
    count,
    countAfterCut: (text) => {
      if (text === "") return 0;
      const anchor = anchorOf(text);
      return count(anchor + text) - anchorTokens[anchor];
    },
    isCut: safeCuts(reached),
  };
}

/** Lists the characters around each place inside a token that would be a safe cut otherwise. */
export function reachedPlaces(tokens: readonly string[]): readonly string[] {
  const isByteLevel = tokens.some((token) => token.startsWith("Ġ"));
  const decode = isByteLevel ? byteDecoder() : (token: string): string => token.replaceAll("▁", " ");
  const reached = new Set<string>();
  for (const token of tokens) {
    if (token.length < 2) continue;
    const text = decode(token);
    for (let at = 1; at < text.length; at++) {
      if (isCutBeforeWord(text, at)) reached.add(around(text, at, 1));
      if (isCutBeforeMark(text, at)) reached.add(around(text, at, 0));
    }
  }
  return [...reached];
}

/** Makes `isCut`: a place is a safe cut if its characters allow one and no token has the same characters around it. */
function safeCuts(reached: readonly string[]): (text: string, at: number) => boolean {
  const places = new Set(reached);
  // Whether a token spans a space after an ASCII character, which is rare.
  const spaced = new Uint8Array(128);
  for (const place of reached) {
    if (place.charAt(1) === " " && place.charCodeAt(0) < 128) spaced[place.charCodeAt(0)] = 1;
  }
  return (text, at) =>
    (isCutBeforeWord(text, at) && (spaced[text.charCodeAt(at - 1)] === 0 || !places.has(around(text, at, 1)))) ||
    (isCutBeforeMark(text, at) && !places.has(around(text, at, 0)));
}

/** Returns the character before a place, the one at it, and `more` after that. */
function around(text: string, at: number, more: number): string {
  // A token can end inside a character outside ASCII, so all of those are equal beside a space.
  const shown = text.slice(at - 1, at + 1 + more);
  // deno-lint-ignore no-control-regex -- matches all characters outside ASCII
  return more === 0 ? shown : shown.replace(/[^\u0000-\u007f]/g, "\ufffd");
}

/** Makes a decoder of GPT-2's printable stand-ins for bytes; incomplete characters become U+FFFD. */
function byteDecoder(): (token: string) => string {
  const bytes = new Map<string, number>();
  let spare = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    bytes.set(String.fromCharCode(isPrintable ? byte : spare++), byte);
  }
  const utf8 = new TextDecoder();
  return (token) => utf8.decode(Uint8Array.from(token, (letter) => bytes.get(letter) ?? 0x3f));
}

/** Version of the packed form, used in names of files. Raise it whenever the compiled form changes. */
export const PACKED_VERSION = 2;

/** The part that is packed as JSON; the large lists follow it in binary. */
interface PackedHead extends Omit<CompiledTokenizer, "merges"> {
  readonly merges: Omit<MergeTable, typeof LISTS[number]>;
  /** The length of each list. */
  readonly lengths: readonly number[];
}

const LISTS = ["pairs", "slots", "spans"] as const;

const HASH_BYTES = 32;

/** Packs a compiled tokenizer as bytes: a hash of the remaining bytes, the length of the head, the head, the lists. */
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

/** Unpacks the bytes of {@linkcode packTokenizer}; `undefined` if they are damaged. */
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
    // Copied, since a Uint32Array must start at a multiple of four bytes.
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
