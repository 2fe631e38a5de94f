import { createHash } from "node:crypto";
import type { Materials, Part, PartFact } from "@/lib/generators/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";
import { growIndex, type GrowingIndex, measure, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

const ARROW = " ->";

/** A node, which all samples of a tokenizer share. */
interface GraphNode {
  /** As in the data, the first ten digits of the MD5 of its number. */
  readonly id: string;
  /** Tokens of the id that begins a line, with the arrow, and of the one that ends it, with the line break. */
  readonly start: number;
  readonly end: number;
  /** Tokens of a line from and to each node up to this one. */
  readonly sum: number;
}

/** Returns a function that gives nodes by number. */
function openNodes(tokenizer: Tokenizer): (number: number) => GraphNode {
  const nodes: GraphNode[] = [];
  const arrow = tokenizer.countAfterCut(ARROW);
  return (number) => {
    for (let node = nodes.length; node <= number; node++) {
      const id = createHash("md5").update(String(node)).digest("hex").slice(0, 10);
      const [start, end] = [arrow + tokenizer.countAfterCut(id), tokenizer.countAfterCut(` ${id}\n`)];
      nodes.push({ id, start, end, sum: (nodes[node - 1]?.sum ?? 0) + start + end });
    }
    return nodes[number]!;
  };
}

/** Returns whether a line can be cut before each of its spaces and after its break, whatever its ids. */
function cutsLines(tokenizer: Tokenizer): boolean {
  if (tokenizer.ascii === undefined && tokenizer.cutsLines !== true) return false;
  return [..."0123456789abcdef"].every((digit) =>
    tokenizer.isCut(`${digit}${ARROW} `, 1) && tokenizer.isCut(`${ARROW} ${digit}`, ARROW.length)
  );
}

/** Standard deviations that are kept free for ids of more tokens than the mean, and that of a line in tokens. */
const [MARGIN, DEVIATION] = [4, 1.5];
/** The nodes of the smallest graph. */
const LEAST_NODES = 4;

/**
 * The lines of a random graph, drawn one by one.
 *
 * Edges are grouped by source, in the order of the nodes, with the same number for each; targets are drawn with replacement from the
 * nodes, as in the data. The number of nodes is the greatest whose lines fit in the given tokens with a probability of 0.99997. The
 * tokens left over are filled with lines of further nodes, to which no edge leads; the last node has the edges that are left.
 */
export class EdgeLines {
  /** The number of nodes that edges lead to. */
  readonly nodes: number;
  /** The edges from each node. */
  readonly degree: number;
  readonly targets: number[] = [];
  readonly #node: (number: number) => GraphNode;
  readonly #draw: Draw;
  readonly #tokenizer: Tokenizer;
  /** Tokens of the lines before each place. */
  readonly #tokens = [0];
  /** Lines of tokenizers that do not split them. */
  readonly #index: GrowingIndex | undefined;

  /** @param options `tokens`: those that the lines may take. */
  constructor({ materials: { tokenizer, remember }, tokens, degree, draw }: {
    readonly materials: Pick<Materials, "tokenizer" | "remember">;
    readonly tokens: number;
    readonly degree: number;
    readonly draw: Draw;
  }) {
    const node = remember("graphwalks/nodes", () => openNodes(tokenizer));
    const costOf = (nodes: number): number =>
      degree * node(nodes - 1).sum + MARGIN * DEVIATION * Math.sqrt(nodes * degree);
    let nodes = LEAST_NODES;
    while (costOf(nodes + 1) <= tokens) nodes++;
    this.nodes = nodes;
    this.degree = degree;
    this.#node = node;
    this.#draw = draw;
    this.#tokenizer = tokenizer;
    this.#index = remember("graphwalks/cuts", () => cutsLines(tokenizer)) ? undefined : growIndex(tokenizer);
  }

  sourceOf(edge: number): number {
    return Math.floor(edge / this.degree);
  }

  idOf(node: number): string {
    return this.#node(node).id;
  }

  /** Returns an edge as a line, without its break. */
  line(edge: number): string {
    return `${this.idOf(this.sourceOf(edge))}${ARROW} ${this.idOf(this.targets[edge]!)}`;
  }

  /** Returns the tokens of the first lines. */
  tokens(edges: number): number {
    for (let edge = this.targets.length; edge < edges; edge++) {
      const target = integer(this.#draw, { low: 0, high: this.nodes - 1 });
      this.targets.push(target);
      this.#tokens.push(this.#tokens[edge]! + this.#node(this.sourceOf(edge)).start + this.#node(target).end);
      this.#index?.push(measure(`${this.line(edge)}\n`, this.#tokenizer));
    }
    return this.#tokens[edges]!;
  }

  /** Returns the first lines as a part of a prompt. */
  part(edges: number, factOf: (edge: number) => PartFact): Part {
    this.tokens(edges);
    const index = this.#index;
    if (index !== undefined) {
      const parts = Array.from({ length: edges }, (_, at) => ({ measured: index.slice(at, at + 1), fact: factOf(at) }));
      return { measured: index.slice(0, edges), parts };
    }
    const tokens = this.#tokens;
    const [first, last] = [this.#node(0), this.#node(this.targets[edges - 1]!)];
    const head = this.#tokenizer.countAfterCut(first.id);
    const write = (): string => Array.from({ length: edges }, (_, edge) => `${this.line(edge)}\n`).join("");
    const inner = tokens[edges]! - head - last.end;
    return {
      measured: writeLazily(write, { head: first.id, tail: ` ${last.id}\n`, inner }),
      seeFacts: (see, wanted) => {
        for (let edge = 0; edge < edges; edge++) {
          const fact = factOf(edge);
          if (wanted === undefined || wanted === fact.role) see(fact, tokens[edge]! - head, tokens[edge + 1]! - head);
        }
      },
    };
  }
}
