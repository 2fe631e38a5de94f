import { sum } from "@/lib/base/mod.ts";
import { contentWords } from "@/lib/benchmarks/prompt_dependence/recall_keywords.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import { inPercent, meanOfClusters, type RunEvidence, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The wrong replies of a test that come from prior knowledge; `null` if the question was not asked without a document. */
export interface PriorKnowledge {
  readonly task: string;
  /** The model's answer to the question alone; empty if it was not asked. */
  readonly closedBook: string;
  /** Replies with a grade. */
  readonly replies: number;
  /** Replies graded below 4 of 5. */
  readonly wrong: number;
  /** Wrong replies from prior knowledge. */
  readonly fromMemory: number | null;
  /** Their share of all replies in percent, with its 95% interval over texts. */
  readonly share: ScoreWithInterval | null;
  /** The first of them; empty if there is none. */
  readonly example: string;
}

/** Grades below this share of 5 are wrong: the paper's judge gives 4 for a minor slip. */
const RIGHT = 0.8;

/** The share of a wrong reply's own words that must be in the closed-book answer. */
const MIN_SHARE = 0.5;

/**
 * Counts the wrong replies of each test that come from prior knowledge: at least half of their own words, those that neither needle
 * nor question has, are in the same model's answer to the question alone.
 *
 * The paper supposes this of the San Francisco needle, whose question can be answered without the text. Ask the questions alone
 * with `document: none`, as `data/studies/09-closed-book.yaml` does, in the same run or another one.
 *
 * @param replies The replies of the tests, and those to the questions alone.
 * @param tasks The tasks of both, from the manifests.
 */
export function priorKnowledge(
  replies: readonly ScoredReply[],
  tasks: RunEvidence["tasks"],
): readonly PriorKnowledge[] {
  const isAlone = ({ task }: ScoredReply): boolean => tasks[task]?.options["document"] === "none";
  const answered = replies.filter(({ record }) => record.reply.kind === "answer" && record.references.length > 0);
  const memories = Map.groupBy(answered.filter(isAlone), ({ record }) => questionOf(record.references));
  const asked = Map.groupBy(answered.filter((reply) => !isAlone(reply) && reply.value !== null), ({ task }) => task);
  return Array.from(asked, ([task, ofTask]): PriorKnowledge => {
    const known = memories.get(questionOf(ofTask[0]!.record.references))?.map(scoredAnswer);
    const wrong = ofTask.filter(({ value }) => value! < RIGHT - 1e-9);
    const like = wrong.filter((reply) => known?.some((closedBook) => isFromMemory(reply, closedBook)));
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

/** Returns the needle and the question as a key; further references are ignored. */
function questionOf([needle, question]: readonly string[]): string {
  return JSON.stringify([needle, question]);
}

function isFromMemory(reply: ScoredReply, closedBook: string): boolean {
  const given = new Set(reply.record.references.flatMap(contentWords));
  const own = contentWords(scoredAnswer(reply)).filter((word) => !given.has(word));
  const known = new Set(contentWords(closedBook).filter((word) => !given.has(word)));
  return own.length > 0 && own.filter((word) => known.has(word)).length >= MIN_SHARE * own.length;
}

/** Returns the rows of {@linkcode priorKnowledge} as a table, with the answer to each question alone. */
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
    n: `${sum(rows, ({ replies }) => replies)} replies`,
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
