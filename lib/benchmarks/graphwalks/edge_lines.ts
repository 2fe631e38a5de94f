import { createHash } from "node:crypto";
import type { Materials, Part, PartFact } from "@/lib/generators/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";
import { growIndex, type GrowingIndex, measure, type Measured, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

/** Returns the id of a node, as in the data: the first ten digits of the MD5 of its number. */
export function nodeId(node: number): string {
  return createHash("md5").update(String(node)).digest("hex").slice(0, 10);
}

const ARROW = " ->";

/** The ids of nodes and their tokens, which all samples of a tokenizer share. They grow as needed. */
class NodeIds {
  readonly tokenizer: Tokenizer;
  readonly ids: string[] = [];
  /** Tokens of an id that begins a line, and of one that ends it, with the line break. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Tokens of a line from and to each node before a place, with its arrow. */
  readonly sums: number[] = [0];
  readonly arrow: number;
  /** Whether a line can be cut before each of its spaces and after its break, whatever its ids. */
  readonly isCut: boolean;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
    this.arrow = tokenizer.countAfterCut(ARROW);
    this.isCut = (tokenizer.ascii !== undefined || tokenizer.cutsLines === true) &&
      [..."0123456789abcdef"].every((digit) =>
        tokenizer.isCut(`${digit}${ARROW} `, 1) && tokenizer.isCut(`${ARROW} ${digit}`, ARROW.length)
      );
  }

  grow(nodes: number): void {
    const { ids, starts, ends, sums, tokenizer } = this;
    for (let node = ids.length; node < nodes; node++) {
      const id = nodeId(node);
      ids.push(id);
      starts.push(tokenizer.countAfterCut(id));
      ends.push(tokenizer.countAfterCut(` ${id}\n`));
      sums.push(sums[node]! + starts[node]! + this.arrow + ends[node]!);
    }
  }
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
  readonly degree: number;
  readonly targets: number[] = [];
  readonly #draw: Draw;
  readonly #ids: NodeIds;
  /** Tokens of the lines before each place. */
  readonly #tokens = [0];
  /** Lines of tokenizers that do not split them. */
  readonly #index: GrowingIndex | undefined;

  constructor({ materials, tokens, degree, draw }: {
    readonly materials: Pick<Materials, "tokenizer" | "remember">;
    /** The tokens that the lines may take. */
    readonly tokens: number;
    /** The edges from each node. */
    readonly degree: number;
    readonly draw: Draw;
  }) {
    const { tokenizer } = materials;
    this.#ids = materials.remember("graphwalks/nodes", () => new NodeIds(tokenizer));
    this.#draw = draw;
    this.degree = degree;
    this.nodes = this.#countNodes(tokens);
    this.#index = this.#ids.isCut ? undefined : growIndex(tokenizer);
  }

  /** The number of lines of the whole nodes. */
  get least(): number {
    return this.nodes * this.degree;
  }

  #countNodes(tokens: number): number {
    const ids = this.#ids;
    const costOf = (nodes: number): number => {
      ids.grow(nodes);
      return this.degree * ids.sums[nodes]! + MARGIN * DEVIATION * Math.sqrt(nodes * this.degree);
    };
    let [low, high] = [LEAST_NODES, 2 * LEAST_NODES];
    while (costOf(high) <= tokens) [low, high] = [high, 2 * high];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (costOf(middle) <= tokens) low = middle;
      else high = middle;
    }
    return low;
  }

  sourceOf(edge: number): number {
    return Math.floor(edge / this.degree);
  }

  idOf(node: number): string {
    this.#ids.grow(node + 1);
    return this.#ids.ids[node]!;
  }

  /** Returns the tokens of the first lines. */
  tokens(edges: number): number {
    const ids = this.#ids;
    for (let edge = this.targets.length; edge < edges; edge++) {
      const [source, target] = [this.sourceOf(edge), integer(this.#draw, { low: 0, high: this.nodes - 1 })];
      this.targets.push(target);
      ids.grow(source + 1);
      this.#tokens.push(this.#tokens[edge]! + ids.starts[source]! + ids.arrow + ids.ends[target]!);
      this.#index?.push(measure(this.#line(edge), ids.tokenizer));
    }
    return this.#tokens[edges]!;
  }

  /** Returns the greatest number of lines of at most so many tokens, at least that of the whole nodes. */
  within(tokens: number): number {
    let edges = this.least;
    while (this.tokens(edges + 1) <= tokens) edges++;
    return edges;
  }

  #line(edge: number): string {
    return `${this.idOf(this.sourceOf(edge))}${ARROW} ${this.idOf(this.targets[edge]!)}\n`;
  }

  /** Returns the first lines as a part of a prompt. */
  part(edges: number, factOf: (edge: number) => PartFact): Part {
    this.tokens(edges);
    if (this.#index !== undefined) {
      const parts = Array.from({ length: edges }, (_, edge): Part => ({
        measured: this.#index!.slice(edge, edge + 1),
        fact: factOf(edge),
      }));
      return { measured: this.#index.slice(0, edges), parts };
    }
    const tokens = this.#tokens;
    const start = this.#ids.starts[0]!;
    return {
      measured: this.#measure(edges),
      seeFacts: (see, wanted) => {
        for (let edge = 0; edge < edges; edge++) {
          const fact = factOf(edge);
          if (wanted === undefined || wanted === fact.role) see(fact, tokens[edge]! - start, tokens[edge + 1]! - start);
        }
      },
    };
  }

  #measure(edges: number): Measured {
    const { ids, starts, ends } = this.#ids;
    const last = this.targets[edges - 1]!;
    const write = (): string => {
      const lines: string[] = [];
      for (let edge = 0; edge < edges; edge++) lines.push(this.#line(edge));
      return lines.join("");
    };
    const inner = this.#tokens[edges]! - starts[0]! - ends[last]!;
    return writeLazily(write, { head: ids[0]!, tail: ` ${ids[last]}\n`, inner });
  }
}
