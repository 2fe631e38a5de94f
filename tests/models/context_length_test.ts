import { deepEqual } from "node:assert/strict";
import { chatReply, errorReply, playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint } from "@/lib/models/mod.ts";

// What servers were reported to say when a prompt is too long.
Deno.test.each([
  [
    "OpenAI",
    400,
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 4294 tokens. Please reduce the length of the messages.",
  ],
  ["OpenAI, by its code", 400, {
    message: "Too long",
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  }],
  [
    "OpenAI, GPT-5",
    400,
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens.",
  ],
  [
    "vLLM",
    400,
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).",
  ],
  [
    "vLLM, the prompt alone",
    400,
    "The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller",
  ],
  ["vLLM, older", 400, "The prompt (total length 25938) is too long to fit into the model (context length 4096)."],
  ["vLLM, the budget", 400, "max_tokens must be at least 1, got -186."],
  ["SGLang", 400, "The input (61709 tokens) is longer than the model's context length (40960 tokens)."],
  ["SGLang, its memory", 400, "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."],
  ["LMDeploy", 400, "Input length (9000) must be smaller than the model context length (8192)."],
  ["llama.cpp", 400, {
    code: 400,
    message: "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
    type: "exceed_context_size_error",
  }],
  ["llama-cpp-python", 500, "Requested tokens (2285) exceed context window of 2048"],
  ["Ollama", 400, "the input length exceeds the context length"],
  [
    "LM Studio",
    400,
    "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
  ],
  [
    "Text Generation Inference",
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`",
  ],
  [
    "OpenRouter",
    400,
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output).",
  ],
  ["Anthropic", 400, "prompt is too long: 208310 tokens > 200000 maximum"],
  ["Anthropic, with the budget", 400, "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000"],
  ["Gemini", 400, "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."],
  [
    "Vertex",
    400,
    "Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.",
  ],
  ["Bedrock", 400, "The model returned the following errors: Input is too long for requested model."],
  [
    "Bedrock's Titan",
    400,
    "Malformed input request: expected maxLength: 50000, actual: 61234, please reformat your input",
  ],
  [
    "Bedrock's embedders",
    400,
    "Too many input tokens. Max input tokens: 8192, request input token count: 9000",
  ],
  [
    "Cohere",
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt, or enabling prompt truncating.",
  ],
  ["Cohere's chat", 400, "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs."],
  ["LiteLLM", 400, "litellm.ContextWindowExceededError: litellm.BadRequestError: Prompt of 9000 does not fit"],
  ["TensorRT-LLM", 400, "Prompt length (9000) exceeds maximum input length (8192). Set log level to info"],
  [
    "TensorRT-LLM, its sum",
    500,
    "The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)",
  ],
  [
    "TensorRT-LLM, its sequence",
    400,
    "Deduced max_tokens -808 is less than 1, because prompt length 9000 plus query length 0 is larger than max_seq_len 8192.",
  ],
  [
    "LM Studio, later",
    400,
    "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
  ],
  ["LM Studio, its engine", 400, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"],
  ["Groq, by the minute", 413, {
    message:
      "Request too large for model `llama-3.1-8b-instant` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.",
    type: "tokens",
    code: "rate_limit_exceeded",
  }],
  ["Groq", 413, { message: "Request Entity Too Large", type: "invalid_request_error", code: "request_too_large" }],
] as [string, number, unknown][])("ask() knows a prompt too long in the words of %s", async (_name, status, error) => {
  const body = typeof error === "string" ? { message: error } : error;
  await using server = playServer(errorReply(status, body), chatReply({ content: "1234567" }));
  const reply = await openEndpoint({ baseUrl: server.url, model: "m" }).ask(smallSample());
  deepEqual([reply.kind === "failure" && reply.failure, server.received.length], ["context_length", 1]);
});
