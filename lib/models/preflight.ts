import type { Address } from "./address.ts";
import { limitReply } from "./client.ts";
import type { Answer, Failure, Preflight } from "./reply.ts";
import { countOnServer, type Look, type Looked, readFacts } from "./server_facts.ts";
import type { PrefixFinding, PreflightOptions, ServerReport } from "./server_report.ts";
import { type Prompt, type Sample, userPrompt } from "@/lib/generators/mod.ts";

/** What an open endpoint gives to be looked at. */
export interface PreflightParts {
  readonly address: Address;
  /** The model, as the server calls it. */
  readonly model: string;
  /** The headers that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether samples have a system message, and an answer prefix as a message of the assistant's. */
  readonly shape: { readonly system: boolean; readonly assistant: boolean };
  /** Whether replies are asked for as streams. */
  readonly asksStreams: boolean;
  /** The text of a sample as it is sent. */
  readonly textOf: (sample: Sample) => string;
  /** Asks a short question once. */
  readonly ask: (
    prompt: Prompt,
    budget: number,
    sending: Pick<PreflightOptions, "signal" | "onWait"> & { readonly limitMs: number },
  ) => Promise<ShortReply>;
}

/** The reply to a short question, with how the server timed it: tokens a second. */
export interface ShortReply {
  readonly reply: Answer | Failure;
  readonly timings?: { readonly reads?: number; readonly writes?: number };
}

/** The most time for what a server says at once, also where it is to be left alone if slow; for counting; for one question. */
const LIMIT_MS = { fact: 5_000, quick: 2_000, count: 30_000, question: 30_000 };

/** A sentence whose copies add up: a tokenizer gives each the same tokens. */
const UNIT = "The grass is green.";

/**
 * Looks at a server: what it says of itself, then three short questions at most, then some samples counted.
 *
 * Never rejects for what the server does: what cannot be found out is left out.
 */
export async function lookAtServer(
  samples: Iterable<Sample>,
  parts: PreflightParts,
  options: PreflightOptions,
): Promise<Preflight> {
  const { address, model } = parts;
  const { asks = true } = options;
  const look = makeLook(parts, options);
  const { failure, ...found } = asks ? await askShort(parts, options) : { isTimedByServer: false };
  const isThere = failure?.failure !== "connection";
  // After the questions, as Ollama says a model's window once it is loaded.
  const models = isThere ? await look("interface", "/models") : NOTHING;
  const facts = models.status === null ? {} : await readFacts(models, look, model);
  const canTokenize = isThere && (asks || models.status !== null) && !address.isOpenai &&
    await countOnServer(look, model, UNIT) !== undefined;
  const measure = { ...options, look, canTokenize, templateTokens: found.templateTokens };
  const report: ServerReport = {
    ...{ address: address.shown, time: new Date().toISOString() },
    ...{ ...facts, canTokenize, ...found, tokenRatios: await measureRatios(samples, parts, measure) },
  };
  return { report, ...(failure === undefined ? {} : { failure }) };
}

/** What came back where nothing did. */
const NOTHING: Looked = { status: null, value: undefined, server: "" };

/** The most bytes of a server's facts: a list of hundreds of models, or the tokens of a long prompt. */
const MOST_BYTES = 16 * 2 ** 20;

/** Makes a function that asks one path of a server; what goes wrong has no status. */
export function makeLook(
  { address, headers }: PreflightParts,
  { asks = true, signal }: Pick<PreflightOptions, "asks" | "signal">,
): Look {
  return async (place, path, body): Promise<Looked> => {
    const url = new URL(address.url);
    const base = place === "interface" ? url.pathname : url.pathname.replace(/\/v\d+\/?$/, "");
    url.pathname = base.replace(/\/$/, "") + path;
    const isCount = path === "/tokenize";
    const limit = AbortSignal.timeout(LIMIT_MS[isCount ? "count" : asks ? "fact" : "quick"]);
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json", "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        // Headers can hold a key, and another host is none of its business.
        redirect: "manual",
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const server = response.headers.get("server") ?? "";
      const value: unknown = await limitReply(response, MOST_BYTES).json().catch(() => undefined);
      return { status: response.status, value: response.ok ? value : undefined, server };
    } catch {
      return NOTHING;
    }
  };
}

/** What short questions tell, or why there is no answer. */
interface ShortFindings extends
  Pick<
    ServerReport,
    "templateTokens" | "prefix" | "streams" | "readsPerSecond" | "writesPerSecond" | "isTimedByServer"
  > {
  readonly failure?: Failure;
}

/** How many sentences the two questions have, and how many tokens the second may be answered with. */
const COPIES = { long: 40, short: 8 };
const WRITTEN = 16;

