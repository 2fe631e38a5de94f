import { createHash } from "node:crypto";
import { compileMerges, type MergeSource } from "./merges.ts";
import { type CompiledTokenizer, reachedPlaces } from "./model_tokenizer.ts";

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
  const reader = startReader(bytes);
  if (start !== "GGUF") throw cannotOpen(name, "the file must begin with GGUF", start);
  try {
    reader.skip(4);
    const version = reader.whole("u32");
    if (version !== 2 && version !== 3) throw cannotOpen(name, "its version must be 2 or 3", version);
    reader.whole("u64");
    return makeHeader(listValues(reader), { bytes, name });
  } catch (error) {
    // The reader reached the end of the bytes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function cannotOpen(name: string, wanted: string, found: string | number): SyntaxError {
  return new SyntaxError(
    `Cannot open tokenizer "${name}" as ${wanted}: current value is ${JSON.stringify(found)}`,
  );
}

/** The type and place of a value in the header. */
interface Place {
  readonly type: number;
  readonly from: number;
  readonly to: number;
}

/** The types of values by number. */
const TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64"] as const;
type Type = (typeof TYPES)[number];

const SIZES: Readonly<Record<Type, number>> = {
  ...{ u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, bool: 1, u64: 8, i64: 8, f64: 8 },
  ...{ string: 0, array: 0 },
};

interface Reader {
  place(): number;
  skip(bytes: number): void;
  whole(type: "u32" | "u64"): number;
  number(type: Type): number;
  text(): string;
  /** Skips a value. */
  pass(type: number): void;
}

/** Reads little-endian values in sequence; throws a `RangeError` at the end of the bytes. */
function startReader(bytes: Uint8Array, from = 0): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder();
  let at = from;
  const skip = (count: number): void => {
    at += count;
    if (at > bytes.length) {
      throw new RangeError(
        `Cannot read the header as its bytes must be at least ${at}: current value is ${bytes.length}`,
      );
    }
  };
  const whole = (type: "u32" | "u64"): number => {
    skip(SIZES[type]);
    return type === "u32" ? view.getUint32(at - 4, true) : Number(view.getBigUint64(at - 8, true));
  };
  const pass = (type: number): void => {
    const kind = TYPES[type];
    if (kind === undefined) {
      throw new SyntaxError(`Cannot read the header as a type must be below 13: current value is ${type}`);
    }
    if (kind === "string") return skip(whole("u64"));
    if (kind !== "array") return skip(SIZES[kind]);
    const inner = whole("u32");
    const count = whole("u64");
    const size = SIZES[TYPES[inner] ?? "string"];
    if (size > 0) return skip(size * count);
    for (let item = 0; item < count; item++) pass(inner);
  };
  return {
    place: () => at,
    skip,
    whole,
    pass,
    number(type): number {
      skip(SIZES[type]);
      if (type === "f32") return view.getFloat32(at - 4, true);
      if (type === "i32") return view.getInt32(at - 4, true);
      return type === "u32" ? view.getUint32(at - 4, true) : view.getUint8(at - 1);
    },
    text(): string {
      const length = whole("u64");
      skip(length);
      return utf8.decode(bytes.subarray(at - length, at));
    },
  };
}

function listValues(reader: Reader): ReadonlyMap<string, Place> {
  const count = reader.whole("u64");
  const values = new Map<string, Place>();
  for (let value = 0; value < count; value++) {
    const key = reader.text();
    const type = reader.whole("u32");
    const from = reader.place();
    reader.pass(type);
    values.set(key, { type, from, to: reader.place() });
  }
  return values;
}

/** The fields that decide token counts. */
const KEYS = {
  model: "tokenizer.ggml.model",
  pre: "tokenizer.ggml.pre",
  tokens: "tokenizer.ggml.tokens",
  scores: "tokenizer.ggml.scores",
  types: "tokenizer.ggml.token_type",
  merges: "tokenizer.ggml.merges",
  spacePrefix: "tokenizer.ggml.add_space_prefix",
} as const;

interface HeaderSource {
  readonly bytes: Uint8Array;
  readonly name: string;
}

function makeHeader(values: ReadonlyMap<string, Place>, { bytes, name }: HeaderSource): GgufHeader {
  const textOf = (key: string): string | undefined => {
    const place = values.get(key);
    return place === undefined ? undefined : startReader(bytes, place.from).text();
  };
  const hash = createHash("sha256");
  for (const key of Object.values(KEYS)) {
    const place = values.get(key);
    hash.update(`${key}\0`);
    if (place !== undefined) hash.update(bytes.subarray(place.from, place.to)).update("\0");
  }
  const listOf = <T>(key: string, read: (reader: Reader, type: Type) => T): readonly T[] => {
    const place = values.get(key);
    if (place === undefined) return [];
    const reader = startReader(bytes, place.from);
    const type = TYPES[reader.whole("u32")]!;
    return Array.from({ length: reader.whole("u64") }, () => read(reader, type));
  };
  const prefix = values.get(KEYS.spacePrefix);
  const parts = (): GgufTokenizer => ({
    name,
    model: textOf(KEYS.model) ?? "none",
    pre: textOf(KEYS.pre) ?? "default",
    tokens: listOf(KEYS.tokens, (reader) => reader.text()),
    scores: listOf(KEYS.scores, (reader, type) => reader.number(type)),
    types: listOf(KEYS.types, (reader, type) => reader.number(type)),
    merges: listOf(KEYS.merges, (reader) => reader.text()),
    // The default of llama.cpp.
    hasSpacePrefix: prefix === undefined || startReader(bytes, prefix.from).number("bool") !== 0,
  });
  return {
    architecture: textOf("general.architecture") ?? "unnamed",
    sha256: hash.digest("hex"),
    compile: () => compileGguf(parts()),
  };
}

