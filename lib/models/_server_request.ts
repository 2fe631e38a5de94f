import { type Fields, isFields } from "./_fields.ts";
import { badField, type ServerError } from "./_server_error.ts";

/** What a request to the simulated server asks, whichever interface it came by. */
export interface ServerRequest {
  readonly model: string;
  /** The prompts as plain texts: one for a chat, one or more for plain completions. */
  readonly prompts: readonly string[];
  /** The most tokens to write; `Infinity` where the request sets no limit. */
  readonly maxTokens: number;
  /** Texts before which writing stops. */
  readonly stop: readonly string[];
  readonly stream: boolean;
  /** Whether a stream ends with a count of tokens. */
  readonly includeUsage: boolean;
}

/**
 * Reads the body of a request, and throws a {@linkcode ServerError} where it is not as the interface wants it.
 *
 * @param body The parsed JSON.
 * @param api Whether it came to `/v1/chat/completions` or to `/v1/completions`.
 */
export function readServerRequest(body: unknown, api: "chat" | "completions"): ServerRequest {
  if (!isFields(body)) throw badField("body", "a JSON object");
  const { model, stream = false, stop, n = 1, stream_options: streamOptions } = body;
  if (typeof model !== "string" || model === "") throw badField("model", "the name of a model");
  if (typeof stream !== "boolean") throw badField("stream", "true or false");
  if (n !== 1 && n !== null) throw badField("n", "1, as the same prompt always gets the same reply");
  return {
    model,
    prompts: api === "chat" ? [joinMessages(body["messages"])] : readPrompts(body["prompt"]),
    maxTokens: readLimit(body),
    stop: readStop(stop),
    stream,
    includeUsage: isFields(streamOptions) && streamOptions["include_usage"] === true,
  };
}

function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === "string") return [prompt];
  if (Array.isArray(prompt) && prompt.length > 0 && prompt.every((text) => typeof text === "string")) return prompt;
  throw badField("prompt", "a text or a list of texts");
}

function readLimit(body: Fields): number {
  const limit = body["max_completion_tokens"] ?? body["max_tokens"] ?? null;
  if (limit === null) return Infinity;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1) return limit;
  const field = body["max_completion_tokens"] === undefined ? "max_tokens" : "max_completion_tokens";
  throw badField(field, "a whole number from 1");
}

function readStop(stop: unknown): string[] {
  if (stop === undefined || stop === null) return [];
  const texts = Array.isArray(stop) ? stop : [stop];
  if (texts.every((text) => typeof text === "string" && text !== "")) return texts;
  throw badField("stop", "a text or a list of texts");
}

/**
 * Joins the messages of a chat to one text. A last message of the assistant's is the start of the answer, which is continued;
 * so it follows the others without a gap.
 */
function joinMessages(messages: unknown): string {
  if (!Array.isArray(messages) || messages.length === 0) throw badField("messages", "a list of at least one message");
  const read = messages.map((message: unknown, at) => {
    if (!isFields(message) || typeof message["role"] !== "string") {
      throw badField(`messages[${at}]`, "an object with role and content");
    }
    return { role: message["role"], text: readContent(message["content"], at) };
  });
  const last = read.at(-1)!;
  const isContinued = last.role === "assistant" && read.length > 1;
  const turns = isContinued ? read.slice(0, -1) : read;
  return turns.map(({ text }) => text).join("\n\n") + (isContinued ? last.text : "");
}

function readContent(content: unknown, at: number): string {
  if (typeof content === "string") return content;
  if (content === null) return "";
  const isText = (part: unknown): part is { text: string } =>
    isFields(part) && part["type"] === "text" && typeof part["text"] === "string";
  if (Array.isArray(content) && content.every(isText)) return content.map(({ text }) => text).join("");
  throw badField(`messages[${at}].content`, "a text or a list of parts of type text");
}

/** Tells whether something thrown is a {@linkcode ServerError}. */
export function isServerError(error: unknown): error is ServerError {
  return isFields(error) && typeof error["status"] === "number" && typeof error["message"] === "string";
}
