import {
  areUnset,
  type Audit,
  checkDifferent,
  checkExample,
  lastPlace,
  longest,
  only,
  type Solution,
  unsolvable,
} from "./_solution.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";

/** Solves a prompt of Needle Threading: looks keys up in its object, and follows values that are keys. */
export function solveNeedleThreading(prompt: string): Solution {
  const end = lastPlace(prompt, "}\n");
  const question = prompt.slice(end + 2);
  const start = prompt.lastIndexOf("\n\n{", end) < 0 ? 0 : prompt.lastIndexOf("\n\n{", end) + 2;
  const pairs = readObject(prompt.slice(start, end + 1));
  if (start > 0) {
    const colon = prompt.lastIndexOf(": ", start);
    const { answers } = solveNeedleThreading(prompt.slice(0, colon + 2));
    const said = prompt.slice(colon + 2, start).match(/[^\s"[\],]+/g) ?? [];
    checkExample(said, { right: answers, own: pairs.flat() });
  }
  const values = Map.groupBy(pairs, ([key]) => key);
  const marked = /all keys in the JSON object that contain the character "(.)"/.exec(question)?.[1];
  const isThread = question.includes("is itself a key of the object");
  const isBranched = question.includes("Follow the longest thread");
  if (!isBranched) checkDifferent(pairs.map(([key]) => key), "key");
  checkDifferent(pairs.map(([, value]) => value), "value");
  const shared = {
    context: [start + 1, end] as const,
    planted: pairs.length,
    unit: longest(pairs.map(([key, value]) => ` "${key}": "${value}",`)),
  };
  if (marked !== undefined) {
    return { ...shared, answers: pairs.filter(([key]) => key.includes(marked)).map(([, value]) => value) };
  }
  const keys = Array.from(/Keys?: (.+)\n/.exec(question)?.[1]?.matchAll(/"([^"]+)"/g) ?? [], ([, key]) => key!);
  if (keys.length === 0) throw unsolvable("it must name a key");
  const ways = keys.map((key) => isThread ? longestWay(key, values) : [only(values.get(key) ?? [], "such key")[1]]);
  return { ...shared, answers: ways.map((way) => way.at(-1)!), ...(isThread ? { paths: ways } : {}) };
}

type Pair = readonly [key: string, value: string];

/** Reads an object character by character, as `JSON.parse` keeps the last of equal keys alone. */
function readObject(object: string): Pair[] {
  if (typeof JSON.parse(object) !== "object") throw unsolvable("it must begin with an object");
  const pairs = Array.from(object.matchAll(/"([^"]+)": "([^"]+)"/g), ([, key, value]): Pair => [key!, value!]);
  const written = `{${pairs.map(([key, value]) => `"${key}": "${value}"`).join(", ")}}`;
  if (written !== object) throw unsolvable("the object must hold pairs alone");
  return pairs;
}

/** Follows every way from a key and gives the values along the longest, of which there must be one. */
function longestWay(key: string, pairs: ReadonlyMap<string, readonly Pair[]>): string[] {
  const ways: string[][] = [];
  const open = [{ at: key, way: [] as string[] }];
  while (open.length > 0) {
    const { at, way } = open.pop()!;
    for (const [, value] of pairs.get(at) ?? []) {
      const further = [...way, value];
      if (further.length > pairs.size) throw unsolvable("a thread must not go round");
      if (pairs.has(value)) open.push({ at: value, way: further });
      else ways.push(further);
    }
  }
  const length = Math.max(...ways.map((way) => way.length));
  return only(ways.filter((way) => way.length === length), "longest thread");
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveNeedleThreading,
  further: [
    THREADING.task("threading_single_needle", { depth: 0 }),
    THREADING.task("threading_single_needle", { depth: 1 }),
    THREADING.task("threading_multi_needle", { needles: 25, placement: "clustered" }),
    THREADING.task("threading_conditional_needle", { needles: 10, placement: "clustered", character: "&" }),
    THREADING.task("threading_single_thread", { steps: 25, direction: "backward" }),
    THREADING.task("threading_multi_thread", { threads: 5, steps: 4, direction: "forward" }),
    THREADING.task("threading_branched_thread", { steps: 3, branching: 10 }),
    THREADING.task("threading_branched_thread", { steps: 9, branching: 3, direction: "forward" }),
    ...THREADING.tasks.map((name) => THREADING.task(name, { examples: 2 })),
    THREADING.task("threading_conditional_needle", { needles: 2, character: "{", pairs: 4, examples: 1 }),
    THREADING.task("threading_single_thread", { steps: 2, pairs: 3, direction: "backward", examples: 1 }),
    THREADING.task("threading_single_thread", { characters: 1600 }),
  ],
  traits: (options) => ({
    isFilled: options["pairs"] === undefined,
    isSpread: areUnset(options, "depth", "branching") && options["placement"] !== "clustered",
  }),
};
