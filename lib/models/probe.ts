import { defined } from "@/lib/base/mod.ts";
import { renderMessages, renderText } from "./chat_templates.ts";
import { type Address, readBody, replyRooms, requestSender } from "./client.ts";
import type { CheckedOptions, Delay } from "./endpoint_options.ts";
import type { Probe, ProbeOptions, ServerFacts, ServerReport } from "./model.ts";
import { afterPrompt } from "./protocols/normal_form.ts";
import { type Failure, type Fields, fieldsOf, isPlausibleCount, isSimulatedName, listOf, type Reply } from "./reply.ts";
import {
  type ChatTemplate,
  isSingleTurn,
  type Message,
  type Prompt,
  type Sample,
  turnsOf,
  userPrompt,
} from "@/lib/generators/mod.ts";

/** The parts of an open endpoint that a probe uses. */
export interface ProbeParts {
  readonly address: Address;
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly options: CheckedOptions;
  readonly template: ChatTemplate;
  /** Asks a short question once, with an output budget in tokens. */
  readonly ask: (
    prompt: Prompt,
    budget: number,
    sending: Pick<ProbeOptions, "signal" | "onWait"> & { readonly limitMs: number },
  ) => Promise<Reply>;
  /** How requests differ from the options, as the server refuses some of their fields. */
  readonly adapted: () => readonly string[];
}

/** Time limits in milliseconds: of a fact, of a fact without questions, of a count or a short question. */
const LIMIT_MS = { fact: 5_000, quick: 2_000, long: 30_000 };

/** A sentence whose copies every tokenizer encodes the same. */
const UNIT = "The grass is green.";
const UNIT_TOKENS = 5;

/**
 * Probes a server: what it reports about itself, at most four short questions, and the token counts of some samples, or of the
 * start of three if only its replies count.
 *
 * Never rejects for errors of the server: facts that cannot be found are left out.
 */
export async function probeServer(samples: Iterable<Sample>, parts: ProbeParts, options: ProbeOptions): Promise<Probe> {
  const { address, options: { model, protocol } } = parts;
  const { asks = true, count, signal } = options;
  const askPath = makeAskPath(parts, options);
  const { failure, shortTokens, ...found }: ShortFindings = asks ? await askShort(parts, options) : {};
  const isThere = failure?.failure !== "connection";
  // After the questions, as Ollama reports a model's window once it is loaded.
  const models = isThere ? await askPath("interface", "/models") : NOTHING;
  const facts = models.status === null ? {} : await readFacts(models, askPath, model);
  const canAsk = isThere && (asks || models.status !== null) && (!address.isOpenai || protocol.countPath !== undefined);
  const canTokenize = canAsk && await countPrompt(promptOf(UNIT, parts), parts, askPath) !== undefined;
  const ratios: [string, number][] = [];
  /** Counts the start of a prompt by a reply to it, as gateways have no path that counts. */
  const countStart = async (text: string): Promise<number | undefined> => {
    if (!asks || found.templateTokens === undefined || isSimulatedName([model])) return undefined;
    const reply = await parts.ask(promptOf(text, parts), 1, { ...options, limitMs: LIMIT_MS.long });
    return reply.kind === "answer" ? reply.promptTokens : undefined;
  };
  let hasTurns = false;
  for (const sample of Iterator.from(samples).take(canTokenize ? Infinity : STARTS.samples)) {
    hasTurns ||= !isSingleTurn(sample.prompt);
    const sent = sentText(sample.prompt, parts);
    const text = canTokenize ? sent : sent.slice(0, STARTS.chars);
    const counted = canTokenize ? await countPrompt(sample.prompt, parts, askPath) : await countStart(text);
    if (counted === undefined || signal?.aborted) break;
    const hasTemplate = !canTokenize || protocol.countPath !== undefined;
    const own = Math.max(1, counted - (hasTemplate ? found.templateTokens ?? 0 : 0));
    if (isPlausibleCount(own, count(text))) ratios.push([sample.task, Number((own / count(text)).toFixed(3))]);
  }
  const messageTokens = hasTurns && shortTokens ? await measureMessage(parts, shortTokens, options) : undefined;
  const adapted = parts.adapted();
  return {
    report: {
      ...{ address: address.shown, time: new Date().toISOString() },
      ...{ ...facts, canTokenize, ...found, tokenRatios: Object.fromEntries(ratios) },
      ...defined({ messageTokens, adapted: adapted.length > 0 ? adapted : undefined }),
    },
    ...defined({ failure }),
  };
}

