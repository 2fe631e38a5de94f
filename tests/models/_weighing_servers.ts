// deno-lint-ignore-file camelcase -- the fields of servers
import { type FakeServer, fakeServer } from "./_fake_server.ts";

/**
 * Servers that give the probabilities of texts, in the forms of their documentation: vLLM's and SGLang's completions with `echo`,
 * vLLM's `prompt_logprobs`, SGLang's `/generate`, llama.cpp's grammars of tokens and biases, and a chat that has those of its replies.
 *
 * A token is a space with two letters or digits, or a single character; `split` characters are two tokens each. The token with the
 * number `n` in its text has the log-probability `-n / 100`.
 */
export type Shape = "vLLM" | "vLLM chat" | "SGLang" | "llama.cpp" | "old llama.cpp" | "replies" | "nothing";

/** Characters that are two tokens each. */
export const SPLIT = "é";

export function tokensOf(text: string): readonly string[] {
  return (text.match(/ ?[\w]{1,2}|[^]/gu) ?? []).flatMap((token) => token === SPLIT ? ["\uFFFD", "\uFFFD"] : [token]);
}

export const logprobOf = (at: number): number => at === 0 ? NaN : -at / 100;

/** The reply of a server that gives the log-probabilities of its replies alone. */
export const REPLY = "It is 123.";

interface Message {
  readonly role: string;
  readonly content: string;
}

const rendered = (messages: readonly Message[]): string => {
  const last = messages.at(-1)!;
  const texts = messages.map(({ role, content }) => `<${role}>${content}`);
  return texts.join("") + (last.role === "assistant" ? "" : "<assistant>");
};

const bytesOf = (token: string, at: number): readonly number[] => {
  if (token !== "\uFFFD") return [...new TextEncoder().encode(token)];
  const [first, second] = new TextEncoder().encode(SPLIT);
  return [at === 0 ? first! : second!];
};

/** Starts such a server. `numbers` are those of the tokens that llama.cpp was asked to write, by call. */
export function weighingServer(shape: Shape): FakeServer {
  return fakeServer((_request, { path, body }) => answer(shape, path, body));
}

function answer(shape: Shape, path: string, body: Readonly<Record<string, unknown>>): Response {
  const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 90 } };
  const refuse = (message: string): Response => Response.json({ error: { message, code: 400 } }, { status: 400 });
  const { prompt, messages, logprobs, echo } = body;
  const plain = {
    choices: [{ text: "x", message: { role: "assistant", content: "x" }, finish_reason: "length" }],
    usage,
  };
  if (shape === "vLLM" && path === "/v1/completions" && echo === true && logprobs !== undefined) {
    const tokens = tokensOf(String(prompt));
    const found = {
      tokens: [...tokens, "!"],
      token_logprobs: [...tokens.map((_, at) => at === 0 ? null : logprobOf(at)), -9],
    };
    return Response.json({ choices: [{ text: `${prompt}!`, finish_reason: "length", logprobs: found }], usage });
  }
  if (shape === "vLLM chat" && body["prompt_logprobs"] === 0) {
    if (body["continue_final_message"] !== true) return refuse("no answer to continue");
    const found = tokensOf(rendered(messages as Message[])).map((token, at) =>
      at === 0 ? null : { [1000 + at]: { logprob: logprobOf(at), rank: 3, decoded_token: token } }
    );
    return Response.json({ ...plain, prompt_logprobs: found });
  }
  if (shape === "SGLang" && path === "/generate") {
    const found = tokensOf(String(body["text"])).map((token, at) => [at === 0 ? null : logprobOf(at), at, token]);
    return Response.json({ text: "x", meta_info: { prompt_tokens: 100, input_token_logprobs: found } });
  }
  if (shape.endsWith("llama.cpp")) return llamaCpp(shape, path, body) ?? Response.json(plain);
  if (shape === "replies" && logprobs !== undefined && messages !== undefined) {
    const content = tokensOf(REPLY).map((token, at) => ({ token, logprob: -(at + 1) / 10 }));
    return Response.json({
      choices: [{ message: { content: REPLY }, finish_reason: "stop", logprobs: { content } }],
      usage,
    });
  }
  return ["/v1/completions", "/v1/chat/completions"].includes(path)
    ? Response.json(plain)
    : new Response("", { status: 404 });
}

/** Tokens have the numbers in which they were first seen. */
function llamaCpp(shape: Shape, path: string, body: Readonly<Record<string, unknown>>): Response | undefined {
  if (path === "/apply-template") return Response.json({ prompt: rendered(body["messages"] as Message[]) });
  if (path === "/tokenize") {
    const tokens = tokensOf(String(body["content"]));
    return Response.json({ tokens: tokens.map((token, at) => numberOf(token, tokens[at - 1] === "\uFFFD")) });
  }
  const { prompt, grammar, logit_bias: bias } = body;
  if (!Array.isArray(prompt)) return undefined;
  if (grammar !== undefined && shape === "old llama.cpp") {
    return Response.json({ error: { code: 400, message: "Failed to parse grammar", type: "invalid_request_error" } }, {
      status: 400,
    });
  }
  const ids = grammar === undefined
    ? (bias as [number, number][]).map(([id]) => id)
    : [...String(grammar).matchAll(/<\[(\d+)\]>/g)].map(([, id]) => Number(id));
  const content = ids.map((id, at) => {
    const { token, isSecond } = TOKENS[id]!;
    return { id, token, bytes: bytesOf(token, isSecond ? 1 : 0), logprob: logprobOf(prompt.length + at) };
  });
  return Response.json({
    choices: [{ text: "", finish_reason: "length", logprobs: { content } }],
    usage: { prompt_tokens: 100 },
  });
}

const TOKENS: { readonly token: string; readonly isSecond: boolean }[] = [];

function numberOf(token: string, isSecond: boolean): number {
  const isPart = token === "\uFFFD" && isSecond;
  const found = TOKENS.findIndex((each) => each.token === token && each.isSecond === isPart);
  return found >= 0 ? found : TOKENS.push({ token, isSecond: isPart }) - 1;
}
