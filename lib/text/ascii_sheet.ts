/**
 * A text of ASCII that is written at its end, byte by byte, and read in stretches: a long one of small pieces costs a tenth of
 * what joining them does, and leaves no pieces behind.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const sheet = new AsciiSheet();
 * sheet.write("one ");
 * sheet.bytes[sheet.extend(1)] = 0x32;
 * equal(sheet.read(), "one 2");
 * ```
 */
export class AsciiSheet {
  /** What is written, up to `end`; another array once it has become longer. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The place after what is written. */
  end = 0;

  /** Opens an empty sheet with room for so many bytes at first. */
  constructor(size = 64) {
    this.bytes = new Uint8Array(size);
  }

  /** Makes room for so many bytes at the end, which the caller fills; gives the place of the first. */
  extend(size: number): number {
    const start = this.end;
    this.end += size;
    if (this.end > this.bytes.length) this.#grow();
    return start;
  }

  /** Writes a text at the end. */
  write(text: string): void {
    const start = this.extend(text.length);
    const { bytes } = this;
    for (let place = 0; place < text.length; place++) bytes[start + place] = text.charCodeAt(place);
  }

  /** Writes what stands between two places of bytes, in less time than a text; by default all of them. */
  copy(from: Uint8Array, begin = 0, end: number = from.length): void {
    const start = this.extend(end - begin);
    const { bytes } = this;
    for (let place = begin; place < end; place++) bytes[start + place - begin] = from[place]!;
  }

  /** Reads what stands between two places; by default all of it. */
  read(from = 0, to: number = this.end): string {
    return decoder.decode(this.bytes.subarray(from, to));
  }

  #grow(): void {
    const longer = new Uint8Array(2 * this.end);
    longer.set(this.bytes);
    this.bytes = longer;
  }
}

const decoder = new TextDecoder();