/** The number of samples that are looked at if the server does not count tokens, and the characters of each that are sent. */
const STARTS = { samples: 3, chars: 4000 };

/** Counts a prompt on the server: the whole request if the protocol has a path for that, otherwise its text alone. */
async function countPrompt(prompt: Prompt, parts: ProbeParts, askPath: AskPath): Promise<number | undefined> {
  const { options: { protocol, model, answerPrefix }, template } = parts;
  if (protocol.countPath === undefined) return await countText(askPath, model, sentText(prompt, parts));
  const body = { model, ...protocol.prompt(prompt, { template, answerPrefix }) };
  return wholeOf(fieldsOf((await askPath("interface", protocol.countPath, body)).value)["input_tokens"]);
}

/** Returns the text of a prompt as it is sent. */
function sentText(prompt: Prompt, { options: { protocol, answerPrefix }, template }: ProbeParts): string {
  if (!protocol.hasChatTemplate) return renderText(prompt, template);
  return renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content).join("");
}

/** The number of times that a count is requested, and the wait in between. */
const COUNTS = { attempts: 3, waitMs: 1000 };

/**
 * Counts the prompt of a sample in the server's own tokens, with all that its template adds; `undefined` if the server does not
 * count.
 */
export async function countSample(
  { prompt }: Sample,
  parts: ProbeParts,
  { signal, delay }: { readonly signal?: AbortSignal | undefined; readonly delay: Delay },
): Promise<number | undefined> {
  const { options: { protocol, thinkingInLength, thinkingTokens }, template } = parts;
  // The count of a whole request has the template, but no thinking.
  const thinking = thinkingInLength ? thinkingTokens : 0;
  const around = template.extraTokens + (template.messageTokens ?? 0) * (turnsOf(prompt).length - 1);
  const extraTokens = protocol.countPath === undefined ? around : thinking;
  const askPath = makeAskPath(parts, defined({ signal }));
  for (let attempt = 1; attempt <= COUNTS.attempts; attempt++) {
    const tokens = await countPrompt(prompt, parts, askPath);
    if (tokens !== undefined) return tokens + extraTokens;
    signal?.throwIfAborted();
    if (attempt < COUNTS.attempts) await delay(COUNTS.waitMs);
  }
  return undefined;
}

/** The reply if nothing came. */
const NOTHING: PathReply = { status: null, value: undefined, server: "" };

/** Limits replies to 16 MiB: a list of hundreds of models, or the tokens of a long prompt. */
const REPLY_TOKENS = 2 ** 18;

/** Returns a function that asks one path of a server; after an error its reply has no status. */
function makeAskPath(
  { address, headers, options: { protocol } }: ProbeParts,
  { asks = true, signal }: Pick<ProbeOptions, "asks" | "signal">,
): AskPath {
  const url = new URL(address.url);
  url.pathname = url.pathname.replace(/\/v\d+\/?$/, "");
  const send = { interface: requestSender(address, headers), root: requestSender({ url: url.href }, headers) };
  return async (place, path, body): Promise<PathReply> => {
    const isCount = path === "/tokenize" || path === protocol.countPath;
    const limit = AbortSignal.timeout(LIMIT_MS[isCount ? "long" : asks ? "fact" : "quick"]);
    try {
      const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const response = await send[place](path, { body, signal: ends });
      const value = await readBody(response, replyRooms()(REPLY_TOKENS).take).catch(() => undefined);
      const { status, ok, headers } = response;
      const gateway = headers.get("x-litellm-version")?.slice(0, 100);
      return { status, value: ok ? value : undefined, server: headers.get("server") ?? "", ...defined({ gateway }) };
    } catch {
      return NOTHING;
    }
  };
}

