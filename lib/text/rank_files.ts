import { type CompiledTokenizer, compileTokenizer } from "./model_tokenizer.ts";
import { STAND_INS } from "./quick_counts.ts";

/** A vocabulary of bytes in the order of their merges: of any two neighbours, those merge first that form the earliest token. */
interface RankFile {
  /** Matches the words of a text, whose bytes merge. */
  readonly pattern: string;
  /** The tokens in base64, by rank. */
  readonly tokens: readonly string[];
}

const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const ENDS = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const [HAN, START] = ["\\p{Script=Han}", "[^\\r\\n\\p{L}\\p{N}]?"];
const [UPPER, LOWER] = ["Lu", "Ll"].map((kind) => `(?:(?!${HAN})[\\p{${kind}}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}])`);

/**
 * The patterns of models whose file of ranks has none, by the number of tokens from which on it is theirs; from their tokenization
 * code: Kimi (tokenization_kimi.py), Qwen (tokenization_qwen.py), Llama 3 (llama3/tokenizer.py).
 */
const PATTERNS: readonly (readonly [least: number, pattern: string])[] = [
  [
    160_000,
    `${HAN}+|${START}${UPPER}*${LOWER}+${CONTRACTIONS}?|${START}${UPPER}+${LOWER}*${CONTRACTIONS}?|\\p{N}{1,3}|${ENDS}`,
  ],
  [150_000, `${CONTRACTIONS}|${START}\\p{L}+|\\p{N}|${ENDS}`],
  [0, `${CONTRACTIONS}|${START}\\p{L}+|\\p{N}{1,3}|${ENDS}`],
];

/**
 * Compiles a tokenizer of ranked bytes: Mistral's tekken.json, or tiktoken's files, a line of base64 and rank for each token, as Kimi,
 * Qwen and Llama 3 have them. `undefined` for another file.
 */
export function compileRankFile(text: string): CompiledTokenizer | undefined {
  const ranks = text.startsWith("{") ? readTekken(text) : readLines(text);
  if (ranks === undefined) return undefined;
  const tokens = ranks.tokens.map((token) =>
    Array.from(Uint8Array.fromBase64(token), (byte) => STAND_INS[byte]).join("")
  );
  const pretokenizers = [
    { type: "Split", pattern: { Regex: ranks.pattern }, behavior: "Isolated", invert: false },
    { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
  ];
  return compileTokenizer({
    ...{ normalizer: null, added_tokens: [] },
    pre_tokenizer: { type: "Sequence", pretokenizers },
  }, {
    ...{ tokens, scores: tokens.map((_, rank) => -rank), ignoreMerges: true },
    ...{ unknown: "nothing", fuseUnknown: false },
  });
}

/** Special tokens have the first numbers, and are not in the vocabulary, of which a model uses only the first part. */
function readTekken(text: string): RankFile | undefined {
  if (!/^\{\s*"(?:config|vocab)"/.test(text)) return undefined;
  const { config, vocab } = JSON.parse(text);
  if (typeof config?.pattern !== "string" || !Array.isArray(vocab)) return undefined;
  const most = config.default_vocab_size - config.default_num_special_tokens;
  const ranked = vocab.toSorted((left, right) => left.rank - right.rank).slice(0, most || undefined);
  return { pattern: config.pattern, tokens: ranked.map(({ token_bytes: bytes }) => bytes) };
}

function readLines(text: string): RankFile | undefined {
  const lines = text.trimEnd().split(/\r?\n/);
  if (!/^[A-Za-z\d+/]+=* \d+$/.test(lines[0]!)) return undefined;
  const tokens: string[] = [];
  for (const line of lines) {
    const [token = "", rank] = line.split(" ");
    tokens[Number(rank)] = token;
  }
  const [, pattern] = PATTERNS.find(([least]) => tokens.length >= least)!;
  return { pattern, tokens: Array.from(tokens, (token = "") => token) };
}
