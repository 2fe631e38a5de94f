import type { Failure, Model, ModelSettings, Reply } from "./reply.ts";
import { type ChatTemplate, PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";

/** What a replay needs of a record. */
interface RecordedReply {
  /** The id of the sample that was asked. */
  readonly sample: string;
  /** SHA-256 of the prompt that was sent. */
  readonly sha256: string;
  /** What came back. */
  readonly reply: Reply;
}

/** Options for {@linkcode openReplay}. */
interface ReplayOptions {
  /** The name of the model that was asked. */
  readonly name: string;
  /** Whose the recorded replies are: a model's or the simulated reader's. */
  readonly origin: "measured" | "simulated";
  /**
   * The settings of the recorded run.
   *
   * @default {{}}
   */
  readonly settings?: ModelSettings;
  /**
   * What the recorded run put round its prompts; samples fitted with another template are not found.
   *
   * @default {PLAIN_TEMPLATE}
   */
  readonly template?: ChatTemplate;
}

/**
 * Makes a model that answers from the replies of a recorded run, and asks no one.
 *
 * Where a sample was recorded more than once, the last answer counts, and a failure only where there is no answer. A sample
 * that was not recorded, or whose text has changed since, is a failure of kind `not_found`.
 *
 * @param records The replies, such as the records of a run; read once.
 * @param options Whose they are.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const replay = openReplay([], { name: "some-model", origin: "measured" });
 * equal(replay.name, "some-model");
 * ```
 */
export function openReplay(records: Iterable<RecordedReply>, options: ReplayOptions): Model {
  const { name, origin, settings = {}, template = PLAIN_TEMPLATE } = options;
  const recorded = new Map<string, Map<string, Reply>>();
  for (const { sample, sha256, reply } of records) {
    const versions = recorded.get(sample) ?? new Map<string, Reply>();
    recorded.set(sample, versions);
    if (reply.kind === "answer" || versions.get(sha256)?.kind !== "answer") versions.set(sha256, reply);
  }
  return {
    name,
    origin,
    settings,
    template,
    ask: (sample) => Promise.resolve(recall(sample, recorded.get(sample.id))),
  };
}

function recall(sample: Sample, versions: ReadonlyMap<string, Reply> | undefined): Reply {
  const reply = versions?.get(sample.sha256);
  if (reply) return reply;
  if (!versions) return notRecorded(`Sample "${sample.id}" was not recorded`);
  const [other] = versions.keys();
  return notRecorded(
    `Sample "${sample.id}" was recorded with another text: its SHA-256 was ${other} and is ${sample.sha256}`,
  );
}

function notRecorded(message: string): Failure {
  return { kind: "failure", failure: "not_found", message, latencyMs: 0, attempts: 0 };
}