/** The facts that short questions show, or why there is no answer. */
interface ShortFindings extends
  Pick<
    ServerReport,
    "templateTokens" | "prefix" | "repeatsPrompt" | "streams" | "readsPerSecond" | "writesPerSecond"
  > {
  readonly failure?: Failure;
  /** Prompt tokens of the shorter question, by the server's count. */
  readonly shortTokens?: number;
}

/** Sentences of the two questions, and the output budget of the second, in tokens. */
const COPIES = { long: 40, short: 8 };
const WRITTEN = 16;

/** Asks a longer and a shorter question, and, if the answer prefix is a message, one that is to be continued. */
async function askShort(parts: ProbeParts, options: ProbeOptions): Promise<ShortFindings> {
  const { options: { answerPrefix, stream }, template } = parts;
  const ask = (copies: number, budget: number, prefix?: string): Promise<Reply> => {
    const user = copiesOf(template.system === undefined ? copies : copies - 1);
    return parts.ask(promptOf(user, parts, prefix), budget, { ...options, limitMs: LIMIT_MS.long });
  };
  const long = await ask(COPIES.long, 1);
  if (long.kind === "failure") return { failure: long };
  const short = await ask(COPIES.short, WRITTEN);
  if (short.kind === "failure") return {};
  const [more = NaN, less = NaN] = [long.promptTokens, short.promptTokens];
  const perCopy = (more - less) / (COPIES.long - COPIES.short);
  // Some servers count a constant, or what no prompt can have.
  const isCounted = isPlausibleCount(perCopy, UNIT_TOKENS);
  const around = isCounted ? Math.max(0, Math.round(less - COPIES.short * perCopy)) : NaN;
  const prefix = answerPrefix === "assistant" ? await ask(COPIES.short, WRITTEN, copiesOf(COPIES.short)) : undefined;
  const counted = prefix?.kind === "answer" ? prefix.promptTokens : undefined;
  // Tokens that a message of the assistant adds to those of its text: they close it and open another.
  const extra = Math.round((counted ?? NaN) - less - COPIES.short * perCopy);
  return {
    ...(Number.isNaN(around) ? {} : { templateTokens: around + Math.max(0, extra || 0), shortTokens: less }),
    ...defined({
      prefix: prefix && judgePrefix(prefix, extra),
      // One token cannot be a prompt of many.
      repeatsPrompt: afterPrompt(long.text, promptOf(copiesOf(COPIES.long - 1), parts)) === undefined
        ? undefined
        : true,
      // Without counts in its stream, only the first reply is requested as a stream.
      streams: stream !== "off" ? short.firstTokenMs !== undefined : undefined,
      readsPerSecond: speed(long.promptTokens, long),
      writesPerSecond: speed(short.completionTokens, short),
    }),
  };
}

/** The probe's own prompt; its system message, if samples have one, is a sentence, so that it is not counted as template. */
function promptOf(user: string, { template }: Pick<ProbeParts, "template">, answerPrefix?: string): Prompt {
  const system = template.system === undefined ? undefined : UNIT;
  return userPrompt(user, { system, ...defined({ answerPrefix }), wrapping: { before: "", after: "" } });
}

/**
 * Measures the tokens that each message adds: half of those of three messages with the sentences of the shorter question, less
 * those of that question, which is one message.
 */
async function measureMessage(
  parts: ProbeParts,
  shortTokens: number,
  options: ProbeOptions,
): Promise<number | undefined> {
  const last = promptOf(copiesOf(COPIES.short - 4 - (parts.template.system === undefined ? 0 : 1)), parts);
  const [user] = turnsOf(last);
  const added: readonly Message[] = [{ ...user!, text: copiesOf(2) }, { role: "assistant", text: copiesOf(2) }];
  const messages = [...last.messages.slice(0, -1), ...added, user!];
  const reply = await parts.ask({ ...last, messages }, 1, { ...options, limitMs: LIMIT_MS.long });
  if (reply.kind === "failure" || reply.promptTokens === undefined) return undefined;
  return Math.max(0, (reply.promptTokens - shortTokens) / added.length);
}

