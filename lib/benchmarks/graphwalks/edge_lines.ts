import { createHash } from "node:crypto";
import type { Materials, Part, PartFact } from "@/lib/generators/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";
import { growIndex, type GrowingIndex, measure, type Tokenizer, writeLazily } from "@/lib/text/mod.ts";

const ARROW = " ->";

/**
 * The ids of nodes, as in the data: the first ten digits of the MD5 of their number. All samples of a tokenizer share them and their
 * tokens; they grow as needed.
 */
class NodeIds {
  readonly tokenizer: Tokenizer;
  readonly ids: string[] = [];
  /** Tokens of an id that begins a line, with the arrow, and of one that ends it, with the line break. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Tokens of a line from and to each node before a place. */
  readonly sums: number[] = [0];
  /** Whether a line can be cut before each of its spaces and after its break, whatever its ids. */
  readonly isCut: boolean;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
    this.isCut = (tokenizer.ascii !== undefined || tokenizer.cutsLines === true) &&
      [..."0123456789abcdef"].every((digit) =>
        tokenizer.isCut(`${digit}${ARROW} `, 1) && tokenizer.isCut(`${ARROW} ${digit}`, ARROW.length)
      );
  }

  grow(nodes: number): void {
    const { ids, starts, ends, sums, tokenizer } = this;
    for (let node = ids.length; node < nodes; node++) {
      const id = createHash("md5").update(String(node)).digest("hex").slice(0, 10);
      ids.push(id);
      starts.push(tokenizer.countAfterCut(id) + tokenizer.countAfterCut(ARROW));
      ends.push(tokenizer.countAfterCut(` ${id}\n`));
      sums.push(sums[node]! + starts[node]! + ends[node]!);
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
  /** The number of lines of these nodes. */
  readonly least: number;
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
    /** The tokens that the lines may take, and the edges from each node. */
    readonly tokens: number;
    readonly degree: number;
    readonly draw: Draw;
  }) {
    const { tokenizer } = materials;
    const ids = materials.remember("graphwalks/nodes", () => new NodeIds(tokenizer));
    const costOf = (nodes: number): number => {
      ids.grow(nodes);
      return degree * ids.sums[nodes]! + MARGIN * DEVIATION * Math.sqrt(nodes * degree);
    };
    let nodes = LEAST_NODES;
    while (costOf(nodes + 1) <= tokens) nodes++;
    this.nodes = nodes;
    this.least = nodes * degree;
    this.degree = degree;
    this.#ids = ids;
    this.#draw = draw;
    this.#index = ids.isCut ? undefined : growIndex(tokenizer);
  }

  sourceOf(edge: number): number {
    return Math.floor(edge / this.degree);
  }

  idOf(node: number): string {
    this.#ids.grow(node + 1);
    return this.#ids.ids[node]!;
  }

  /** Returns an edge as a line, without its break. */
  line(edge: number): string {
    return `${this.idOf(this.sourceOf(edge))}${ARROW} ${this.idOf(this.targets[edge]!)}`;
  }

  /** Returns the tokens of the first lines. */
  tokens(edges: number): number {
    const ids = this.#ids;
    for (let edge = this.targets.length; edge < edges; edge++) {
      const [source, target] = [this.sourceOf(edge), integer(this.#draw, { low: 0, high: this.nodes - 1 })];
      this.targets.push(target);
      ids.grow(source + 1);
      this.#tokens.push(this.#tokens[edge]! + ids.starts[source]! + ids.ends[target]!);
      this.#index?.push(measure(`${this.line(edge)}\n`, ids.tokenizer));
    }
    return this.#tokens[edges]!;
  }

  /** Returns the greatest number of lines of at most so many tokens, at least that of the whole nodes. */
  within(tokens: number): number {
    let edges = this.least;
    while (this.tokens(edges + 1) <= tokens) edges++;
    return edges;
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
    const { ids, ends, tokenizer } = this.#ids;
    const [start, last] = [tokenizer.countAfterCut(ids[0]!), this.targets[edges - 1]!];
    const write = (): string => Array.from({ length: edges }, (_, edge) => `${this.line(edge)}\n`).join("");
    const inner = tokens[edges]! - start - ends[last]!;
    return {
      measured: writeLazily(write, { head: ids[0]!, tail: ` ${ids[last]}\n`, inner }),
      seeFacts: (see, wanted) => {
        for (let edge = 0; edge < edges; edge++) {
          const fact = factOf(edge);
          if (wanted === undefined || wanted === fact.role) see(fact, tokens[edge]! - start, tokens[edge + 1]! - start);
        }
      },
    };
  }
}
