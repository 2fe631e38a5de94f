import { pick, stream } from "@/lib/random/mod.ts";
import type { Document, DocumentSet, Question } from "../documents/documents.ts";
import { DISTRICT_SIZE, ENTITY_COUNT, type Graph, type GraphFact, openGraph } from "./_world_graph.ts";
import type { WorldName } from "./_world_names.ts";
import { writeParagraph } from "./_world_paragraph.ts";

/** Options for {@linkcode worldDocuments}. */
export interface WorldOptions {
  /**
   * Any text; each seed is another world, with other names and other facts.
   *
   * @default {"world"}
   */
  readonly seed?: string;
  /** How many documents it takes to answer a question: 1 as in SQuAD, 2 as in HotpotQA. */
  readonly hops: 1 | 2;
}

/**
 * Makes documents about people, towns and firms that do not exist, with questions that only these documents answer.
 *
 * The world is a knowledge graph drawn from the seed: 63,000 entities in districts of fifteen, a paragraph of five to nine
 * sentences and a question each. Nothing is held: every document is a pure function of the seed and its number. No name
 * lies within another name. Each fact is stated in one paragraph only, no two contradict each other, and no date is
 * impossible. Each question has exactly one right answer in the whole world, implications counted (who manages a firm works
 * for it), and no model can have learned it. For one hop a document is its text, as SQuAD's are; for two hops it begins with
 * a line of title, as HotpotQA's do. The documents near a question are the others of its districts: they speak of the same
 * people and places.
 *
 * @param options The seed and the number of hops.
 * @returns The documents, named `world_one_hop` or `world_two_hop`, with the seed behind unless it is the usual one.
 *
 * @example
 * ```ts
 * import { equal, match } from "node:assert/strict";
 *
 * const world = worldDocuments({ hops: 1 });
 * const { question, gold } = world.question(17);
 * match(question, /\?$/);
 * equal(gold.length, 1);
 * ```
 */
export function worldDocuments(options: WorldOptions): DocumentSet {
  const { seed = "world", hops } = options;
  const graph = openGraph(seed);
  const name = hops === 1 ? "world_one_hop" : "world_two_hop";
  return {
    name: seed === "world" ? name : `${name}_${seed}`,
    documentCount: ENTITY_COUNT,
    questionCount: ENTITY_COUNT,
    document(number): Document {
      const told = graph.tell(number);
      const text = writeParagraph(told);
      if (hops === 1) return { title: "", text };
      const title = told.entity.name.full;
      return { title, text: `${title}\n${text}` };
    },
    question(number): Question {
      const draw = stream(seed, "question", hops, number);
      if (hops === 1) {
        const { entity, facts } = graph.tell(number);
        const fact = pick(draw, facts);
        const wording = pick(draw, fact.relation.questions);
        return ask(wording.replace("{s}", entity.name.full), fact.object, [number]);
      }
      const [first, last] = pick(draw, pairFacts(graph, number));
      const wording = pick(draw, last.relation.questions)
        .replace("{s}", pick(draw, first.relation.descriptions));
      const gold = [number, first.entity!];
      return ask(wording.replace("{s}", graph.name(number).full), last.object, gold);
    },
  };
}

/** Finds the pairs of facts that lead from an entity by way of another to a third. */
function pairFacts(graph: Graph, number: number): [GraphFact, GraphFact][] {
  return graph.tell(number).facts.filter(({ entity }) => entity !== null)
    .flatMap((first) =>
      graph.tell(first.entity!).facts
        .filter((last) => last.entity !== number)
        .map((last): [GraphFact, GraphFact] => [first, last])
    );
}

function ask(
  question: string,
  answer: WorldName,
  gold: readonly number[],
): Question {
  const districts = new Set(
    gold.map((number) => Math.floor(number / DISTRICT_SIZE)),
  );
  const near = [...districts].flatMap((district) =>
    Array.from(
      { length: DISTRICT_SIZE },
      (_, slot) => district * DISTRICT_SIZE + slot,
    )
  );
  return {
    question,
    answers: answer.full === answer.word ? [answer.full] : [answer.full, answer.word],
    gold,
    near: near.filter((number) => !gold.includes(number)),
  };
}
