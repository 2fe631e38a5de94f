/** White space by Python's `str.isspace`: JavaScript's, with U+001C to U+001F and U+0085, without U+FEFF. */
const SPACES: ReadonlySet<number> = new Set([
  ...between(0x09, 0x0d),
  ...between(0x1c, 0x20),
  0x85,
  0xa0,
  0x1680,
  ...between(0x2000, 0x200a),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
]);

/** Strips white space as Python's `str.strip` does. */
export function stripText(text: string): string {
  let start = 0;
  let end = text.length;
  // A regular expression would be quadratic on a reply that is mostly white space.
  while (start < end && SPACES.has(text.charCodeAt(start))) start++;
  while (end > start && SPACES.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Strips white space as Python's `str.rstrip` does. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SPACES.has(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Whether a character code is white space by Python's `str.isspace`. */
export function isSpace(code: number): boolean {
  return SPACES.has(code);
}

/** Splits at runs of white space as Python's `str.split` does, so no piece is empty. */
export function splitText(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !SPACES.has(text.charCodeAt(at))) continue;
    if (at > start) pieces.push(text.slice(start, at));
    start = at + 1;
  }
  return pieces;
}

/** Removes all white space, as Python's `re.sub(r"\s+", "", text)` does. */
export function removeSpace(text: string): string {
  return splitText(text).join("");
}

/** Whether a text contains another by code points, as Python's `in` does; half of a surrogate pair is not in a whole one. */
export function holdsText(text: string, part: string): boolean {
  if (part.isWellFormed()) return text.includes(part);
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!splitsPair(text, at) && !splitsPair(text, at + part.length)) return true;
  }
  return false;
}

function splitsPair(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
