import { type Fields, isFields } from "@/lib/base/mod.ts";
import type { RenderOptions } from "../chat_templates.ts";
import type { Reading } from "./thinking.ts";
import { listOf, parseJson } from "../json.ts";
import type { Answer, Resent } from "../reply.ts";
import { describeError, type FailedOutcome, judgeServerError, shorten } from "./refusals.ts";
import type { Prompt } from "@/lib/generators/mod.ts";

/** How one kind of model API is spoken. */
export interface Protocol {
  readonly path: string;
  readonly environment: ProtocolEnvironment;
  /** Whether the server wraps messages in its own chat template; otherwise the whole prompt is sent as one text. */
  readonly hasChatTemplate: boolean;
  /** Whether a last message of the assistant is continued. */
  readonly takesAnswerPrefix?: true;
  /** Whether it has log-probabilities of tokens. */
  readonly canWeigh?: true;
  /** The fields of the output budget: the default, then the one that reasoning models need, if another. */
  readonly budgetFields: readonly [string, ...string[]];
  readonly minBudget?: number;
  /** The names of request fields that differ from those of the chat completions API; `null` for a field that is missing. */
  readonly fieldNames: Readonly<Record<string, string | null>>;
  /** Fields that ask vLLM, SGLang or llama.cpp to continue the assistant's message. */
  readonly continueFields?: Fields;
  /** Fields that ask for a stream, with token counts at its end. */
  readonly streamFields: Fields;
  /** The endpoint that requests of a batch name; left out if Fathom cannot send this protocol in batches. */
  readonly batchEndpoint?: "/v1/chat/completions" | "/v1/completions" | "/v1/responses";
  /** The path that counts the tokens of a whole request. */
  readonly countPath?: string;
  /** What `reasoning` takes, for errors. */
  readonly reasoningValues: string;
  /** Returns the headers that carry a key, and those that every request needs. */
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  prompt(prompt: Prompt, options: RenderOptions): Fields;
  /** Returns the fields that set an effort or a token budget for reasoning, or `undefined` for a value that the API lacks. */
  reasoning(value: string | number): Fields | undefined;
  /** Reads a reply that came with a success status: an answer, or an error in disguise. */
  read(reply: Fields, reading?: Reading): Outcome;
  /** Starts to assemble a streamed reply; `take` is called with the size of each text before it is kept. */
  startReply(take: (bytes: number) => void): StreamedReply;
}

/** The environment variables of a key, an address and further headers (an empty name: none), and the vendor's address. */
export interface ProtocolEnvironment {
  readonly key: string;
  readonly keyHeader: string;
  readonly baseUrl: string;
  readonly customHeaders: string;
  readonly vendorUrl: string;
}

/** The result of one request. */
export type Outcome =
  | {
    readonly kind: "answer";
    readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts">;
    /** The whole reply; only of {@linkcode wholeReplies}. */
    readonly fields?: Fields;
    /** Set if the server's template opened the thinking of the reply. */
    readonly opensThinking?: true;
  }
  | FailedOutcome;

/** Sends one request, once. */
export type Send = (body: Fields, signal?: AbortSignal) => Promise<Outcome>;

/** Assembles a streamed reply into the object that the whole reply would be. */
export interface StreamedReply {
  add(event: Fields): boolean;
  /** Returns the reply, or `undefined` if its finish reason did not arrive. */
  whole(): Fields | undefined;
  /** Returns whether its finish reason arrived, or an error. */
  isOver(): boolean;
}

/** A part of a text; Mistral sends thinking as parts of a list. */
type Part = string | Fields;

/** Collects the texts of a stream by the names of their fields. */
export function collectTexts(names: readonly string[], take: (bytes: number) => void): {
  /** Adds those of an event, and returns whether it has any. */
  readonly add: (fields: Fields) => boolean;
  readonly join: () => Fields;
} {
  const texts = new Map<string, Part[]>();
  return {
    add(fields): boolean {
      const added = names.flatMap((name): readonly (readonly [name: string, part: Part])[] => {
        const value = fields[name];
        const parts: readonly Part[] = typeof value === "string" && value !== "" ? [value] : listOf(value);
        return parts.map((part) => [name, part]);
      });
      for (const [name, part] of added) {
        take(typeof part === "string" ? part.length : JSON.stringify(part).length);
        texts.getOrInsertComputed(name, () => []).push(part);
      }
      return added.length > 0;
    },
    join: () => Object.fromEntries([...texts].map(([name, parts]) => [name, joinParts(parts)])),
  };
}

function joinParts(parts: readonly Part[]): unknown {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return parts.map((part) => typeof part === "string" ? { type: "text", text: part } : part);
}

export function readReply(reply: unknown, protocol: Protocol, reading?: Reading): Outcome {
  const value = typeof reply === "string" ? parseJson(reply) : reply;
  if (isFields(value)) return protocol.read(value, reading);
  return badReply(`The reply is no JSON object: ${describeError(reply)}`);
}

/** Returns the failure of a reply that cannot be read; it is requested again, as a proxy may have garbled it once. */
export function badReply(message: string): FailedOutcome {
  return { kind: "failure", failure: "bad_reply", message, canRetry: true };
}

/** Returns a protocol at another path of the same server, whose replies are returned as they are. */
export function wholeReplies(protocol: Protocol, path: string): Protocol {
  return {
    ...protocol,
    path,
    read: (reply) =>
      reply["error"]
        ? judgeHiddenError(reply["error"], {})
        : { kind: "answer", answer: { text: "", finishReason: "stop" }, fields: reply },
  };
}

/** Judges a reply that lacks a part of every answer: by an error in it, or by its words, as MiniMax has only those. */
export function judgeMissing(part: string, reply: Fields): FailedOutcome {
  const error = reply["error"] || (typeof reply["message"] === "string" ? reply : undefined);
  if (error) return judgeHiddenError(error);
  const judged = judgeServerError({ status: 400, body: reply, label: "An error with a status of success" });
  return judged.isUnexplained !== true
    ? judged
    : badReply(`The reply has no ${part}: ${describeError(JSON.stringify(reply))}`);
}

/** Judges an error that came with a success status, by its code or type. */
export function judgeHiddenError(
  error: unknown,
  statuses: Readonly<Record<string, number>> = {},
  place = "with a status of success",
): FailedOutcome {
  const { code, type }: Fields = isFields(error) ? error : {};
  const number = statuses[String(type)] ?? statuses[String(code)] ?? Number(code);
  const status = number >= 400 && number < 600 ? number : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} ${place}` });
}

export function joinTexts(parts: readonly Fields[], key: string): string {
  return parts.map((part) => typeof part[key] === "string" ? part[key] : joinTexts(listOf(part[key]), "text")).join("");
}

const MAX_REASON_CHARS = 200;

/** Adds a reason to those for which a request was sent again; messages that differ only in numbers are one reason. */
export function addResent(before: readonly Resent[], added: Resent): readonly Resent[] {
  const keyOf = ({ failure, message }: Resent): string =>
    `${failure} ${message.slice(0, MAX_REASON_CHARS).replaceAll(/\d+(\.\d+)?/g, "#")}`;
  const at = before.findIndex((one) => keyOf(one) === keyOf(added));
  const known = before[at];
  if (known === undefined) return [...before, { ...added, message: shorten(added.message, MAX_REASON_CHARS) }];
  return before.with(at, { ...known, times: known.times + added.times, waitedMs: known.waitedMs + added.waitedMs });
}
