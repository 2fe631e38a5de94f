// deno-lint-ignore-file camelcase -- the fields of the vendors
import { type FakeServer, fakeServer, type Received } from "./_fake_server.ts";
import { wordCount } from "./_look_servers.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, type Model, openEndpoint, type Reply } from "@/lib/models/mod.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A server that follows a vendor's documentation. */
export type VendorServer = FakeServer;

/** How a server answers. */
export interface VendorOptions {
  /** Returns the text of a reply; a perfect reader's by default. */
  readonly write?: (prompt: string) => string;
  /** Thinking that precedes each reply, and whether it is shown. */
  readonly thinking?: { readonly text: string; readonly isHidden: boolean };
  /** Tokens that the chat template adds to each message. */
  readonly perMessage?: number;
  /** Responses that replace the first ones, in order. */
  readonly first?: readonly ((body: Fields) => Response)[];
}

/** The one model that a vendor serves, and its key. */
export const VENDOR = { model: "vendor-1", key: "sk-ant-vendor-0123456789" } as const;

function serve(
  answer: (request: Received) => Response,
  { first = [] }: Pick<VendorOptions, "first">,
): VendorServer {
  let asked = 0;
  return fakeServer((_request, read) => {
    const isCall = /\/(responses|messages)$/.test(read.path);
    const planned = isCall ? first[asked++] : undefined;
    return planned === undefined ? answer(read) : planned(read.body);
  });
}

