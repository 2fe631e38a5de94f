import { type EntityKind, type Relation, RELATIONS, type Role } from "./world_relations.ts";

/** What entities of a role have in common. */
interface RoleTraits {
  readonly kind: EntityKind;
  /** How many a district has. */
  readonly count: number;
  /** Relations between two of a kind lead one rank up, towards 0: so there is no circle, and teachers are older than pupils. */
  readonly rank: number;
  /** The years of their birth or founding, from and to; for towns, the year in which records begin. */
  readonly began: readonly [number, number];
}

/**
 * The roles of a district, in the order of its entities.
 *
 * The years of a relation count from the beginning of its subject. With these spans no date is impossible, whoever is drawn:
 *
 * | event | years | who takes part |
 * | --- | --- | --- |
 * | a firm is founded | 1888 to 1900 | by a founder of 26 to 46 |
 * | a manager or mayor is apprenticed, at 14 to 18 | 1888 to 1904 | to a founder of 26 to 50 |
 * | a worker is apprenticed, at 14 to 18 | 1910 to 1924 | to a manager or mayor of 24 to 50 |
 * | a mayor or worker, aged 26 to 31, is employed | 1900 to 1937 | by a firm founded by then |
 * | a firm is supplied, 12 to 36 years after its founding | 1900 to 1936 | by a firm founded by then |
 * | a firm is managed, 33 to 37 years after its founding | 1921 to 1937 | by a manager of 35 to 63 |
 * | a bridge is designed | 1910 to 1920 | by a founder of 48 to 66, or a manager or mayor of 24 to 46 |
 * | a town receives its charter | 1886 to 1910 | before any mayor |
 * | a mayor is elected | 1922 to 1937 | at 36 to 63 |
 * | a home, a book, an aside about a person | 1878 to 1937 | at 24 to 31 |
 *
 * The texts look back from 1938: none of their years is later, and everybody in them is alive, at 84 at most.
 */
export const ROLES: Readonly<Record<Role, RoleTraits>> = {
  market: { kind: "town", count: 1, rank: 0, began: [1850, 1850] },
  borough: { kind: "town", count: 1, rank: 1, began: [1850, 1850] },
  parish: { kind: "town", count: 1, rank: 1, began: [1850, 1850] },
  source: { kind: "firm", count: 1, rank: 0, began: [1888, 1900] },
  maker: { kind: "firm", count: 1, rank: 1, began: [1888, 1900] },
  finisher: { kind: "firm", count: 1, rank: 2, began: [1888, 1900] },
  founder: { kind: "person", count: 3, rank: 0, began: [1854, 1862] },
  manager: { kind: "person", count: 2, rank: 1, began: [1874, 1886] },
  mayor: { kind: "person", count: 2, rank: 1, began: [1874, 1886] },
  worker: { kind: "person", count: 2, rank: 2, began: [1896, 1906] },
};

const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** Lists the roles that the object of a relation can have if its subject has `role`; none if that is never stated. */
export function objectRoles(relation: Relation, role: Role): Role[] {
  if (ROLES[role].kind !== relation.subject || isSettled(relation.name, role)) return [];
  return candidateRoles(relation, role);
}

function candidateRoles(relation: Relation, role: Role): Role[] {
  const named = relation.objectRoles ?? ROLE_NAMES.filter((other) => ROLES[other].kind === relation.object);
  if (relation.subject !== relation.object) return [...named];
  return named.filter((other) => ROLES[other].rank === ROLES[role].rank - 1);
}

/** Whether another relation, with these entities as its object, already implies this one. */
function isSettled(name: string, role: Role): boolean {
  return Object.values(RELATIONS).flat().some((other) =>
    other.settles === name &&
    ROLE_NAMES.some((subject) => ROLES[subject].kind === other.subject && candidateRoles(other, subject).includes(role))
  );
}
