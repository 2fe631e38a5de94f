import { FRAMING_WORDS } from "./_framing_words.ts";

/** What the references of a task are, which decides what in a reply counts as an item. */
export type ItemKind = "number" | "uuid" | "name" | "pair" | "coded word" | "word";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Tells what a set of references is made of, from the strictest kind to the loosest. */
export function kindOf(references: readonly string[]): ItemKind {
  const all = (pattern: RegExp): boolean => references.every((reference) => pattern.test(reference));
  if (all(/^\d+$/)) return "number";
  if (all(new RegExp(`^${UUID.source}$`, "i"))) return "uuid";
  if (all(/^[A-Z]{3,}$/)) return "name";
  if (all(/^\p{L}+(?:['’-]\p{L}+)*-\p{L}+$/u)) return "pair";
  // Words drawn from English lists are hardly ever all of six letters.
  if (all(/^[a-z]{6}$/)) return "coded word";
  return "word";
}

/** Finds every item of a kind in a reply, in its order, in the spelling that is compared. */
export function findItems(reply: string, references: readonly string[]): string[] {
  const kind = kindOf(references);
  const wanted = new Set(references.map((reference) => spell(reference, kind)));
  const sizes = new Set(references.map((reference) => reference.length));
  const items = listAll(reply, kind, sizes).map((item) => spell(item, kind));
  const isOfKind: Readonly<Record<ItemKind, (item: string) => boolean>> = {
    number: (item) => sizes.has(item.length),
    uuid: () => true,
    name: (item) => sizes.has(item.length),
    pair: () => true,
    "coded word": (item) => sizes.has(item.length) && !FRAMING_WORDS.has(item),
    word: (item) => !FRAMING_WORDS.has(item),
  };
  return items.filter((item) => wanted.has(item) || isOfKind[kind](item));
}

/** Gives the spelling in which items of a kind are compared. */
export function spell(item: string, kind: ItemKind): string {
  return kind === "name" ? item.toUpperCase() : item.trim().toLowerCase().replaceAll(/[’ʼ]/g, "'");
}

function listAll(reply: string, kind: ItemKind, sizes: ReadonlySet<number>): string[] {
  // Typographic hyphens are the same hyphen; the numbers of a numbered list are not items.
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-").replaceAll(/^[ \t]*\d{1,3}[.)、]/gm, " ");
  const find = (pattern: RegExp): string[] => text.match(pattern) ?? [];
  switch (kind) {
    case "number":
      // Whole numbers only: neither a stretch of a longer number nor a side of a decimal point.
      return find(/(?<!\d)(?<!\d\.)\d+(?!\d)(?!\.\d)/g);
    case "uuid":
      return find(new RegExp(`(?<![0-9a-z])${UUID.source}(?![0-9a-z])`, "gi"));
    case "name": {
      const names = find(/(?<![A-Za-z0-9_])[A-Z]+(?![A-Za-z0-9_])/g);
      // A reply all in lower case still names variables, and then any of its words can be one.
      return names.some((name) => sizes.has(name.length)) ? names : find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    }
    case "pair":
      return findWords(text).filter((word) => word.includes("-"));
    case "coded word":
      return find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    case "word":
      return findWords(text);
  }
}

function findWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu) ?? [];
}