/** Sends events as both vendors do: a line with the type, and one with the data. */
export function eventStream(events: readonly Fields[], end = ""): Response {
  const text = events.map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text + end, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

/** Answers a question about one needle. */
function perfectReader(prompt: string): string {
  const [, key = ""] = /special magic \w+ for (\S+) mentioned/.exec(prompt) ?? [];
  return new RegExp(`for ${RegExp.escape(key)} is: (\\S+)\\.`).exec(prompt)?.[1] ?? "I do not know.";
}

/** Cuts a text to a number of words. */
function cut(text: string, words: number): { readonly text: string; readonly isCut: boolean } {
  const all = text.match(/\s*\S+/g) ?? [];
  return { text: all.slice(0, Math.max(0, words)).join(""), isCut: all.length > words };
}

/** The thinking and the text that fit a budget. */
function written(
  prompt: string,
  budget: number,
  { write = perfectReader, thinking }: VendorOptions,
): { readonly thought: string; readonly text: string; readonly isCut: boolean } {
  const thought = cut(thinking?.text ?? "", budget);
  const reply = cut(write(prompt), budget - wordCount(thought.text));
  return { thought: thought.text, text: thought.isCut ? "" : reply.text, isCut: thought.isCut || reply.isCut };
}

interface TurnMessage {
  readonly role: string;
  readonly content: string;
}

function countMessages(messages: readonly TurnMessage[], perMessage: number): number {
  return messages.reduce((sum, { content }) => sum + perMessage + wordCount(content), 0);
}

/** OpenAI's error, by https://platform.openai.com/docs/guides/error-codes. */
export function openaiError(status: number, message: string, code: string | null = null): Response {
  return Response.json({ error: { message, type: "invalid_request_error", param: null, code } }, { status });
}

/** The fields of `POST /v1/responses` that the server knows. */
const RESPONSE_FIELDS = ["model", "input", "max_output_tokens", "temperature", "top_p", "reasoning", "store", "stream"];

/** A server of OpenAI's Responses API, by https://platform.openai.com/docs/api-reference/responses and openai-node's types. */
export function responsesServer(options: VendorOptions = {}): VendorServer {
  const { perMessage = 4, thinking } = options;
  return serve(({ path, headers, body }) => {
    if (headers.get("authorization") !== `Bearer ${VENDOR.key}`) return openaiError(401, "Incorrect API key provided");
    if (path === "/v1/models") {
      return Response.json({ object: "list", data: [{ id: VENDOR.model, object: "model", owned_by: "openai" }] });
    }
    const input = body["input"] as readonly TurnMessage[] | undefined;
    if (body["model"] !== VENDOR.model) return openaiError(404, "The model does not exist", "model_not_found");
    if (!Array.isArray(input)) return openaiError(400, "Missing required parameter: 'input'.");
    const inputTokens = countMessages(input, perMessage);
    if (path === "/v1/responses/input_tokens") {
      return Response.json({ object: "response.input_tokens", input_tokens: inputTokens });
    }
    if (path !== "/v1/responses") return openaiError(404, "Not found");
    const stray = Object.keys(body).find((field) => !RESPONSE_FIELDS.includes(field));
    if (stray !== undefined) return openaiError(400, `Unknown parameter: '${stray}'.`, "unknown_parameter");
    const budget = Number(body["max_output_tokens"] ?? Infinity);
    if (budget < 16) return openaiError(400, "Invalid 'max_output_tokens': integer below minimum value.");
    if (thinking !== undefined && body["temperature"] !== undefined) {
      return openaiError(400, "Unsupported parameter: 'temperature' is not supported with this model.");
    }
    const { thought, text, isCut } = written(input.map(({ content }) => content).join("\n"), budget, options);
    const reasoningTokens = wordCount(thought);
    const response = {
      ...{ id: "resp_1", object: "response", created_at: 1_790_000_000, model: `${VENDOR.model}-2026-08-01` },
      ...{ status: isCut ? "incomplete" : "completed", error: null, instructions: null },
      incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
      output: [
        ...(thinking === undefined ? [] : [{
          ...{ id: "rs_1", type: "reasoning" },
          summary: thinking.isHidden ? [] : [{ type: "summary_text", text: thought }],
        }]),
        ...(text === "" ? [] : [{
          ...{ id: "msg_1", type: "message", role: "assistant", status: isCut ? "incomplete" : "completed" },
          content: [{ type: "output_text", text, annotations: [] }],
        }]),
      ],
      usage: {
        input_tokens: inputTokens,
        input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
        output_tokens: reasoningTokens + wordCount(text),
        output_tokens_details: { reasoning_tokens: reasoningTokens },
        total_tokens: inputTokens + reasoningTokens + wordCount(text),
      },
    };
    if (body["stream"] !== true) return Response.json(response);
    const begun = { ...response, status: "in_progress", output: [], usage: null };
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const deltas = (text.match(/\s*\S+/g) ?? []).map((delta) => ({
      ...{ type: "response.output_text.delta", ...place, delta, logprobs: [] },
    }));
    const events: readonly Fields[] = [
      { type: "response.created", response: begun },
      { type: "response.in_progress", response: begun },
      ...(thought === "" || thinking!.isHidden
        ? []
        : [{ type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: thought }]),
      ...deltas,
      { type: "response.output_text.done", ...place, text },
      { type: isCut ? "response.incomplete" : "response.completed", response },
    ];
    return eventStream(events.map((event, at) => ({ ...event, sequence_number: at })));
  }, options);
}

/** Anthropic's error, by https://docs.claude.com/en/api/errors. */
export function anthropicError(status: number, type: string, message: string, headers: HeadersInit = {}): Response {
  return Response.json({ type: "error", error: { type, message }, request_id: "req_1" }, { status, headers });
}

/** What is wrong with the body of `POST /v1/messages`. */
function messageProblem(body: Fields): string | undefined {
  const messages = body["messages"] as readonly TurnMessage[];
  const budget = body["max_tokens"];
  const { thinking, temperature } = body as { thinking?: Fields; temperature?: number };
  if (messages.some(({ role }) => role !== "user" && role !== "assistant")) return "messages: role must be user";
  if (messages.at(-1)!.role === "assistant" && /\s$/.test(messages.at(-1)!.content)) {
    return "messages: final assistant content cannot end with trailing whitespace";
  }
  if (!Number.isInteger(budget)) return "max_tokens: Field required";
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1)) return "temperature: range: 0..1";
  if (thinking !== undefined && temperature !== undefined && temperature !== 1) {
    return "`temperature` may only be set to 1 when thinking is enabled";
  }
  if (thinking?.["type"] !== "enabled") return undefined;
  const tokens = Number(thinking["budget_tokens"]);
  if (tokens < 1024) return "thinking.budget_tokens: Input should be greater than or equal to 1024";
  return Number(budget) > tokens ? undefined : "`max_tokens` must be greater than `thinking.budget_tokens`";
}

const MESSAGE_FIELDS = [
  ...["model", "messages", "system", "max_tokens", "temperature", "top_p", "stop_sequences", "stream", "thinking"],
  ...["output_config"],
];

