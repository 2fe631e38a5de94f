import { type FilePlace, numberOrNone, refuse, textOrNone } from "./_fields.ts";
import { defined } from "@/lib/base/mod.ts";
import { joinNeighbours } from "@/lib/benchmarks/mod.ts";
import type { Message, Prompt } from "@/lib/generators/mod.ts";
import { decideReply, fieldsOf, judgeServerError, type Reply, type ReplyParts, shorten } from "@/lib/models/mod.ts";

/**
 * Makes the prompt of a list of messages: neighbours of one role are joined, and a last message of the assistant becomes the answer
 * prefix. Returns `null` if there is no text.
 */
export function foreignPrompt(messages: readonly Message[], joint = "\n\n"): Prompt | null {
  const joined = joinNeighbours(messages, (text, next) => text + joint + next);
  const answerPrefix = joined.at(-1)?.role === "assistant" ? joined.pop()!.text : undefined;
  if (joined.every(({ text }) => text === "")) return null;
  return { messages: joined, ...defined({ answerPrefix }) };
}

/** Returns the text of a message's content: a text, or the texts of its parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOrNone(content) ?? "";
  return content.map((part) => textOrNone(fieldsOf(part)["text"]) ?? "").join("");
}

interface WrittenReply extends Pick<ReplyParts, "thinking" | "counts"> {
  readonly text: unknown;
  readonly field: string;
  readonly reason?: unknown;
  readonly error?: unknown;
  readonly seconds?: unknown;
}

/** Decides what a reply of another program is, as one that was asked here: an answer, or a failed call. */
export function readReply({ text, field, error, seconds, reason, ...parts }: WrittenReply, place: FilePlace): Reply {
  const facts = { latencyMs: Math.max(0, Math.round(1000 * (numberOrNone(seconds) ?? 0))), attempts: 1 };
  const cause = textOrNone(error) || (text === null ? "the file has no reply" : "");
  if (cause !== "") {
    const { isUnexplained, failure } = judgeServerError({ status: 400, body: cause });
    return { kind: "failure", failure: isUnexplained ? "server" : failure, message: shorten(cause), ...facts };
  }
  if (typeof text !== "string") throw refuse(place, `"${field}" must be a text`, text);
  const outcome = decideReply({ ...parts, text, reason }, { isRecorded: reason === undefined });
  if (outcome.kind === "answer") return { kind: "answer", ...outcome.answer, ...facts };
  return { kind: "failure", failure: outcome.failure, message: outcome.message, ...facts };
}
