import type { Reply } from "./reply.ts";
import { lastText, type Prompt } from "@/lib/generators/mod.ts";

/** Characters at either end of a prompt by which it is found in a reply, and those of a template that can come before it. */
const ENDS = 100;
const MAX_BEFORE = 500;

/** A shorter prompt can be a phrase of an answer. */
const MIN_CHARS = 60;

/**
 * Returns the text after the prompt in a reply that begins with it, as servers and files that return the whole text have it;
 * `undefined` for any other reply. Spaces and line breaks may differ, and marks of a template may come before.
 */
export function afterPrompt(text: string, prompt: Prompt): string | undefined {
  const asked = lastText(prompt).trim();
  if (asked.length < MIN_CHARS || text.length < asked.length / 2) return undefined;
  const [head, tail, prefix] = [asked.slice(0, ENDS), asked.slice(-ENDS), (prompt.answerPrefix ?? "").trim()].map((
    part,
  ) => part.trim().split(/\s+/).map(RegExp.escape).join("\\s+"));
  const [first] = text.matchAll(new RegExp(head!, "g"));
  const earlier = prompt.messages.slice(0, -1).reduce((sum, message) => sum + message.text.length, MAX_BEFORE);
  if (first === undefined || first.index > earlier) return undefined;
  const last = [...text.matchAll(new RegExp(`${tail}(?:\\s*${prefix})?`, "g"))].at(-1);
  return last && text.slice(last.index + last[0].length);
}

/** Takes the prompt out of a reply that begins with it, and marks the reply. */
export function withoutPrompt(reply: Reply, prompt: Prompt): Reply {
  const text = reply.kind === "answer" ? afterPrompt(reply.text, prompt) : undefined;
  return text === undefined || reply.kind === "failure" ? reply : { ...reply, text, repeatsPrompt: true };
}
