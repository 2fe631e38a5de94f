import type { Draw } from "@/lib/random/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";
import { cutReply } from "./_cut_reply.ts";
import { errorResponse, type ServerError } from "./_server_error.ts";
import { isServerError, readServerRequest } from "./_server_request.ts";
import { streamResponse, wholeResponse } from "./_server_response.ts";
import { openProfile } from "./profiles.ts";
import { readSimulated } from "./readers/task_readers.ts";

/** What a server answers with, and whom. */
export interface ServerSettings {
  /** The names of the profiles that it serves. */
  readonly profiles: readonly string[];
  readonly tokenizer: Tokenizer;
  /** The key that requests must bear; none is asked for where it is left out. */
  readonly apiKey?: string;
  /** The share of requests that fail. */
  readonly failures: number;
  /** Decides which requests fail. */
  readonly draw: Draw;
  /** The most tokens of a prompt. */
  readonly contextTokens: number;
}

const PATHS: Readonly<Record<string, "chat" | "completions">> = {
  "/v1/chat/completions": "chat",
  "/v1/completions": "completions",
};

/** Answers one request; what is wrong with it is told in OpenAI's words and shape. */
export async function handleRequest(request: Request, settings: ServerSettings): Promise<Response> {
  try {
    return await answer(request, settings);
  } catch (error) {
    if (isServerError(error)) return errorResponse(error);
    throw error;
  }
}

async function answer(request: Request, settings: ServerSettings): Promise<Response> {
  const { pathname } = new URL(request.url);
  checkKey(request, settings);
  if (request.method === "GET" && pathname === "/v1/models") return listModels(settings);
  const api = Object.hasOwn(PATHS, pathname) ? PATHS[pathname] : undefined;
  if (request.method !== "POST" || !api) throw noSuchPath(request.method, pathname);
  const { failures, draw } = settings;
  if (failures > 0 && draw() < failures) return failOnPurpose(draw);
  const asked = readServerRequest(await readJson(request), api);
  const profile = openServed(asked.model, settings);
  const { tokenizer, contextTokens } = settings;
  const promptTokens = asked.prompts.reduce((sum, prompt) => sum + tokenizer.count(prompt), 0);
  if (promptTokens > contextTokens) throw tooLong(promptTokens, contextTokens);
  const replies = asked.prompts.map((prompt) => cutReply(readSimulated(prompt, profile).text, { ...asked, tokenizer }));
  // Whatever name it was asked by, a reply says what it is.
  const frame = { api, model: `sim:${profile.name}`, promptTokens };
  return asked.stream
    ? streamResponse(replies, { ...frame, includeUsage: asked.includeUsage })
    : wholeResponse(replies, frame);
}

function checkKey(request: Request, { apiKey }: ServerSettings): void {
  if (apiKey === undefined || request.headers.get("authorization") === `Bearer ${apiKey}`) return;
  throw {
    status: 401,
    message: "Incorrect API key provided.",
    type: "invalid_request_error",
    code: "invalid_api_key",
  } satisfies ServerError;
}

function listModels({ profiles }: ServerSettings): Response {
  const data = profiles.map((name) => ({ id: `sim:${name}`, object: "model", created: 0, owned_by: "simulated" }));
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

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
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

/** Fails as a busy or a broken server does; it asks to be tried again at once. */
function failOnPurpose(draw: Draw): Response {
  const error: ServerError = draw() < 0.5
    ? { status: 429, message: "Rate limit reached (on purpose).", type: "requests", code: "rate_limit_exceeded" }
    : { status: 500, message: "The server had an error (on purpose).", type: "server_error" };
  return errorResponse(error, { "retry-after-ms": "1" });
}
