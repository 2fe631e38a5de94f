import { basename, dirname, resolve } from "node:path";
import { hashOf, plainName, userFolder } from "./files.ts";
import {
  type CompiledTokenizer,
  compileTokenizerJson,
  ENCODING_NAMES,
  type EncodingName,
  encodingOf,
  type GgufHeader,
  openCompiled,
  openEncoding,
  openTokenizerJson,
  PACKED_VERSION,
  packTokenizer,
  readGgufHeader,
  type Tokenizer,
  unpackTokenizer,
} from "@/lib/text/mod.ts";
import { explainFileError, openRegular, readRegular } from "@/lib/models/mod.ts";

/** The tokenizer unless the study or the model's entry names one. */
export const DEFAULT_TOKENIZER = "cl100k_base";

/** The tokenizer name for counts by the model's own server. */
export const SERVER_TOKENIZER = "server";

/** Whether a name is that of an encoding, of a model of OpenAI's or of the server's count, and not a path. */
export function isTokenizerName(name: string): boolean {
  return name === SERVER_TOKENIZER || encodingOf(name) !== undefined;
}

/** Options for {@linkcode openTokenizer}. */
export interface TokenizerOptions {
  /**
   * The folder where compiled tokenizers are kept, so that a large one is compiled once; `null` keeps none.
   *
   * @default {fathom/tokenizers in the user's cache folder}
   */
  readonly cache?: string | null;
}

/**
 * Opens an encoding by its name or by a model of OpenAI's that uses it, such as `gpt-4`, or a model's own tokenizer by the path of its tokenizer.json, of the folder that this is in,
 * or of its .gguf file.
 *
 * A large tokenizer is compiled and kept by the hash of its file. What is kept can be deleted at any time, and where nothing may
 * be written nothing is.
 *
 * @throws {RangeError} If there is no such encoding or file.
 * @throws {SyntaxError} If the file holds something else.
 */
