import { type Address, readBody, replyRooms, requestSender } from "./client.ts";
import type { Delay } from "./endpoint_options.ts";
import type { Protocol } from "./protocols/protocol.ts";
import type { Probe, ProbeOptions, ServerReport } from "./model.ts";
import type { Failure, Fields, Reply } from "./reply.ts";
import { type AskPath, countText, countWhole, type PathReply, readFacts } from "./server_facts.ts";
import { isSingleTurn, type Message, type Prompt, type Sample, turnsOf, userPrompt } from "@/lib/generators/mod.ts";
import { defined } from "@/lib/text/mod.ts";

/** The parts of an open endpoint that a probe uses. */
export interface ProbeParts {
  readonly address: Address;
  readonly protocol: Protocol;
  /** The model's name at the server. */
  readonly model: string;
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether samples have a system message, and an answer prefix as a message of the assistant. */
  readonly shape: { readonly system: boolean; readonly assistant: boolean };
  /** Whether replies are requested as streams. */
  readonly asksStreams: boolean;
  /** Returns the text of a prompt as it is sent. */
  readonly textOf: (prompt: Prompt) => string;
  /** Returns the request fields that carry the model and a prompt. */
  readonly bodyOf: (prompt: Prompt) => Fields;
  /** Asks a short question once, with an output budget in tokens. */
  readonly ask: (
    prompt: Prompt,
    budget: number,
    sending: Pick<ProbeOptions, "signal" | "onWait"> & { readonly limitMs: number },
  ) => Promise<Reply>;
}

/** Time limits in milliseconds: of a fact, of a fact without questions, of a count or a short question. */
const LIMIT_MS = { fact: 5_000, quick: 2_000, long: 30_000 };

/** A sentence that every tokenizer encodes alike in each of its copies. */
const UNIT = "The grass is green.";

/**
 * Probes a server: what it reports about itself, at most four short questions, and the token counts of some samples.
 *
 * Never rejects for errors of the server: facts that cannot be found are left out.
 */
export async function probeServer(samples: Iterable<Sample>, parts: ProbeParts, options: ProbeOptions): Promise<Probe> {
  const { address, model, protocol } = parts;
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
  let hasTurns = false;
  for (const sample of Iterator.from(samples).take(canTokenize ? Infinity : UNCOUNTED)) {
    hasTurns ||= !isSingleTurn(sample.prompt);
    if (!canTokenize) continue;
    const counted = await countPrompt(sample.prompt, parts, askPath);
    if (counted === undefined || signal?.aborted) break;
    const own = Math.max(1, counted - (protocol.countPath === undefined ? 0 : found.templateTokens ?? 0));
    ratios.push([sample.task, Number((own / count(parts.textOf(sample.prompt))).toFixed(3))]);
  }
  const messageTokens = hasTurns && shortTokens ? await measureMessage(parts, shortTokens, options) : undefined;
  return {
    report: {
      ...{ address: address.shown, time: new Date().toISOString() },
      ...{ ...facts, canTokenize, ...found, tokenRatios: Object.fromEntries(ratios) },
      ...defined({ messageTokens }),
    },
    ...defined({ failure }),
  };
}

/** The number of samples that are looked at if the server does not count tokens. */
const UNCOUNTED = 3;

/** Counts a prompt on the server: the whole request if the protocol has a path for that, otherwise its text alone. */
async function countPrompt(prompt: Prompt, parts: ProbeParts, askPath: AskPath): Promise<number | undefined> {
  const { protocol: { countPath }, model, bodyOf, textOf } = parts;
  return await (countPath === undefined
    ? countText(askPath, model, textOf(prompt))
    : countWhole(askPath, countPath, bodyOf(prompt)));
}

/** The number of times that a count is requested, and the wait in between. */
const COUNTS = { attempts: 3, waitMs: 1000 };

/**
 * Counts the prompt of a sample in the server's own tokens, with all that its template adds; `undefined` if the server does not
 * count.
 *
 * @param options.extraTokens Tokens that lengths count beside the prompt: those of the template, and thinking inside the length.
 * @param options.thinkingTokens The thinking among them, which no count of a whole request has.
 */
