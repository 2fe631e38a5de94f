import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type Fields, isFields } from "@/lib/base/mod.ts";
import { type CutReply, cutReply } from "./cut_reply.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { SIMULATION_VERSION } from "@/lib/simulated/reader.ts";
import { SIMULATED_FINGERPRINT } from "@/lib/models/reply.ts";
import type { ServedSamples } from "./served_samples.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";
import { Refusal, type ServedBody } from "@/lib/exchange/local_server.ts";

/** What a server answers by. */
export interface ServerSettings {
  /** The names of the profiles that it serves. */
  readonly profiles: readonly string[];
  readonly samples: ServedSamples;
  readonly tokenizer: Tokenizer;
  /** The key that requests must send, if they must. */
  readonly apiKey: string | undefined;
  /** The most tokens of a prompt. */
  readonly contextTokens: number;
}

type Api = "chat" | "completions";

const PATHS: Readonly<Record<string, Api>> = {
  "/v1/chat/completions": "chat",
  "/v1/completions": "completions",
};

/**
 * Answers one request by its path.
 *
 * @throws {Refusal} With OpenAI's error if the request is wrong.
 */
export async function answerRequest(
  request: IncomingMessage,
  path: string,
  settings: ServerSettings,
): Promise<ServedBody> {
  checkKey(request, settings);
  if (request.method === "GET" && path === "/v1/models") return listModels(settings);
  const api = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (request.method !== "POST" || !api) throw noSuchPath(`${request.method} ${path}`);
  checkType(request);
  const body = await readJson(request);
  const asked = readServerRequest(body, api);
  const profile = openServed(asked.model, settings);
  const { tokenizer, contextTokens } = settings;
  const counts = asked.prompts.map((prompt) => tokenizer.count(prompt));
  const longest = counts.reduce((most, tokens) => Math.max(most, tokens), 0);
  if (longest > contextTokens) throw tooLong(longest, contextTokens);
  const promptTokens = counts.reduce((sum, tokens) => sum + tokens, 0);
  const replies = asked.prompts.map((prompt) => {
    const reply = settings.samples.answer(prompt, profile);
    if (reply === undefined) throw unknownPrompt(prompt);
    return cutReply(reply, { ...asked, tokenizer });
  });
  // Whatever name it was asked for, the reply says that it is simulated.
  const about = { api, model: `sim:${profile.name}`, promptTokens };
  return asked.stream
    ? streamResponse(replies, { ...about, includeUsage: asked.includeUsage })
    : wholeResponse(replies, about);
}

/** Refuses a body that is not sent as JSON: browsers send other types to any site without asking it first. */
function checkType({ headers: { "content-type": type = "" } }: IncomingMessage): void {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  const message = `The content type must be application/json: it is ${JSON.stringify(type)}.`;
  throw new ServerError(415, "unsupported_media_type", message);
}

function checkKey({ headers }: IncomingMessage, { apiKey }: ServerSettings): void {
  if (apiKey === undefined || headers.authorization === `Bearer ${apiKey}`) return;
  throw new ServerError(401, "invalid_api_key", "Incorrect API key provided.");
}

function listModels({ profiles }: ServerSettings): ServedBody {
  const data = profiles.map((name) => ({ id: `sim:${name}`, object: "model", created: 0, "owned_by": "simulated" }));
  return { body: JSON.stringify({ object: "list", data }) };
}

function openServed(model: string, { profiles }: ServerSettings): ReturnType<typeof openProfile> {
  if (profiles.includes(model.replace(/^sim:/, ""))) return openProfile(model);
  const served = profiles.map((name) => `sim:${name}`).join(", ");
  const message = `The model '${model}' does not exist. Served here: ${served}.`;
  throw new ServerError(404, "model_not_found", message, "model");
}

/** The error for a prompt of no sample that is served. */
function unknownPrompt(prompt: string): ServerError {
  return new ServerError(
    404,
    "prompt_not_found",
    `The prompt, which begins with ${JSON.stringify(prompt.slice(0, 40))}, is of no sample that is served: ` +
      "start the server with the study that is asked (--study, or --tasks, --lengths, --samples and --seed).",
  );
}

/** The most bytes of a body: more than a prompt of ten million tokens has. */
const MOST_BYTES = 64 * 2 ** 20;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // The end of the loop must not close the connection, which a refusal needs.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    size += part.length;
    if (size > MOST_BYTES) throw new ServerError(413, "request_too_large", "The body of the request is too long.");
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new ServerError(400, "invalid_json", "The body of the request is not valid JSON.");
  }
}

function noSuchPath(asked: string): ServerError {
  const paths = Object.keys(PATHS).map((known) => `POST ${known}`).join(", ");
  const message = `Unknown request URL: ${asked}. Served here: ${paths}, GET /v1/models.`;
  return new ServerError(404, "unknown_url", message);
}

function tooLong(promptTokens: number, contextTokens: number): ServerError {
  const message =
    `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens.`;
  return new ServerError(400, "context_length_exceeded", message, "messages");
}

/** An error in the words and shape of OpenAI's interface. */
class ServerError extends Refusal {
  /** @param param The field at fault. */
  constructor(status: number, code: string, message: string, private readonly param: string | null = null) {
    super(status, code, message);
  }

  override describe(): object {
    const { message, param, code } = this;
    return { error: { message, type: "invalid_request_error", param, code } };
  }
}

