import { Buffer } from "node:buffer";
// Named imports that Node 20 lacks would end the package there before it can explain itself.
import zlib from "node:zlib";
import { Zip, ZipDeflate } from "fflate";
import { sum, writePieces } from "@/lib/base/mod.ts";

// Format: APPNOTE 6.3.10. Numbers are little-endian.
const LISTED_SIGNATURE = 0x02014b50;
const HEADER_BYTES = { file: 30, listed: 46 } as const;
const METHOD = { stored: 0, deflated: 8, zstandard: 93 } as const;
const MAX_BYTES = { archive: 2 ** 31, file: 2 ** 29 } as const;
/** The most files that are written; the format without ZIP64 has room for 65,535. */
const MAX_FILES = 65_000;

export function isZip(bytes: Uint8Array): boolean {
  return Buffer.from("PK\x03\x04").equals(bytes.subarray(0, 4));
}

/**
 * Opens a ZIP archive with stored, deflated or Zstandard files, the methods of Inspect's `.eval` logs.
 *
 * @param name The archive's name in errors.
 * @returns The path of each file, as recorded in the archive and untrusted; `read` unpacks one, or throws a `SyntaxError` if it is
 *   missing, broken, or differs from its size or checksum.
 * @throws {SyntaxError} If it is not an archive, is truncated, needs ZIP64, or unpacks to more than 2 GiB, or 512 MiB per file.
 */
export function openZip(
  bytes: Uint8Array,
  name: string,
): { readonly paths: readonly string[]; read(path: string): Uint8Array<ArrayBuffer> } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const refuse = (expected: string, value = `a file of ${bytes.length} bytes`): SyntaxError =>
    new SyntaxError(`Cannot read the archive "${name}" as ${expected}: current value is ${value}`);
  const checkSize = (what: string, size: number, limit: number): void => {
    if (size > limit) throw refuse(`${what} must unpack to at most ${limit} bytes`, String(size));
  };
  const places = listPlaces(view);
  if (places === undefined) throw refuse("it must be a whole ZIP file");
  const byPath = new Map(places.map(({ path, at }) => [path, at]));
  if (byPath.size < places.length) throw refuse("each of its files must be there once");
  checkSize("its files together", sum(places, (place) => place.bytes), MAX_BYTES.archive);
  for (const { path, bytes } of places) checkSize(`"${path}"`, bytes, MAX_BYTES.file);
  return {
    paths: [...byPath.keys()],
    read(path): Uint8Array<ArrayBuffer> {
      const at = byPath.get(path);
      if (at === undefined) throw refuse(`it must hold "${path}"`);
      const unpacked = unpack(view, at);
      if (unpacked !== undefined && zlib.crc32(unpacked) === view.readUInt32LE(at + 16)) return unpacked;
      throw refuse(`"${path}" must be whole and match its checksum`);
    },
  };
}

interface Place {
  readonly path: string;
  readonly bytes: number;
  /** Where its line of the central directory begins. */
  readonly at: number;
}

/** Lists the central directory; `undefined` if it is not whole. */
function listPlaces(view: Buffer): readonly Place[] | undefined {
  try {
    const end = view.lastIndexOf("PK\x05\x06");
    let at = view.readUInt32LE(end < 0 ? view.length : end + 16);
    return Array.from({ length: view.readUInt16LE(end + 10) }, (): Place => {
      const [name, nameEnd] = [at + HEADER_BYTES.listed, at + HEADER_BYTES.listed + view.readUInt16LE(at + 28)];
      const place = { path: view.toString("utf8", name, nameEnd), bytes: view.readUInt32LE(at + 24), at };
      if (view.readUInt32LE(at) !== LISTED_SIGNATURE) throw new RangeError("Cannot list the archive");
      at = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
      return place;
    });
  } catch {
    return undefined;
  }
}

/** Unpacks a file, never beyond its recorded size; `undefined` if it is broken or uses another method. */
function unpack(view: Buffer, at: number): Uint8Array<ArrayBuffer> | undefined {
  const [method, packedBytes, bytes] = [
    view.readUInt16LE(at + 10),
    view.readUInt32LE(at + 20),
    view.readUInt32LE(at + 24),
  ];
  try {
    const offset = view.readUInt32LE(at + 42);
    const from = offset + HEADER_BYTES.file + view.readUInt16LE(offset + 26) + view.readUInt16LE(offset + 28);
    const packed = view.subarray(from, from + packedBytes);
    const limit = { maxOutputLength: Math.max(1, bytes) };
    let unpacked: Uint8Array<ArrayBuffer> | undefined;
    if (method === METHOD.stored) unpacked = new Uint8Array(packed);
    if (method === METHOD.deflated) unpacked = new Uint8Array(zlib.inflateRawSync(packed, limit));
    if (method === METHOD.zstandard) unpacked = new Uint8Array(zlib.zstdDecompressSync(packed, limit));
    return unpacked?.length === bytes ? unpacked : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes texts to a ZIP archive, one after another, so that they are not all in memory. The file is renamed to its path when it is
 * complete. The same texts always give the same bytes.
 *
 * @throws {RangeError} If they exceed the limits of {@linkcode openZip}, or are more than 65,000; no file is left then.
 */
export async function writeZip(path: string, files: TextFiles): Promise<void> {
  await writePieces(zipPieces(path, files), path);
}

type TextFiles = Iterable<readonly [path: string, text: string]>;

async function* zipPieces(path: string, files: TextFiles): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    pieces.push(bytes);
  });
  let [count, total] = [0, 0];
  for (const [name, text] of files) {
    const bytes = Buffer.from(text);
    [count, total] = [count + 1, total + bytes.length];
    if (count > MAX_FILES || total > MAX_BYTES.archive || bytes.length > MAX_BYTES.file) {
      const wanted = `at most ${MAX_FILES} files and ${MAX_BYTES.archive} bytes, and each ${MAX_BYTES.file}`;
      const found = `${count} files and ${total} bytes`;
      throw new RangeError(`Cannot write "${path}" as it must have ${wanted}: current value is ${found}`);
    }
    const entry = new ZipDeflate(name, { level: 6 });
    // The earliest date of the format, as the bytes must not depend on the day.
    entry.mtime = new Date(1980, 0, 1);
    zip.add(entry);
    entry.push(bytes, true);
    yield* pieces.splice(0);
  }
  zip.end();
  yield* pieces.splice(0);
}
