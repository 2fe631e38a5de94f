import { type Audit, lastPlace, type Solution, unsolvable } from "@/tests/audit/_solution.ts";
import { LEFT_LUGGAGE } from "@/docs/examples/left_luggage/left_luggage.ts";

/** A line of the log: the bag, what happens to it, the locker that it leaves on the way, and the last one named. */
const LINE = /^(B\d+) is (put into|taken out of|moved from locker (\d+) to) locker (\d+)\.$/;

/** Follows every bag through the whole log, where the generator knows only the bags of one locker. */
function solve(prompt: string): Solution {
  const start = prompt.indexOf("\n\n") + 2;
  const end = lastPlace(prompt, "\nWhich bags are in locker ");
  const [, asked] = /locker (\d+) at the end\?/.exec(prompt.slice(end)) ?? [];
  const places = new Map<string, string | undefined>();
  let planted = 0;
  for (const line of prompt.slice(start, end).split("\n").filter((text) => text !== "")) {
    const [, bag, what, left, last] = LINE.exec(line) ?? [];
    if (bag === undefined) throw unsolvable(`a line must be an entry of the log: "${line}"`);
    const [from, to] = what === "taken out of" ? [last, undefined] : [left, last];
    if (places.has(bag) && places.get(bag) !== from) throw unsolvable(`${bag} must leave the locker that it is in`);
    places.set(bag, to);
    if (from === asked || to === asked) planted++;
  }
  const answers = [...places].filter(([, locker]) => locker === asked).map(([bag]) => bag);
  const unit = "B1234567 is moved from locker 123 to locker 456.\n";
  return { answers: answers.sort(), anyOrder: true, context: [start, end], planted, unit };
}

/** How the suite is audited: its knobs at their edges. Bags that come late are rather still there at the end. */
export const AUDIT: Audit = {
  solve,
  further: LEFT_LUGGAGE.families.flatMap((family) => [family.make({ entries: 1 }), family.make({ entries: 50 })]),
  traits: () => ({ isSpread: false }),
};
