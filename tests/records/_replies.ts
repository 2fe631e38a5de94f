import type { Reply } from "@/lib/models/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";

export const BASE = { api: "completions", template: "base" };
export const CHAT = { api: "chat", template: "base" };

/** A record of a reply, or of an answer with a text. */
export function record(reply: string | Reply, changes: object = {}): RunRecord {
  const answer = typeof reply === "string" ? { kind: "answer", text: reply, finishReason: "stop" } : reply;
  const asked = {
    task: "niah",
    length: 1024,
    references: ["6156250"],
    scoring: "all",
    promptTokens: 896,
    settings: CHAT,
  };
  return { ...asked, reply: { latencyMs: 1, attempts: 1, ...answer }, ...changes } as unknown as RunRecord;
}

/** An answer that the output budget ended. */
export const cut = (text: string): Reply => ({
  kind: "answer",
  text,
  finishReason: "length",
  latencyMs: 1,
  attempts: 1,
});
export const FAILED: Reply = { kind: "failure", failure: "timeout", message: "late", latencyMs: 1, attempts: 1 };
export const FILTERED: Reply = { kind: "answer", text: "", finishReason: "content_filter", latencyMs: 1, attempts: 1 };

/** A reply of Gemma 3 270M. */
export const RAMBLED =
  ": 6156250.\nThe special magic number for unkempt-guide mentioned in the provided text is: 6156250.\nThe sp";

/** A reply whose first answer is wrong, and whose later one is right. */
export const LATE = ": 1111111.\nWhat is the number? The number is: 6156250.";
