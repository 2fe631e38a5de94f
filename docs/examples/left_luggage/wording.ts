/** One line of the log: a bag that comes to a locker, leaves one, or both. */
export interface Entry {
  readonly bag: string;
  /** The locker that the bag leaves; none if it is handed in. */
  readonly from: number | undefined;
  /** The locker that the bag comes to; none if it is handed out. */
  readonly to: number | undefined;
}

export const INSTRUCTIONS =
  "This is the log of the lockers in a station. A line says which bag is put into a locker, moved, or taken out.\n\n";

/** Writes a line of the log; it ends in a full stop, so that no number can join the next token. */
export function writeEntry({ bag, from, to }: Entry): string {
  if (from === undefined) return `${bag} is put into locker ${to}.`;
  if (to === undefined) return `${bag} is taken out of locker ${from}.`;
  return `${bag} is moved from locker ${from} to locker ${to}.`;
}

/** Asks for the bags in a locker. */
export function writeQuestion(locker: number): string {
  return `\nWhich bags are in locker ${locker} at the end? Answer with their numbers, and commas between them.`;
}
