import { createHash } from "node:crypto";

/** Hashes a file's bytes or its text to SHA-256 in hexadecimal, as `sha256sum` does. */
export function hashBytes(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Hashes texts or bytes to SHA-256 in hexadecimal. */
export function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  // A separator that no text contains.
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

/** Hashes texts to eight hexadecimal digits, enough to distinguish sets of texts. */
export function shortHash(texts: readonly string[]): string {
  return hashOf(texts).slice(0, 8);
}

/** Characters of a file name; file systems allow 255 bytes, with endings and folders of figures. */
const MAX_NAME_CHARS = 100;

/** Shortens an ASCII name of more than 100 characters to its beginning and a hash of `of`. */
export function shortName(name: string, of = name): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  const hash = hashOf([of]).slice(0, 12);
  return `${name.slice(0, MAX_NAME_CHARS - hash.length - 1)}-${hash}`;
}
