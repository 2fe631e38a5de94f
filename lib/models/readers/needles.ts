import type { Finding, Reading, TaskReader } from "../reading.ts";
import { inventLike } from "./_invented.ts";
import { continueWith, lastMatch, listTexts } from "./_wording.ts";

const QUESTION = /What (?:is|are all) the special magic (\w+) for (.{1,100000}?) mentioned in the provided text\?/g;
const NEEDLE = /One of the special magic \w+ for (.{1,200}?) is: ([^.\n]{1,200})\./g;

/**
 * Reads RULER's needle tasks: whatever keys, values, queries and haystack.
 *
 * What kind of value is asked for is not believed: the paper's wording asks for a number where values are UUIDs.
 */
export const NEEDLE_READER: TaskReader = {
  name: "needles",
  recognise(prompt): Reading | null {
    const question = lastMatch(prompt, QUESTION);
    if (!question) return null;
    const [, kind, query] = question;
    const needles = readNeedles(prompt);
    const keys = query!.split(/, and |, /);
    const wanted = keys.flatMap((key) => needles.filter((needle) => needle.key === key));
    const asked = new Set(keys);
    const verb = /s$/.test(kind!) ? "are" : "is";
    const join = continueWith(prompt, `mentioned in the provided text ${verb}`);
    return {
      category: "retrieval",
      wanted,
      rivals: needles.filter(({ key }) => !asked.has(key)),
      example: [],
      invent: (draw) => inventLike(wanted[0]?.value ?? "", draw),
      write: (said) => said.length === 0 ? "" : join(`${listTexts(said)}.`),
    };
  },
};

function readNeedles(prompt: string): Finding[] {
  return Array.from(prompt.matchAll(NEEDLE), ({ 1: key, 2: value, index }) => ({
    key: key!,
    value: value!,
    depth: index / prompt.length,
  }));
}
