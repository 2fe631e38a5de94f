/** One line of a file. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** How many bytes of the file stand before it. */
  readonly start: number;
  /** Whether a line break ends it; the last line of a file that was cut short has none. */
  readonly isEnded: boolean;
}

const LINE_BREAK = 0x0a;

/** Reads a file line by line, holding no more than a line and a chunk of it; blank lines are left out. */
export async function* readLines(file: Deno.FsFile): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let pending = new Uint8Array();
  let number = 0;
  let start = 0;
  const chunk = new Uint8Array(1 << 16);
  for (let size = await file.read(chunk); size !== null; size = await file.read(chunk)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0 && end < size; end = chunk.indexOf(LINE_BREAK, from)) {
      const bytes = concatenate(pending, chunk.subarray(from, end));
      pending = new Uint8Array();
      from = end + 1;
      number++;
      if (bytes.length > 0) yield { text: decoder.decode(bytes), number, start, isEnded: true };
      start += bytes.length + 1;
    }
    pending = concatenate(pending, chunk.subarray(from, size));
  }
  if (pending.length > 0) yield { text: decoder.decode(pending), number: number + 1, start, isEnded: false };
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
