import type { FailureKind } from "./reply.ts";

/** Why one request gave no answer, and whether another could. */
export interface FailedOutcome {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
  readonly canRetry: boolean;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly waitMs?: number;
  /** Whether the server says that it has too much to do (`limited`), or was not there at all (`away`): nothing was tried then. */
  readonly busy?: "limited" | "away";
  /** Whether the server was still loading the model, so that nothing was tried yet. */
  readonly isLoading?: true;
  /** Whether the questions under way were too much for the server together, though each may fit alone. */
  readonly isCrowded?: true;
}

/** What a server says with an error status. */
interface ServerError {
  readonly status: number;
  /** The body, as JSON where it is JSON. */
  readonly body: unknown;
  readonly headers?: Headers | undefined;
  /** What stands before its words in a message. */
  readonly label?: string;
}

/** Rate limits that waiting does not help: no credit left, or one request above the limit of a minute. */
const NOT_WORTH_RETRYING = /insufficient_quota|exceeded your current quota|request too large/i;

/** llama.cpp, just started: "Loading model"; Hugging Face's: "Model lab/small is currently loading". */
const LOADING = /\bloading model\b|\bmodel\b.{0,200}\bis (?:currently |still )?(?:being loaded|loading)\b/i;

/** llama.cpp, whose slots share one cache, where it is full: every question under way fails. */
const CROWDED = /context size has been exceeded/i;

/** Judges an error by its status and its words. */
export function judgeServerError({ status, body, headers, label = `HTTP ${status}` }: ServerError): FailedOutcome {
  const words = typeof body === "string" ? body : JSON.stringify(body) ?? "";
  const message = `${label}: ${tellError(body)}`;
  const failed = (failure: FailureKind, canRetry = false): FailedOutcome => {
    const waitMs = canRetry ? readWait(headers, words) : undefined;
    return { kind: "failure", failure, message, canRetry, ...(waitMs === undefined ? {} : { waitMs }) };
  };
  const isRefused = headers?.get("x-should-retry") === "false";
  const limited = (failure: FailureKind): FailedOutcome => ({ ...failed(failure, true), busy: "limited" });
  if (status >= 300 && status < 400) {
    const place = headers?.get("location");
    return {
      ...failed("not_found"),
      message: `${label}: it points to ${place ?? "another address"}, which is not followed: give that address itself`,
    };
  }
  // Gemini calls a wrong key a bad request.
  if ([401, 402, 403].includes(status) || /api key not valid/i.test(words)) return failed("authentication");
  if (status === 404) return failed("not_found");
  // Groq calls a prompt above the tokens of a minute a rate limit, with this status; no waiting makes it fit.
  if (status === 413) return failed("context_length");
  if (status === 429 || /rate_limit_exceeded/.test(words)) {
    const isWorthIt = status === 429 && !NOT_WORTH_RETRYING.test(words) && !isRefused;
    return isWorthIt ? limited("rate_limit") : failed("rate_limit");
  }
  if (status === 500 && CROWDED.test(words)) return { ...failed("context_length"), isCrowded: true };
  if (isContextLengthError(words)) return failed("context_length");
  if (status === 503 && LOADING.test(words)) return { ...failed("server", true), isLoading: true };
  if ([425, 503, 529].includes(status) && !isRefused) return limited("server");
  if (status === 408) return failed("timeout", !isRefused);
  if (status === 409 || status >= 500) return failed("server", status !== 501 && !isRefused);
  return failed("bad_request");
}

/** The most characters of a server's message that are read; a failure keeps fewer. */
const MOST_WORDS = 5000;

/** The message of an error body, or the start of the body without markup. */
export function tellError(body: unknown): string {
  const words = (findMessage(body) ?? JSON.stringify(body) ?? "").slice(0, MOST_WORDS);
  const plain = /^\s*<(?:!doctype|html|\?xml)/i.test(words)
    ? words.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gis, " ").replaceAll(/<[^>]*>/g, " ")
    : words;
  return plain.replaceAll(/\s+/g, " ").trim() || "no message";
}

function findMessage(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) return findMessage(body[0]);
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, detail, metadata } = body as Readonly<Record<string, unknown>>;
  // OpenRouter says "Provider returned error" and keeps the provider's words apart.
  const { raw } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const words = [message, detail].find((text) => typeof text === "string" && text !== "");
  if (typeof words === "string") return typeof raw === "string" ? `${words}: ${raw}` : words;
  return error === undefined ? undefined : findMessage(error);
}

