import { contentWords } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import { inPercent, meanOfClusters, type ScoreWithInterval, type TaskKnobs } from "@/lib/statistics/mod.ts";

/** How many of a test's wrong replies are answered from prior knowledge. */
export interface PriorKnowledge {
  readonly task: string;
  /** The model's answer to the question alone; empty where it was not asked. */
  readonly closedBook: string;
  /** Replies with a grade. */
  readonly replies: number;
  /** Replies graded below 4 of 5. */
  readonly wrong: number;
  /** Wrong replies that say what the answer without a document says; `null` where that was not asked. */
  readonly fromMemory: number | null;
  /** Their share of all replies in percent, with its 95% interval over texts. */
  readonly share: ScoreWithInterval | null;
  /** The first of them; empty where there is none. */
  readonly example: string;
}

/** Grades below this share of 5 are wrong: the paper's judge gives 4 for a minor slip. */
const RIGHT = 0.8;

/** A wrong reply is from memory if it says at least so much of its own words in the closed-book answer's words. */
const LEAST_SHARE = 0.5;

/**
 * Says how many wrong replies of each test are answered from prior knowledge instead of the text: replies whose own words, those
 * that neither needle nor question has, are for the most part words of the same model's answer to the question alone.
 *
 * The paper supposes this of the San Francisco needle, whose question can be answered without the text. Ask the questions
 * alone with `document: none`, as `data/studies/09-closed-book.yaml` does, in the same run or another of the model.
 *
 * @param replies The replies of the tests, and those to the questions alone, in any order.
 * @param tasks The tasks of both, from the manifests.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { ScoredReply } from "@/lib/models/mod.ts";
 *
 * const references = ["The best thing to do in San Francisco is eat a sandwich.", "What is the best thing to do in San Francisco?"];
 * const reply = (task: string, text: string, value: number) =>
 *   ({ task, value, record: { references, reply: { kind: "answer", text } } }) as unknown as ScoredReply;
 * const replies = [reply("alone", "Visit the Golden Gate Bridge.", 0.2), reply("test", "See the Golden Gate Bridge!", 0.2)];
 * const tasks = { alone: { options: { document: "none" } }, test: { options: {} } };
 * equal(priorKnowledge(replies, tasks)[0]?.fromMemory, 1);
 * ```
 */
export function priorKnowledge(replies: readonly ScoredReply[], tasks: TaskKnobs): readonly PriorKnowledge[] {
  const isAlone = ({ task }: ScoredReply): boolean => tasks[task]?.options["document"] === "none";
  const answered = replies.filter(({ record }) => record.reply.kind === "answer" && record.references.length > 0);
  const memories = Map.groupBy(answered.filter(isAlone), ({ record }) => questionOf(record.references));
  const asked = Map.groupBy(answered.filter((reply) => !isAlone(reply) && reply.value !== null), ({ task }) => task);
  return Array.from(asked, ([task, ofTask]): PriorKnowledge => {
    const known = memories.get(questionOf(ofTask[0]!.record.references))?.map(scoredAnswer);
    const wrong = ofTask.filter(({ value }) => value! < RIGHT - 1e-9);
    const like = known === undefined ? [] : wrong.filter((reply) => known.some((said) => isFromMemory(reply, said)));
    return {
      task,
      closedBook: known?.[0] ?? "",
      replies: ofTask.length,
      wrong: wrong.length,
      fromMemory: known === undefined ? null : like.length,
      share: known === undefined ? null : inPercent(meanOfClusters(ofTask.map((reply) => (
        { cell: task, cluster: reply.cluster, values: [Number(like.includes(reply))] }
      )))),
      example: like[0] === undefined ? "" : scoredAnswer(like[0]),
    };
  });
}

/** A needle and the question asked; the published question may follow. */
function questionOf([needle, question]: readonly string[]): string {
  return JSON.stringify([needle, question]);
}

function isFromMemory(reply: ScoredReply, closedBook: string): boolean {
  const given = new Set(reply.record.references.flatMap(contentWords));
  const own = contentWords(scoredAnswer(reply)).filter((word) => !given.has(word));
  const known = new Set(contentWords(closedBook).filter((word) => !given.has(word)));
  return own.length > 0 && own.filter((word) => known.has(word)).length >= LEAST_SHARE * own.length;
}

/**
 * Tabulates {@linkcode priorKnowledge}, with the answer to each question alone.
 *
 * @throws {RangeError} If there are no rows.
 */
export function priorKnowledgeTable(rows: readonly PriorKnowledge[], options: Titled): Table {
  const shorten = (text: string): string => {
    const line = text.replaceAll(/\s+/g, " ").trim();
    return line.length > 100 ? `${line.slice(0, 100)}…` : line;
  };
  const shown = rows.map((row) => ({ ...row, closedBook: shorten(row.closedBook), example: shorten(row.example) }));
  return table(shown, {
    ...options,
    caption:
      "Wrong replies are graded below 4 of 5. From prior knowledge: at least half of a reply's own words, those that neither " +
      "needle nor question has, are in the model's answer to the question alone. A dash: the question was not asked alone.",
    n: `${rows.reduce((sum, { replies }) => sum + replies, 0)} replies`,
    columns: [
      { field: "task", label: "Test" },
      { field: "replies", label: "Replies" },
      { field: "wrong", label: "Wrong" },
      { field: "fromMemory", label: "From prior knowledge" },
      { field: "closedBook", label: "Asked without a text" },
      { field: "example", label: "Such a reply" },
    ],
  });
}
