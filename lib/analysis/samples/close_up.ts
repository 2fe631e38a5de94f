import type { Sample } from "@/lib/generators/mod.ts";
import { type OpenStudy, openStudy, remakeSample, type ScoredReply } from "@/lib/runs/mod.ts";
import { explainRun } from "../failures/explain_run.ts";
import { FAILURE_MEANINGS } from "../failures/failure_class.ts";
import type { FailureMode } from "../failures/failure_mode.ts";
import { noContextAnswers } from "../failures/no_context_answers.ts";
import type { ScoredRun } from "../failures/scored_run.ts";
import { factSurroundings, type FactSurroundingsOptions, type SurroundedFact } from "./fact_surroundings.ts";

/** Options for {@linkcode closeUp}. */
export interface CloseUpOptions extends FactSurroundingsOptions {
  /** The tasks and materials of the run; opened from its manifest unless given. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
}

/** One thing to know of a sample and its reply. */
export interface CloseUpLine {
  /** What it is. */
  readonly what: string;
  /** What there is to say of it. */
  readonly said: string;
}

/** A sample that was made again, with its reply and what became of it. */
export interface CloseUp {
  /** The reply with its scores. */
  readonly reply: ScoredReply;
  /** The sample as it is made now. */
  readonly sample: Sample;
  /** Whether it is the text that was asked. */
  readonly isSame: boolean;
  /** The planted facts that stand in one place, each with the text round it: those asked for, those said instead, the rest. */
  readonly facts: readonly SurroundedFact[];
  /** In which ways the reply failed, the primary one first; none where it is right or its sample has changed. */
  readonly modes: readonly FailureMode[];
  /** The same in words: sample, question, reply, score and why. */
  readonly lines: readonly CloseUpLine[];
}

/**
 * Looks closely at one reply of a run: its sample is made again from the recipe in its record and compared with the hash of what
 * was asked.
 *
 * @param run The run.
 * @param reply The reply, such as `pickReply` gives it.
 * @param options What the run was made of, where that is open already, and how much of the text to show.
 * @returns The sample, the text round its facts, the reply, the score with its reason, and the ways of failing.
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { isSame, facts, modes } = await closeUp(run, run.replies[0]!);
 * equal(isSame, true);
 * equal(facts[0]?.role, "target");
 * equal(modes[0]?.class, "empty");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function closeUp(run: ScoredRun, reply: ScoredReply, options: CloseUpOptions = {}): Promise<CloseUp> {
  const { opened = await openStudy(run.manifest.study), ...shown } = options;
  const { record } = reply;
  const { sample, isSame, why } = remakeSample(record, { ...opened, frame: run.manifest.frame });
  const explained = await explainRun({ ...run, replies: [reply] }, { opened, noContextAnswer: noContextAnswers(run) });
  const { modes } = explained.replies[0]!;
  const said = new Set(modes.flatMap(({ evidence }) => evidence.map(({ key }) => key)));
  const rankOf = ({ role, key }: SurroundedFact): number => role === "target" ? 0 : said.has(key) ? 1 : 2;
  const facts = factSurroundings(sample, shown).toSorted((left, right) => rankOf(left) - rankOf(right));
  const lines = [
    // With room for a line to break.
    { what: "Sample", said: record.sample.replaceAll("/", " / ").replaceAll(",", ", ") },
    { what: "Made again", said: isSame ? `${why} (SHA-256 ${record.sha256.slice(0, 12)}…)` : `no: ${why}` },
    { what: "Length", said: `${record.promptTokens} tokens of prompt, ${sample.answerRoom} for the answer` },
    { what: "Wanted", said: record.references.join(", ") },
    ...replyLines(reply),
    ...modes.map(({ class: way, why }) => ({
      what: "Way of failing",
      said: `${way} (${FAILURE_MEANINGS[way]}): ${why}`,
    })),
  ];
  return { reply, sample, isSame, facts, modes, lines };
}

function replyLines({ record, value, score, strict }: ScoredReply): CloseUpLine[] {
  const { reply } = record;
  if (reply.kind === "failure") return [{ what: "Failed call", said: `${reply.failure}: ${reply.message}` }];
  const ended = reply.finishReason === "length" ? ["the reply was cut off at its budget"] : [];
  const counted = reply.promptTokens === undefined ? [] : [`the server counted ${reply.promptTokens} prompt tokens`];
  return [
    { what: "Reply", said: reply.text === "" ? "(empty)" : reply.text },
    ...[...ended, ...counted].map((said) => ({ what: "Server", said })),
    { what: "Score", said: `${value === null ? "nothing to score" : percent(value)}: ${score?.why ?? ""}` },
    ...(strict === null || strict.value === value || strict.value === null
      ? []
      : [{ what: "Strict score", said: `${percent(strict.value)}: ${strict.why}` }]),
  ];
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} of 100`;
}