function copiesOf(copies: number): string {
  return Array.from({ length: copies }, () => UNIT).join(" ");
}

/**
 * Judges by tokens, not by words: a server that begins a new message closes the old one, which costs at least two more tokens.
 * One more is ambiguous.
 */
function judgePrefix(reply: Reply, extra: number): ServerReport["prefix"] {
  if (reply.kind === "failure") return reply.failure === "bad_request" ? "refused" : "unknown";
  if (Number.isNaN(extra) || extra === 1) return "unknown";
  if (extra > 1) return "not continued";
  return reply.text.trimStart().startsWith(copiesOf(COPIES.short)) ? "repeated" : "continued";
}

/** Returns the speed of a whole call, in tokens per second to two digits: a lower bound. */
function speed(tokens: number | undefined, { latencyMs }: Reply): number | undefined {
  return tokens && latencyMs > 0 ? Number((1000 * tokens / latencyMs).toPrecision(2)) : undefined;
}

/** The reply of one path of a server; no status if nothing came. */
interface PathReply {
  readonly status: number | null;
  /** The parsed body, if it is JSON. */
  readonly value: unknown;
  /** The header `server`. */
  readonly server: string;
  /** The version of LiteLLM, which names itself in a header. */
  readonly gateway?: string;
}

/** Asks a path of the interface (`/models` after `/v1`), or of the server's root. */
type AskPath = (place: "interface" | "root", path: string, body?: Fields) => Promise<PathReply>;

/** Servers that report more than their interface requires. */
interface Software {
  readonly name: string;
  /** The path and the key of its version. */
  readonly path?: string;
  readonly version?: string;
  /** Finds the window; `reply` is that of the path. */
  readonly findWindow?: (reply: Fields, askPath: AskPath, model: string) => unknown;
}

/** By the value of `owned_by` of their models. */
const SOFTWARE: Readonly<Record<string, Software>> = {
  llamacpp: {
    ...{ name: "llama.cpp", path: "/props", version: "build_info" },
    // Its slots share the context: this is the part of one slot.
    findWindow: (props) => fieldsOf(props["default_generation_settings"])["n_ctx"],
  },
  vllm: { name: "vLLM", path: "/version" },
  sglang: { name: "SGLang", path: "/get_server_info" },
  lmdeploy: { name: "LMDeploy" },
  tabbyAPI: { name: "TabbyAPI" },
  koboldcpp: {
    ...{ name: "KoboldCpp", path: "/api/extra/version" },
    findWindow: async (_reply, askPath) =>
      fieldsOf((await askPath("root", "/api/extra/true_max_context_length")).value)["value"],
  },
  library: { name: "Ollama", path: "/api/version", findWindow: findOllamaWindow },
  "organization_owner": {
    name: "LM Studio",
    findWindow: async (_reply, askPath, model) =>
      fieldsOf((await askPath("root", `/api/v0/models/${encodeURIComponent(model)}`)).value)["loaded_context_length"],
  },
  simulated: { name: "Fathom's simulated reader" },
};

/** Ollama cuts prompts to the context that a model was loaded with, which is usually shorter than its window. */
async function findOllamaWindow(_reply: Fields, askPath: AskPath, model: string): Promise<unknown> {
  const loaded = listOf(fieldsOf((await askPath("root", "/api/ps")).value)["models"])
    .find(({ name }) => typeof name === "string" && isSameName(name, model));
  if (loaded !== undefined) return loaded["context_length"];
  const { parameters = "" } = fieldsOf((await askPath("root", "/api/show", { model })).value);
  return Number(/^num_ctx\s+(\d+)/m.exec(String(parameters))?.[1]);
}

