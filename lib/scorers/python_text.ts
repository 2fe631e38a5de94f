/**
 * Cleans a reply as RULER's evaluate.py does: strips it, turns every control character from U+0000 to U+001F into a line
 * break, and strips it again. White space is Python's.
 */
export function cleanPrediction(reply: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is replaced
  return stripText(stripText(reply).replaceAll(/[\u0000-\u001f]/g, "\n"));
}

/** White space by Python's `str.isspace`: JavaScript's, with U+001C to U+001F and U+0085, without U+FEFF. */
const SPACES: ReadonlySet<number> = new Set(
  Array.from(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
      "\u2028\u2029\u202f\u205f\u3000",
    (character) => character.charCodeAt(0),
  ),
);

/** Strips white space as Python's `str.strip` does. */
export function stripText(text: string): string {
  // A regular expression would be quadratic on a reply that is mostly white space.
  let [start, end] = [0, text.length];
  while (start < end && SPACES.has(text.charCodeAt(start))) start++;
  while (end > start && SPACES.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
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
  const points = (each: string): string => `,${Array.from(each, (character) => character.codePointAt(0)).join()},`;
  return points(text).includes(points(part));
}
