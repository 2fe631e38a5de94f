import { md5 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

// What samples need of Node's modules, for a browser: the bundle has this file in place of each of them.

/** Thrown for a text of the site that is not read yet. */
export class MissingText extends Error {
  /** @param text The file's path in `data/`; a folder of essays is one text. */
  constructor(readonly text: string) {
    super(`The text ${text} is not read yet`);
  }
}

/** The texts that are read, and the essays of a folder by their names. */
export const TEXTS: Map<string, string> = new Map();

function textOf(name: string): string {
  const text = TEXTS.get(name);
  if (text === undefined) throw new MissingText(name);
  return text;
}

export function readdirSync(folder: string): string[] {
  return Object.keys(JSON.parse(textOf(folder)));
}

/** Reads a text. Files that only save time are not on the site. */
export function readFileSync(place: string | URL): string {
  const path = fileURLToPath(place);
  if (path.endsWith(".bin")) throw new Error(`The site has no ${path}`);
  const [, folder, name] = /^(haystacks\/[^/]+)\/(.+)$/.exec(path) ?? [];
  return folder === undefined ? textOf(path) : JSON.parse(textOf(folder))[name!];
}

/** Returns the path of a file in `data/`. */
export function fileURLToPath(place: string | URL): string {
  return String(place).split("/data/").at(-1)!;
}

/** Hashes at once, as the browser's own function does not. */
export function createHash(name: "md5" | "sha256"): Hash {
  const hash = { md5, sha256 }[name].create();
  const made: Hash = {
    update(part): Hash {
      hash.update(typeof part === "string" ? new TextEncoder().encode(part) : part);
      return made;
    },
    digest: () => bytesToHex(hash.digest()),
  };
  return made;
}

interface Hash {
  update(part: string | Uint8Array): Hash;
  digest(form: "hex"): string;
}