/** Reads how long to wait from the headers `retry-after-ms` and `retry-after`, or from "try again in 1m2.5s". */
function readWait(headers: Headers | undefined, words: string): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers?.get("retry-after");
  if (after) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const said = /try again in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(m?s))?/i.exec(words);
  if (!said || (!said[1] && !said[2] && !said[3])) return undefined;
  const [, hours = "0", minutes = "0", rest = "0", unit] = said;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (unit === "ms" ? 1 : 1000);
}

/**
 * What servers say when a prompt and its answer room do not fit the model's window, as reported in the issues of their
 * projects.
 */
const TEXTS: readonly RegExp[] = [
  // OpenAI, DeepSeek, vLLM, SGLang and OpenRouter: "This model's maximum context length is 8192 tokens. However, …"
  /maximum context length/i,
  // OpenAI and LM Studio, as a code; llama.cpp, as a type
  /context_length_exceeded|exceed_context_size_error/i,
  // vLLM: "The decoder prompt (length 10127) is longer than the maximum model length of 8192"; SGLang: "The input (61709
  // tokens) is longer than the model's context length (40960 tokens)"
  /longer than the (?:model's context|maximum model) length/i,
  // vLLM: "The prompt (total length 25938) is too long to fit into the model (context length 4096)"
  /too long to fit into the model/i,
  // vLLM, where the prompt alone fills the window: "max_tokens must be at least 1, got -186"
  /max_tokens must be at least 1, got -\d/i,
  // llama.cpp: "request (4390 tokens) exceeds the available context size (4096 tokens)"; its Python server: "Requested tokens
  // (2285) exceed context window of 2048"; Ollama: "the input length exceeds the context length"; Anthropic: "input length
  // and `max_tokens` exceed context limit"
  /exceeds? (?:the )?(?:available |model's |maximum |max )?context (?:size|window|length|limit)/i,
  // llama.cpp: "Context size has been exceeded"
  /context (?:size|length|window) (?:has been |was )?exceeded/i,
  // Anthropic: "prompt is too long: 208310 tokens > 200000 maximum"
  /prompt (?:is )?too long/i,
  // Gemini: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)"; SGLang: "Input length
  // (160062 tokens) exceeds the maximum allowed length (59862 tokens)"
  /input (?:token count|length)[^.]{0,40} exceeds the maximum/i,
  // OpenAI: "Input tokens exceed the configured limit of 272000 tokens"
  /input tokens exceed/i,
  // Text Generation Inference: "`inputs` tokens + `max_new_tokens` must be <= 2048"; "`inputs` must have less than 1024 tokens"
  /`?inputs`? (?:tokens \+|must have less than)/i,
  // LMDeploy: "Input length (9000) must be smaller than the model context length (8192)."
  /must be smaller than the model context length/i,
  // LM Studio: "the model is loaded with context length of only 32768 tokens, which is not enough"; "The number of tokens to
  // keep from the initial prompt is greater than the context length"; "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"
  /context length of only \d+ tokens|greater than the context length|\bn_keep\b.{0,20}>=.{0,10}\bn_ctx\b/i,
  // Bedrock: "Input is too long for requested model."; its Titan: "expected maxLength: 50000, actual: 61234"; "Too many input
  // tokens. Max input tokens: 8192, request input token count: 9000"
  /input is too long|expected maxlength: \d+|too many input tokens/i,
  // Cohere: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292"; "too many tokens: size
  // limit exceeded by 11326 tokens"
  /too many tokens: |number of tokens [^.]{0,40}cannot exceed/i,
  // Vertex: "Unable to submit request because the input token count is 40000 but model only supports up to 32768"
  /(?:input )?token count is \d+ but (?:the )?model only supports/i,
  // LiteLLM names its error, whatever its provider said: "litellm.ContextWindowExceededError: …"
  /context_?window_?exceeded/i,
  // TensorRT-LLM: "Prompt length (9000) exceeds maximum input length (8192)"; "The sum of prompt length (9000), query length
  // (0) should not exceed max_num_tokens (8192)"; "… plus query length (0) is larger than max_seq_len (8192)"
  /prompt length .{0,80}(?:exceeds? max|should not exceed|larger than max)/i,
  // Groq and others
  /reduce the length of (?:the |your )?(?:messages|prompt|input)/i,
  // Groq, with status 413: "Request too large for model … on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce
  // your message size"; "Request Entity Too Large"
  /reduce your message size|request_too_large|request entity too large/i,
];

/** Whether an error says that the prompt is too long for the model. */
function isContextLengthError(text: string): boolean {
  return TEXTS.some((pattern) => pattern.test(text));
}
