import {
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  type Materials,
  type WordLists,
  worldDocuments,
} from "@/lib/generators/mod.ts";
import { type Haystack, makeHaystack, type Tokenizer } from "@/lib/text/mod.ts";
import { isEmbeddedEssays, readEmbeddedEssays } from "./_embedded_essays.ts";
import { explainFileError } from "./_explain_file_error.ts";
import { plainName, shortHash } from "./_names.ts";
import { once } from "./_once.ts";
import { openTokenizer } from "./_open_tokenizer.ts";
import { readTexts } from "./_read_texts.ts";

/** Options for {@linkcode openMaterials}. */
export interface MaterialsOptions {
  /**
   * Whose tokens to count: `o200k_base`, `cl100k_base`, `p50k_base`, `r50k_base`, or the path of a model's
   * `tokenizer.json` or of the folder it is in.
   *
   * @default {"cl100k_base"}
   */
  readonly tokenizer?: string;
  /**
   * The essays that needles are hidden in: `essays_en`, `essays_zh`, or the path of a .txt file, of a .jsonl file with
   * a `text` in each line (as OpenCompass's CDME), or of a folder of them.
   * Tasks in one language take that of the two which is in it, unless a path is given.
   *
   * @default {"essays_en"}
   */
  readonly essays?: string;
  /** The path of a SQuAD 1.1 or 2.0 file for `qa_1`; the synthetic world unless given. */
  readonly squad?: string;
  /** The path of a HotpotQA file for `qa_2`; the synthetic world unless given. */
  readonly hotpotqa?: string;
}

/** What materials are called in sample ids and manifests. */
export interface MaterialNames {
  /** An encoding's name, or a model's folder and a hash of its tokenizer.json. */
  readonly tokenizer: string;
  /** The name of essays that come with Fathom, or a folder's name and a hash of its texts. */
  readonly essays: string;
  /** The documents of `qa_1`. */
  readonly oneHop: string;
  /** The documents of `qa_2`. */
  readonly twoHop: string;
}

/** Materials with their names, which are told without reading or measuring them. */
export interface OpenMaterials extends Materials {
  /** What they are called. */
  readonly names: MaterialNames;
}

/**
 * Opens what samples are made of.
 *
 * The user's files are read and checked here. What comes with Fathom is read, and essays are measured, when a task first
 * asks for them, so that a task pays for nothing it does not use.
 *
 * @param options Tokenizer, essays and documents.
 * @returns The materials, to be shared by every task, length and sample. Essays from a folder are called after the folder
 *   and a short hash of the texts, a tokenizer.json after its model's folder and a short hash of the file.
 * @throws {RangeError} If there is no such tokenizer, folder or file, or nothing in it.
 * @throws {SyntaxError} If a file is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const materials = await openMaterials({ tokenizer: "cl100k_base" });
 * equal(materials.tokenizer.name, "cl100k_base");
 * equal(materials.essays.name, "essays_en");
 * ```
 */
export async function openMaterials(options: MaterialsOptions = {}): Promise<OpenMaterials> {
  const { tokenizer: tokenizerName = "cl100k_base", essays: essaysName = "essays_en" } = options;
  const tokenizer = await openTokenizer(tokenizerName);
  const essays = await openEssays(essaysName, tokenizer);
  const { squad, hotpotqa } = options;
  const documents = {
    oneHop: squad ? await openDocuments(squad, documentsFromSquad) : worldDocuments({ hops: 1 }),
    twoHop: hotpotqa ? await openDocuments(hotpotqa, documentsFromHotpotqa) : worldDocuments({ hops: 2 }),
  };
  const words = once(readWords);
  const remembered = new Map<string, unknown>();
  return {
    names: {
      tokenizer: tokenizer.name,
      essays: essays.name,
      oneHop: documents.oneHop.name,
      twoHop: documents.twoHop.name,
    },
    tokenizer,
    documents,
    get essays(): Haystack {
      return essays.haystack();
    },
    essaysIn: (language) => essays.haystackIn(language),
    get words(): WordLists {
      return words();
    },
    remember<T>(key: string, make: () => T): T {
      if (!remembered.has(key)) remembered.set(key, make());
      return remembered.get(key) as T;
    },
  };
}

interface OpenedEssays {
  readonly name: string;
  readonly haystack: () => Haystack;
  readonly haystackIn: (language: "en" | "zh") => Haystack;
}

async function openEssays(essays: string, tokenizer: Tokenizer): Promise<OpenedEssays> {
  if (isEmbeddedEssays(essays)) {
    const index = (name: string): () => Haystack =>
      once(() => {
        const { texts, locale } = readEmbeddedEssays(name);
        return makeHaystack(texts, { name, tokenizer, locale });
      });
    const embedded = { "essays_en": index("essays_en"), "essays_zh": index("essays_zh") };
    const haystackIn = (language: "en" | "zh"): Haystack => embedded[`essays_${language}`]();
    return { name: essays, haystack: embedded[essays], haystackIn };
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
    json = await Deno.readTextFile(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read the documents as they must be a JSON file: current value is "${path}" (${explainFileError(error)})`,
    );
  }
  return parse(json, `${plainName(path).replace(/\.json$/, "")}-${shortHash([json])}`);
}

function readWords(): WordLists {
  const read = (name: string): string[] =>
    Deno.readTextFileSync(new URL(`../../data/words/${name}.txt`, import.meta.url)).trim().split("\n");
  const vocabulary = once(() => read("vocabulary"));
  return {
    adjectives: read("adjectives"),
    nouns: read("nouns"),
    // Large, and wanted by one task alone.
    get vocabulary(): string[] {
      return vocabulary();
    },
  };
}

/** Chinese where more than a tenth of the characters are; it decides where sentences end and whether spaces part them. */
function guessLocale(texts: readonly string[]): string {
  const sample = texts.join("\n").slice(0, 100_000);
  const chinese = sample.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return chinese > sample.length / 10 ? "zh" : "en";
}
