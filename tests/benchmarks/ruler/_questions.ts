import { readRealText } from "../../_real_data.ts";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import {
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  type Materials,
  type Sample,
} from "@/lib/generators/mod.ts";

/** The synthetic world. */
export const WORLD: Materials = await openTestMaterials("cl100k_base");
// The words of qa.py around documents and question.
export const INSTRUCTION =
  "Answer the question based on the given documents. Only give me the answer and do not output any other words.";
export const OPENING = `${INSTRUCTION}\n\nThe following are given documents.\n\n`;

/** The materials of the world with other documents, and nothing remembered. */
export function withDocuments(set: DocumentSet): Materials {
  return withOther(WORLD, { documents: { oneHop: set, twoHop: set } });
}

/** A set of `count` short documents, a question to each, and three neighbours to each question. */
export function smallSet(count: number): DocumentSet {
  return {
    name: `small_${count}`,
    documentCount: count,
    questionCount: count,
    document: (number) => ({
      title: "",
      text: `Box ${number} of this store holds a great deal of item ${number * 7}.`,
    }),
    question: (number) => ({
      question: `What does box ${number} hold?`,
      answers: [`item ${number * 7}`],
      gold: [number],
      near: [1, 2, 3].map((step) => (number + step) % count),
    }),
  };
}

export const SQUAD_FILE = "qa/squad_dev_half.json";
export const HOTPOTQA_FILE = "qa/hotpotqa_100.json";

export function openSquad(): DocumentSet {
  return documentsFromSquad(readRealText(SQUAD_FILE));
}

export function openHotpotqa(): DocumentSet {
  return documentsFromHotpotqa(readRealText(HOTPOTQA_FILE));
}

/** Cuts the documents out of a prompt. */
export function readDocuments(user: string): string[] {
  const context = user.slice(OPENING.length, user.lastIndexOf("\n\nAnswer the question based on"));
  return context.split(/(?:^|\n\n)Document \d+:\n/).slice(1);
}

/** Cuts the question out of a prompt. */
export function readQuestion(user: string): string {
  return user.slice(user.lastIndexOf("\nQuestion: ") + "\nQuestion: ".length);
}

export function sampleOf(materials: Materials, hops: 1 | 2, length: number, index = 0): Sample {
  return QUESTION_ANSWERING.make({ hops }).sample({ length, seed: "test", index, materials });
}
