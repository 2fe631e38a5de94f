import { type Fields, isFields } from "@/lib/base/mod.ts";
import { type CutReply, cutReply } from "./cut_reply.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { SIMULATION_VERSION } from "@/lib/simulated/reader.ts";
import { SIMULATED_FINGERPRINT } from "@/lib/models/reply.ts";
import type { ServedSamples } from "./served_samples.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

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

/** A request as it came. */
export interface ServedRequest {
  readonly method: string;
  /** The path, with whatever follows it in the address. */
  readonly path: string;
  /** The header of that name. */
  readonly host: string | undefined;
  /** The header of that name. */
  readonly authorization: string | undefined;
  /** The header of that name, which browsers send. */
  readonly origin: string | undefined;
  /** The header `content-type`. */
  readonly contentType: string | undefined;
  /** Reads the body; `undefined` where it is too long. */
  body(): Promise<string | undefined>;
}

/**
 * Answers one request, with OpenAI's errors where it is wrong; `undefined` where its client has gone. Any other error of ours is
 * answered with status 500, so that no request ends the server.
 */
export async function answerRequest(request: ServedRequest, settings: ServerSettings): Promise<Response | undefined> {
  try {
    return await answer(request, settings);
  } catch (error) {
    if (isServerError(error)) return errorResponse(error);
    if (isGone(error)) return undefined;
    const message = `The server could not answer this request: ${(error as Error).message}.`;
    return errorResponse({ status: 500, message, type: "server_error" });
  }
}

/** Whether a request ended before it had arrived. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

async function answer(request: ServedRequest, settings: ServerSettings): Promise<Response> {
  checkHost(request);
  checkOrigin(request);
  const pathname = URL.parse(request.path, "http://127.0.0.1")?.pathname ?? request.path;
  checkKey(request, settings);
  if (request.method === "GET" && pathname === "/v1/models") return listModels(settings);
  const api = Object.hasOwn(PATHS, pathname) ? PATHS[pathname] : undefined;
  if (request.method !== "POST" || !api) throw noSuchPath(request.method, pathname);
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

/** The names of this machine, with any port: a tunnel can give another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Refuses a request under another name, by which a page in a browser could reach this machine (DNS rebinding). */
function checkHost({ host = "" }: ServedRequest): void {
  if (OWN_HOST.test(host)) return;
  throw refuse(403, "host_not_allowed", `The host must be 127.0.0.1 or localhost: it is ${JSON.stringify(host)}.`);
}

/** Refuses a page of another site: it could have this machine answer without the user's knowledge. */
function checkOrigin({ origin }: ServedRequest): void {
  if (origin === undefined || OWN_HOST.test(origin.replace(/^https?:\/\//, ""))) return;
  throw refuse(403, "origin_not_allowed", `The origin must be this machine: it is ${JSON.stringify(origin)}.`);
}

/** Refuses a body that is not sent as JSON: browsers send other types to any site without asking it first. */
function checkType({ contentType = "" }: ServedRequest): void {
  if (/^application\/json\s*(?:;|$)/i.test(contentType)) return;
  throw refuse(
    415,
    "unsupported_media_type",
    `The content type must be application/json: it is ${JSON.stringify(contentType)}.`,
  );
}

function checkKey({ authorization }: ServedRequest, { apiKey }: ServerSettings): void {
  if (apiKey === undefined || authorization === `Bearer ${apiKey}`) return;
  throw refuse(401, "invalid_api_key", "Incorrect API key provided.");
}

function listModels({ profiles }: ServerSettings): Response {
  const data = profiles.map((name) => ({ id: `sim:${name}`, object: "model", created: 0, "owned_by": "simulated" }));
  return Response.json({ object: "list", data });
}

function openServed(model: string, { profiles }: ServerSettings): ReturnType<typeof openProfile> {
  if (profiles.includes(model.replace(/^sim:/, ""))) return openProfile(model);
  throw {
    status: 404,
    message: `The model '${model}' does not exist. Served here: ${profiles.map((name) => `sim:${name}`).join(", ")}.`,
    type: "invalid_request_error",
    param: "model",
    code: "model_not_found",
  } satisfies ServerError;
}

/** The error for a prompt of no sample that is served. */
function unknownPrompt(prompt: string): ServerError {
  return refuse(
    404,
    "prompt_not_found",
    `The prompt, which begins with ${JSON.stringify(prompt.slice(0, 40))}, is of no sample that is served: ` +
      "start the server with the study that is asked (--study, or --tasks, --lengths, --samples and --seed).",
  );
}

async function readJson(request: ServedRequest): Promise<unknown> {
  const text = await request.body();
  if (text === undefined) {
    throw refuse(413, "request_too_large", "The body of the request is too long.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw {
      status: 400,
      message: "The body of the request is not valid JSON.",
      type: "invalid_request_error",
    } satisfies ServerError;
  }
}

function noSuchPath(method: string, path: string): ServerError {
  const message = `Unknown request URL: ${method} ${path}. Served here: ${
    Object.keys(PATHS).map((known) => `POST ${known}`).join(", ")
  }, GET /v1/models.`;
  return { status: 404, message, type: "invalid_request_error", code: "unknown_url" };
}

function tooLong(promptTokens: number, contextTokens: number): ServerError {
  return {
    status: 400,
    message:
      `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens.`,
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  };
}

/** An error in the words and shape of OpenAI's interface. */
interface ServerError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  /** The field at fault. */
  readonly param?: string;
  readonly code?: string;
}

/** The error for a request that cannot be answered as it is. */
function refuse(status: number, code: string, message: string): ServerError {
  return { status, message, type: "invalid_request_error", code };
}

/** The error for a field that is missing or wrong. */
function badField(param: string, wanted: string): ServerError {
  return {
    status: 400,
    message: `Invalid value for '${param}': it must be ${wanted}.`,
    type: "invalid_request_error",
    param,
    code: "invalid_value",
  };
}

function errorResponse(error: ServerError): Response {
  const { status, message, type, param = null, code = null } = error;
  return Response.json({ error: { message, type, param, code } }, { status });
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

function isServerError(error: unknown): error is ServerError {
  return isFields(error) && typeof error["status"] === "number" && typeof error["message"] === "string";
}

/** Says in every reply that it is simulated, and by which version. */
const FINGERPRINT = `${SIMULATED_FINGERPRINT}-${SIMULATION_VERSION}`;

/** The fields of a reply besides its text. */
interface ReplyHead {
  readonly api: Api;
  readonly model: string;
  readonly promptTokens: number;
}

function wholeResponse(replies: readonly CutReply[], about: ReplyHead): Response {
  const isChat = about.api === "chat";
  return Response.json({
    ...head(about, isChat ? "chat.completion" : "text_completion"),
    choices: replies.map(({ text, finishReason }, index) => ({
      index,
      ...(isChat ? { message: { role: "assistant", content: text, refusal: null } } : { text }),
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage: usage(replies, about),
  });
}

/** Sends replies word by word, as server-sent events. */
function streamResponse(
  replies: readonly CutReply[],
  about: ReplyHead & { readonly includeUsage: boolean },
): Response {
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
  return new Response(ReadableStream.from(events()).pipeThrough(new TextEncoderStream()), {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
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
