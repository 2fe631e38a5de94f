import { starScore, starSumScore } from "@/lib/benchmarks/counting_stars/mod.ts";
import { threadProgress, valueMatch, type ValueMatchOptions } from "@/lib/benchmarks/needle_threading/mod.ts";
import { recallRubric } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import type { Scoring } from "@/lib/generators/mod.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import {
  answerMatch,
  editMatch,
  type EditMatchOptions,
  keywordMatch,
  type Score,
  setMatch,
  stringMatchAll,
  stringMatchPart,
} from "@/lib/scorers/mod.ts";

/**
 * Scores records by the references in them.
 *
 * Nothing is asked or made again, so that a recorded run can be scored anew at any time.
 *
 * @param records The records.
 * @returns Each record with its scores, in the same order.
 * @throws {RangeError} If a record is to be scored in a way that is not known.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { RunRecord } from "@/lib/models/mod.ts";
 *
 * const reply = { kind: "answer", text: "It is 17.", finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: ["17"], scoring: "all", reply } as unknown as RunRecord;
 * equal(scoreRecords([record])[0]?.score?.value, 1);
 * ```
 */
export function scoreRecords(records: readonly RunRecord[]): ScoredReply[] {
  return records.map((record) => {
    const { task, length, reply, scoring } = record;
    if (reply.kind === "failure") {
      return { record, task, length, value: null, failed: true, noAnswer: false, score: null, strict: null };
    }
    const scores = scorerOf(scoring)(reply.text, record);
    const { value, answer } = scores.score;
    return { record, task, length, value, failed: false, noAnswer: answer === "", ...scores };
  });
}

/** The benchmark's own score of a reply, and the one that also counts what is wrong in it. */
interface ScorePair {
  readonly score: Score;
  readonly strict: Score;
  readonly partial?: Score;
  readonly unparsable?: boolean;
}

type Scorer = (reply: string, record: RunRecord) => ScorePair;

const SCORERS: Readonly<Partial<Record<Scoring, Scorer>>> = {
  "all": (reply, { references }) => ({
    score: stringMatchAll(reply, references),
    strict: setMatch(reply, references),
  }),
  "any": (reply, { references }) => ({
    score: stringMatchPart(reply, references),
    strict: answerMatch(reply, references),
  }),
  "stars": (reply, { references, distractors = [] }) => scoreStars(reply, references, { distractors }),
  "stars and sum": (reply, { references, distractors = [] }) =>
    scoreStars(reply, references, { distractors, hasSum: true }),
  "lenient stars": (reply, { references, distractors = [] }) =>
    scoreStars(reply, references, { distractors, scorer: "lenient" }),
  "lenient stars and sum": (reply, { references, distractors = [] }) =>
    scoreStars(reply, references, { distractors, hasSum: true, scorer: "lenient" }),
  "sum": (reply, { references }) => {
    const score = starSumScore(reply, references);
    return { score, strict: score, unparsable: score.total === null && score.answer !== "" };
  },
  "edit distance": (reply, record) => scoreEdits(reply, record, {}),
  "trimmed edit distance": (reply, record) => scoreEdits(reply, record, { trim: true }),
  "keyword": (reply, record) => scoreKeyword(reply, record, {}),
  "trimmed keyword": (reply, record) => scoreKeyword(reply, record, { trim: true }),
  "recall rubric": (reply, record) => scoreRecall(reply, record),
  "values in order": (reply, record) => scoreValues(reply, record, { inOrder: true }),
  "values in any order": (reply, record) => scoreValues(reply, record, { inOrder: false }),
};

function isUnparsable({ form, answer }: { readonly form: string; readonly answer: string }): boolean {
  return form === "none" && answer !== "";
}

function scoreValues(
  reply: string,
  { references, paths }: RunRecord,
  options: ValueMatchOptions,
): ScorePair {
  const score = valueMatch(reply, references, options);
  const { asAsked, answer, why } = score;
  const partial = paths === undefined ? {} : { partial: threadProgress(reply, paths) };
  return { score, strict: { value: asAsked, answer, why }, ...partial, unparsable: isUnparsable(score) };
}

function scoreEdits(reply: string, { references: [wanted = ""] }: RunRecord, options: EditMatchOptions): ScorePair {
  const score = editMatch(reply, wanted, options);
  return { score, strict: score };
}

/** Beside the score by the keyword stands the one by edits alone. */
function scoreKeyword(reply: string, { references }: RunRecord, options: EditMatchOptions): ScorePair {
  const [answer = "", keyword = ""] = references;
  const score = keywordMatch(reply, { answer, keyword }, options);
  return { score, strict: score.edits };
}

/** Recall as it is published begins at 0.2, the lowest of five grades; beside it stands the same from 0 to 1. */
function scoreRecall(reply: string, { references }: RunRecord): ScorePair {
  const [needle = "", ...questions] = references;
  const score = recallRubric(reply, needle, { question: questions.join(" ") });
  return { score, strict: { value: (score.grade - 1) / 4, answer: score.answer, why: score.why } };
}

/** A record can come from a file, and from a version of Fathom that scores otherwise. */
function scorerOf(scoring: Scoring): Scorer {
  const scorer = Object.hasOwn(SCORERS, scoring) ? SCORERS[scoring] : undefined;
  if (scorer) return scorer;
  throw new RangeError(
    `Cannot score the record as its scoring must be one of ${
      Object.keys(SCORERS).join(", ")
    }: current value is "${scoring}"`,
  );
}

function scoreStars(...args: Parameters<typeof starScore>): ScorePair {
  const score = starScore(...args);
  const strict = { value: score.f1, answer: score.answer, why: score.why };
  return { score, strict, unparsable: isUnparsable(score) };
}
