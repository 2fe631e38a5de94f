import { type Materials, worldDocuments } from "@/lib/generators/mod.ts";
import { type EncodingName, makeHaystack, openEncoding } from "@/lib/text/mod.ts";

const DATA = new URL("../../data/", import.meta.url);

const opened = new Map<EncodingName, Promise<Materials>>();

/** Gives what samples are made of, for one encoding, from the files that come with the project; opened once for all tests. */
export function openTestMaterials(encoding: EncodingName): Promise<Materials> {
  const known = opened.get(encoding) ?? openKnown(encoding);
  opened.set(encoding, known);
  return known;
}

async function openKnown(encoding: EncodingName): Promise<Materials> {
  const leastLengths = JSON.parse(Deno.readTextFileSync(new URL("least_lengths.json", DATA)))[encoding];
  return { ...await openFreshMaterials(encoding), leastLengths };
}

/** The same materials with others in place of some, of which nothing is known or remembered. */
export function withOther(materials: Materials, changes: Partial<Materials>): Materials {
  return { ...materials, leastLengths: {}, remember: memory(), ...changes };
}

/** Opens the same anew, of which nothing is known or remembered yet. */
export async function openFreshMaterials(encoding: EncodingName): Promise<Materials> {
  const tokenizer = await openEncoding(encoding);
  const essays = makeHaystack(readEssays("en"), { name: "essays_en", tokenizer });
  const chinese = once(() => makeHaystack(readEssays("zh"), { name: "essays_zh", tokenizer, locale: "zh" }));
  const world = worldDocuments({ hops: 1, packed: () => Deno.readFileSync(new URL("world/told.bin", DATA)) });
  return {
    tokenizer,
    essays,
    essaysIn: (language) => language === "en" ? essays : chinese(),
    words: { adjectives: readWords("adjectives"), nouns: readWords("nouns"), vocabulary: readWords("vocabulary") },
    documents: { oneHop: world, twoHop: world.withHops(2) },
    remember: memory(),
  };
}

function memory(): Materials["remember"] {
  const made = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as T;
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

function readEssays(language: "en" | "zh"): string[] {
  const folder = new URL(`haystacks/essays_${language}/`, DATA);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".txt")).sort();
  return names.map((name) => Deno.readTextFileSync(new URL(name, folder)));
}

function readWords(name: string): string[] {
  return Deno.readTextFileSync(new URL(`words/${name}.txt`, DATA)).trimEnd().split("\n");
}