export async function countSample({ prompt }: Sample, parts: ProbeParts, options: {
  readonly signal?: AbortSignal | undefined;
  readonly delay: Delay;
  readonly extraTokens: number;
  readonly thinkingTokens: number;
}): Promise<number | undefined> {
  const { signal, delay, extraTokens, thinkingTokens } = options;
  const askPath = makeAskPath(parts, defined({ signal }));
  for (let attempt = 1; attempt <= COUNTS.attempts; attempt++) {
    const tokens = await countPrompt(prompt, parts, askPath);
    if (tokens !== undefined) return tokens + (parts.protocol.countPath === undefined ? extraTokens : thinkingTokens);
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
  { address, headers, protocol }: ProbeParts,
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
      return { status, value: ok ? value : undefined, server: headers.get("server") ?? "" };
    } catch {
      return NOTHING;
    }
  };
}

/** The facts that short questions show, or why there is no answer. */
interface ShortFindings
  extends Pick<ServerReport, "templateTokens" | "prefix" | "streams" | "readsPerSecond" | "writesPerSecond"> {
  readonly failure?: Failure;
  /** Prompt tokens of the shorter question, by the server's count. */
  readonly shortTokens?: number;
}

/** Sentences of the two questions, and the output budget of the second, in tokens. */
const COPIES = { long: 40, short: 8 };
const WRITTEN = 16;

/** Asks a longer and a shorter question, and, if the answer prefix is a message, one that is to be continued. */
async function askShort(parts: ProbeParts, options: ProbeOptions): Promise<ShortFindings> {
  const { shape, asksStreams } = parts;
  const ask = (copies: number, budget: number, prefix?: string): Promise<Reply> => {
    const user = copiesOf(shape.system ? copies - 1 : copies);
    return parts.ask(promptOf(user, parts, prefix), budget, { ...options, limitMs: LIMIT_MS.long });
  };
  const long = await ask(COPIES.long, 1);
  if (long.kind === "failure") return { failure: long };
  const short = await ask(COPIES.short, WRITTEN);
  if (short.kind === "failure") return {};
  const [more = NaN, less = NaN] = [long.promptTokens, short.promptTokens];
  const perCopy = (more - less) / (COPIES.long - COPIES.short);
  const around = Math.max(0, Math.round(less - COPIES.short * perCopy));
  const prefix = shape.assistant ? await ask(COPIES.short, WRITTEN, copiesOf(COPIES.short)) : undefined;
  const counted = prefix?.kind === "answer" ? prefix.promptTokens : undefined;
  // Tokens that a message of the assistant adds beside its text: those that close it and open another.
  const extra = Math.round((counted ?? NaN) - less - COPIES.short * perCopy);
  return {
    ...(Number.isNaN(around) ? {} : { templateTokens: around + Math.max(0, extra || 0), shortTokens: less }),
    ...defined({
      prefix: prefix && judgePrefix(prefix, extra),
      // Without counts in its stream, only the first reply is requested as a stream.
      streams: asksStreams ? short.firstTokenMs !== undefined : undefined,
      readsPerSecond: speed(long.promptTokens, long),
      writesPerSecond: speed(short.completionTokens, short),
    }),
  };
}

/** A prompt of the probe's own; its system message, if samples have one, is a sentence, so that it is not counted as template. */
function promptOf(user: string, { shape }: Pick<ProbeParts, "shape">, answerPrefix?: string): Prompt {
  const system = shape.system ? UNIT : undefined;
  return userPrompt(user, { system, ...defined({ answerPrefix }), wrapping: { before: "", after: "" } });
}

/**
 * Measures the tokens that each message adds: those of three messages with the sentences of the shorter question, less those of
 * that question, which is one message.
 */
async function measureMessage(
  parts: ProbeParts,
  shortTokens: number,
  options: ProbeOptions,
): Promise<number | undefined> {
  const last = promptOf(copiesOf(COPIES.short - 4 - Number(parts.shape.system)), parts);
  const [user] = turnsOf(last);
  const added: readonly Message[] = [{ ...user!, text: copiesOf(2) }, { role: "assistant", text: copiesOf(2) }];
  const messages = [...last.messages.slice(0, -1), ...added, user!];
  const reply = await parts.ask({ ...last, messages }, 1, { ...options, limitMs: LIMIT_MS.long });
  if (reply.kind === "failure" || reply.promptTokens === undefined) return undefined;
  return Math.max(0, Math.ceil((reply.promptTokens - shortTokens) / added.length));
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
