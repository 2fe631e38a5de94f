import { type Answerable, type Grading, type Scorer, stripText } from "@/lib/scorers/mod.ts";

/** White space and any character of a line, as Python's patterns match them. */
const [SPACE, ANY] = ["(?:(?!\\ufeff)[\\s\\x1c-\\x1f\\x85])", "[^\\n]"];
const SPACED_LIST = new RegExp(`Final Answer:${SPACE}*\\[(${ANY}*)\\]`);
/** Letters that Python's `re.IGNORECASE` takes for i and s are not ASCII alone. */
const LIST_IN_ANY_CASE = new RegExp(`f[iİı]nal an[sſ]wer:${SPACE}*\\[(${ANY}*)\\]${SPACE}*$`, "i");
const PRINTED_LIST = new RegExp(`(Final Answer: ?\\[${ANY}*\\])`);

/** How one program reads and scores a reply. */
interface Rules {
  readonly about: string;
  /** Finds the list of nodes in the lines of a reply. */
  find(lines: readonly string[]): string | undefined;
  /** Whether quotes around nodes are left out. */
  readonly isUnquoted?: true;
  /** Scores without a right node: of an empty list and of no list, if no node is right, and of all others. */
  readonly without: readonly [number, number, number];
}

const RULES = {
  nemo: {
    about:
      "F1 of the nodes in the last line that is not blank, as NeMo Gym scores; an empty list is right if no node is",
    find: (lines) => listIn(SPACED_LIST, lines.findLast((line) => stripText(line) !== "")),
    without: [1, 0, 0],
  },
  "lm-eval": {
    about: "F1 of the nodes in the last line, as lm-evaluation-harness scores; 0 if no node is right",
    find: (lines) => listIn(SPACED_LIST, lines.findLast((line) => line !== "")),
    isUnquoted: true,
    without: [0, 0, 0],
  },
  "lm-eval-flexible": {
    about: "F1 of the nodes in the last line that has a list, as lm-evaluation-harness scores; 0 if no node is right",
    find: (lines) => listIn(SPACED_LIST, lines.findLast((line) => SPACED_LIST.test(line))),
    isUnquoted: true,
    without: [0, 0, 0],
  },
  openbench: {
    about: "F1 of the nodes in the last line, in any case and with nothing after the list, as openbench scores; " +
      "any reply without nodes is right if no node is",
    find: (lines) =>
      listIn(LIST_IN_ANY_CASE, lines.slice(-1).find((line) => line.toLowerCase().includes("final answer:"))),
    without: [1, 1, 0],
  },
  card: {
    about:
      "F1 as the code on the data card prints it: the words before the first node are part of it, and no overlap scores 1",
    find: (lines) => listIn(PRINTED_LIST, lines.at(-1))?.replace(/[[\]]+$/, ""),
    without: [1, 1, 1],
  },
} as const satisfies Readonly<Record<string, Rules>>;

/** The code that a scorer follows. */
export type GraphScorerName = keyof typeof RULES;

/** The first list of a reply, for replies that go on after their answer. */
const FIRST_LIST = /final answer:[^\S\n]*\[[^\]\n]*\]/i;

/** The scorers by the code that they follow; exact sets are the penalised score of each. */
export const GRAPH_SCORERS = Object.fromEntries(
  Object.entries<Rules>(RULES).map(([name, rules]): [string, Scorer] => [name, {
    name: `graphwalks ${name.replace("-flexible", " flexible")}`,
    about: `${rules.about}; penalised: whether the set is exact`,
    shape: { name: "node", pattern: /(?<![0-9a-z])[0-9a-f]{10}(?![0-9a-z])/ },
    extract: (reply) => FIRST_LIST.exec(reply)?.[0] ?? null,
    normalise: (answer) => answer.replaceAll(/['"]/g, ""),
    allowsEmpty: true,
    grade: (reply, item) => gradeNodes(reply, item, rules),
  }]),
) as Readonly<Record<GraphScorerName, Scorer>>;

function listIn(pattern: RegExp, line = ""): string | undefined {
  return pattern.exec(line)?.[1];
}

function gradeNodes(reply: string, { references }: Answerable, rules: Rules): Grading {
  const { find, isUnquoted = false, without: [ofEmpty, ofNoList, ofWrong] } = rules;
  const nodes = find(reply.split("\n"))?.split(",").map(stripText).filter((node) => node !== "");
  const list = isUnquoted ? nodes?.map((node) => node.replace(/^['"]+/, "").replace(/['"]+$/, "")) : nodes;
  const [given, right] = [new Set(list), new Set(references)];
  const found = right.intersection(given).size;
  const [recall, precision] = [found / (right.size || 1), found / (given.size || 1)];
  const ofNothing = list === undefined ? ofNoList : ofEmpty;
  const missed = given.size === 0 && right.size === 0 ? ofNothing : ofWrong;
  const value = found > 0 ? 2 * (recall * precision) / (recall + precision) : missed;
  const [answer, why] = list === undefined
    ? [reply.trim(), "no list of nodes in the form asked for"]
    : [`[${list.join(", ")}]`, `found ${found} of ${right.size}, gave ${given.size}`];
  const isExact = list !== undefined && found === right.size && found === given.size;
  return {
    score: { value, answer, why },
    penalised: { value: isExact ? 1 : 0, answer, why },
    unparsable: list === undefined && answer !== "",
  };
}
