import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";

/** Hashes texts to eight hexadecimal digits: enough to tell sets of texts apart by name. */
export function shortHash(texts: readonly string[]): string {
  const hash = createHash("sha256");
  // A character that no text holds keeps the texts apart.
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 8);
}

/** Gives the last name of a path, without anything that would disturb a sample's id. */
export function plainName(path: string): string {
  return basename(resolve(path)).replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
