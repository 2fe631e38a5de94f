import { mean, sum } from "@/lib/base/mod.ts";

/** How a model gives the probability of a text: a server by one of the ways in the order in which they are tried. */
export type LikelihoodWay =
  | ("echo" | "prompt_logprobs" | "input_token_logprobs")
  | ("grammar" | "token by token" | "reply tokens" | "simulated");

/** A token with the natural logarithm of its probability after everything before it; `null` if the server gives none. */
export type WeighedToken = readonly [text: string, logprob: number | null];

/** A right answer as a model would write it. */
export interface RightAnswer {
  readonly text: string;
  /** The stretches of the text that are asked for, `[from, to)` in characters: the values of a list without its commas. */
  readonly parts: readonly (readonly [from: number, to: number])[];
}

/** A right answer with the server's own tokens, up to its last one. The first can begin with the end of the prompt. */
export interface WeighedAnswer extends RightAnswer {
  readonly tokens: readonly WeighedToken[];
}

/** The probabilities of the right answers to a sample. */
export interface Likelihood {
  readonly kind: "likelihood";
  readonly way: LikelihoodWay;
  readonly answers: readonly WeighedAnswer[];
  /** Time of all its calls together. */
  readonly latencyMs: number;
  readonly calls: number;
  /** Prompt tokens of all its calls, as far as the server counted them, and those that came from its cache. */
  readonly promptTokens?: number;
  readonly cachedTokens?: number;
}

/**
 * Returns the probability of the right answer, in [0, 1]; `null` without an answer.
 *
 * That of one part is the geometric mean over the tokens that cover it: tokens before it, such as a space, count only where they
 * hold a character of it. A part without tokens, which a reply lacks, has probability 0. An answer has the mean over its parts, and
 * of several right answers the most probable counts.
 *
 * @example Two values, of which the second is split into two tokens
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const tokens = [[" 17", Math.log(0.9)], [",", -3], [" 4", Math.log(0.2)], ["2", Math.log(0.8)]] as const;
 * const answer = { text: " 17, 42", parts: [[1, 3], [5, 7]], tokens } as const;
 * equal(answerProbability({ answers: [answer] })?.toFixed(2), "0.65");
 * ```
 */
export function answerProbability({ answers }: Pick<Likelihood, "answers">): number | null {
  const probabilities = answers.map(({ text, parts, tokens }) => {
    const places = placesOf(text, tokens);
    return mean(parts, ([from, to]) => {
      const covering = places.filter((place) => place.from < to && place.to > from);
      const known = covering.flatMap(({ logprob }) => logprob ?? []);
      if (known.length < covering.length || known.length === 0) return 0;
      return Math.min(1, Math.exp(mean(known, (logprob) => logprob)));
    });
  });
  return probabilities.length === 0 ? null : Math.max(...probabilities);
}

/** Places tokens in the text that they end with; the first can begin before it. */
function placesOf(
  text: string,
  tokens: readonly WeighedToken[],
): readonly { readonly from: number; readonly to: number; readonly logprob: number | null }[] {
  let to = text.length - sum(tokens, ([token]) => token.length);
  return tokens.map(([token, logprob]) => {
    const from = to;
    to += token.length;
    return { from, to, logprob };
  });
}

/** What a token has in place of a character that it holds only a part of. */
const SPLIT = "\uFFFD";

/**
 * Returns the last tokens of a text, from the one that holds the first character of its end; `undefined` if they do not spell it.
 * Tokens that share one character have no text except the last of them.
 *
 * @param end The end of the text, such as the answer after its prompt.
 */
export function tokensAtEnd(tokens: readonly WeighedToken[], end: string): readonly WeighedToken[] | undefined {
  const found: WeighedToken[] = [];
  let left = end;
  // The logarithms of tokens that share a character, the last one first.
  let shared: (number | null)[] = [];
  const giveShared = (text: string): void => {
    found.push(...shared.map((logprob, at): WeighedToken => [at === 0 ? text : "", logprob]));
    shared = [];
  };
  for (const [text, logprob] of tokens.toReversed()) {
    if (left === "" && shared.length === 0) break;
    if (text === "" || text.includes(SPLIT)) {
      shared.push(logprob);
      continue;
    }
    const at = shared.length > 0 ? left.lastIndexOf(text) : left.length - text.length;
    const after = at < 0 ? left : left.slice(at + text.length);
    const isWhole = at >= 0 && left.startsWith(text, at);
    // Each of the characters left has at least two tokens, so the answer begins with them.
    if (!isWhole && shared.length > after.length) break;
    // The first token can hold the end of the prompt too.
    if (!isWhole && !text.endsWith(left)) return undefined;
    giveShared(after);
    found.push([text, logprob]);
    left = left.slice(0, Math.max(0, at));
  }
  if (left !== "" && shared.length <= left.length) return undefined;
  giveShared(left);
  return found.reverse();
}

/** Finds the parts of an answer in a reply, by its tokens; a part that it lacks has no place, and so the probability 0. */
export function answerInReply({ text, parts }: RightAnswer, tokens: readonly WeighedToken[]): WeighedAnswer {
  const reply = tokens.map(([token]) => token).join("");
  const places = parts.map(([from, to]) => {
    const at = reply.indexOf(text.slice(from, to));
    return at < 0 ? [0, 0] as const : [at, at + to - from] as const;
  });
  return { text: reply, parts: places, tokens };
}
