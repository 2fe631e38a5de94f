import { createHash } from "node:crypto";
import type { MergeSource } from "./merges.ts";
import { type CompiledTokenizer, compileTokenizer, splitMerge } from "./model_tokenizer.ts";
import { ENDINGS, GPT2_WORDS, LLAMA3_WORDS, QWEN2_WORDS } from "./quick_counts.ts";

/** The tokenizer in the header of a .gguf file. */
export interface GgufHeader {
  /** The model's architecture, such as `gemma3`. */
  readonly architecture: string;
  /** SHA-256, in hexadecimal, of the fields that decide token counts; the same for every quantisation of a model. */
  readonly sha256: string;
  /** Compiles the tokenizer. */
  compile(): CompiledTokenizer;
}

/**
 * Reads the header of a .gguf file, the format of llama.cpp; the weights are not needed.
 *
 * `@huggingface/gguf` cannot replace this reader: it decodes strings, and the recorded names of tokenizers hash their raw bytes.
 *
 * @param bytes The first bytes of the file.
 * @param name The name of the file in errors.
 * @returns The header; `undefined` if it continues after `bytes`.
 * @throws {SyntaxError} If it is not a .gguf file, or has no supported tokenizer.
 */
export function readGgufHeader(bytes: Uint8Array, name: string): GgufHeader | undefined {
  const start = new TextDecoder().decode(bytes.subarray(0, 4));
  if (start !== "GGUF") throw cannotOpen(name, "the file must begin with GGUF", start);
  let values: ReadonlyMap<string, Place>;
  try {
    const reader = startReader(bytes, 4);
    const version = reader.number(U32);
    if (version !== 2 && version !== 3) throw cannotOpen(name, "its version must be 2 or 3", version);
    reader.number(U64);
    values = listValues(reader);
  } catch (error) {
    // The end of the bytes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const read = (key: string): unknown => {
    const place = values.get(key);
    return place && startReader(bytes, place.from).value(place.type, true);
  };
  const textOf = (key: string, byDefault: string): string => String(read(key) ?? byDefault);
  const listOf = <Item>(key: string): readonly Item[] => (read(key) ?? []) as readonly Item[];
  const hash = createHash("sha256");
  for (const key of Object.values(KEYS)) {
    const place = values.get(key);
    hash.update(`${key}\0`);
    if (place !== undefined) hash.update(bytes.subarray(place.from, place.to)).update("\0");
  }
  return {
    architecture: textOf("general.architecture", "unnamed"),
    sha256: hash.digest("hex"),
    compile: () =>
      compileGguf({
        name,
        model: textOf(KEYS.model, "none"),
        pre: textOf(KEYS.pre, "default"),
        tokens: listOf(KEYS.tokens),
        scores: listOf(KEYS.scores),
        types: listOf(KEYS.types),
        merges: listOf(KEYS.merges),
        // The default of llama.cpp is true.
        hasSpacePrefix: read(KEYS.spacePrefix) !== 0,
      }),
  };
}

/** The fields that decide token counts, in the order of the hash. */
const KEYS = {
  model: "tokenizer.ggml.model",
  pre: "tokenizer.ggml.pre",
  tokens: "tokenizer.ggml.tokens",
  scores: "tokenizer.ggml.scores",
  types: "tokenizer.ggml.token_type",
  merges: "tokenizer.ggml.merges",
  spacePrefix: "tokenizer.ggml.add_space_prefix",
};

function cannotOpen(name: string, wanted: string, found: string | number): SyntaxError {
  return new SyntaxError(`Cannot open tokenizer "${name}" as ${wanted}: current value is ${JSON.stringify(found)}`);
}

/** The type and place of a value in the header. */
interface Place {
  readonly type: number;
  readonly from: number;
  readonly to: number;
}

function listValues(reader: Reader): ReadonlyMap<string, Place> {
  const values = new Map<string, Place>();
  for (let left = reader.number(U64); left > 0; left--) {
    const key = reader.value(STRING, true) as string;
    const type = reader.number(U32);
    const from = reader.place();
    reader.value(type, false);
    values.set(key, { type, from, to: reader.place() });
  }
  return values;
}

/** The types of values by number; numbers are named as in `DataView`, with their bits. The second `Uint8` is a boolean. */
const TYPES = "Uint8 Int8 Uint16 Int16 Uint32 Int32 Float32 Uint8 string array BigUint64 BigInt64 Float64".split(" ");
const SIZES = TYPES.map((type) => Number(/\d*$/.exec(type)![0]) / 8);
const [U32, STRING, ARRAY, U64] = [4, 8, 9, 10];

interface Reader {
  place(): number;
  number(type: number): number;
  /** Reads a number, text or list. One that is not wanted is skipped, which takes a tenth of the time. */
  value(type: number, isWanted: boolean): unknown;
}

/** Reads little-endian values in sequence; throws a `RangeError` at the end of the bytes. */
function startReader(bytes: Uint8Array, from: number): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder();
  let at = from;
  const skip = (size: number): number => {
    at += size;
    if (at <= bytes.length) return at - size;
    throw new RangeError(
      `Cannot read the header as its bytes must be at least ${at}: current value is ${bytes.length}`,
    );
  };
  const number = (type: number): number =>
    Number(view[`get${TYPES[type]}` as "getUint8" | "getUint16"](skip(SIZES[type]!), true));
  const value = (type: number, isWanted: boolean): unknown => {
    if (type >= TYPES.length) {
      throw new SyntaxError(`Cannot read the header as a type must be below 13: current value is ${type}`);
    }
    if (type === STRING) {
      const start = skip(number(U64));
      return isWanted ? utf8.decode(bytes.subarray(start, at)) : undefined;
    }
    if (type !== ARRAY) return number(type);
    const [inner, count] = [number(U32), number(U64)];
    const size = SIZES[inner] ?? 0;
    if (!isWanted && size > 0) return skip(size * count);
    const items: unknown[] = [];
    for (let left = count; left > 0; left--) {
      const item = value(inner, isWanted);
      if (isWanted) items.push(item);
    }
    return items;
  };
  return { place: () => at, number, value };
}

