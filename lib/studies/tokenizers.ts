import { Buffer } from "node:buffer";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { explainFileError, hashOf, openRegular, plainName, readRegular, userFolder } from "@/lib/base/mod.ts";
import {
  type CompiledTokenizer,
  compileRankFile,
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

/** The tokenizer unless the study or the model's entry names one. */
export const DEFAULT_TOKENIZER = "cl100k_base";

/** The tokenizer name for counts by the model's own server. */
export const SERVER_TOKENIZER = "server";

/** Whether a name is that of an encoding, of a model of OpenAI's or of the server's count, and not a path. */
export function isTokenizerName(name: string): boolean {
  return name === SERVER_TOKENIZER || encodingOf(name) !== undefined;
}

/** The folder of compiled tokenizers, by default `fathom/tokenizers` in the user's cache folder, if there is one. */
interface TokenizerOptions {
  readonly cache?: string;
}

/**
 * Opens an encoding by its name or by a model of OpenAI's that uses it, such as `gpt-4`, or a model's own tokenizer by the path of
 * its tokenizer.json, tekken.json or tiktoken.model, of their folder, or of its .gguf file. A large one is compiled and cached.
 *
 * @throws {RangeError} If there is no such encoding or file.
 * @throws {SyntaxError} If the file has other content.
 */
export async function openTokenizer(nameOrPath: string, options: TokenizerOptions = {}): Promise<Tokenizer> {
  const encoding = encodingOf(nameOrPath);
  if (encoding !== undefined) return await opened.getOrInsertComputed(encoding, openEncoding);
  try {
    const path = await isFolder(nameOrPath) ? await fileIn(nameOrPath) : nameOrPath;
    return path.toLowerCase().endsWith(".gguf") ? await openGguf(path, options) : await openJson(path, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    const names = ENCODING_NAMES.join(", ");
    throw new RangeError(
      `Cannot open the tokenizer as it must be one of ${names}, a model of OpenAI's such as gpt-4, or the path of a model's tokenizer.json, tekken.json, tiktoken.model or .gguf file: current value is "${nameOrPath}" (${
        explainFileError(error)
      })`,
    );
  }
}

/** Encodings never change and take a fifth of a second to open, so those that a process opened stay open. */
const opened = new Map<EncodingName, Promise<Tokenizer>>();

/** Whether a path is that of a folder; `false` if it cannot be read. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isDirectory(), () => false);
}

const USUAL = ["tokenizer.json", "tekken.json", "tiktoken.model", "qwen.tiktoken"];

/** Returns the path of the tokenizer in a folder, the first of {@linkcode USUAL} that is there. */
async function fileIn(folder: string): Promise<string> {
  const found = await readdir(folder);
  return `${folder}/${USUAL.find((name) => found.includes(name)) ?? USUAL[0]}`;
}

/** The most bytes of a tokenizer.json, and of the header of a .gguf file. */
const MAX_BYTES = 512 * 2 ** 20;

async function openJson(file: string, options: TokenizerOptions): Promise<Tokenizer> {
  const bytes = await readRegular(file, MAX_BYTES);
  const json = (): string => new TextDecoder().decode(bytes);
  const hash = hashOf([bytes]);
  const isUsual = USUAL.includes(basename(file));
  const name = `${plainName(isUsual ? dirname(resolve(file)) : file.replace(/\.json$/, ""))}-${hash.slice(0, 8)}`;
  const path = keptPath(hash, bytes.length, options);
  const compiled = await keepCompiled(path, () => compileRankFile(json()) ?? compileTokenizerJson(json(), name));
  return compiled === undefined ? openTokenizerJson(json(), name) : openKept(compiled, name, path);
}

/** A tokenizer of a .gguf file is named by the model's kind and its own hash, the same for every quantisation. */
async function openGguf(file: string, options: TokenizerOptions): Promise<Tokenizer> {
  const { header, size } = await readGgufFile(file);
  const { architecture, sha256: hash } = header;
  const path = keptPath(hash, size, options);
  const compiled = await keepCompiled(path, () => header.compile());
  return openKept(compiled, `${plainName(architecture)}-gguf-${hash.slice(0, 8)}`, path);
}

/** Bytes of a .gguf file that are read first; headers of large vocabularies are longer. */
const FIRST_BYTES = 4 * 2 ** 20;

async function readGgufFile(path: string): Promise<{ readonly header: GgufHeader; readonly size: number }> {
  await using file = await openRegular(path);
  const { size } = await file.stat();
  for (let length = FIRST_BYTES;; length *= 2) {
    const bytes = new Uint8Array(Math.min(length, size));
    for (let position = 0; position < bytes.length;) {
      const { bytesRead } = await file.read(bytes.subarray(position), { position });
      position += bytesRead || bytes.length;
    }
    const header = readGgufHeader(bytes, basename(path));
    if (header !== undefined) return { header, size: bytes.length };
    if (length >= Math.min(size, MAX_BYTES)) {
      throw new SyntaxError(
        `Cannot open tokenizer "${
          basename(path)
        }" as the file must hold its whole header: current value is ${size} bytes`,
      );
    }
  }
}

/** Smaller files are compiled faster than a cached one is read. */
const WORTH_KEEPING = 2 ** 20;

/** Returns the cached tokenizer, or compiles and caches it. Failures to read or write the cache are ignored. */
async function keepCompiled<Compiled extends CompiledTokenizer | undefined>(
  path: string | undefined,
  compile: () => Compiled,
): Promise<Compiled | CompiledTokenizer> {
  if (path === undefined) return compile();
  const kept = await readFile(path).then(unpackTokenizer).catch(() => undefined);
  if (kept !== undefined) return kept;
  const compiled = compile();
  if (compiled !== undefined) tryTo(() => keep(path, packTokenizer(compiled)));
  return compiled;
}

function keptPath(
  hash: string,
  size: number,
  { cache = userFolder("cache")?.concat("/tokenizers") }: TokenizerOptions,
): string | undefined {
  return cache === undefined || size < WORTH_KEEPING ? undefined : `${cache}/${hash}-${PACKED_VERSION}.bin`;
}

const paths = new WeakMap<Tokenizer, string>();

function openKept(compiled: CompiledTokenizer, name: string, path: string | undefined): Tokenizer {
  const tokenizer = openCompiled(compiled, name);
  if (path !== undefined) paths.set(tokenizer, path);
  return tokenizer;
}

const HASH_LENGTH = 64;

/** Returns a cache beside a tokenizer, or computes and writes it; `undefined` if the cache cannot be written. */
export function keepBeside(tokenizer: Tokenizer, { name, of, make }: {
  readonly name: "world" | "words";
  readonly of: Uint8Array;
  readonly make: () => Uint8Array;
}): Uint8Array | undefined {
  const path = paths.get(tokenizer)?.replace(/\.bin$/, `-${name}.bin`);
  if (path === undefined) return undefined;
  const hashWith = (bytes: Uint8Array): Uint8Array => new TextEncoder().encode(hashOf([of, bytes]));
  const kept = tryTo(() => readFileSync(path));
  const known = kept?.subarray(HASH_LENGTH);
  if (known !== undefined && hashWith(known).every((byte, at) => byte === kept![at])) return known;
  // Computing takes seconds, so write access is checked first.
  if (!tryTo(() => keep(path, new Uint8Array(0)))) return undefined;
  const bytes = make();
  tryTo(() => keep(path, Buffer.concat([hashWith(bytes), bytes])));
  return bytes;
}

function tryTo<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Writes a file whole or not at all, as two commands can do so at the same time. */
function keep(path: string, bytes: Uint8Array): true {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, path);
    return true;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
