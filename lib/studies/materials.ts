import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  defined,
  explainFileError,
  MAX_BYTES,
  once,
  plainName,
  quoteText,
  readRegular,
  readRegularText,
  shortHash,
} from "@/lib/base/mod.ts";
import {
  DEFAULT_TOKENIZER,
  isFolder,
  isTokenizerName,
  keepBeside,
  openTokenizer,
  SERVER_TOKENIZER,
} from "./tokenizers.ts";
import {
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  joinTexts,
  type KeepCounts,
  type Materials,
  splitTexts,
  type WordLists,
  WORLD_NAMES,
  worldDocuments,
} from "@/lib/generators/mod.ts";
import { ENCODING_NAMES, type Haystack, makeHaystack, type Tokenizer } from "@/lib/text/mod.ts";
import { fieldsOf, parseJson } from "@/lib/models/mod.ts";

/** Options for {@linkcode openMaterials}. */
export interface MaterialsOptions {
  /**
   * What counts tokens, by default `cl100k_base`: an encoding, or the path of a model's `tokenizer.json`, of its folder or of a
   * `.gguf` file; or `server`, whose samples are made by `cl100k_base` and fitted to the counts of the model's own server.
   */
  readonly tokenizer?: string;
  /**
   * The essays that needles are hidden in, by default `essays_en`: or `essays_zh`, the path of a .txt file, of a .jsonl file with a
   * `text` in each line (as OpenCompass's CDME), or of a folder of them; several with | between them. Without a path, tasks in
   * one language take the essays in that language.
   */
  readonly essays?: string;
  /** The path of a SQuAD 1.1 or 2.0 file for `qa_1`; the generated world by default. */
  readonly squad?: string;
  /** The path of a HotpotQA file for `qa_2`; the generated world by default. */
  readonly hotpotqa?: string;
  /** The path of a file of questions with four choices, such as MMLU's, for RULER v2; sums by default. */
  readonly mmlu?: string;
}

/** The names of materials in sample ids and manifests. */
export interface MaterialNames {
  /** An encoding's name, or a model's name with a hash of its tokenizer. */
  readonly tokenizer: string;
  /** The name of essays that come with Fathom, or a folder's name and a hash of its texts. */
  readonly essays: string;
  readonly oneHop: string;
  readonly twoHop: string;
  readonly exam?: string;
}

/** Materials with their names, which are known without reading or measuring them. */
export interface OpenMaterials extends Materials {
  readonly names: MaterialNames;
}

/**
 * Opens the materials of samples, which all tasks, lengths and samples share.
 *
 * The user's files are read and checked here. Embedded materials are read on demand.
 *
 * @throws {RangeError} If there is no such tokenizer, folder or file, or nothing in it.
 * @throws {SyntaxError} If a file is not what it should be.
 */
export async function openMaterials(options: MaterialsOptions = {}): Promise<OpenMaterials> {
  const { tokenizer: tokenizerName = DEFAULT_TOKENIZER, essays = "essays_en", squad, hotpotqa, mmlu } = options;
  // Samples are made by an encoding and fitted to the server's count one by one.
  const isServers = tokenizerName === SERVER_TOKENIZER;
  const tokenizer = await openTokenizer(isServers ? DEFAULT_TOKENIZER : tokenizerName);
  const make = (): Promise<OpenMaterials> => gather(tokenizer, { ...options, isServers });
  if (!isEmbeddedEssays(essays) || squad || hotpotqa || mmlu) return await make();
  return await embedded.getOrInsertComputed(tokenizer, () => new Map())
    .getOrInsertComputed(`${essays}, ${isServers}`, make);
}

const embedded = new WeakMap<Tokenizer, Map<string, Promise<OpenMaterials>>>();

