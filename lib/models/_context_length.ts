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
  // LM Studio: "the model is loaded with context length of only 32768 tokens, which is not enough"
  /context length of only \d+ tokens/i,
  // Groq and others
  /reduce the length of (?:the |your )?(?:messages|prompt|input)/i,
];

/** Tells whether an error is that of a prompt too long for the model. */
export function isContextLengthError(text: string): boolean {
  return TEXTS.some((pattern) => pattern.test(text));
}
