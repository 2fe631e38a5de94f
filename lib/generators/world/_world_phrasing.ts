import type { NameKind } from "./_world_names.ts";

/** The kinds of entity that have a paragraph each. */
export type EntityKind = "person" | "firm" | "town";

/** What an entity is in its district: it decides what is told of it, and what others can say of it. */
export type Role =
  | "market"
  | "borough"
  | "parish"
  | "source"
  | "maker"
  | "finisher"
  | "founder"
  | "manager"
  | "mayor"
  | "worker";

/**
 * One relation between two named things, and the ways to word it.
 *
 * `{s}` stands for the one that the paragraph is about, `{o}` for the other, `{year}` for a year.
 */
export interface Relation {
  readonly name: string;
  readonly subject: EntityKind;
  readonly object: NameKind;
  /** The roles that its object can have; any of its kind unless given. */
  readonly objectRoles?: readonly Role[];
  /** Whether each object has one subject only: nobody manages two firms. */
  readonly isOffice?: boolean;
  /** The relation of its object that it tells too, as a mayor lives in the town: the object's own paragraph leaves it out. */
  readonly settles?: string;
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
  /** How many years after its entity began a sentence can speak of, from and to. */
  readonly years: readonly [number, number];
  /** Openings of a paragraph. */
  readonly openings: readonly string[];
  /** What can be said of anything of this kind. */
  readonly remarks: readonly string[];
}
