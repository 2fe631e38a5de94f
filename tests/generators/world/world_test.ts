import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { readDocuments, type Statement } from "./_world_reading.ts";
import { answersTo, close, findWrongAnswers } from "./_world_solver.ts";
import { type DocumentSet, worldDocuments } from "@/lib/generators/mod.ts";
import { packWorld, unpackWorld } from "@/lib/generators/world/world.ts";
import { type NameKind, openNames } from "@/lib/generators/world/world_names.ts";

const ONE_HOP = worldDocuments({ hops: 1 });
const TWO_HOP = worldDocuments({ hops: 2 });

/** Returns the statements of some documents, as a reader that shares no code with the generator finds them. */
function statementsOf(set: DocumentSet, documents: readonly number[]): readonly Statement[] {
  return readDocuments(documents.map((document) => set.document(document).text)).statements;
}

/** Returns the number of answers to a question in some documents. */
function countAnswers(set: DocumentSet, question: string, documents: readonly number[]): number {
  return answersTo(question, close(statementsOf(set, documents)))!.size;
}

Deno.test("worldDocuments() makes another world of another seed, with the seed in its name", () => {
  const other = worldDocuments({ seed: "other", hops: 2 });
  equal(TWO_HOP.name, "world_two_hop");
  equal(ONE_HOP.name, "world_one_hop");
  equal(other.name, "world_two_hop_other");
  notEqual(other.document(0).title, TWO_HOP.document(0).title);
});

Deno.test("worldDocuments() writes paragraphs of five to nine sentences, each number of them", () => {
  const counts = new Set<number>();
  for (let number = 0; number < 1000; number++) {
    const sentences = ONE_HOP.document(number).text.split(/(?<=\.) (?=[A-Z])/);
    ok(sentences.every((sentence) => /^[A-Z][^.]+\.$/.test(sentence)), sentences.join("|"));
    counts.add(sentences.length);
  }
  deepEqual([...counts].sort(), [5, 6, 7, 8, 9]);
});

Deno.test("worldDocuments() leaves no slot unfilled and no sentence twice in a paragraph", () => {
  for (let number = 0; number < 2000; number++) {
    const { text } = ONE_HOP.document(number);
    ok(!/[{}<>]|undefined/.test(text), text);
    const sentences = text.split(". ");
    equal(new Set(sentences).size, sentences.length);
  }
});

Deno.test.each([["one", ONE_HOP, 1], ["two", TWO_HOP, 2]] as [string, DocumentSet, number][])(
  "worldDocuments() asks questions of %s hop that its gold documents answer, and nothing else near does",
  (_name, set, hops) => {
    for (let number = 0; number < cases(300, 3000); number++) {
      const { question, answers, gold, near } = set.question(number);
      equal(new Set(gold).size, hops);
      deepEqual(findWrongAnswers(question, answers[0]!, close(statementsOf(set, gold))), []);
      equal(countAnswers(set, question, near.slice(0, 12)), 0, question);
      ok(near.length >= 12 && !gold.some((document) => near.includes(document)));
    }
  },
);

Deno.test("worldDocuments() wants both documents of two hops: neither answers alone", () => {
  for (let number = 0; number < cases(200, 1000); number++) {
    const { question, gold } = TWO_HOP.question(number);
    for (const document of gold) equal(countAnswers(TWO_HOP, question, [document]), 0, question);
  }
});

Deno.test("worldDocuments() puts no answer into its question, in capitals or not", () => {
  for (const set of [ONE_HOP, TWO_HOP]) {
    for (let number = 0; number < 5000; number++) {
      const { question, answers } = set.question(number);
      match(question, /^[A-Z].*\?$/);
      for (const answer of answers) ok(!question.toLowerCase().includes(answer.toLowerCase()), `${question} ${answer}`);
    }
  }
});

Deno.test("worldDocuments() states each relation of each entity in one paragraph of the world only", () => {
  const statements = statementsOf(ONE_HOP, Array.from({ length: 10_000 }, (_, number) => number));
  equal(new Set(statements.map(({ subject, relation }) => `${subject} ${relation}`)).size, statements.length);
});

