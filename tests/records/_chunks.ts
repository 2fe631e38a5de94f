/** The size of the chunks that files are read in. */
export const CHUNK = 1 << 16;

/** Yields a text in chunks as a file is read: each is valid until the next. */
export function* chunksOf(text: string): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const chunk = new Uint8Array(CHUNK);
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const part = bytes.subarray(start, start + CHUNK);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}
