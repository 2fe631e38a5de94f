import type { Model } from "@/lib/models/mod.ts";
import type { JudgedReply } from "./judge_replies.ts";

/**
 * Tells where a judge's grades come from; one verdict of the simulated reader is enough to call all of them simulated.
 *
 * @param judge Who was asked.
 * @param judged What it said.
 * @returns `simulated` where the judge is known to be, or a verdict says so.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(judgeOrigin({ origin: "measured" }, []), "measured");
 * ```
 */
export function judgeOrigin(
  judge: Pick<Model, "origin">,
  judged: readonly Pick<JudgedReply, "verdict">[],
): Model["origin"] {
  return judged.some(({ verdict }) => verdict?.origin === "simulated") ? "simulated" : judge.origin;
}
