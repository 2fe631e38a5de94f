import { BASE_FRAME, type Prompt, type Sample } from "@/lib/generators/mod.ts";
import type { Model } from "./model.ts";
import { openProfile } from "./profiles.ts";
import type { Reply } from "./reply.ts";
import { readSimulated } from "./readers/task_readers.ts";

/** Raised whenever the reader answers the same prompt differently; part of every record's settings. */
export const SIMULATION_VERSION = 1;

/** Options for {@linkcode simulatedModel}. */
export interface SimulatedModelOptions {
  /**
   * The latency that replies tell, in milliseconds. Nothing waits for it.
   *
   * @default {0}
   */
  readonly latencyMs?: number;
}

/**
 * Makes a model of the simulated reader, to be asked as any other model is. It needs no key and no network.
 *
 * It sees the prompt's text alone, never the references or facts of a sample. Its replies are not cut to the answer room.
 *
 * @param name A profile's name, with or without `sim:` before it.
 * @param options What replies tell of time.
 * @returns The model, named `sim:` and the profile's name; its origin is `simulated`.
 * @throws {RangeError} If there is no such profile; the message lists them.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(simulatedModel("gpt-4").name, "sim:gpt-4");
 * equal(simulatedModel("gpt-4").origin, "simulated");
 * ```
 */
export function simulatedModel(name: string, options: SimulatedModelOptions = {}): Model {
  const { latencyMs = 0 } = options;
  const profile = openProfile(name);
  const ask = ({ prompt }: Sample, signal?: AbortSignal): Reply => {
    if (signal?.aborted) {
      return { kind: "failure", failure: "connection", message: "The call was ended", latencyMs, attempts: 0 };
    }
    const { text, lapses } = readSimulated(joinPrompt(prompt), profile);
    const isLooped = lapses.some(({ kind }) => kind === "looped");
    return { kind: "answer", text, finishReason: isLooped ? "length" : "stop", latencyMs, attempts: 1 };
  };
  return {
    name: `sim:${profile.name}`,
    origin: "simulated",
    settings: { profile: profile.name, simulation: SIMULATION_VERSION },
    frame: BASE_FRAME,
    ask: (sample, signal) => Promise.resolve(ask(sample, signal)),
  };
}

/**
 * Joins a prompt to one text, as the simulated reader is sent it by whatever way.
 *
 * @param prompt What is asked.
 * @returns The system message where there is one, the user's message, and the answer prefix.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(joinPrompt({ user: "1 + 1?", answerPrefix: " It is" }), "1 + 1? It is");
 * ```
 */
export function joinPrompt({ system, user, answerPrefix = "" }: Prompt): string {
  return (system === undefined ? "" : `${system}\n\n`) + user + answerPrefix;
}
