import { Buffer } from "node:buffer";
import { crc32, createInflateRaw, createZstdDecompress, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { Zip, ZipDeflate } from "fflate";

/** A file in a ZIP archive. */
export interface ZipEntry {
  /** Its path, as the archive has it: nothing that may be written to as it is. */
  readonly path: string;
  /** Its size when unpacked, in bytes, as the archive says. */
  readonly bytes: number;
}

/** An archive that was opened. */
export interface ZipArchive {
  readonly entries: readonly ZipEntry[];
  /**
   * Unpacks a small file of it in memory.
   *
   * @throws {SyntaxError} If it is not there, broken, too large, or not what its checksum says.
   */
  read(path: string): Uint8Array<ArrayBuffer>;
  /** Unpacks a file of it piece by piece; throws as `read` does, for a wrong checksum at the end. */
  stream(path: string): AsyncIterable<Uint8Array>;
}

// The parts of an archive (APPNOTE 6.3.10): numbers are little-endian, at these places after the signature.
const SIGNATURE = { file: 0x04034b50, listed: 0x02014b50, end: 0x06054b50 } as const;
const SIZE = { file: 30, listed: 46, end: 22 } as const;
const METHOD = { stored: 0, deflated: 8, zstandard: 93 } as const;
/** The most files of an archive without the 64-bit additions. */
const MOST_ENTRIES = 0xfffe;
/** The most bytes of all files of an archive, of one of them, and of one that is read in memory. */
const MOST = { all: 2 ** 31, one: 2 ** 29, read: 2 ** 27 } as const;

interface Listed extends ZipEntry {
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly at: number;
}

/** Whether bytes begin as a ZIP archive does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= SIZE.end && Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32LE(0) === SIGNATURE.file;
}

/**
 * Opens a ZIP archive: stored, deflated or Zstandard files, as Inspect's `.eval` logs and Fathom's bundles have them.
 *
 * @param name What errors call it.
 * @throws {SyntaxError} If it is none, is cut short, needs the 64-bit additions, or unpacks to more than 2 GiB, or 512 MiB a file.
 */
export function openZip(bytes: Uint8Array, name: string): ZipArchive {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const broken = (wanted: string): SyntaxError =>
    new SyntaxError(`Cannot read the archive "${name}" as ${wanted}: current value is a file of ${bytes.length} bytes`);
  const listed = new Map<string, Listed>();
  try {
    for (const entry of listEntries(view)) {
      if (listed.has(entry.path)) throw broken(`each of its files must be there once, unlike "${entry.path}"`);
      listed.set(entry.path, entry);
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    throw broken("it must be a whole ZIP file");
  }
  const large = (what: string, most: number, bytes: number): SyntaxError =>
    new SyntaxError(
      `Cannot read the archive "${name}" as ${what} must unpack to at most ${most} bytes: current value is ${bytes}`,
    );
  const total = listed.values().reduce((sum, entry) => sum + entry.bytes, 0);
  if (total > MOST.all) throw large("its files together", MOST.all, total);
  const find = (path: string, most: number): Listed => {
    const entry = listed.get(path);
    if (entry === undefined) throw broken(`it must hold "${path}"`);
    if (entry.bytes > most) throw large(`"${path}"`, most, entry.bytes);
    return entry;
  };
  for (const path of listed.keys()) find(path, MOST.one);
  const wrongSum = (path: string): SyntaxError => broken(`"${path}" must be whole and of the checksum that is listed`);
  return {
    entries: [...listed.values()].map(({ path, bytes }) => ({ path, bytes })),
    read(path): Uint8Array<ArrayBuffer> {
      const entry = find(path, MOST.read);
      const unpacked = unpack(view, entry);
      if (unpacked?.length !== entry.bytes || crc32(unpacked) !== entry.sum) throw wrongSum(path);
      return unpacked;
    },
    async *stream(path): AsyncGenerator<Uint8Array> {
      const entry = find(path, MOST.one);
      let [size, sum] = [0, 0];
      try {
        for await (const piece of unpackPieces(view, entry)) {
          size += piece.length;
          if (size > entry.bytes) break;
          sum = crc32(piece, sum);
          yield piece;
        }
      } catch {
        size = -1;
      }
      if (size !== entry.bytes || sum !== entry.sum) throw wrongSum(path);
    },
  };
}

function* listEntries(view: Buffer): Generator<Listed> {
  const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  // Out of range is a RangeError, which the caller turns into words.
  const count = view.readUInt16LE(end < 0 ? view.length : end + 10);
  let at = view.readUInt32LE(end + 16);
  for (let number = 0; number < count; number++) {
    if (view.readUInt32LE(at) !== SIGNATURE.listed) {
      throw new RangeError("Cannot read the list as its entries must have their signature: current value is another");
    }
    const nameEnd = at + SIZE.listed + view.readUInt16LE(at + 28);
    if (nameEnd > view.length) {
      throw new RangeError("Cannot read the list as its names must be whole: current value is a part");
    }
    yield {
      path: view.toString("utf8", at + SIZE.listed, nameEnd),
      method: view.readUInt16LE(at + 10),
      sum: view.readUInt32LE(at + 16),
      packed: view.readUInt32LE(at + 20),
      bytes: view.readUInt32LE(at + 24),
      at: view.readUInt32LE(at + 42),
    };
    at = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
}

/** The bytes of an entry; `undefined` where they are broken or packed in another way. */
function unpack(view: Buffer, entry: Listed): Uint8Array<ArrayBuffer> | undefined {
  const { method, bytes } = entry;
  try {
    const part = packedPart(view, entry);
    // Never more than is listed, whatever it unpacks to.
    const limit = { maxOutputLength: Math.max(1, bytes) };
    if (method === METHOD.deflated) return new Uint8Array(inflateRawSync(part, limit));
    if (method === METHOD.zstandard) return new Uint8Array(zstdDecompressSync(part, limit));
    return method === METHOD.stored ? new Uint8Array(part) : undefined;
  } catch {
    return undefined;
  }
}

/** The same piece by piece; throws where they are broken. */
function unpackPieces(view: Buffer, entry: Listed): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  const part = packedPart(view, entry);
  if (entry.method === METHOD.stored) return [part];
  const stream = entry.method === METHOD.deflated ? createInflateRaw() : createZstdDecompress();
  stream.end(part);
  return stream;
}

function packedPart(view: Buffer, { at, packed }: Listed): Buffer {
  const from = at + SIZE.file + view.readUInt16LE(at + 26) + view.readUInt16LE(at + 28);
  return view.subarray(from, from + packed);
}

/** A file to put into an archive. */
export interface ZipFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * Packs files into a ZIP archive; the same files give the same bytes.
 *
 * @throws {RangeError} If they are more or larger than {@linkcode openZip} reads.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const content = new TextEncoder().encode("hello");
 * deepEqual(openZip(packZip([{ path: "a.txt", content }]), "a.zip").read("a.txt"), content);
 * ```
 */
export function packZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const total = files.reduce((sum, { content }) => sum + content.length, 0);
  const largest = Math.max(0, ...files.map(({ content }) => content.length));
  if (files.length > MOST_ENTRIES || total > MOST.all || largest > MOST.one) {
    throw new RangeError(
      `Cannot pack the files as they must be at most ${MOST_ENTRIES} files, of ${MOST.all} bytes together and ${MOST.one} each: current value is ${files.length} of ${total}, the largest of ${largest}`,
    );
  }
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const { path, content } of files) {
    const entry = new ZipDeflate(path, { level: 9 });
    entry.mtime = NO_DATE;
    zip.add(entry);
    entry.push(content, true);
  }
  zip.end();
  return new Uint8Array(Buffer.concat(parts));
}

/** The first date of a ZIP archive, so that the same files give the same bytes on any day. */
const NO_DATE = new Date(1980, 0, 1);
