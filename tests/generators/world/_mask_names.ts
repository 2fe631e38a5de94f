import {
  ENDINGS,
  FIRM_TYPES,
  GIVEN_NAMES,
  type NameKind,
  TITLES,
  type WorldName,
} from "@/lib/generators/world/world_names.ts";

/** Replaces each name of a text by `<kind>`, and lists the names. */
export function maskNames(text: string): { readonly masked: string; readonly names: readonly WorldName[] } {
  const names: WorldName[] = [];
  const masked = text.replace(NAME, (full: string, word: string, ending: string) => {
    names.push({ full, word });
    return `<${KIND_OF_ENDING.get(ending)!}>`;
  });
  return { masked, names };
}

const KIND_OF_ENDING: ReadonlyMap<string, NameKind> = new Map(
  (Object.entries(ENDINGS) as [NameKind, readonly string[]][]).flatMap(([kind, endings]) =>
    endings.map((ending): [string, NameKind] => [ending, kind])
  ),
);

const NAME = new RegExp(
  `(?:\\b(?:${GIVEN_NAMES.join("|")}) |\\bThe (?:${TITLES.join("|")}) of )?\\b([A-Z][a-z]{4,6}(${
    [...KIND_OF_ENDING.keys()].join("|")
  }))\\b(?: (?:${FIRM_TYPES.join("|")})\\b)?`,
  "g",
);
