import { EDGES } from "./wording.ts";
import { type Answerable, type Grading, type Scorer, stripText } from "@/lib/scorers/mod.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

/** The code that a scorer follows. */
export type GraphScorerName = "nemo" | "lm-eval" | "lm-eval-flexible" | "openbench" | "card";

/** The form of a node's id. */
const NODE = { name: "node", pattern: /(?<![0-9a-z])[0-9a-f]{10}(?![0-9a-z])/ };

/** White space and any character of a line, as Python's patterns match them. */
const [SPACE, ANY] = ["(?:(?!\\ufeff)[\\s\\x1c-\\x1f\\x85])", "[^\\n]"];
const SPACED_LIST = new RegExp(`Final Answer:${SPACE}*\\[(${ANY}*)\\]`);
/** Letters that Python's `re.IGNORECASE` takes for i and s are not ASCII alone. */
const LIST_IN_ANY_CASE = new RegExp(
  `f[iİı]nal an[sſ]wer:${SPACE}*\\[(${ANY}*)\\]${SPACE}*$`,
  "i",
);
const PRINTED_LIST = new RegExp(`Final Answer: ?\\[${ANY}*\\]`);

/** How one program reads and scores a reply. */
interface Rules {
  readonly about: string;
  /** Returns the listed nodes; `null` if the reply has no list. */
  read(reply: string): readonly string[] | null;
  /** The score of no node, if none is right, for a reply with or without a list. */
  readonly ofNothing: (hasList: boolean) => number;
  /** The score if no listed node is right. */
  readonly ofNone: number;
}

const RULES: Readonly<Record<GraphScorerName, Rules>> = {
  nemo: {
    about:
      "F1 of the nodes in the last line that is not blank, as NeMo Gym scores; an empty list is right if no node is",
    read(reply): readonly string[] | null {
      const line = stripText(reply).split("\n").findLast((each) => stripText(each) !== "");
      return splitNodes(SPACED_LIST.exec(line ?? "")?.[1]);
    },
    ofNothing: (hasList) => hasList ? 1 : 0,
    ofNone: 0,
  },
  "lm-eval": {
    about: "F1 of the nodes in the last line, as lm-evaluation-harness scores; 0 if no node is right",
    read: (reply) =>
      splitNodes(SPACED_LIST.exec(stripBreaks(reply).split("\n").at(-1)!)?.[1])?.map(stripQuotes) ?? null,
    ofNothing: () => 0,
    ofNone: 0,
  },
  "lm-eval-flexible": {
    about: "F1 of the nodes in the last line that has a list, as lm-evaluation-harness scores; 0 if no node is right",
    read(reply): readonly string[] | null {
      const lists = stripBreaks(reply).split("\n").map((line) => SPACED_LIST.exec(line)?.[1]);
      return splitNodes(lists.findLast((list) => list !== undefined))?.map(stripQuotes) ?? null;
    },
    ofNothing: () => 0,
    ofNone: 0,
  },
  openbench: {
    about: "F1 of the nodes in the last line, in any case and with nothing after the list, as openbench scores; " +
      "any reply without nodes is right if no node is",
    read(reply): readonly string[] | null {
      const line = reply.split("\n").at(-1)!;
      return line.toLowerCase().includes("final answer:") ? splitNodes(LIST_IN_ANY_CASE.exec(line)?.[1]) : null;
    },
    ofNothing: () => 1,
    ofNone: 0,
  },
  card: {
    about:
      "F1 as the code on the data card prints it: the words before the first node are part of it, and no overlap scores 1",
    read(reply): readonly string[] | null {
      const line = reply.split("\n").at(-1)!;
      const list = PRINTED_LIST.exec(line)?.[0];
      return list === undefined ? null : splitNodes(list.replace(/^[[\]]+|[[\]]+$/g, ""));
    },
    ofNothing: () => 1,
    ofNone: 1,
  },
};

/** The scorers by the code that they follow; exact sets are the penalised score of each. */
export const GRAPH_SCORERS: Readonly<Record<GraphScorerName, Scorer>> = {
  nemo: scorerOf("nemo"),
  "lm-eval": scorerOf("lm-eval"),
  "lm-eval-flexible": scorerOf("lm-eval-flexible"),
  openbench: scorerOf("openbench"),
  card: scorerOf("card"),
};

/** The first list of a reply, for replies that go on after their answer. */
const FIRST_LIST = /final answer:[^\S\n]*\[[^\]\n]*\]/i;

function scorerOf(name: GraphScorerName): Scorer {
  const { about, ...rules } = RULES[name];
  return {
    name: `graphwalks ${name.replace("-flexible", " flexible")}`,
    about: `${about}; penalised: whether the set is exact`,
    shape: NODE,
    extract: (reply) => FIRST_LIST.exec(reply)?.[0] ?? null,
    normalise: (answer) => answer.replaceAll(/['"]/g, ""),
    allowsEmpty: true,
    grade: (reply, item) => gradeNodes(reply, item, rules),
  };
}

function gradeNodes(
  reply: string,
  { references }: Answerable,
  { read, ofNothing, ofNone }: Omit<Rules, "about">,
): Grading {
  const list = read(reply);
  const [given, right] = [new Set(list), new Set(references)];
  const found = right.intersection(given).size;
  const [recall, precision] = [found / (right.size || 1), found / (given.size || 1)];
  const isNothing = given.size === 0 && right.size === 0;
  const missed = isNothing ? ofNothing(list !== null) : ofNone;
  const value = found > 0 ? 2 * (recall * precision) / (recall + precision) : missed;
  const answer = list === null ? reply.trim() : `[${list.join(", ")}]`;
  const why = list === null
    ? "no list of nodes in the form asked for"
    : `found ${found} of ${right.size}, gave ${given.size}`;
  const isExact = list !== null && found === right.size && found === given.size;
  return {
    score: { value, answer, why },
    penalised: { value: isExact ? 1 : 0, answer, why },
    unparsable: list === null && answer !== "",
  };
}

function splitNodes(list: string | undefined): readonly string[] | null {
  return list?.split(",").map(stripText).filter((node) => node !== "") ?? null;
}

function stripQuotes(node: string): string {
  return node.replace(/^['"]+/, "").replace(/['"]+$/, "");
}

/** Strips line feeds at the end as Python's `rstrip("\n")` does. */
function stripBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

/** The expected F1 of answers that use nothing of the question, in [0, 1]. */
export interface BlindScores {
  /** All nodes of the graph: 2k / (n + k) for k right nodes of n. */
  readonly allNodes: number;
  /** As many random nodes as are right: k / n. */
  readonly randomNodes: number;
  /** An empty list: 1 if no node is right, by NeMo Gym's rule. */
  readonly noNode: number;
}

/**
 * Returns the expected F1 of answers to a sample without reading its question: its chance level.
 *
 * Of m nodes drawn from n, of which k are right, mk / n are right on average, so that their expected F1 is 2mk / (n (m + k)). It
 * grows with m, up to 2k / (n + k) for all nodes.
 */
export function blindScores({ prompt, references }: Pick<Sample, "prompt" | "references">): BlindScores {
  const text = userText(prompt);
  const nodes = new Set(text.slice(text.lastIndexOf(EDGES)).match(/^\S+(?= -> )|(?<= -> )\S+$/gm));
  const [all, right] = [nodes.size, references.length];
  return { allNodes: 2 * right / (all + right), randomNodes: right / all, noNode: right === 0 ? 1 : 0 };
}
