import { type MergeTable, pieceCounter } from "./merges.ts";
import { rememberPreTokens, TextUnits } from "./pre_tokens.ts";
import { type QuickCounts, quickCounts, type TextRules } from "./quick_counts.ts";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
import { Tokenizer as LibraryTokenizer } from "@huggingface/tokenizers";
import { createHash } from "node:crypto";
import { createContext, Script } from "node:vm";

/** A model's byte-pair tokenizer, ready to count: nothing of its vocabulary is left to be parsed. */
export interface CompiledTokenizer {
  readonly rules: TextRules;
  readonly merges: MergeTable;
  /** The places that a token of the vocabulary can span, from {@linkcode reachedPlaces}. */
  readonly reached: readonly string[];
}

/** Opens a compiled tokenizer. */
export function openCompiled({ rules, merges, reached }: CompiledTokenizer, name: string): Tokenizer {
  const openLibrary = (): LibraryTokenizer => {
    const model = { type: "BPE", vocab: {}, merges: [] };
    const library = makeLibraryTokenizer({ ...rules, model, decoder: null, "post_processor": null }, name);
    const known = rememberPreTokens(pieceCounter(merges));
    const units = new TextUnits();
    // Only their number is asked for.
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

/** Opens a `tokenizer.json` of another kind than byte pairs as the library does, which takes a vocabulary of its own. */
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

/** Milliseconds that a text may take to be counted, beside one for each of its characters. */
const TEXT_MS = 2000;
/** Further milliseconds that a tokenizer may take to be opened. */
const OPENING_MS = 60_000;

/** A tokenizer whose patterns take too long. */
class SlowPatterns extends SyntaxError {
  override name = "SyntaxError";
}

/**
 * Makes a function that gives what `work` gives, in bounded time. The patterns of a `tokenizer.json` are its author's, and one
 * such as `(a+)+b` would take for ever.
 */
function timeLimited(name: string): <T>(work: () => T, moreMs: number) => T {
  const place: { work?: () => unknown } = {};
  const context = createContext(place);
  const script = new Script("work()");
  return <T>(work: () => T, moreMs: number): T => {
    place.work = work;
    const timeout = TEXT_MS + moreMs;
    // Twice, as a process that was paused meanwhile has lost its time.
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return script.runInContext(context, { timeout });
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    }
    throw new SlowPatterns(
      `Cannot use tokenizer "${name}" as its patterns must take at most ${timeout} ms: current value is more; give another tokenizer.json, an encoding or "server"`,
    );
  };
}

/**
 * Makes a counter for texts that follow another one. Subtle: some are counted that begin at no safe cut, such as the first words
 * of a sentence; those with other characters than ASCII are counted behind an anchor, on which the samples of Chinese texts depend.
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

/** What is known of a tokenizer beside how it counts. */
export interface OpenedOptions extends Pick<CompiledTokenizer, "reached"> {
  /** Its name in sample ids and records. */
  readonly name: string;
}

/** Texts before a cut: they take the marker that some tokenizers put before a text. */
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

/**
 * Finds where the tokens of a vocabulary can reach: the characters around every place inside a token that would be a safe cut
 * otherwise.
 */
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

/** A place is a safe cut if its characters allow one and no token holds those same characters on both sides of it. */
function safeCuts(reached: readonly string[]): (text: string, at: number) => boolean {
  const places = new Set(reached);
  // Whether a token spans a space after a character of ASCII, which few do.
  const spaced = new Uint8Array(128);
  for (const place of reached) {
    if (place.charAt(1) === " " && place.charCodeAt(0) < 128) spaced[place.charCodeAt(0)] = 1;
  }
  return (text, at) =>
    (isCutBeforeWord(text, at) && (spaced[text.charCodeAt(at - 1)] === 0 || !places.has(around(text, at, 1)))) ||
    (isCutBeforeMark(text, at) && !places.has(around(text, at, 0)));
}

/** The character before a place, the one at it, and `more` after that. */
function around(text: string, at: number, more: number): string {
  // A token can end inside a character that is not ASCII, so beside a space all of those count as one.
  const shown = text.slice(at - 1, at + 1 + more);
  // deno-lint-ignore no-control-regex -- all of ASCII is meant
  return more === 0 ? shown : shown.replace(/[^\u0000-\u007f]/g, "\ufffd");
}

/** Makes a decoder of GPT-2's printable stand-ins for bytes; bytes that are no whole character become U+FFFD. */
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
