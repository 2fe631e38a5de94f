import endings from "./endings.json" with { type: "json" };
import { fieldsOf } from "../json.ts";
import type { Answer, FinishReason, Reply } from "../reply.ts";
import { defined } from "@/lib/base/mod.ts";
import { badReply, type Outcome } from "./protocol.ts";
import { type Reading, splitThinking } from "./thinking.ts";
import { lastText, type Prompt } from "@/lib/generators/mod.ts";

/** The parts of a reply that every protocol and file has. */
export interface ReplyParts {
  /** The text with its marks of thinking; `null` and nothing are an empty text. */
  readonly text?: string | null | undefined;
  readonly thinking?: string | undefined;
  readonly reason?: unknown;
  /** The reason of the provider behind a gateway, which can call every end `stop`. */
  readonly native?: unknown;
  /** Whether the model called a tool, which no request offers. */
  readonly isToolCall?: boolean;
  readonly names?: { readonly [N in "servedModel" | "fingerprint"]?: unknown };
  readonly counts?: Pick<Answer, "promptTokens" | "cachedTokens" | "completionTokens" | "reasoningTokens">;
}

type Ending = FinishReason | "unfinished";

const squeeze = (reason: string): string => reason.toLowerCase().replaceAll(/[^a-z]/g, "").replace(/^finishreason/, "");

/**
 * What the reasons for the end of a reply mean, without case, marks and prefixes, from the API references of the providers and the
 * sources of the servers. A reason that is not listed ends no whole reply; one that is `unknown` is none.
 */
const MEANINGS = new Map(
  endings.flatMap(({ ending, reasons }) => reasons.split(" ").map((reason) => [squeeze(reason), ending as Ending])),
);

/** Returns what a reason for the end of a reply means; `unknown` for none, such as the filler in the events of a stream. */
export function readEnding(reason: unknown): Ending {
  const name = squeeze(String(reason ?? ""));
  return name === "" ? "unknown" : MEANINGS.get(name) ?? "unfinished";
}

/**
 * Decides what a reply is, in the same way for streamed and whole replies, those of batches and imported ones: an answer (whole, cut by
 * its budget, filtered, or a tool call), or the failure of one that is not whole.
 *
 * A reply that ended in its thinking has an empty text. So has one without content whose end is known.
 */
export function decideReply(parts: ReplyParts, reading: Reading = {}): Outcome {
  const { names = {}, counts = {}, isToolCall = false } = parts;
  const { namesReasons = false, isRecorded = false, opensThinking = false } = reading;
  const text = parts.text ?? "";
  const isSilent = text.trim() === "" && !parts.thinking;
  // What is known of the provider's own reason comes before the `stop` of a gateway.
  const own = MEANINGS.get(squeeze(String(parts.native ?? ""))) ?? "unknown";
  const isOwn = readEnding(parts.reason) === "stop" && own !== "unknown";
  const [named, reason] = isOwn ? [own, parts.native] : [readEnding(parts.reason), parts.reason];
  const isWhole = named === "stop" || named === "unknown";
  const ending = isToolCall && isSilent && isWhole ? "tool_call" : named;
  if (ending === "unfinished") return brokenOff(`finish reason ${JSON.stringify(String(reason).slice(0, 100))}`);
  if (ending === "unknown" && namesReasons) return brokenOff("it has no finish reason, unlike others of this server");
  if (ending === "unknown" && isSilent && !counts.completionTokens && !isRecorded) {
    return badReply("The reply has neither a text nor a finish reason");
  }
  const isCut = ending === "length";
  // LMDeploy up to 0.9 answers so if a prompt is longer than its window.
  if (isCut && isSilent && counts.completionTokens === 0) {
    const message = "The reply ended before its first token, as the prompt leaves no room in the window";
    return { kind: "failure", failure: "context_length", message, canRetry: false };
  }
  // Thinking that came apart is all of it, and so is a text whose every token was counted as reasoning.
  const { completionTokens, reasoningTokens } = counts;
  const isAllThought = Number(reasoningTokens) >= Number(completionTokens);
  const split = splitThinking(text, {
    isCut: isCut && !parts.thinking,
    opensThinking: opensThinking || (isAllThought && reasoningTokens !== 0),
    isUnthinking: reasoningTokens === 0,
  });
  const thinking = [parts.thinking, split.thinking].filter(Boolean).join("\n");
  return {
    kind: "answer",
    answer: {
      text: split.text,
      ...(thinking && { thinking }),
      finishReason: ending,
      ...defined({ servedModel: readName(names.servedModel), fingerprint: readName(names.fingerprint) }),
      ...counts,
    },
    ...defined({ opensThinking: split.isUnopened || undefined }),
  };
}

function brokenOff(why: string): Outcome {
  return { kind: "failure", failure: "server", message: `The reply was broken off: ${why}`, canRetry: true };
}

/** Characters of a model's name or fingerprint that a record keeps. */
const MAX_NAME_CHARS = 200;

function readName(name: unknown): string | undefined {
  return typeof name === "string" && name !== "" ? name.slice(0, MAX_NAME_CHARS) : undefined;
}

/**
 * Reads the counts of a usage under the names that servers and Inspect have for them, also within its details.
 *
 * The prompt's count has to include the tokens read from a cache or written to one. Those of Anthropic and Inspect do not
 * (`isCacheApart`) unless input and output are the total, nor do those of some gateways: their total shows it, or the cached tokens
 * are more.
 */
export function readUsage(value: unknown, isCacheApart = false): NonNullable<ReplyParts["counts"]> {
  const usage = fieldsOf(value);
  const places = [usage, ...DETAILS.map((name) => fieldsOf(usage[name]))];
  const read = (...names: readonly string[]): number | undefined =>
    names.flatMap((name) => places.map((place) => place[name]))
      .find((count): count is number => Number.isInteger(count) && Number(count) >= 0);
  const [prompt, total] = [read("prompt_tokens", "input_tokens"), read("total_tokens")];
  const completionTokens = read("completion_tokens", "output_tokens");
  const cachedTokens = read(...CACHED);
  const cache = (cachedTokens ?? 0) + (read("cache_creation_input_tokens", "input_tokens_cache_write") ?? 0);
  const sum = Number(prompt) + Number(completionTokens);
  const isApart = isCacheApart && total !== sum || Number(prompt) < cache || total === sum + cache;
  // No prompt has 0 tokens: the server does not count.
  const promptTokens = (isApart && prompt !== undefined ? prompt + cache : prompt) || undefined;
  const reasoningTokens = read("reasoning_tokens", "thinking_tokens");
  return defined({ promptTokens, cachedTokens, completionTokens, reasoningTokens });
}

/** Objects of a usage that have further counts: Cohere's, then those of OpenAI's APIs. */
const DETAILS = ["tokens", ...["prompt", "input", "completion", "output"].map((name) => `${name}_tokens_details`)];

/** Tokens that came from a cache: OpenAI's and Moonshot's, DeepSeek's, Anthropic's, Inspect's. */
const CACHED = ["cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens", "input_tokens_cache_read"];

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
  const [head, tail, prefix] = [asked.slice(0, ENDS), asked.slice(-ENDS), prompt.answerPrefix ?? ""]
    .map((part) => part.trim().split(/\s+/).map(RegExp.escape).join("\\s+"));
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
