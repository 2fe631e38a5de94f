/** The names of the essays that come with Fathom. */
export type EmbeddedEssays = "essays_en" | "essays_zh";

/** The essays that come with Fathom, and their languages. */
const EMBEDDED_ESSAYS: ReadonlyMap<string, string> = new Map([["essays_en", "en"], ["essays_zh", "zh"]]);

/** Tells whether essays of this name come with Fathom. */
export function isEmbeddedEssays(name: string): name is EmbeddedEssays {
  return EMBEDDED_ESSAYS.has(name);
}

/** Reads the essays of a name that come with Fathom, in the order of their files' names, and tells their language. */
export function readEmbeddedEssays(name: string): { readonly texts: readonly string[]; readonly locale: string } {
  const folder = new URL(`../../data/haystacks/${name}/`, import.meta.url);
  const files = [...Deno.readDirSync(folder)].map((entry) => entry.name).filter((file) => file.endsWith(".txt"));
  const texts = files.sort().map((file) => Deno.readTextFileSync(new URL(file, folder)));
  return { texts, locale: EMBEDDED_ESSAYS.get(name) ?? "en" };
}