/** The tokenizer fields of a .gguf file. */
interface GgufTokenizer {
  readonly name: string;
  /** `gpt2` for ordered byte pairs, `llama` for SentencePiece with scores. */
  readonly model: string;
  /** The name of the pre-tokenizer of `gpt2`. */
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
  const ofModel = model === "gpt2" ? bytePairs(parts) : sentencePieces(parts);
  const special = tokens.map((content, id) => ({ id, content, special: types[id] === 3, normalized: false }))
    .filter(({ id, content }) => ADDED_TYPES.includes(types[id] ?? 1) && content !== "");
  return {
    rules: { ...ofModel.rules, added_tokens: special },
    merges: compileMerges(ofModel.merges),
    reached: reachedPlaces(tokens),
  };
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

/** Byte pairs: words split by patterns, encoded as printable stand-ins for bytes, and merged in order. */
function bytePairs({ name, pre, tokens, merges }: GgufTokenizer): ModelParts {
  const words = WORDS.find(({ names }) => names.includes(pre));
  if (words === undefined) {
    const known = WORDS.flatMap(({ names }) => names).join(", ");
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
  const pairs = merges.map((merge) => {
    const at = merge.indexOf(" ", 1);
    return [merge.slice(0, at), merge.slice(at + 1)] as const;
  });
  return {
    rules: { normalizer: null, pre_tokenizer: { type: "Sequence", pretokenizers } },
    merges: {
      tokens,
      merges: pairs,
      ignoreMerges: words.ignoreMerges ?? false,
      unknown: "nothing",
      fuseUnknown: false,
    },
  };
}

/** The pre-tokenizer of a family of models. */
interface Words {
  /** Its names in files. */
  readonly names: readonly string[];
  /** Patterns of words, each applied to the remainder of the one before. */
  readonly patterns: readonly string[];
  /** Whether a word that is a token is never split. */
  readonly ignoreMerges?: boolean;
}

const ENDINGS = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const AFTER_WORDS = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const GPT2_WORDS = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)";
const LLAMA3_WORDS = `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|${AFTER_WORDS}`;
const QWEN2_WORDS = `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|${AFTER_WORDS}`;
const UPPER = "((?=[\\p{L}])([^a-z]))";
const LOWER = "((?=[\\p{L}])([^A-Z]))";
const CASED_END = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const START = "[^\\r\\n\\p{L}\\p{N}]?";

/** The pre-tokenizers of llama.cpp, src/llama-vocab.cpp (September 2025 and later). */
const WORDS: readonly Words[] = [
  {
    names: ["llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2"],
    patterns: [LLAMA3_WORDS],
    ignoreMerges: true,
  },
  { names: ["dbrx", "smaug-bpe", "chatglm-bpe"], patterns: [LLAMA3_WORDS] },
  { names: ["glm4", "glm5"], patterns: [LLAMA3_WORDS], ignoreMerges: true },
  {
    names: ["qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "solar-open", "grok-2", "megrez"],
    patterns: [QWEN2_WORDS],
  },
  {
    names: ["qwen35"],
    patterns: [
      `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`,
    ],
  },
  {
    names: ["smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"],
    patterns: ["\\p{N}", GPT2_WORDS],
  },
  {
    names: ["gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "granite-docling", "gigachat", "mellum", "a.x-4.0"],
    patterns: [GPT2_WORDS],
  },
  {
    names: ["tekken"],
    patterns: [`${START}${UPPER}*${LOWER}+|${START}${UPPER}+${LOWER}*|\\p{N}|${CASED_END}`],
    ignoreMerges: true,
  },
  {
    names: ["gpt-4o", "llama4", "kanana2", "minimax-m2"],
    patterns: [
      `${START}${UPPER}*${LOWER}+${ENDINGS}?|${START}${UPPER}+${LOWER}*${ENDINGS}?|\\p{N}{1,3}|${CASED_END}`,
    ],
  },
  {
    names: ["deepseek-v3", "hunyuan-dense", "joyai-llm"],
    patterns: [
      "\\p{N}{1,3}",
      "[一-龥぀-ゟ゠-ヿ]+",
      "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    ],
  },
];