/** Asks a longer and a shorter question, and where the answer prefix is a message, one that is to be continued. */
async function askShort(parts: PreflightParts, options: PreflightOptions): Promise<ShortFindings> {
  const { shape } = parts;
  const ask = (copies: number, budget: number, prefix = ""): Promise<ShortReply> =>
    parts.ask(promptOf(copies, { ...shape, prefix }), budget, { ...options, limitMs: LIMIT_MS.question });
  const long = await ask(COPIES.long, 1);
  if (long.reply.kind === "failure") return { isTimedByServer: false, failure: long.reply };
  const short = await ask(COPIES.short, WRITTEN);
  if (short.reply.kind === "failure") return { isTimedByServer: false };
  const [more, less] = [long.reply.promptTokens, short.reply.promptTokens];
  const perCopy = more === undefined || less === undefined ? undefined : (more - less) / (COPIES.long - COPIES.short);
  const around = perCopy === undefined ? undefined : Math.max(0, Math.round(less! - COPIES.short * perCopy));
  const prefix = shape.assistant ? await ask(COPIES.short, WRITTEN, copiesOf(COPIES.short)) : undefined;
  const extra = prefix === undefined || perCopy === undefined
    ? undefined
    : extraTokens(prefix, { less: less!, perCopy });
  return {
    ...(around === undefined ? {} : { templateTokens: around + Math.max(0, extra ?? 0) }),
    ...(prefix === undefined ? {} : { prefix: judgePrefix(prefix, extra) }),
    // Without counts in its stream, the first reply is the last that is asked for as a stream.
    ...(parts.asksStreams ? { streams: isStreamed(short) } : {}),
    ...speeds(long, short),
  };
}

function isStreamed({ reply }: ShortReply): boolean {
  return reply.kind === "answer" && reply.firstTokenMs !== undefined;
}

/** A prompt of a number of sentences; one of them is the system message where there is one, so that it is not counted as template. */
function promptOf(
  copies: number,
  { system, prefix }: { readonly system: boolean; readonly prefix: string },
): Prompt {
  return userPrompt(copiesOf(system ? copies - 1 : copies), {
    system: system ? UNIT : undefined,
    ...(prefix === "" ? {} : { answerPrefix: prefix }),
    wrapping: { before: "", after: "" },
  });
}

function copiesOf(copies: number): string {
  return Array.from({ length: copies }, () => UNIT).join(" ");
}

/** Tokens that a message of the assistant's costs beside its text: those that close it and open another. */
function extraTokens(
  { reply }: ShortReply,
  { less, perCopy }: { readonly less: number; readonly perCopy: number },
): number | undefined {
  if (reply.kind === "failure" || reply.promptTokens === undefined) return undefined;
  return Math.round(reply.promptTokens - less - COPIES.short * perCopy);
}

/**
 * Judges by tokens, not by words: a server that begins a new message closes the old one, which costs at least two more. One
 * more can be either.
 */
function judgePrefix({ reply }: ShortReply, extra: number | undefined): PrefixFinding {
  if (reply.kind === "failure") return reply.failure === "bad_request" ? "refused" : "unknown";
  if (extra === undefined || extra === 1) return "unknown";
  if (extra > 1) return "not continued";
  return reply.text.trimStart().startsWith(copiesOf(COPIES.short)) ? "repeated" : "continued";
}

/** The speeds by the server's own times, or by those of whole calls. */
function speeds(long: ShortReply, short: ShortReply): ShortFindings {
  const [reads, writes] = [long.timings?.reads, short.timings?.writes];
  if (reads !== undefined && writes !== undefined) {
    return { readsPerSecond: tellRate(reads), writesPerSecond: tellRate(writes), isTimedByServer: true };
  }
  const rate = ({ reply }: ShortReply, key: "promptTokens" | "completionTokens"): number | undefined =>
    reply.kind === "answer" && reply[key] && reply.latencyMs > 0 ? 1000 * reply[key] / reply.latencyMs : undefined;
  const [read, written] = [rate(long, "promptTokens"), rate(short, "completionTokens")];
  return {
    ...(read === undefined ? {} : { readsPerSecond: tellRate(read) }),
    ...(written === undefined ? {} : { writesPerSecond: tellRate(written) }),
    isTimedByServer: false,
  };
}

/** Two digits: a call or two cannot tell more. */
function tellRate(rate: number): number {
  return Number(rate.toPrecision(2));
}

interface MeasureOptions extends PreflightOptions {
  readonly look: Look;
  readonly canTokenize: boolean;
  readonly templateTokens: number | undefined;
}

/** Without `/tokenize`, how many samples are measured by asking them, and how many of our tokens of each. */
const ASKED = { samples: 3, tokens: 400 };

/** Measures how many of the model's tokens is one of ours, by task: by `/tokenize`, or by what the server counts in a short question. */
async function measureRatios(
  samples: Iterable<Sample>,
  parts: PreflightParts,
  options: MeasureOptions,
): Promise<Readonly<Record<string, number>>> {
  const { look, count, canTokenize, templateTokens, asks = true, signal } = options;
  const ratios: [string, number][] = [];
  if (!canTokenize && (!asks || templateTokens === undefined)) return {};
  for (const sample of samples) {
    const whole = parts.textOf(sample);
    const text = canTokenize ? whole : whole.slice(0, Math.ceil(whole.length * ASKED.tokens / sample.promptTokens));
    const native = canTokenize
      ? await countOnServer(look, parts.model, text)
      : await countByAsking(parts, { text, templateTokens: templateTokens! });
    if (native === undefined || signal?.aborted) break;
    ratios.push([sample.task, Number((native / count(text)).toFixed(3))]);
    if (!canTokenize && ratios.length === ASKED.samples) break;
  }
  return Object.fromEntries(ratios);
}

async function countByAsking(
  { ask, shape }: PreflightParts,
  { text, templateTokens }: { readonly text: string; readonly templateTokens: number },
): Promise<number | undefined> {
  const prompt = userPrompt(text, { system: shape.system ? "" : undefined, wrapping: { before: "", after: "" } });
  const { reply } = await ask(prompt, 1, { limitMs: LIMIT_MS.question });
  if (reply.kind === "failure" || reply.promptTokens === undefined) return undefined;
  return Math.max(1, reply.promptTokens - templateTokens);
}