/** The error for a field that is missing or wrong. */
function badField(param: string, wanted: string): ServerError {
  return new ServerError(400, "invalid_value", `Invalid value for '${param}': it must be ${wanted}.`, param);
}

/** A request by either interface. */
interface ServerRequest {
  readonly model: string;
  /** The prompts as plain texts: one for a chat, one or more for plain completions. */
  readonly prompts: readonly string[];
  /** The most tokens to write; `Infinity` where the request sets no limit. */
  readonly maxTokens: number;
  readonly stop: readonly string[];
  readonly stream: boolean;
  /** Whether a stream ends with token counts. */
  readonly includeUsage: boolean;
}

/** Reads the body of a request; throws a {@linkcode ServerError} where it is wrong. */
function readServerRequest(body: unknown, api: Api): ServerRequest {
  if (!isFields(body)) throw badField("body", "a JSON object");
  const { model, stream = false, stop, n = 1, stream_options: streamOptions } = body;
  if (typeof model !== "string" || model === "") throw badField("model", "the name of a model");
  if (typeof stream !== "boolean") throw badField("stream", "true or false");
  if (n !== 1 && n !== null) throw badField("n", "1, as the same prompt always gets the same reply");
  checkProbabilities(body);
  return {
    model,
    prompts: api === "completions" ? readPrompts(body["prompt"]) : [joinMessages(body["messages"])],
    maxTokens: readLimit(body),
    stop: readStop(stop),
    stream,
    includeUsage: isFields(streamOptions) && streamOptions["include_usage"] === true,
  };
}

/** What asks for the probabilities of tokens, and the values that do not. */
const PROBABILITIES: readonly (readonly [string, readonly unknown[]])[] = [
  ["logprobs", [undefined, null, false]],
  ["top_logprobs", [undefined, null, 0]],
  ["prompt_logprobs", [undefined, null, false]],
  ["echo", [undefined, null, false]],
];

/** Refuses what a reader without probabilities cannot give: a client would take a reply without them for one with them. */
function checkProbabilities(body: Fields): void {
  for (const [field, allowed] of PROBABILITIES) {
    if (allowed.includes(body[field])) continue;
    throw badField(
      field,
      "left out, as the simulated reader has no probabilities of tokens (tasks by log-likelihood cannot run; those that generate can)",
    );
  }
}

/** The most prompts of one request. */
const MOST_PROMPTS = 2048;

function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === "string") return [prompt];
  if (Array.isArray(prompt) && prompt.length > MOST_PROMPTS) {
    throw badField("prompt", `a text or a list of at most ${MOST_PROMPTS} texts`);
  }
  if (Array.isArray(prompt) && prompt.length > 0 && prompt.every((text) => typeof text === "string")) return prompt;
  throw badField("prompt", "a text or a list of texts, not tokens (lm-evaluation-harness: tokenizer_backend=none)");
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

/** Joins the messages of a chat. A last assistant message is the start of the answer, so it follows without a gap. */
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

/** Says in every reply that it is simulated, and by which version. */
const FINGERPRINT = `${SIMULATED_FINGERPRINT}-${SIMULATION_VERSION}`;

/** The fields of a reply besides its text. */
interface ReplyHead {
  readonly api: Api;
  readonly model: string;
  readonly promptTokens: number;
}

function wholeResponse(replies: readonly CutReply[], about: ReplyHead): ServedBody {
  const isChat = about.api === "chat";
  const response = {
    ...head(about, isChat ? "chat.completion" : "text_completion"),
    choices: replies.map(({ text, finishReason }, index) => ({
      index,
      ...(isChat ? { message: { role: "assistant", content: text, refusal: null } } : { text }),
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage: usage(replies, about),
  };
  return { body: JSON.stringify(response) };
}

/** Sends replies word by word, as server-sent events. */
function streamResponse(
  replies: readonly CutReply[],
  about: ReplyHead & { readonly includeUsage: boolean },
): ServedBody {
  const isChat = about.api === "chat";
  const opening = head(about, isChat ? "chat.completion.chunk" : "text_completion");
  const chunk = (index: number, delta: Record<string, string>, finishReason: string | null): unknown => ({
    ...opening,
    choices: [{
      index,
      ...(isChat ? { delta } : { text: delta["content"] ?? "" }),
      logprobs: null,
      finish_reason: finishReason,
    }],
    ...(about.includeUsage ? { usage: null } : {}),
  });
  function* events(): Generator<string> {
    const write = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;
    for (const [index, { text, finishReason }] of replies.entries()) {
      if (isChat) yield write(chunk(index, { role: "assistant", content: "" }, null));
      for (const [content] of text.matchAll(/\s+\S*|\S+/g)) yield write(chunk(index, { content }, null));
      yield write(chunk(index, {}, finishReason));
    }
    if (about.includeUsage) yield write({ ...opening, choices: [], usage: usage(replies, about) });
    yield "data: [DONE]\n\n";
  }
  // Events are written as they are read, so that a long reply is never in memory as events.
  return {
    body: events(),
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  };
}

function head({ api, model }: ReplyHead, object: string): Record<string, unknown> {
  const id = `${api === "chat" ? "chatcmpl" : "cmpl"}-${crypto.randomUUID().replaceAll("-", "")}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model, system_fingerprint: FINGERPRINT };
}

function usage(replies: readonly CutReply[], { promptTokens }: ReplyHead): Record<string, number> {
  const completionTokens = replies.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
