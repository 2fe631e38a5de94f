import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as p50k from "gpt-tokenizer/encoding/p50k_base";
import * as r50k from "gpt-tokenizer/encoding/r50k_base";

/** The encodings as another package counts them. */
export const OTHER_ENCODINGS = [
  ["cl100k_base", cl100k],
  ["o200k_base", o200k],
  ["p50k_base", p50k],
  ["r50k_base", r50k],
] as const;