async function gather(
  tokenizer: Tokenizer,
  { essays: essaysName = "essays_en", squad, hotpotqa, mmlu, isServers }: MaterialsOptions & {
    readonly isServers: boolean;
  },
): Promise<OpenMaterials> {
  const essays = await openEssays(essaysName, tokenizer);
  // The pre-rendered world; other seeds are rendered on demand.
  const packed = once(() => readIfThere("world/told.bin"));
  const keepCounts: KeepCounts = (tokenizer, make) => keepBeside(tokenizer, { name: "world", of: packed()!, make });
  const world = once(() => worldDocuments({ hops: 1, packed, keepCounts }));
  const worldOfTwoHops = once(() => world().withHops(2));
  const oneHop = squad ? await openDocuments(squad, documentsFromSquad) : undefined;
  const twoHop = hotpotqa ? await openDocuments(hotpotqa, documentsFromHotpotqa) : undefined;
  const exam = mmlu ? await (await import("./sample_rows.ts")).openExam(mmlu) : undefined;
  const words = once(() => readWords(tokenizer));
  const isPlain = essays.name === "essays_en" && !squad && !hotpotqa && !mmlu;
  // Those of the benchmarks' own tasks by encoding, which a test holds to what they are found to be.
  const leastLengths = once((): Readonly<Record<string, number>> =>
    isPlain ? JSON.parse(readFileSync(dataFile("least_lengths.json"), "utf8"))[tokenizer.name] ?? {} : {}
  );
  const remembered = new Map<string, unknown>();
  return {
    names: {
      tokenizer: isServers ? `${SERVER_TOKENIZER} (${tokenizer.name})` : tokenizer.name,
      essays: essays.name,
      oneHop: oneHop?.name ?? WORLD_NAMES[1],
      twoHop: twoHop?.name ?? WORLD_NAMES[2],
      ...defined({ exam: exam?.name }),
    },
    tokenizer,
    documents: {
      get oneHop(): DocumentSet {
        return oneHop ?? world();
      },
      get twoHop(): DocumentSet {
        return twoHop ?? worldOfTwoHops();
      },
      ...defined({ exam }),
    },
    get essays(): Haystack {
      return essays.haystack();
    },
    essaysIn: (language) => essays.haystackIn(language),
    get words(): WordLists {
      return words();
    },
    get leastLengths(): Readonly<Record<string, number>> {
      return leastLengths();
    },
    remember<T>(key: string, make: () => T): T {
      const known = remembered.get(key);
      if (known !== undefined || remembered.has(key)) return known as T;
      const made = make();
      remembered.set(key, made);
      return made;
    },
  };
}

async function openEssays(essays: string, tokenizer: Tokenizer): Promise<{
  readonly name: string;
  readonly haystack: () => Haystack;
  readonly haystackIn: (language: "en" | "zh") => Haystack;
}> {
  if (isEmbeddedEssays(essays)) {
    const index = (name: EmbeddedEssays, locale: string): () => Haystack =>
      once(() => makeHaystack(readEmbeddedEssays(name), { name, tokenizer, locale }));
    const embedded = { "essays_en": index("essays_en", "en"), "essays_zh": index("essays_zh", "zh") };
    return { name: essays, haystack: embedded[essays], haystackIn: (language) => embedded[`essays_${language}`]() };
  }
  const { texts, textNames, name } = await readTexts(essays);
  const haystack = once(() => makeHaystack(texts, { name, tokenizer, textNames, locale: guessLocale(texts) }));
  return { name, haystack, haystackIn: haystack };
}

