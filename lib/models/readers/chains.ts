import type { Finding, Reading, TaskReader } from "../reading.ts";
import { inventName } from "./_invented.ts";
import { continueWith, lastMatch } from "./_wording.ts";

const QUESTION = /Find all variables that are assigned the value (\S+) in the text/g;
const OPENING = "Memorize and track the chain(s) of variable assignment";
const ASSIGNMENT = /VAR (\w+) = (?:VAR )?(\w+)/g;
const EXAMPLE_ANSWER = /variables are ass(?:igned|gined) the value \S+, they are:([^\n]*)/g;

/** Reads RULER's variable tracking: any number of chains and hops, with or without a worked example before it. */
export const CHAIN_READER: TaskReader = {
  name: "chains",
  recognise(prompt): Reading | null {
    const question = lastMatch(prompt, QUESTION);
    if (!question) return null;
    const end = question.index!;
    const start = Math.max(0, prompt.lastIndexOf(OPENING, end));
    const chains = followChains(prompt, start, end);
    const value = question[1]!;
    const wanted = chains.filter((link) => link.value === value);
    const names = ({ finding }: Link): Finding => finding;
    const example = lastMatch(prompt.slice(0, start), EXAMPLE_ANSWER);
    const join = continueWith(prompt, "they are:");
    return {
      category: "multi-hop tracing",
      wanted: wanted.map(names),
      rivals: chains.filter((link) => link.value !== value).map(names),
      example: (example?.[1] ?? "").split(/\s+/).filter((name) => name !== ""),
      invent: (draw) => inventName(wanted[0]?.finding.value.length ?? 5, draw),
      write: (said) => join(said.join(" ")),
    };
  },
};

interface Link {
  readonly finding: Finding;
  /** The number at the beginning of its chain. */
  readonly value: string;
}

/** Follows every chain from its number, whatever the order in which it is written. */
function followChains(prompt: string, start: number, end: number): Link[] {
  const assignments = new Map<string, { name: string; at: number }[]>();
  for (const match of prompt.slice(start, end).matchAll(ASSIGNMENT)) {
    const [, name, source] = match;
    const known = assignments.get(source!) ?? [];
    assignments.set(source!, [...known, { name: name!, at: match.index }]);
  }
  const links: Link[] = [];
  const follow = (source: string, value: string, hop: number): void => {
    for (const { name, at } of assignments.get(source) ?? []) {
      const depth = (start + at) / prompt.length;
      links.push({ value, finding: { key: name, value: name, depth, hop } });
      follow(name, value, hop + 1);
    }
  };
  for (const source of assignments.keys()) {
    if (/^\d+$/.test(source)) follow(source, source, 0);
  }
  return links;
}
