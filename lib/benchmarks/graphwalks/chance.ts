import { EDGES } from "./wording.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

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
  return scoresOf(nodes.size, references.length);
}

/**
 * Returns the expected blind scores for the parents of a node: the mean of {@linkcode blindScores} over graphs.
 *
 * Each of the n - 1 other nodes is a parent with probability p = 1 - (1 - 1/n)^d, independently, so that the number of parents is
 * binomial.
 *
 * @param options `nodes`: n, from 2. `degree`: d, the edges from each node.
 */
export function expectedParents({ nodes, degree }: { readonly nodes: number; readonly degree: number }): BlindScores {
  const isParent = 1 - (1 - 1 / nodes) ** degree;
  let chance = (1 - isParent) ** (nodes - 1);
  const mean = { allNodes: 0, randomNodes: 0, noNode: 0 };
  for (let right = 0; right < nodes; right++) {
    const scores = scoresOf(nodes, right);
    mean.allNodes += chance * scores.allNodes;
    mean.randomNodes += chance * scores.randomNodes;
    mean.noNode += chance * scores.noNode;
    chance *= (nodes - 1 - right) / (right + 1) * isParent / (1 - isParent);
  }
  return mean;
}

function scoresOf(nodes: number, right: number): BlindScores {
  return { allNodes: 2 * right / (nodes + right), randomNodes: right / nodes, noNode: right === 0 ? 1 : 0 };
}