export async function openTokenizer(nameOrPath: string, options: TokenizerOptions = {}): Promise<Tokenizer> {
  const encoding = encodingOf(nameOrPath);
  if (encoding !== undefined) return await openOnce(encoding);
  try {
    const path = await isFolder(nameOrPath) ? `${nameOrPath}/tokenizer.json` : nameOrPath;
    return path.toLowerCase().endsWith(".gguf") ? await openGguf(path, options) : await openJson(path, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    throw new RangeError(
      `Cannot open the tokenizer as it must be one of ${
        ENCODING_NAMES.join(", ")
      }, a model of OpenAI's such as gpt-4, or the path of a model's tokenizer.json or .gguf file: current value is "${nameOrPath}" (${
        explainFileError(error)
      })`,
    );
  }
}

/** Encodings never change and take a fifth of a second to open, so those that a process opened stay open. */
const opened = new Map<EncodingName, Promise<Tokenizer>>();

function openOnce(name: EncodingName): Promise<Tokenizer> {
  const known = opened.get(name) ?? openEncoding(name);
  opened.set(name, known);
  return known;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

/** The most bytes of a tokenizer.json, and of the header of a .gguf file. */
const MAX_BYTES = 512 * 2 ** 20;

async function openJson(path: string, options: TokenizerOptions): Promise<Tokenizer> {
  const bytes = await readRegular(path, MAX_BYTES);
  const json = (): string => new TextDecoder().decode(bytes);
  const hash = hashOf([bytes]);
  const name = `${plainName(nameOf(path))}-${hash.slice(0, 8)}`;
  const kept = { ...options, hash, size: bytes.length };
  const compiled = await keepCompiled(() => compileTokenizerJson(json(), name), kept);
  return compiled === undefined ? openTokenizerJson(json(), name) : openKept(compiled, name, kept);
}

/** A tokenizer has the name of the folder of its tokenizer.json, or of the file where that has another name. */
function nameOf(path: string): string {
  const file = basename(path);
  return file === "tokenizer.json" ? dirname(resolve(path)) : file.replace(/\.json$/, "");
}

/** A tokenizer of a .gguf file is named by the model's kind and its own hash, the same for every quantisation. */
async function openGguf(path: string, options: TokenizerOptions): Promise<Tokenizer> {
  const { header, size } = await readGgufFile(path);
  const { architecture, sha256: hash } = header;
  const kept = { ...options, hash, size };
  const compiled = await keepCompiled(() => header.compile(), kept);
  return openKept(compiled, `${plainName(architecture)}-gguf-${hash.slice(0, 8)}`, kept);
}

/** Bytes of a .gguf file that are read at first; headers of large vocabularies are longer. */
const FIRST_BYTES = 4 * 2 ** 20;

/** Reads a .gguf file as far as its header goes. */
async function readGgufFile(path: string): Promise<{ readonly header: GgufHeader; readonly size: number }> {
  using file = await openRegular(path);
  const { size } = await file.stat();
  for (let length = FIRST_BYTES;; length *= 2) {
    const bytes = new Uint8Array(Math.min(length, size));
    await file.seek(0, Deno.SeekMode.Start);
    for (let read = 0; read < bytes.length;) read += await file.read(bytes.subarray(read)) ?? bytes.length;
    const header = readGgufHeader(bytes, basename(path));
    if (header !== undefined) return { header, size: bytes.length };
    if (length >= Math.min(size, MAX_BYTES)) {
      throw new SyntaxError(
        `Cannot open tokenizer "${basename(path)}" as the file must hold its whole header: it ends before that`,
      );
    }
  }
}

interface KeepOptions extends TokenizerOptions {
  /** SHA-256 of what is compiled. */
  readonly hash: string;
  /** Its bytes. */
  readonly size: number;
}

/** Smaller files are compiled faster than a cached one is read. */
const WORTH_KEEPING = 2 ** 20;

/** Returns the cached tokenizer, or compiles and caches it. Failures to read or write the cache are ignored. */
async function keepCompiled<Compiled extends CompiledTokenizer | undefined>(
  compile: () => Compiled,
  { hash, size, cache = cacheFolder() }: KeepOptions,
): Promise<Compiled | CompiledTokenizer> {
  const path = keptPath({ hash, size, cache });
  if (path === undefined) return compile();
  const kept = await Deno.readFile(path).then(unpackTokenizer).catch(() => undefined);
  if (kept !== undefined) return kept;
  const compiled = compile();
  if (compiled !== undefined) tryTo(() => keep(path, packTokenizer(compiled)));
  // Files of older versions are obsolete.
  for (let version = 1; version < PACKED_VERSION; version++) {
    for (const beside of ["", ...BESIDE.map((name) => `-${name}`)]) {
      await Deno.remove(`${cache}/${hash}-${version}${beside}.bin`).catch(() => {});
    }
  }
  return compiled;
}

/** Where a compiled tokenizer is kept; `undefined` where it is not. */
function keptPath({ hash, size, cache = cacheFolder() }: KeepOptions): string | undefined {
  return cache === null || size < WORTH_KEEPING ? undefined : `${cache}/${hash}-${PACKED_VERSION}.bin`;
}

/** Where the tokenizers are kept that were opened by what is kept. */
const paths = new WeakMap<Tokenizer, string>();

function openKept(compiled: CompiledTokenizer, name: string, options: KeepOptions): Tokenizer {
  const tokenizer = openCompiled(compiled, name);
  const path = keptPath(options);
  if (path !== undefined) paths.set(tokenizer, path);
  return tokenizer;
}

/** The caches beside a tokenizer: token counts of the generated world and of the vocabulary. */
const BESIDE = ["world", "words"] as const;

/** A cache beside a tokenizer. */
export interface KeptBeside {
  readonly name: typeof BESIDE[number];
  /** The data that it is computed from, apart from the tokenizer. */
  readonly of: Uint8Array;
  readonly make: () => Uint8Array;
}

/** Returns a cache beside a tokenizer, or computes and writes it; `undefined` if the cache cannot be written. */
export function keepBeside(tokenizer: Tokenizer, { name, of, make }: KeptBeside): Uint8Array | undefined {
  const path = paths.get(tokenizer)?.replace(/\.bin$/, `-${name}.bin`);
  if (path === undefined) return undefined;
  const hashWith = (bytes: Uint8Array): Uint8Array => new TextEncoder().encode(hashOf([of, bytes]));
  const kept = tryTo(() => Deno.readFileSync(path));
  const known = kept?.subarray(HASH_LENGTH);
  if (known !== undefined && hashWith(known).every((byte, at) => byte === kept![at])) return known;
  // Computing takes seconds, so write access is checked first.
  if (!tryTo(() => isWritable(path))) return undefined;
  const bytes = make();
  const whole = new Uint8Array(HASH_LENGTH + bytes.length);
  whole.set(hashWith(bytes));
  whole.set(bytes, HASH_LENGTH);
  tryTo(() => keep(path, whole));
  return bytes;
}

/** The digits of a SHA-256 in hexadecimal. */
const HASH_LENGTH = 64;

/** Returns the result of a call; `undefined` if it fails. */
function tryTo<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Whether a file can be written beside another; throws where it cannot. */
function isWritable(path: string): true {
  const probe = unfinishedName(path);
  Deno.writeFileSync(probe, new Uint8Array(0));
  Deno.removeSync(probe);
  return true;
}

/** Writes a file whole or not at all, as two commands can do so at the same time. */
function keep(path: string, bytes: Uint8Array): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const unfinished = unfinishedName(path);
  try {
    Deno.writeFileSync(unfinished, bytes);
    Deno.renameSync(unfinished, path);
  } catch (error) {
    tryTo(() => Deno.removeSync(unfinished));
    throw error;
  }
}

function unfinishedName(path: string): string {
  return `${path}.${crypto.randomUUID()}`;
}

/** Returns the user's folder of tokenizers; `null` if there is none. */
function cacheFolder(): string | null {
  const folder = userFolder("cache");
  return folder === undefined ? null : `${folder}/tokenizers`;
}
