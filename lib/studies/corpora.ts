import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeWhole } from "./files.ts";

/** A file of a corpus, and what is known of it. */
export interface CorpusFile {
  /** Its place below the corpus's address. */
  readonly path: string;
  /** Its size. */
  readonly bytes?: number;
  /** The hash of its content. */
  readonly sha256?: string;
  /** Git's own hash of its content, where no other is known. */
  readonly blob?: string;
}

/** A corpus of one of the originals, as `data/sources.yaml` has it. */
export interface Corpus {
  readonly name: string;
  /** The flag that takes it. */
  readonly use: string;
  /** The benchmarks that use it. */
  readonly for: readonly string[];
  readonly licence: string;
  /** Where its files lie. */
  readonly base: string;
  /** Other places. */
  readonly mirrors?: readonly string[];
  readonly files: readonly CorpusFile[];
}

/** The state of a file on disk. */
export type CorpusState = "here" | "wrong" | "missing";

const SOURCES = new URL("../../data/sources.yaml", import.meta.url);

/** Where corpora are put unless a folder is named. */
export const CORPORA_FOLDER: string = fileURLToPath(new URL("../../data/corpora", import.meta.url));

/** Hashes of files that none was known of, from when they first came. */
const REMEMBERED = "hashes.json";

/** Reads the corpora that can be fetched. */
export async function readCorpora(): Promise<readonly Corpus[]> {
  const { parse } = await import("yaml");
  return (parse(await Deno.readTextFile(SOURCES)) as { readonly sources: readonly Corpus[] }).sources;
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

/** Where a file of a corpus is put: its own name, in a folder named after the corpus. */
function corpusPath(corpus: Corpus, file: CorpusFile, folder: string): string {
  return join(folder, corpus.name, basename(file.path));
}

/** Says of each file of a corpus whether it is there and has the content that is known of it. */
export async function checkCorpus(
  corpus: Corpus,
  folder: string,
): Promise<readonly { readonly file: CorpusFile; readonly state: CorpusState }[]> {
  const remembered = await readRemembered(folder);
  return await Promise.all(corpus.files.map(async (file) => {
    const path = corpusPath(corpus, file, folder);
    if (!await isThere(path)) return { file, state: "missing" as const };
    const state = await isRight(path, withRemembered(file, remembered[rememberedAs(corpus, file)])) ? "here" : "wrong";
    return { file, state } as const;
  }));
}

/** Options for {@linkcode fetchCorpus}. */
export interface FetchCorpusOptions {
  readonly folder: string;
  /** A folder to copy the files from, at any depth, instead of the network. */
  readonly from?: string | undefined;
  /** Called with what is done, file by file. */
  readonly onFile?: (file: CorpusFile, done: string) => void;
  /** Fetches an address; from the network by default. */
  readonly ask?: (address: string, headers: Readonly<Record<string, string>>) => Promise<Response>;
}

/**
 * Brings the files of a corpus into a folder, checks each, and keeps those that are right already. A file that broke off is
 * continued. A file that no hash is known of is remembered by its hash, and any other content is refused ever after.
 *
 * @throws {RangeError} If a file cannot be had or has another content; what came before it stays.
 */
export async function fetchCorpus(corpus: Corpus, options: FetchCorpusOptions): Promise<void> {
  const { folder, from, onFile } = options;
  await Deno.mkdir(join(folder, corpus.name), { recursive: true });
  for (const { file, state } of await checkCorpus(corpus, folder)) {
    if (state === "here") {
      onFile?.(file, "already here");
      continue;
    }
    const path = corpusPath(corpus, file, folder);
    const part = `${path}.part`;
    if (from === undefined) await download(corpus, file, { ...options, part });
    else await Deno.copyFile(await findIn(from, file), part);
    const remembered = await readRemembered(folder);
    const known = withRemembered(file, remembered[rememberedAs(corpus, file)]);
    if (!await isRight(part, known)) {
      await Deno.remove(part);
      throw new RangeError(
        `Cannot keep ${basename(file.path)} of ${corpus.name} as its content must be the one that is known (${
          known.sha256 ?? `git blob ${known.blob}`
        }): current value is another`,
      );
    }
    await Deno.rename(part, path);
    const hashes = { ...remembered, [rememberedAs(corpus, file)]: await hashOf(path, "sha256") };
    await writeWhole(join(folder, REMEMBERED), `${JSON.stringify(hashes, null, 2)}\n`);
    onFile?.(file, from === undefined ? "fetched" : "copied");
  }
}

const OK = 200;
const PARTIAL = 206;

async function download(
  { base, mirrors = [], name }: Corpus,
  file: CorpusFile,
  { part, ask = askNetwork }: Pick<FetchCorpusOptions, "ask"> & { readonly part: string },
): Promise<void> {
  const failures: string[] = [];
  for (const place of [base, ...mirrors]) {
    const address = new URL(file.path, place).href;
    const begun = await sizeOf(part);
    const headers = begun > 0 ? { range: `bytes=${begun}-` } : {};
    try {
      const response = await ask(address, headers);
      if ((response.status !== OK && response.status !== PARTIAL) || response.body === null) {
        await response.body?.cancel();
        failures.push(`${address} answers ${response.status}`);
        continue;
      }
      const target = await Deno.open(part, {
        ...{ create: true, write: true },
        ...(response.status === PARTIAL ? { append: true } : { truncate: true }),
      });
      return await response.body.pipeTo(target.writable);
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

function askNetwork(address: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(address, { headers });
}

/** Finds a file in a folder, at any depth: by its name, or under another by its size and hash. */
async function findIn(folder: string, file: CorpusFile): Promise<string> {
  const name = basename(file.path);
  const paths = await Array.fromAsync(filesIn(folder));
  const named = paths.find((path) => basename(path) === name);
  if (named !== undefined) return named;
  if (file.sha256 !== undefined) {
    for (const path of paths) if (await isRight(path, file)) return path;
  }
  throw new RangeError(
    `Cannot copy ${name} as --from must name a folder that has it: current value is "${folder}"`,
  );
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isFile) yield path;
      if (entry.isDirectory) yield* filesIn(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await sizeOf(path) >= 0;
}

/** Bytes of a file; -1 where there is none. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return -1;
    throw error;
  }
}

/** Whether a file has the content that is known of it; a file that nothing is known of is right. */
async function isRight(path: string, { bytes, sha256, blob }: CorpusFile): Promise<boolean> {
  const size = await sizeOf(path);
  if (bytes !== undefined && size !== bytes) return false;
  if (sha256 !== undefined) return await hashOf(path, "sha256") === sha256;
  return blob === undefined || await hashOf(path, "sha1", `blob ${size}\0`) === blob;
}

async function hashOf(path: string, kind: "sha256" | "sha1", before = ""): Promise<string> {
  const hash = createHash(kind).update(before);
  using file = await Deno.open(path);
  for await (const chunk of file.readable) hash.update(chunk);
  return hash.digest("hex");
}

function rememberedAs({ name }: Corpus, { path }: CorpusFile): string {
  return `${name}/${basename(path)}`;
}

function withRemembered(file: CorpusFile, sha256: string | undefined): CorpusFile {
  return sha256 === undefined ? file : { sha256, ...file };
}

async function readRemembered(folder: string): Promise<Readonly<Record<string, string>>> {
  const path = join(folder, REMEMBERED);
  return await isThere(path) ? JSON.parse(await Deno.readTextFile(path)) : {};
}
