/**
 * A growing buffer of ASCII text. Appending many small pieces costs a tenth of joining strings, and leaves no garbage.
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
  /** The text, up to `end`. Replaced by a longer array as it grows. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The length of the text. */
  end = 0;

  /** Makes an empty buffer. `size` is its first capacity in bytes. */
  constructor(size = 64) {
    this.bytes = new Uint8Array(size);
  }

  /** Adds `size` bytes at the end, which the caller fills; returns the place of the first. */
  extend(size: number): number {
    const start = this.end;
    this.end += size;
    if (this.end > this.bytes.length) this.#grow();
    return start;
  }

  /** Appends a text. */
  write(text: string): void {
    const start = this.extend(text.length);
    const { bytes } = this;
    for (let place = 0; place < text.length; place++) bytes[start + place] = text.charCodeAt(place);
  }

  /** Appends the bytes from `begin` up to `end`; faster than a text. */
  copy(from: Uint8Array, begin = 0, end: number = from.length): void {
    const start = this.extend(end - begin);
    const { bytes } = this;
    for (let place = begin; place < end; place++) bytes[start + place - begin] = from[place]!;
  }

  /** Returns the text from `from` up to `to`. */
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
