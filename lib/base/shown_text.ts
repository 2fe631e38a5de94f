/**
 * Makes an untrusted text safe to show on one line: line breaks, control characters and direction marks are escaped, and the middle
 * of a text longer than `characters` is cut out. HTML is not escaped.
 */
export function quoteText(text: string, characters: number): string {
  const count = countCharacters(text);
  if (count <= characters) return escapeControls(text.toWellFormed());
  const half = Math.floor(characters / 2);
  const start = [...text.slice(0, 2 * half)].slice(0, half);
  const end = half === 0 ? [] : [...text.slice(-2 * half)].slice(-half);
  const [before, after] = [start, end].map((part) => escapeControls(part.join("").toWellFormed()));
  return `${before}… (${count - 2 * half} characters) …${after}`;
}

/** Formats a value for an error as JSON, cut after 60 characters; a text can be all of a file. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 60) : value) ?? "none";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Returns the number of characters of a text, as Python's `len` does; a pair of surrogates is one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => NAMED[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/**
 * Makes a text that a server or a file gives inert in a terminal, a job's log, Markdown and HTML: as {@linkcode quoteText}, and
 * mentions (`@name`), addresses, tags, references (`#1`) and workflow commands (`::error::`, `##[group]`) are broken by an escape.
 */
export function shownText(text: string, characters = 200): string {
  return quoteText(text, characters).replaceAll(
    /(?<!\w)@(?=\w)|<(?=[\w!/?])|(?<=:)(?::|\/(?=\/))|(?<=\bwww)\.|(?<=#)\[|(?<!\w)#(?=\d)/gi,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

const MAX_SHOWN_CHARS = 2000;

/** Makes every text of plain data inert by {@linkcode shownText}; those named `address` may begin as an address. */
export function shownTexts<Value>(value: Value, name = ""): Value {
  if (typeof value === "string") {
    const shown = shownText(value, MAX_SHOWN_CHARS);
    return (name === "address" ? shown.replace(/^(https?:)\\u\{2f\}/, "$1/") : shown) as Value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shownTexts(each)) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownTexts(each, key)])) as Value;
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}

/** Escapes a text for Markdown, including HTML, on one line; what code hosts link by itself (`@name`, addresses, `#1`) is broken up. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, " ").replace(
    /[\\`*_{}[\]<>#|~$&!]/g,
    (character) => `\\${character}`,
  )
    .replaceAll(/@(?=\w)|:(?=\/\/)|\bwww(?=\.)|#(?=\d)/gi, (found) => `${found}&#8203;`);
}
