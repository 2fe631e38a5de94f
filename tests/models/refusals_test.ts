import { deepEqual, equal, match } from "node:assert/strict";
import { judgeServerError } from "@/lib/models/protocols/refusals.ts";

type Case = readonly [server: string, status: number, error: unknown];

function judge(
  status: number,
  error: unknown,
  headers: Record<string, string> = {},
): ReturnType<typeof judgeServerError> {
  const body = typeof error === "string" ? { error: { message: error } } : error;
  return judgeServerError({ status, body, headers: new Headers(headers) });
}

// Words of servers as their users reported them, or as their source has them.
const TOO_LONG: readonly Case[] = [
  ["xAI", 400, {
    code: "invalid argument",
    error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  }],
  ["Moonshot", 400, "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)"],
  ["Moonshot's web", 400, "Input token length too long"],
  ["MiniMax", 400, "invalid params, context window exceeds limit (2013)"],
  ["DashScope", 400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]"],
  ["DashScope, its older models", 400, "Input length exceeds the maximum length limit"],
  ["Zhipu", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
  ["Zhipu, by its code", 400, { error: { code: "1261", message: "参数有误" } }],
  ["Zhipu, in Chinese", 400, { error: { code: "1210", message: "输入长度超过模型最大限制" } }],
  ["Volcengine", 400, "Total tokens of image and text exceed max message tokens. Request id: 0217"],
  ["Volcengine, later", 400, "Input length 264434 exceeds the maximum length 229376. Request id: 0217"],
  ["Qianfan", 400, {
    error: { code: "tokens_too_long", message: "Prompt tokens too long", type: "invalid_request_error" },
  }],
  ["Qianfan, older", 400, { error_code: 336007, error_msg: "the max input characters is 24000" }],
  ["SiliconFlow", 400, {
    code: 20015,
    message: "length of prompt_tokens (9000) must be less than max_seq_len (8192).",
    data: null,
  }],
  ["Hunyuan", 400, { error: { message: "请求的 tokens 超过了模型最大上下文长度", code: "400" } }],
  ["Mistral", 400, {
    object: "error",
    message: "Prompt contains 65673 tokens, too large for model with 32768 maximum context length",
    code: 3051,
  }],
  ["Mistral, later", 400, "The number of tokens in the prompt exceeds the model's maximum context length of 32768."],
  [
    "Together",
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 9000 `inputs` tokens and 60 `max_new_tokens`",
  ],
  ["Together, later", 422, "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  ["Fireworks", 400, "The prompt is too long: 9000, model maximum context length: 8191"],
  ["DeepInfra", 400, { detail: { error: "Requested input length 9000 exceeds maximum input length 8191" } }],
  ["Cerebras", 400, {
    message: "Please reduce the length of the messages or completion. Current length is 8305 while limit is 8192",
    code: "context_length_exceeded",
  }],
  ["SambaNova", 400, "Requested token count exceeds the model's maximum context length of 8192 tokens."],
  [
    "Cloudflare",
    413,
    "The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (7968).",
  ],
  [
    "Cloudflare, with another status",
    400,
    "AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (7968).",
  ],
  ["GitHub Copilot", 400, {
    error: {
      message: "prompt token count of 51808 exceeds the limit of 12288",
      code: "model_max_prompt_tokens_exceeded",
    },
  }],
  ["GitHub Models", 413, {
    error: { code: "tokens_limit_reached", message: "Request body too large for gpt-4o model. Max size: 8000 tokens." },
  }],
  [
    "OpenAI, its responses",
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  [
    "OpenAI, a message above its own limit",
    400,
    "Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2097152 instead.",
  ],
  ["watsonx", 400, {
    errors: [{
      code: "invalid_input_argument",
      message: "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
    }],
  }],
  ["Databricks", 400, {
    error_code: "BAD_REQUEST",
    message: "prompt token count (9000) cannot exceed 4096. Please decrease the prompt length.",
  }],
  ["Snowflake", 400, { message: "max tokens of 4096 exceeded" }],
  ["Bedrock's Nova", 400, {
    message:
      "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
  }],
  ["AI21", 400, { detail: "Prompt is too long: 300000 tokens, but the limit is 256000" }],
  ["Perplexity", 400, "Input message is too long"],
  ["OpenRouter's Poolside", 400, "Input length 5000 exceeds the maximum allowed input length of 4096 tokens."],
  [
    "vLLM, later",
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 100. This model's maximum context length is 4096 tokens and your request has 4050 input tokens (100 > 4096 - 4050).",
  ],
  [
    "vLLM, of 2026",
    400,
    "You passed 9000 input tokens and requested 60 output tokens. However, the model's context length is only 8192 tokens",
  ],
  ["SGLang", 400, {
    object: "error",
    message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    code: 400,
  }],
  [
    "SGLang, its sum",
    400,
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens",
  ],
  ["SGLang, its cache", 400, "Input length (160062) exceeds the maximum allowed length of the KV cache (59862)"],
  ["TabbyAPI", 400, { detail: "Prompt length 4012 is greater than max_seq_len 2048" }],
  ["TabbyAPI, its cache", 503, { error: { message: "Prompt length 9000 exceeds the available cache size 8192" } }],
  ["KoboldCpp", 400, { detail: { msg: "Requested context too large for the loaded model", type: "bad_input" } }],
  ["MLC", 400, { message: "Request prompt has 9000 tokens in total, larger than the model input length limit 8192." }],
  ["MLX's servers", 400, { error: "Prompt has 9000 tokens, but the configured context size is 8192 tokens" }],
  ["Xinference", 400, { detail: "[address=127.0.0.1:1, pid=2] Requested tokens (9000) exceed context window of 8192" }],
  ["Ollama", 400, { error: { message: "prompt too long; exceeded max context length by 2004 tokens" } }],
  ["llama.cpp, older", 400, {
    error: {
      code: 400,
      message:
        "the request exceeds the available context size. try increasing the context size or enable context shift",
      type: "invalid_request_error",
    },
  }],
  ["Triton", 400, { error: "Prompt length (9000) exceeds maximum input length (8192)." }],
  ["LiteLLM, by its type", 400, {
    error: { message: "litellm.BadRequestError: it does not fit", type: "ContextWindowExceededError" },
  }],
  ["a gateway of Anthropic's", 400, {
    type: "error",
    error: { type: "invalid_request_error", message: "model_context_window_exceeded" },
  }],
  ["a private server", 400, "The conversation has 9000 tokens which is over the limit of 8192 tokens"],
  ["another private server", 422, "sequence length 9000 > max_position_embeddings 8192"],
  ["plain text", 400, "Input text exceeds maximum length"],
];

Deno.test.each(TOO_LONG.map((each) => [...each]) as [string, number, unknown][])(
  "a prompt that is too long is known by the words of %s",
  (_name, status, error) => {
    const { failure, canRetry } = judge(status, error);
    deepEqual([failure, canRetry], ["context_length", false]);
  },
);

Deno.test.each([
  ["the range of the output budget, DashScope", "Range of max_tokens should be [1, 8192]"],
  ["the range of the output budget, DeepSeek", "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"],
  [
    "the range of the output budget, Anthropic",
    "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude",
  ],
  [
    "the range of the output budget, OpenAI",
    "max_tokens is too large: 99999. This model supports at most 4096 completion tokens",
  ],
  [
    "the range of the output budget, Groq",
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
  ],
  ["the range of the output budget, Mistral", "max_tokens must be greater than or equal to 1"],
  [
    "the range of the output budget, Gemini",
    "Unable to submit request because it has a maxOutputTokens value of 99999 but the supported range is from 1 (inclusive) to 65537 (exclusive).",
  ],
  ["the budget of thinking", "`max_tokens` must be greater than `thinking.budget_tokens`"],
  ["a thinking budget that is too small", "thinking.budget_tokens: Input should be greater than or equal to 1024"],
  ["a temperature", "temperature: Input should be less than or equal to 2"],
  [
    "a list of stop texts",
    "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
  ],
  ["stop sequences", "The number of stop sequences exceeds the limit of 4"],
  [
    "a user's name",
    "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
  ],
  ["an unknown field", "Unrecognized request argument supplied: top_k"],
  ["a missing field", "The request failed because it is missing one or multiple required parameters."],
  ["a wrong role", "Invalid value: 'agent'. Supported values are: 'system', 'assistant', and 'user'."],
])("a prompt is not taken for too long by words about %s", (_name, message) => {
  equal(judge(400, message).failure, "bad_request");
});

Deno.test.each([
  [
    "OpenAI, tokens",
    429,
    "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
  ],
  ["Anthropic", 429, "This request would exceed your organization's rate limit of 40,000 input tokens per minute."],
  ["Bedrock", 429, { message: "Too many tokens, please wait before trying again." }],
  ["Moonshot", 429, "Your account reached max organization concurrency: 1, please try again after 1 seconds"],
  ["Zhipu", 429, { error: { code: "1302", message: "您当前使用该API的并发数过高，请降低并发" } }],
  ["DashScope", 429, {
    code: "Throttling.RateQuota",
    message: "Requests rate limit exceeded, please try again later.",
  }],
  ["SiliconFlow", 403, {
    code: 20012,
    message: "Request was rejected due to rate limiting. Details: TPM limit reached.",
  }],
  ["DashScope with another status", 400, {
    code: "Throttling.AllocationQuota",
    message: "Allocated quota exceeded, please increase your quota limit.",
  }],
  ["Vertex", 429, [{
    error: { code: 429, message: "Resource has been exhausted (e.g. check quota).", status: "RESOURCE_EXHAUSTED" },
  }]],
  ["unknown words", 429, "Slow down"],
] as [string, number, unknown][])("a limit that passes is waited for, in the words of %s", (_name, status, error) => {
  const { failure, busy, canRetry } = judge(status, error);
  deepEqual(
    [failure, busy, canRetry],
    status === 403 ? ["authentication", undefined, false] : ["rate_limit", "limited", true],
  );
});

Deno.test.each([
  ["Moonshot", "Your account is suspended because of insufficient balance, please recharge your account"],
  ["Zhipu", { error: { code: "1113", message: "您的账户已欠费，请充值后重试。" } }],
  ["Zhipu, in English", {
    error: { code: "1113", message: "Insufficient balance or no resource package. Please recharge." },
  }],
  ["OpenAI", {
    error: {
      message: "You exceeded your current quota, please check your plan and billing details.",
      code: "insufficient_quota",
    },
  }],
  ["xAI", { error: "Your team has either used all available credits or reached its monthly spending limit." }],
  ["Groq", "You have reached your monthly spend limit"],
  ["Volcengine", {
    error: { code: "AccountOverdueError", message: "The request failed because your account has an overdue balance." },
  }],
  ["Together", "Credit limit exceeded, please add a payment method"],
  [
    "OpenRouter, by the day",
    "Rate limit exceeded: free-models-per-day. Add 10 to unlock 1000 free model requests per day",
  ],
  ["OpenAI, by the day", "Rate limit reached on requests per day (RPD): Limit 200, Used 200"],
] as [string, unknown][])("a used-up credit is not waited for, in the words of %s", (_name, error) => {
  const { failure, canRetry } = judge(429, error);
  deepEqual([failure, canRetry], ["rate_limit", false]);
});

Deno.test.each([
  [
    "Google's in the body",
    [{ error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12s" }] } }],
    {},
    12_000,
  ],
  ["Google's in words", "You exceeded your current quota, please check your plan. Please retry in 31.5s.", {}, 31_500],
  ["a header", "insufficient balance", { "retry-after": "3" }, 3000],
  ["seconds in words", "Rate limit exceeded. Retry after 12 seconds.", {}, 12_000],
  ["minutes and seconds in words", "Please try again in 1m30.5s.", {}, 90_500],
  ["hours in words", "Limit reached, try again in 2 hours", {}, 7_200_000],
  ["Moonshot's", "reached max request, please try again after 1 seconds", {}, 1000],
  ["Cohere's", { message: "Please wait for 5 seconds and try again" }, {}, 5000],
  ["none for a limit by the minute and the day", "Limits: 60 requests per minute, 900 requests per day", {}, undefined],
  ["a wait for one by the day", "Limit on tokens per day (TPD) reached. Please try again in 7m0s.", {}, 420_000],
  ["a field", { error: { message: "Too many requests", retry_after: 4 } }, {}, undefined],
] as [string, unknown, Record<string, string>, number | undefined][])(
  "a named wait beats the words: %s",
  (_name, error, headers, wanted) => {
    const { busy, waitMs } = judge(429, error, headers);
    deepEqual([busy, waitMs], ["limited", wanted]);
  },
);

Deno.test.each([
  ["OpenRouter", 403, {
    error: {
      code: 403,
      message: 'm requires moderation on A. Your input was flagged for "violence".',
      metadata: { reasons: ["violence"] },
    },
  }],
  ["Azure", 400, {
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      code: "content_filter",
    },
  }],
  ["OpenAI", 400, "Your request was rejected as a result of our safety system."],
  ["DashScope", 400, { code: "data_inspection_failed", message: "Input text data may contain inappropriate content." }],
  ["DeepSeek", 400, "Content Exists Risk"],
  ["Moonshot", 400, {
    error: { message: "The request was rejected because it was considered high risk", type: "content_filter" },
  }],
  ["Zhipu", 400, { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" } }],
  ["Volcengine", 400, {
    error: {
      code: "InputTextSensitiveContentDetected",
      message: "The request failed because the input text may contain sensitive information.",
    },
  }],
  ["Vertex", 400, "The prompt could not be submitted. It was blocked by the safety filter."],
  ["xAI", 403, { error: "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO" }],
  ["Anthropic", 400, "Output blocked by content filtering policy"],
  ["Groq", 400, "The message was moderated"],
] as [string, number, unknown][])("a moderated text is no wrong key, in the words of %s", (_name, status, error) => {
  deepEqual([judge(status, error).failure, judge(status, error).canRetry], ["filtered", false]);
});

Deno.test.each([
  [
    "Anthropic without credit",
    400,
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
  ],
  ["DashScope without credit", 400, {
    code: "Arrearage",
    message: "Access denied, please make sure your account is in good standing.",
  }],
  ["DeepSeek without credit", 402, "Insufficient Balance"],
  ["Gemini's wrong key", 400, [{
    error: { message: "API key not valid. Please pass a valid API key.", details: [{ reason: "API_KEY_INVALID" }] },
  }]],
  ["xAI's wrong key", 400, {
    code: "Client specified an invalid argument",
    error: "Incorrect API key provided: xa***12.",
  }],
  ["a country", 403, "Country, region, or territory not supported"],
] as [string, number, unknown][])("a call that no other would pass ends as such: %s", (_name, status, error) => {
  equal(judge(status, error).failure, "authentication");
});

Deno.test.each([
  ["Copilot", 400, {
    error: { message: "The requested model is not supported.", code: "model_not_supported", param: "model" },
  }],
  ["a code alone", 400, { code: "model_not_found", message: "No such model" }],
  ["a parameter alone", 400, { error: { message: "It is not served here", param: "model" } }],
] as [string, number, unknown][])("a model that is not served is no bad request, by %s", (_name, status, error) => {
  equal(judge(status, error).failure, "not_found");
});

Deno.test("a server whose model is not ready is asked again", () => {
  for (const status of [424, 425, 503]) equal(judge(status, "ModelNotReadyException").busy, "limited");
});

Deno.test("words that are not known are shown with all facts of the error", () => {
  const body = { error: { message: "It did not work", code: "E77", details: { part: "the third" }, param: null } };
  const { message, isUnexplained } = judge(400, body);
  match(message, /It did not work \{"code":"E77","details":\{"part":"the third"\}\}$/);
  equal(isUnexplained, true);
  match(
    judge(422, { detail: [{ loc: ["body", "top_k"], msg: "Extra inputs are not permitted" }] }).message,
    /not permitted \["body","top_k"\]/,
  );
});