/** A server of Anthropic's Messages API, by https://docs.claude.com/en/api/messages and its SDK's types. */
export function anthropicServer(options: VendorOptions = {}): VendorServer {
  const { perMessage = 4, thinking } = options;
  return serve(({ path, headers, body }) => {
    if (headers.get("x-api-key") !== VENDOR.key) {
      return anthropicError(401, "authentication_error", "invalid x-api-key");
    }
    if (headers.get("anthropic-version") !== "2023-06-01") {
      return anthropicError(400, "invalid_request_error", "anthropic-version: header is required");
    }
    if (path === "/v1/models") {
      const { model: id } = VENDOR;
      const data = [{ type: "model", id, display_name: "Vendor 1", max_input_tokens: 200_000, max_tokens: 64_000 }];
      return Response.json({ data, has_more: false, first_id: id, last_id: id });
    }
    if (body["model"] !== VENDOR.model) return anthropicError(404, "not_found_error", `model: ${body["model"]}`);
    const messages = body["messages"] as readonly TurnMessage[];
    const system = String(body["system"] ?? "");
    const inputTokens = countMessages(messages, perMessage) + wordCount(system);
    const stray = Object.keys(body).find((field) => !MESSAGE_FIELDS.includes(field));
    if (stray !== undefined) {
      return anthropicError(400, "invalid_request_error", `${stray}: Extra inputs are not permitted`);
    }
    if (path === "/v1/messages/count_tokens") {
      if ("max_tokens" in body) return anthropicError(400, "invalid_request_error", "max_tokens: Extra inputs");
      return Response.json({ input_tokens: inputTokens });
    }
    if (path !== "/v1/messages") return anthropicError(404, "not_found_error", "Not found");
    const problem = messageProblem(body);
    if (problem !== undefined) return anthropicError(400, "invalid_request_error", problem);
    const prompt = [system, ...messages.map(({ content }) => content)].join("\n").trim();
    const { thought, text, isCut } = written(prompt, Number(body["max_tokens"]), options);
    const tokens = wordCount(thought);
    const usage = {
      ...{ input_tokens: inputTokens - 3, cache_creation_input_tokens: 1, cache_read_input_tokens: 2 },
      ...{ output_tokens: tokens + wordCount(text), service_tier: "standard" },
      output_tokens_details: thinking === undefined ? null : { thinking_tokens: tokens },
    };
    const blocks: readonly Fields[] = [
      ...(thinking === undefined
        ? []
        : [{ type: "thinking", thinking: thinking.isHidden ? "" : thought, signature: "EqQBCgIYAhIM" }]),
      ...(text === "" ? [] : [{ type: "text", text, citations: null }]),
    ];
    const message = {
      ...{ id: "msg_1", type: "message", role: "assistant", model: `${VENDOR.model}-20260801`, content: blocks },
      ...{ stop_reason: isCut ? "max_tokens" : "end_turn", stop_sequence: null, usage },
    };
    if (body["stream"] !== true) return Response.json(message);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
    const begun = { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens: 1 };
    return eventStream([
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage: begun } },
      ...blocks.flatMap((block, index): Fields[] => {
        const isText = block["type"] === "text";
        const parts = String(block[isText ? "text" : "thinking"]).match(/\s*\S+/g) ?? [];
        return [
          {
            type: "content_block_start",
            index,
            content_block: isText ? { ...block, text: "" } : { ...block, thinking: "" },
          },
          ...(index === 0 ? [{ type: "ping" }] : []),
          ...parts.map((part) => ({
            ...{ type: "content_block_delta", index },
            delta: isText ? { type: "text_delta", text: part } : { type: "thinking_delta", thinking: part },
          })),
          ...(isText
            ? []
            : [{ type: "content_block_delta", index, delta: { type: "signature_delta", signature: "x" } }]),
          { type: "content_block_stop", index },
        ];
      }),
      {
        type: "message_delta",
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { ...usage, input_tokens: null, cache_creation_input_tokens: null, cache_read_input_tokens: null },
      },
      { type: "message_stop" },
    ]);
  }, options);
}

const SERVERS = { anthropic: anthropicServer, responses: responsesServer } as const;

/** The interface of a vendor. */
export type VendorApi = keyof typeof SERVERS;

/** Opens the model of a vendor, with which no wait takes time. */
export function openVendor(api: VendorApi, baseUrl: string, options: Partial<EndpointOptions> = {}): Model {
  const { model, key: apiKey } = VENDOR;
  return openEndpoint({ baseUrl, model, apiKey, api, delay: () => Promise.resolve(), random: () => 0, ...options });
}

/** Asks a vendor one sample and returns the reply and the last request. */
export async function askVendor(
  api: VendorApi,
  vendor: VendorOptions,
  options: Partial<EndpointOptions> = {},
): Promise<Received & { readonly reply: Reply }> {
  await using server = SERVERS[api]({ write: () => "1234567", ...vendor });
  const model = openVendor(api, server.url, options);
  const reply = await model.ask(smallSample(model.template));
  return { reply, ...server.received.at(-1)! };
}
