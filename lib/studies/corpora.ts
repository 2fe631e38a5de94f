import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { workFolder } from "@/lib/base/mod.ts";
import { readYaml } from "./files.ts";

/** A file of a corpus, with the hash of its content, if known. */
export interface CorpusFile {
  readonly path: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly blob?: string;
}

/** A corpus of one of the papers, as `data/sources.yaml` has it. */
export interface Corpus {
  readonly name: string;
  readonly use: string;
  readonly for: readonly string[];
  readonly licence: string;
  readonly base: string;
  readonly mirrors?: readonly string[];
  readonly files: readonly CorpusFile[];
}

const SOURCES = fileURLToPath(new URL("../../data/sources.yaml", import.meta.url));

/** The default folder of corpora. */
export const CORPORA_FOLDER: string = workFolder("data/corpora");

/** Reads the corpora that can be fetched. */
export async function readCorpora(): Promise<readonly Corpus[]> {
  const content = await readYaml(SOURCES, { what: "the corpora", wanted: "they must be in a YAML file" });
  return (content as { readonly sources: readonly Corpus[] }).sources;
}

/** Picks corpora by name; all without any. */
export function pickCorpora(corpora: readonly Corpus[], names: readonly string[]): readonly Corpus[] {
  const unknown = names.find((name) => !corpora.some((corpus) => corpus.name === name));
  if (unknown === undefined) return names.length === 0 ? corpora : corpora.filter(({ name }) => names.includes(name));
  throw new RangeError(
    `Cannot choose the corpora as each must be one of ${
      corpora.map(({ name }) => name).join(", ")
    }: current value is "${unknown}"`,
  );
}

/** A file of a corpus on disk: present with the known content, present with another, or missing. */
export interface CheckedFile {
  readonly file: CorpusFile;
  readonly path: string;
  readonly state: "here" | "wrong" | "missing";
}

/** Checks each file of a corpus, in the folder of its name. */
export async function checkCorpus({ name, files }: Corpus, folder: string): Promise<readonly CheckedFile[]> {
  return await Promise.all(files.map(async (file) => {
    const path = join(folder, name, basename(file.path));
    const isThere = await stat(path).then(() => true, () => false);
    if (!isThere) return { file, path, state: "missing" } as const;
    return { file, path, state: await isRight(path, file) ? "here" : "wrong" } as const;
  }));
}

/** Options for {@linkcode fetchCorpus}. */
export interface FetchCorpusOptions {
  readonly folder: string;
  /** A folder to copy the files from, at any depth, instead of the network. */
  readonly from?: string | undefined;
  readonly onFile?: (file: CorpusFile, done: string) => void;
  readonly ask?: (address: string) => Promise<Response>;
}

/**
 * Brings the files of a corpus into a folder, checks each, and keeps those that are right already.
 *
 * @throws {RangeError} If a file is not available or has another content; files before it are kept.
 */
export async function fetchCorpus(corpus: Corpus, options: FetchCorpusOptions): Promise<void> {
  const { folder, from, onFile } = options;
  await mkdir(join(folder, corpus.name), { recursive: true });
  for (const { file, path, state } of await checkCorpus(corpus, folder)) {
    if (state === "here") {
      onFile?.(file, "already here");
      continue;
    }
    const part = `${path}.part`;
    if (from === undefined) await download(corpus, file, part, options.ask);
    else await copyFile(await findIn(from, basename(path)), part);
    if (!await isRight(part, file)) {
      await rm(part);
      throw new RangeError(
        `Cannot keep ${basename(path)} of ${corpus.name} as its content must be the known one (${
          file.sha256 ?? `git blob ${file.blob}`
        }): current value is another`,
      );
    }
    await rename(part, path);
    onFile?.(file, from === undefined ? "fetched" : "copied");
  }
}

async function download(
  { base, mirrors = [], name }: Corpus,
  file: CorpusFile,
  part: string,
  ask: FetchCorpusOptions["ask"] = (address) => fetch(address),
): Promise<void> {
  const failures: string[] = [];
  for (const place of [base, ...mirrors]) {
    const address = new URL(file.path, place).href;
    try {
      const response = await ask(address);
      if (response.ok && response.body !== null) return await pipeline(response.body, createWriteStream(part));
      await response.body?.cancel();
      failures.push(`${address} answers ${response.status}`);
    } catch (error) {
      failures.push(`${address}: ${(error as Error).message}`);
    }
  }
  throw new RangeError(
    `Cannot fetch ${basename(file.path)} of ${name} as one of its addresses must give it: current value is ${
      failures.join("; ")
    }. Without internet, fetch it elsewhere and give its folder with --from`,
  );
}

async function findIn(folder: string, name: string): Promise<string> {
  const paths = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const found = paths.find((path) => basename(path) === name);
  if (found !== undefined) return join(folder, found);
  throw new RangeError(`Cannot copy ${name} as --from must name a folder that has it: current value is "${folder}"`);
}

/** Whether a file has the content that is known of it; a file without a known hash is right. */
async function isRight(path: string, { bytes, sha256, blob }: CorpusFile): Promise<boolean> {
  const { size } = await stat(path);
  if (bytes !== undefined && size !== bytes) return false;
  if (sha256 !== undefined) return await hashFile(path, "sha256") === sha256;
  return blob === undefined || await hashFile(path, "sha1", `blob ${size}\0`) === blob;
}

async function hashFile(path: string, kind: "sha256" | "sha1", before = ""): Promise<string> {
  const hash = createHash(kind).update(before);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
