import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as p50k from "gpt-tokenizer/encoding/p50k_base";
import * as r50k from "gpt-tokenizer/encoding/r50k_base";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import cl100kRanks from "js-tiktoken/ranks/cl100k_base";
import o200kRanks from "js-tiktoken/ranks/o200k_base";
import p50kRanks from "js-tiktoken/ranks/p50k_base";
import r50kRanks from "js-tiktoken/ranks/r50k_base";
import type { EncodingName } from "@/lib/text/mod.ts";

/** A whole text, encoded at once. */
export interface Encoded {
  /** The bytes of the text. */
  readonly bytes: Uint8Array;
  /** How many bytes stand before each token; the last number is that of all bytes. */
  readonly starts: readonly number[];
}

/** Encodes whole texts by two packages, without what `lib/text` makes of them. */
export type FullEncoder = (text: string) => Encoded;

/** Chinese texts of more characters are left to gpt-tokenizer: js-tiktoken takes a minute and a half for 1,000,000 tokens. */
const MOST_CHINESE = 2_500;

/** Opens the encoder of an encoding. */
export function openFullEncoder(encoding: EncodingName): FullEncoder {
  const [ranks, other] = PACKAGES[encoding];
  const tiktoken = new Tiktoken(ranks);
  const sizes = readSizes(ranks);
  return (text) => {
    const isSlow = text.length > MOST_CHINESE && /[\u4e00-\u9fff]{8}/.test(text);
    const tokens = isSlow ? other.encode(text, { disallowedSpecial: new Set() }) : tiktoken.encode(text, [], []);
    const starts = [0];
    for (const token of tokens) starts.push(starts.at(-1)! + sizes.get(token)!);
    return { bytes: new TextEncoder().encode(text), starts };
  };
}

const PACKAGES: Readonly<Record<EncodingName, readonly [TiktokenBPE, Pick<typeof cl100k, "encode">]>> = {
  "cl100k_base": [cl100kRanks, cl100k],
  "o200k_base": [o200kRanks, o200k],
  "p50k_base": [p50kRanks, p50k],
  "r50k_base": [r50kRanks, r50k],
};

/** Reads how many bytes each token has: lines of `! first-rank token token …`, tokens in base64. */
function readSizes({ bpe_ranks: packed }: TiktokenBPE): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const line of packed.split("\n")) {
    const [, first, ...tokens] = line.split(" ");
    tokens.forEach((token, place) => sizes.set(Number(first) + place, atob(token).length));
  }
  return sizes;
}
