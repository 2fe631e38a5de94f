import type { NameKind } from "./_world_names.ts";

/** The kinds of entity that have a paragraph each. */
export type EntityKind = "person" | "firm" | "town";

/**
 * One relation between two named things, and the ways to word it.
 *
 * `{s}` stands for the one that the paragraph is about, `{o}` for the other, `{year}` for a year.
 */
export interface Relation {
  readonly name: string;
  readonly subject: EntityKind;
  readonly object: NameKind;
  /** How many years after its subject began it holds, from and to. */
  readonly years: readonly [number, number];
  /** Sentences that state it. */
  readonly statements: readonly string[];
  /** Questions for the object. */
  readonly questions: readonly string[];
  /** Words that stand for the object in a further question; none where the object has no paragraph. */
  readonly descriptions: readonly string[];
}

/** The sentences of a paragraph that state no relation. */
export interface Padding {
  /** Openings of a paragraph. */
  readonly openings: readonly string[];
  /** What can be said of anything of this kind. */
  readonly remarks: readonly string[];
}
