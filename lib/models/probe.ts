import type { Probe, ProbeOptions, ServerReport } from "./model.ts";
import { afterPrompt } from "./protocols/normal_form.ts";
import type { LikelihoodWay } from "@/lib/scorers/mod.ts";
import { type Failure, isPlausibleCount, type Reply } from "./reply.ts";
import { countPrompt, openPaths, readFacts, sentText, type ServerParts } from "./server_paths.ts";
import { defined } from "@/lib/base/mod.ts";
import { isSingleTurn, type Message, type Prompt, type Sample, turnsOf, userPrompt } from "@/lib/generators/mod.ts";

export interface ProbeParts extends ServerParts {
  /** Asks a short question, with an output budget in tokens. */
  readonly ask: (prompt: Prompt, budget: number, sending: Pick<ProbeOptions, "signal" | "onWait">) => Promise<Reply>;
  /** Finds how the server gives the probability of a text. */
  readonly findWay: (signal?: AbortSignal) => Promise<LikelihoodWay | undefined>;
  /** How requests differ from the options, as the server refuses some of their fields. */
  readonly adapted: () => readonly string[];
}

/** A sentence whose copies every tokenizer encodes the same. */
const UNIT = "The grass is green.";
const UNIT_TOKENS = 5;

/** Sentences of the two questions, and the output budget of the second, in tokens. */
const COPIES = { long: 40, short: 8 };
const WRITTEN = 16;

/**
 * Probes a server: what it reports about itself, at most four short questions, and the token counts of some samples.
 *
 * Never rejects for errors of the server: facts that cannot be found are left out.
 */
export async function probeServer(samples: Iterable<Sample>, parts: ProbeParts, options: ProbeOptions): Promise<Probe> {
  const { address, options: { model, protocol } } = parts;
  const { asks = true, count, signal } = options;
  const paths = openPaths(parts, options.signal);
  const { failure, shortTokens, ...found }: ShortFindings = asks ? await askShort(parts, options) : {};
  const isAway = failure?.failure === "connection";
  // After the questions, as Ollama reports a model's window once it is loaded.
  const models = isAway ? { fields: {} } : await paths.api("/models");
  const facts = await readFacts(models, paths, model);
  const isThere = !isAway && (asks || models.headers !== undefined);
  const canCount = isThere && (!address.isOpenai || protocol.countPath !== undefined);
  const canTokenize = canCount && await countPrompt(promptOf(UNIT, parts), parts, paths) !== undefined;
  // A count of a text alone has no template.
  const around = protocol.countPath === undefined ? 0 : found.templateTokens ?? 0;
  const ratios: [string, number][] = [];
  let hasTurns = false;
  for (const { prompt, task } of samples) {
    hasTurns ||= !isSingleTurn(prompt);
    const counted = canTokenize ? await countPrompt(prompt, parts, paths) : undefined;
    if (counted === undefined || signal?.aborted) break;
    const [theirs, ours] = [Math.max(1, counted - around), count(sentText(prompt, parts))];
    if (isPlausibleCount(theirs, ours)) ratios.push([task, Number((theirs / ours).toFixed(3))]);
  }
  const messageTokens = hasTurns && shortTokens ? await measureMessage(parts, shortTokens, options) : undefined;
  const isTried = options.weighs && asks && failure === undefined;
  const way = isTried && protocol.canWeigh ? await parts.findWay(signal).catch(() => null) : undefined;
  const adapted = parts.adapted();
  return {
    report: {
      address: address.shown,
      time: new Date().toISOString(),
      ...facts,
      canTokenize,
      ...found,
      tokenRatios: Object.fromEntries(ratios),
      ...defined({ messageTokens, adapted: adapted.length > 0 ? adapted : undefined }),
      ...(isTried && way !== null && { weighs: way ?? "not at all" }),
    },
    ...defined({ failure }),
  };
}

/** The facts that short questions show, or why there is no answer. */
interface ShortFindings extends Partial<ServerReport> {
  readonly failure?: Failure;
  /** Prompt tokens of the shorter question, by the server's count. */
  readonly shortTokens?: number;
}

/** Asks a longer and a shorter question, and, if the answer prefix is a message, one that is to be continued. */
async function askShort(parts: ProbeParts, options: ProbeOptions): Promise<ShortFindings> {
  const { options: { answerPrefix, stream }, template } = parts;
  const ask = (copies: number, budget: number, prefix?: string): Promise<Reply> => {
    const user = copiesOf(template.system === undefined ? copies : copies - 1);
    return parts.ask(promptOf(user, parts, prefix), budget, options);
  };
  const long = await ask(COPIES.long, 1);
  if (long.kind === "failure") return { failure: long };
  const short = await ask(COPIES.short, WRITTEN);
  if (short.kind === "failure") return {};
  const [more = NaN, less = NaN] = [long.promptTokens, short.promptTokens];
  const perCopy = (more - less) / (COPIES.long - COPIES.short);
  const own = COPIES.short * perCopy;
  // Some servers count a constant, or what no prompt can have.
  const around = isPlausibleCount(perCopy, UNIT_TOKENS) ? Math.max(0, Math.round(less - own)) : NaN;
  const prefix = answerPrefix === "assistant" ? await ask(COPIES.short, WRITTEN, copiesOf(COPIES.short)) : undefined;
  // Tokens that a message of the assistant adds to those of its text: they close it and open another.
  const extra = Math.round((prefix && promptTokensOf(prefix) || NaN) - less - own);
  // One token cannot be a prompt of many.
  const repeats = afterPrompt(long.text, promptOf(copiesOf(COPIES.long - 1), parts)) !== undefined;
  return {
    ...(Number.isNaN(around) ? {} : { templateTokens: around + Math.max(0, extra || 0), shortTokens: less }),
    ...defined({
      prefix: prefix && judgePrefix(prefix, extra),
      repeatsPrompt: repeats || undefined,
      // Without counts in its stream, only the first reply is requested as a stream.
      streams: stream === "off" ? undefined : short.firstTokenMs !== undefined,
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
  const tokens = promptTokensOf(await parts.ask({ ...last, messages }, 1, options));
  return tokens === undefined ? undefined : Math.max(0, (tokens - shortTokens) / added.length);
}

function promptTokensOf(reply: Reply): number | undefined {
  return reply.kind === "answer" ? reply.promptTokens : undefined;
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
