import { createHash } from "node:crypto";

/** Hashes a set of samples by their ids and the hashes of their texts, whatever the order. */
export function hashSamples(hashes: ReadonlyMap<string, string>): { readonly count: number; readonly sha256: string } {
  const lines = [...hashes].map(([id, sha256]) => `${id} ${sha256}\n`).sort();
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line);
  return { count: lines.length, sha256: hash.digest("hex") };
}
