import { recallRubricScorer } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { type ChatTemplate, type Materials, type Task, userText } from "@/lib/generators/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import { splitSentences } from "@/lib/text/mod.ts";

/** A graded reply with the text around its needle. */
export interface RecallCell {
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample. */
  readonly index: number;
  /** The requested depth of the needle, in percent of the context, to one decimal. */
  readonly depth: number;
  /** The grade over 5, in [0.2, 1]; `null` if the call failed. */
  readonly value: number | null;
  /** The grade, from 1 to 5; `null` if the call failed. */
  readonly grade: number | null;
  /** The reason for the grade, or the error of the call. */
  readonly why: string;
  /** The graded part of the reply; empty if the call failed. */
  readonly reply: string;
  /** The sentence before the needle; empty at the start of the text. */
  readonly before: string;
  /** The sentence after the needle; empty at the end of the text. */
  readonly after: string;
}

/** The part of a run from which its samples are rebuilt. */
export interface RecallRun {
  readonly replies: readonly ScoredReply[];
  readonly plan: {
    readonly cells: readonly { readonly task: Task }[];
    readonly materials: Materials;
    readonly template: ChatTemplate;
  };
}

/** Characters on each side of a needle that are searched for the neighbouring sentence. */
const CONTEXT = 1000;

/**
 * Lists graded replies, each with the sentences around its needle, which can change the needle's meaning (section 5). Each sample
 * is rebuilt; replies to other tasks are left out.
 */
export function recallCells({ replies, plan: { cells, materials, template } }: RecallRun): RecallCell[] {
  const tasks = new Map(cells.map(({ task }) => [task.name, task]));
  return replies.filter(({ record }) => record.scoring === recallRubricScorer.name).map((graded) => {
    const { record, value, score } = graded;
    const { task, length, index, seed, depth = 0, reply } = record;
    const user = userText(tasks.get(task)!.sample({ length, seed, index, materials, template }).prompt);
    const needle = record.references[0]!;
    const at = user.indexOf(needle);
    return {
      ...{ task, length, index, value },
      depth: Math.round(1000 * depth) / 10,
      grade: value === null ? null : Math.round(5 * value),
      why: score?.why ?? (reply.kind === "failure" ? reply.message : ""),
      reply: scoredAnswer(graded),
      before: splitSentences(user.slice(Math.max(0, at - CONTEXT), at).split("\n").at(-1)!).at(-1)?.trim() ?? "",
      after: splitSentences(user.slice(at + needle.length).slice(0, CONTEXT).split("\n")[0]!)[0]?.trim() ?? "",
    };
  });
}
