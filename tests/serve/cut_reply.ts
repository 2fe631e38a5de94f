import type { Tokenizer } from "@/lib/text/mod.ts";

/** A reply cut to the stop texts and the budget of a request. */
export interface CutReply {
  /** The remaining text. */
  readonly text: string;
  /** `length` if the budget cut it. */
  readonly finishReason: "stop" | "length";
  /** Tokens written. */
  readonly tokens: number;
}

/** Cuts a reply before the first stop text, and then to a number of tokens. */
export function cutReply(
  reply: string,
  options: { readonly stop: readonly string[]; readonly maxTokens: number; readonly tokenizer: Tokenizer },
): CutReply {
  const { stop, maxTokens, tokenizer } = options;
  const ends = stop.map((text) => reply.indexOf(text)).filter((at) => at >= 0);
  const stopped = reply.slice(0, Math.min(reply.length, ...ends));
  const tokens = tokenizer.count(stopped);
  if (tokens <= maxTokens) return { text: stopped, finishReason: "stop", tokens };
  let fits = 0;
  let exceeds = stopped.length;
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (tokenizer.count(stopped.slice(0, middle)) <= maxTokens) fits = middle;
    else exceeds = middle;
  }
  const text = stopped.slice(0, fits);
  return { text, finishReason: "length", tokens: tokenizer.count(text) };
}
