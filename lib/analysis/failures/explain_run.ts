import { type OpenStudy, openStudy, remakeSample, type ScoredReply } from "@/lib/runs/mod.ts";
import { explainFailedCall } from "./_failed_call.ts";
import { classifyFailure } from "./classify_failure.ts";
import type { ExplainedReply } from "./failure_rows.ts";
import { noContextAnswers } from "./no_context_answers.ts";
import type { ScoredRun } from "./scored_run.ts";

/** A reply of a run with the ways in which it failed. */
export interface ExplainedRecord extends ScoredReply, ExplainedReply {}

/** Options for {@linkcode explainRun}. */
export interface ExplainRunOptions {
  /** The tasks and materials of the run; opened from its manifest unless given. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
  /** Gives what the model says to the question of a reply without any context; looked for in the run itself unless given. */
  readonly noContextAnswer?: (reply: ScoredReply) => string | undefined;
  /**
   * The share of the prompt's tokens that the server may count fewer before a prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

/** A run with its failures explained. */
export interface ExplainedRun {
  /** The replies in their order, right ones included. */
  readonly replies: readonly ExplainedRecord[];
  /** What the user should be told: which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Tells in which ways the replies of a run failed. The samples of wrong replies are made again from their records, one by one.
 *
 * @param run The run, from `runStudy`, or from `readRun` and `scoreRecords`.
 * @param options What it was made of, where that is open already, and what the model says without context.
 * @returns Every reply, with its ways of failing; a reply whose sample is not the text that was asked has none, and a note.
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example A reader that says nothing
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { replies } = await explainRun(run);
 * deepEqual(replies.map(({ modes }) => modes[0]?.class), ["empty", "empty"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function explainRun(run: ScoredRun, options: ExplainRunOptions = {}): Promise<ExplainedRun> {
  const { manifest, replies } = run;
  const { noContextAnswer = noContextAnswers(run), cutTolerance } = options;
  const { tasks, materials } = options.opened ?? await openStudy(manifest.study);
  const changed = new Map<string, number>();
  const explain = (reply: ScoredReply): ExplainedRecord => {
    const { record, value } = reply;
    if (record.reply.kind === "failure") return { ...reply, modes: [explainFailedCall(record.reply)] };
    if (value === null || value === 1) return { ...reply, modes: [] };
    const answer = noContextAnswer(reply);
    const outcome = {
      reply: record.reply,
      value,
      scoring: record.scoring,
      ...(answer === undefined ? {} : { noContextAnswer: answer }),
      ...(cutTolerance === undefined ? {} : { cutTolerance }),
    };
    const { sample, isSame, why } = remakeSample(record, { tasks, materials, frame: manifest.frame });
    if (isSame) return { ...reply, modes: classifyFailure(sample, outcome) };
    changed.set(why, (changed.get(why) ?? 0) + 1);
    return { ...reply, modes: [] };
  };
  const explained = replies.map(explain);
  const notes = Array.from(changed, ([why, count]) => `${count} failures cannot be explained as ${why}`);
  return { replies: explained, notes };
}
