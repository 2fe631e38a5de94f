import type { ScoredRun } from "./failures.ts";
import { type OpenStudy, openStudy, remakeSample } from "./open_study.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";

/** A scored reply to a sample with one target, and where that target stood. */
export interface PlacedReply extends ScoredReply {
  /** The share of the context's tokens that stood before the target, in [0, 1]. */
  readonly depth: number;
}

/** The replies of a run whose targets have one place each. */
export interface PlacedRun {
  /** Those replies in their order, failed calls among them. */
  readonly replies: readonly PlacedReply[];
  /** The tasks that are left out, each with the reason. */
  readonly left: readonly { readonly task: string; readonly why: string }[];
  /** What the user should be told: which samples could not be made again, and why. */
  readonly notes: readonly string[];
}

/** Options for {@linkcode placeReplies}. */
export interface PlaceRepliesOptions {
  /** The tasks and materials of the run; opened from its manifest unless given. */
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
}

/**
 * Tells for each reply of a run where its target stood, in tasks that ask for one fact in one place.
 *
 * The samples are made again from their records. A task with several targets (many values, chains, lists), or with none that has
 * a place (counted words), is left out: a score of several places has no depth.
 *
 * @param run The run, from `runStudy`, or from `readRun` and `scoreRecords`.
 * @param options What it was made of, where that is open already.
 * @returns The replies with their depths; a reply whose sample is not the text that was asked is left out, with a note.
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { deepEqual, ok } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const { replies, left } = await placeReplies(run);
 * ok(replies.every(({ depth }) => depth >= 0 && depth <= 1));
 * deepEqual(left, [{ task: "vt", why: "it asks for 5 facts" }]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function placeReplies(run: ScoredRun, options: PlaceRepliesOptions = {}): Promise<PlacedRun> {
  const { manifest, replies } = run;
  const { tasks, materials } = options.opened ?? await openStudy(manifest.study, run);
  const left = new Map<string, string>();
  const changed = new Map<string, number>();
  const placed = replies.flatMap((reply): PlacedReply[] => {
    if (left.has(reply.task)) return [];
    const { sample, isSame, why } = remakeSample(reply.record, { tasks, materials, template: manifest.template });
    if (!isSame) {
      changed.set(why, (changed.get(why) ?? 0) + 1);
      return [];
    }
    const depth = targetDepth(sample);
    if (typeof depth === "number") return [{ ...reply, depth }];
    left.set(reply.task, depth);
    return [];
  });
  return {
    replies: placed,
    left: Array.from(left, ([task, why]) => ({ task, why })),
    notes: Array.from(changed, ([why, count]) => `${count} replies have no depth as ${why}`),
  };
}

/** Where the one target of a sample stands, or why it has no such place. */
function targetDepth({ facts }: Sample): number | string {
  const targets = facts.filter(({ role }) => role === "target");
  if (targets.length !== 1) return `it asks for ${targets.length} facts`;
  return targets[0]!.depth ?? "what it asks for is spread over the context";
}