/** Keys of a model's window in `/models`, without case and marks, with the servers that have them, also within objects. */
const WINDOW_KEYS = [
  // vLLM and SGLang; OpenRouter, Together and DeepInfra; Groq; Mistral and LM Studio
  ...["maxmodellen", "contextlength", "contextwindow", "maxcontextlength"],
  // TabbyAPI; Novita; Copilot; Cohere and others; Anthropic; Gemini
  ...["maxseqlen", "contextsize", "maxcontextwindowtokens", "maxcontexttokens", "maxinputtokens", "inputtokenlimit"],
  ...["maxsequencelength", "contextwindowtokens", "numctx", "maxtotaltokens", "contextlen"],
];

/** Lists the values of a key in an object and the objects in it, the outer ones first. */
function valuesOf(fields: Fields, key: string, depth = 2): readonly unknown[] {
  const entries = Object.entries(fields);
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const own = entries.filter(([name]) => plain(name) === key).map(([, value]) => value);
  return depth === 0 ? own : [...own, ...entries.flatMap(([, value]) => valuesOf(fieldsOf(value), key, depth - 1))];
}

/**
 * Reads the facts that a server reports about itself and one model.
 *
 * @param models The reply of its `/models`.
 */
export async function readFacts(models: PathReply, askPath: AskPath, model: string): Promise<ServerFacts> {
  const entries = listOf(fieldsOf(models.value)["data"]);
  const named = entries.find((entry) => namesOf(entry).some((name) => isSameName(name, model)));
  // A server of one model often answers by any name.
  const entry = named ?? (entries.length === 1 ? entries[0]! : {});
  const owner = models.server.startsWith("llama.cpp") ? "llamacpp" : String(fieldsOf(entries[0])["owned_by"]);
  const gateway = models.gateway && `LiteLLM ${models.gateway}`;
  const software = Object.hasOwn(SOFTWARE, owner) ? SOFTWARE[owner] : undefined;
  const reply = software?.path === undefined ? {} : fieldsOf((await askPath("root", software.path)).value);
  const version = reply[software?.version ?? "version"];
  const windows = [
    await software?.findWindow?.(reply, askPath, model),
    ...WINDOW_KEYS.flatMap((key) => valuesOf(entry, key)),
  ];
  return defined({
    software: gateway ||
      software && [software.name, ...(typeof version === "string" ? [version.slice(0, 100)] : [])].join(" "),
    ...(entries.length === 0 ? {} : {
      served: entries.flatMap((each) => namesOf(each).slice(0, 1)),
      isServed: named !== undefined,
    }),
    window: windows.map(wholeOf).find((window) => window !== undefined),
    // Those of llama.cpp and SGLang, then vLLM's.
    weights: [reply["model_path"], entry["root"]].find((path) => typeof path === "string")?.slice(0, 200),
  });
}

/** The names of a model in `/models`: its id, then llama.cpp's aliases. */
function namesOf(entry: Fields): readonly string[] {
  const aliases = Array.isArray(entry["aliases"]) ? entry["aliases"] : [];
  return [...new Set([entry["id"], ...aliases])].filter((name) => typeof name === "string");
}

/** Whether a server means the same model: Ollama adds `:latest` to a name, Gemini puts `models/` before it. */
function isSameName(name: string, model: string): boolean {
  const plain = (text: string): string => text.replace(/^models\//, "").replace(/:latest$/, "");
  return plain(name) === plain(model);
}

function wholeOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/**
 * Counts a text in the server's own tokens by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` if the
 * server has neither.
 *
 * The fields are those of llama.cpp (`content`), and of vLLM and SGLang (`prompt`); each ignores the other's.
 */
async function countText(askPath: AskPath, model: string, text: string): Promise<number | undefined> {
  const body = {
    model,
    ...{ prompt: text, add_special_tokens: false },
    ...{ content: text, add_special: false, parse_special: true },
  };
  const { count, tokens } = fieldsOf((await askPath("root", "/tokenize", body)).value);
  const counted = wholeOf(count) ?? lengthOf(tokens);
  return counted ??
    lengthOf(fieldsOf((await askPath("interface", "/encode", { input: text, add_bos: false })).value)["input_ids"]);
}

/** The length of a list that is not empty. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}