Deno.test("worldDocuments() states all fifteen relations, and every pair of them that can follow each other", () => {
  const statements = statementsOf(TWO_HOP, Array.from({ length: 3015 }, (_, number) => number));
  equal(new Set(statements.map(({ relation }) => relation)).size, 15);
  const bySubject = Map.groupBy(statements, ({ subject }) => subject);
  const pairs = statements.flatMap(({ relation, object }) =>
    (bySubject.get(object) ?? []).map((next) => `${relation} ${next.relation}`)
  );
  // Eleven relations lead to an entity with a paragraph, which can state five. Never stated: the employer of a founder and of a
  // manager, the teacher of a founder, the home of a mayor, the market town of a market town.
  equal(new Set(pairs).size, 11 * 5 - 5);
});

Deno.test("worldDocuments() has 63,000 documents up to the last, which is enough for 2,000,000 tokens", () => {
  equal(ONE_HOP.documentCount, 63_000);
  const { question, gold } = TWO_HOP.question(62_999);
  equal(countAnswers(TWO_HOP, question, gold), 1);
});

const DOCUMENTS = 63_000;
const WORLD = { seed: "packed", names: ["", " Ada", " Bela"] };

/** A byte for each of `size` places, which differs from one list to the next. */
const listOf = (first: number, size = DOCUMENTS): Uint8Array =>
  Uint8Array.from({ length: size }, (_, number) => first + number % 50);

/** Codes of different lengths. */
const CODES = Array.from(listOf(1), (length, number) => new Uint8Array(length).fill(number % 256));

Deno.test.each(
  [
    ["no tokenizer", []],
    ["one tokenizer", ["cl100k_base"]],
    ["three tokenizers", ["cl100k_base", "o200k_base", "r50k_base"]],
  ] as [string, string[]][],
)("unpackWorld() gives back a world that is packed with the tokens of %s", (_name, names) => {
  const counts = new Map(names.map((name, place) => [name, listOf(20 * place, 2 * DOCUMENTS)]));
  const unpacked = unpackWorld(packWorld(CODES, counts, WORLD), WORLD)!;
  deepEqual(unpacked.counts, counts);
  for (const number of [0, 1, 31_500, 62_999]) deepEqual(unpacked.codeOf(number), CODES[number]);
});

Deno.test("unpackWorld() takes neither a world of another seed or other names, nor one with a byte that has changed", () => {
  const bytes = packWorld(CODES, new Map([["cl100k_base", listOf(0, 2 * DOCUMENTS)]]), WORLD);
  for (const other of [{ ...WORLD, seed: "other" }, { ...WORLD, names: ["", " Ada"] }]) {
    equal(unpackWorld(bytes, other), undefined);
  }
  for (const at of [0, 31, 32, 100, bytes.length - 1]) {
    equal(unpackWorld(bytes.with(at, bytes[at]! ^ 1), WORLD), undefined);
  }
  for (const end of [0, 31, 32, 33, bytes.length - 1]) equal(unpackWorld(bytes.subarray(0, end), WORLD), undefined);
});

const NAMES = openNames("world");
const KINDS: readonly NameKind[] = ["person", "town", "firm", "river", "book", "product", "festival"];

/** Names of a kind: 80 beginnings, 72 middles and 8 endings. A world has 63,000 entities, at most 7 of 15 of one kind. */
const NAME_COUNT = 80 * 72 * 8;

const NAMED = cases(12_000, NAME_COUNT);

Deno.test("names of the world are all different", () => {
  const words = new Set<string>();
  for (const kind of KINDS) {
    for (let number = 0; number < NAMED; number++) words.add(NAMES.name(kind, number).word);
  }
  equal(words.size, KINDS.length * NAMED);
  ok(NAME_COUNT >= 63_000 * 7 / 15);
});

Deno.test("names of the world lie within no other name, and are no English words", () => {
  const words = new Set<string>();
  for (const kind of KINDS) {
    for (let number = 0; number < cases(2000, 5000); number++) words.add(NAMES.name(kind, number).word.toLowerCase());
  }
  for (const word of words) {
    for (let start = 0; start < word.length; start++) {
      for (let end = start + 7; end <= word.length; end++) {
        const piece = word.slice(start, end);
        ok(piece === word || !words.has(piece), `${piece} lies in ${word}`);
      }
    }
  }
  const english = Deno.readTextFileSync(new URL("../../../data/words/vocabulary.txt", import.meta.url)).split("\n");
  deepEqual(english.filter((word) => words.has(word)), []);
});