/** The tokenizer fields of a .gguf file. */
interface GgufTokenizer {
  readonly name: string;
  /** `gpt2` for ordered byte pairs, `llama` for SentencePiece with scores. */
  readonly model: string;
  readonly pre: string;
  readonly tokens: readonly string[];
  readonly scores: readonly number[];
  /** The type of each token: 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. */
  readonly types: readonly number[];
  readonly merges: readonly string[];
  readonly hasSpacePrefix: boolean;
}

/** Types of tokens that are matched before the text is split: unknown, control, user-defined. */
const ADDED_TYPES: readonly number[] = [2, 3, 4];

function compileGguf(parts: GgufTokenizer): CompiledTokenizer {
  const { name, model, tokens, types } = parts;
  if (model !== "gpt2" && model !== "llama") {
    throw cannotOpen(
      name,
      "the kind of its tokenizer must be gpt2 or llama (give the model's tokenizer.json instead)",
      model,
    );
  }
  if (tokens.length === 0) throw cannotOpen(name, "it must have tokens", 0);
  const { rules, merges } = model === "gpt2" ? bytePairs(parts) : sentencePieces(parts);
  const added = tokens.map((content, id) => ({ id, content, special: types[id] === 3, normalized: false }))
    .filter(({ id, content }) => ADDED_TYPES.includes(types[id] ?? 1) && content !== "");
  return compileTokenizer({ ...rules, added_tokens: added }, merges);
}

interface ModelParts {
  readonly rules: Omit<CompiledTokenizer["rules"], "added_tokens">;
  readonly merges: MergeSource;
}

/** SentencePiece: a mark for each space, any two symbols that form a token can merge, and unknown characters become bytes. */
function sentencePieces({ tokens, scores, hasSpacePrefix }: GgufTokenizer): ModelParts {
  const marks = { type: "Replace", pattern: { String: " " }, content: "▁" };
  return {
    rules: {
      normalizer: hasSpacePrefix
        ? { type: "Sequence", normalizers: [{ type: "Prepend", prepend: "▁" }, marks] }
        : marks,
      pre_tokenizer: null,
    },
    merges: { tokens, scores, ignoreMerges: false, unknown: "bytes", fuseUnknown: false },
  };
}

/** Byte pairs: words split by patterns, encoded as printable substitutes for bytes, and merged in order. */
function bytePairs({ name, pre, tokens, merges }: GgufTokenizer): ModelParts {
  const words = WORDS.find(({ names }) => names.split(" ").includes(pre));
  if (words === undefined) {
    const known = WORDS.map(({ names }) => names.replaceAll(" ", ", ")).join(", ");
    throw cannotOpen(
      name,
      `its pre-tokenizer (tokenizer.ggml.pre) must be one of ${known} (give the model's tokenizer.json instead)`,
      pre,
    );
  }
  const pretokenizers = [
    ...words.patterns.map((Regex) => ({ type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false })),
    { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
  ];
  return {
    rules: { normalizer: null, pre_tokenizer: { type: "Sequence", pretokenizers } },
    merges: {
      tokens,
      merges: merges.map(splitMerge),
      ignoreMerges: words.ignoresMerges ?? false,
      unknown: "nothing",
      fuseUnknown: false,
    },
  };
}

const UPPER = "((?=[\\p{L}])([^a-z]))";
const LOWER = "((?=[\\p{L}])([^A-Z]))";
const CASED_END = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const START = "[^\\r\\n\\p{L}\\p{N}]?";

/**
 * The pre-tokenizers of llama.cpp, src/llama-vocab.cpp (September 2025 and later): their names in files, and patterns of words, each
 * applied to the remainder of the one before. With `ignoresMerges`, a word that is a token is never split.
 */
const WORDS: readonly { names: string; patterns: readonly string[]; ignoresMerges?: true }[] = [
  {
    names: "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral lfm2 glm4 glm5",
    patterns: [LLAMA3_WORDS],
    ignoresMerges: true,
  },
  { names: "dbrx smaug-bpe chatglm-bpe", patterns: [LLAMA3_WORDS] },
  { names: "qwen2 deepseek-r1-qwen stablelm2 hunyuan solar-open grok-2 megrez", patterns: [QWEN2_WORDS] },
  {
    names: "qwen35",
    patterns: [
      `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`,
    ],
  },
  {
    names: "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2",
    patterns: ["\\p{N}", GPT2_WORDS],
  },
  {
    names: "gpt-2 phi-2 mpt olmo jais trillion granite-docling gigachat mellum a.x-4.0",
    patterns: [GPT2_WORDS],
  },
  {
    names: "tekken",
    patterns: [`${START}${UPPER}*${LOWER}+|${START}${UPPER}+${LOWER}*|\\p{N}|${CASED_END}`],
    ignoresMerges: true,
  },
  {
    names: "gpt-4o llama4 kanana2 minimax-m2",
    patterns: [
      `${START}${UPPER}*${LOWER}+${ENDINGS}?|${START}${UPPER}+${LOWER}*${ENDINGS}?|\\p{N}{1,3}|${CASED_END}`,
    ],
  },
  {
    names: "deepseek-v3 hunyuan-dense joyai-llm",
    patterns: [
      "\\p{N}{1,3}",
      "[一-龥぀-ゟ゠-ヿ]+",
      "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    ],
  },
];
