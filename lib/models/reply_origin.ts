import type { Model } from "./model.ts";
import type { Reply } from "./reply.ts";

/** How the simulated reader's fingerprint begins, wherever it is served. */
export const SIMULATED_FINGERPRINT = "simulated";

/**
 * Tells whose a reply is: a real model's, or the simulated reader's.
 *
 * A served simulated reader says so in every answer, so that it cannot pass for a model by the name it is asked by.
 *
 * @param model Who was asked.
 * @param reply What came back.
 * @returns `simulated` where the model is known to be, or the answer says so.
 *
 * @example A simulated reader behind another name
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const told = { servedModel: "sim:gpt-4", fingerprint: "simulated-1" };
 * const reply = { kind: "answer", text: "17", finishReason: "stop", latencyMs: 9, attempts: 1, ...told } as const;
 * equal(replyOrigin({ origin: "measured" }, reply), "simulated");
 * ```
 */
export function replyOrigin(model: Pick<Model, "origin">, reply: Reply): Model["origin"] {
  if (reply.kind === "failure") return model.origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A server in between can drop the one or the other.
  const isSimulated = fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:");
  return isSimulated ? "simulated" : model.origin;
}