async function openDocuments(
  path: string,
  parse: (json: string, name: string) => DocumentSet,
): Promise<DocumentSet> {
  let json: string;
  try {
    json = await readRegularText(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read the documents as they must be a JSON file: current value is "${path}" (${explainFileError(error)})`,
    );
  }
  return parse(json, `${plainName(path).replace(/\.json$/, "")}-${shortHash([json])}`);
}

function dataFile(path: string): URL {
  return new URL(`../../data/${path}`, import.meta.url);
}

/** Reads a file of data that only saves time; `undefined` if there is none. */
function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(dataFile(path));
  } catch {
    return undefined;
  }
}

function readWords(tokenizer: Tokenizer): WordLists {
  const read = (name: string): string => readFileSync(dataFile(`words/${name}.txt`), "utf8").trim();
  // Large, and wanted by one task alone.
  const vocabulary = once(() => {
    const text = read("vocabulary");
    return { words: text.split("\n"), tokens: readVocabularyTokens(text, tokenizer) };
  });
  return {
    adjectives: read("adjectives").split("\n"),
    nouns: read("nouns").split("\n"),
    get vocabulary(): string[] {
      return vocabulary().words;
    },
    get vocabularyTokens(): Uint8Array | undefined {
      return vocabulary().tokens;
    },
  };
}

/**
 * Reads the tokens of the vocabulary's words; for a model's tokenizer they are counted once and kept. A file's name has the hash
 * of the words, so counts of other words are not read.
 */
function readVocabularyTokens(vocabulary: string, tokenizer: Tokenizer): Uint8Array | undefined {
  const { name, countAfterCut } = tokenizer;
  if (!ENCODING_NAMES.some((encoding) => encoding === name)) {
    const make = (): Uint8Array => Uint8Array.from(vocabulary.split("\n"), (word) => countAfterCut(` ${word}`));
    return keepBeside(tokenizer, { name: "words", of: new TextEncoder().encode(vocabulary), make });
  }
  return readIfThere(`words/tokens/${name}-${shortHash([vocabulary])}.bin`);
}

/** Chinese if more than a tenth of the characters are; decides how sentences end and whether spaces separate them. */
function guessLocale(texts: readonly string[]): string {
  const sample = texts.join("\n").slice(0, 100_000);
  const chinese = sample.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return chinese > sample.length / 10 ? "zh" : "en";
}

type EmbeddedEssays = "essays_en" | "essays_zh";

function isEmbeddedEssays(name: string): name is EmbeddedEssays {
  return name === "essays_en" || name === "essays_zh";
}

/** Reads essays that come with Fathom, in the order of their files' names. */
function readEmbeddedEssays(name: EmbeddedEssays): readonly string[] {
  const folder = fileURLToPath(dataFile(`haystacks/${name}`));
  const files = readdirSync(folder).filter((file) => file.endsWith(".txt")).sort();
  return files.map((file) => readFileSync(`${folder}/${file}`, "utf8"));
}

/** Two folders that a path is relative to, before and after; without the second, it is only joined to the first. */
export interface Places {
  readonly from: string;
  readonly to?: string;
}

/** Returns a path that is relative to the folder `from` as relative to the folder `to`; an absolute one stays. */
export function placePath(path: string, { from, to }: Places): string {
  if (isAbsolute(path)) return path;
  return to === undefined ? join(from, path) : relative(to, resolve(from, path)) || ".";
}

/** What a study names by paths: its materials, and samples that exist already. */
export interface StudyPaths extends MaterialsOptions {
  readonly samplesFile?: string;
}

/** Returns the paths of a study's own files, placed as by {@linkcode placePath}. */
export function pathsOf(
  { tokenizer, essays, squad, hotpotqa, mmlu, samplesFile }: StudyPaths,
  places: Places,
): StudyPaths {
  const place = (path: string): string => placePath(path, places);
  return defined({
    tokenizer: tokenizer && !isTokenizerName(tokenizer) ? place(tokenizer) : tokenizer,
    essays: essays && !isEmbeddedEssays(essays) ? joinTexts(splitTexts(essays).map(place)) : essays,
    squad: squad && place(squad),
    hotpotqa: hotpotqa && place(hotpotqa),
    mmlu: mmlu && place(mmlu),
    samplesFile: samplesFile && place(samplesFile),
  });
}

const TEXT_FILE = /\.(?:txt|jsonl)$/i;

/** Reads .txt or .jsonl files, or every such file of a folder and of the folders in it; several paths are joined by |. */
async function readTexts(path: string): Promise<{
  readonly texts: readonly string[];
  readonly textNames: readonly string[];
  /** The file's or folder's name and a short hash of the texts, so that different texts have different names. */
  readonly name: string;
}> {
  const files = (await Array.fromAsync(splitTexts(path), listFiles)).flat();
  const found = (await Array.fromAsync(files, async (file) => textsOf(file, await readText(file)))).flat();
  const texts = found.map(({ text }) => text);
  if (texts.every((text) => text.trim() === "")) throw cannotRead(path, "there is nothing but white space in it");
  const name = `${plainName(path).replace(TEXT_FILE, "")}-${shortHash(texts)}`;
  return { texts, textNames: found.map(({ name }) => name), name };
}

async function listFiles(path: string): Promise<readonly string[]> {
  const files = TEXT_FILE.test(path) && !await isFolder(path) ? [path] : await listTexts(path);
  if (files.length === 0) throw cannotRead(path, "there is no .txt or .jsonl file in it");
  return files;
}

/** Lists the text files of a folder. A link to a folder is not followed, as it may lead in a circle. */
async function listTexts(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    throw cannotRead(folder, explainFileError(error));
  });
  return entries.filter((entry) => !entry.isDirectory() && TEXT_FILE.test(entry.name))
    .map(({ parentPath, name }) => `${parentPath.replace(/\/+$/, "")}/${name}`).sort();
}

function textsOf(path: string, content: string): readonly { readonly text: string; readonly name: string }[] {
  if (!/l$/i.test(path)) return [{ text: content, name: path }];
  return content.replace(/^\uFEFF/, "").split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const { text } = fieldsOf(parseJson(line));
    if (typeof text === "string") return [{ text, name: `${path}, line ${at + 1}` }];
    throw new SyntaxError(
      `Cannot read the essays as line ${at + 1} of "${path}" must be a JSON object with a text: current value is ${
        quoteText(line.trim(), 60)
      }`,
    );
  });
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readRegular(path, MAX_BYTES));
  } catch (error) {
    if (!(error instanceof TypeError)) throw cannotRead(path, explainFileError(error));
    throw new SyntaxError(`Cannot read the essays as every file must be UTF-8 text: current value is "${path}"`);
  }
}

function cannotRead(path: string, reason: string): RangeError {
  return new RangeError(
    `Cannot read the essays as they must be essays_en, essays_zh, a readable .txt or .jsonl file or a folder of them: current value is "${path}" (${reason})`,
  );
}
